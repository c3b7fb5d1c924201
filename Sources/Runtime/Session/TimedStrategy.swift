import MarketState
import Model
import Primitives
import Signals
import TradingEngine

/// A strategy of a session whose calls are measured. It decides as the strategy itself does, and what is saved of it is
/// the strategy's own state; backtests and replays run the strategy without it.
struct TimedStrategy: Strategy {
    static let declaration = StrategyDeclaration(
        name: "timed", summary: "measures the calls of another strategy")

    /// The strategy itself.
    private(set) var base: any Strategy
    private let id: StrategyID
    private let meter: CallMeter

    init(_ setup: StrategySetup) {
        preconditionFailure("a timed strategy is made of another, and stands in no catalog")
    }

    /// A strategy whose calls a meter measures under an id.
    init(_ base: any Strategy, as id: StrategyID, by meter: CallMeter) {
        self.base = base
        self.id = id
        self.meter = meter
    }

    /// The strategy that is measured; a strategy that is not is itself.
    static func base(of strategy: any Strategy) -> any Strategy {
        (strategy as? TimedStrategy)?.base ?? strategy
    }

    /// A strategy in the place of another, measured where that one is.
    static func replacing(_ former: any Strategy, with strategy: any Strategy) -> any Strategy {
        guard var timed = former as? TimedStrategy else { return strategy }
        timed.base = strategy
        return timed
    }

    private mutating func measure(_ call: (inout any Strategy) -> Void) {
        let begun = meter.now(id)
        call(&base)
        meter.note(id, took: meter.now(id) - begun)
    }

    var warmupBars: Int { base.warmupBars }

    var averageTrueRangeLengths: [Int] { base.averageTrueRangeLengths }

    mutating func barClosed(_ bar: Bar, _ context: inout StrategyContext) {
        measure { $0.barClosed(bar, &context) }
    }

    mutating func historyCompleted(
        _ coverage: HistoryCoverage, _ context: inout StrategyContext
    ) {
        measure { $0.historyCompleted(coverage, &context) }
    }

    mutating func quoteChanged(_ quote: Quote, _ context: inout StrategyContext) {
        measure { $0.quoteChanged(quote, &context) }
    }

    mutating func tradeHappened(_ trade: Trade, _ context: inout StrategyContext) {
        measure { $0.tradeHappened(trade, &context) }
    }

    mutating func sliceClosed(_ context: inout StrategyContext) {
        measure { $0.sliceClosed(&context) }
    }

    mutating func orderFilled(_ execution: Execution, _ context: inout StrategyContext) {
        measure { $0.orderFilled(execution, &context) }
    }

    mutating func timerFired(_ number: Int, _ context: inout StrategyContext) {
        measure { $0.timerFired(number, &context) }
    }

    mutating func intentRefused(_ refusal: IntentRefusal, _ context: inout StrategyContext) {
        measure { $0.intentRefused(refusal, &context) }
    }

    mutating func orderEnded(_ end: OrderEnd, _ context: inout StrategyContext) {
        measure { $0.orderEnded(end, &context) }
    }

    mutating func changedOutside(_ change: OutsideChange, _ context: inout StrategyContext) {
        measure { $0.changedOutside(change, &context) }
    }

    mutating func shadowReported(_ result: ShadowResult, _ context: inout StrategyContext) {
        measure { $0.shadowReported(result, &context) }
    }
}

extension EngineSetup {
    /// Has a meter measure the strategies' calls.
    mutating func measureStrategies(by meter: CallMeter) {
        for index in strategies.indices {
            strategies[index].strategy = TimedStrategy(
                strategies[index].strategy, as: StrategyID(index: index), by: meter)
        }
    }
}
