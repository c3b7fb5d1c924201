import Model
import Primitives
import TradingEngine

/// The names that ids stand for in a session.
struct SessionNames: Sendable {
    /// By instrument, those that are no longer configured behind the others.
    private(set) var symbols: [String] = []
    /// By strategy, those that are no longer configured behind the others.
    private(set) var strategies: [String] = []

    /// None.
    init() {}

    /// Those of what an engine is made of.
    init(_ setup: SessionSetup) {
        symbols = setup.engine.instruments.map(\.symbol)
        strategies = setup.strategies.map(\.name)
    }

    /// The symbol of an instrument.
    func symbol(of instrument: InstrumentID) -> String {
        let index = Int(instrument.index)
        return symbols.indices.contains(index) ? symbols[index] : "\(instrument)"
    }

    /// The name of a strategy.
    func name(of strategy: StrategyID) -> String {
        let index = Int(strategy.index)
        return strategies.indices.contains(index) ? strategies[index] : "\(strategy)"
    }
}
