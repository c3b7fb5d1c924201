package import Model
package import Primitives
import Signals
package import TradingEngine

/// The state that one session leaves and the next begins with: the engine's as records, each strategy's own as
/// bytes.
package struct EngineState: Sendable {
    /// The engine's state, as it enters another by events.
    package let records: [OpeningRecord]
    /// The texts that reasons in it are numbers of.
    package let reasons: [String]
    /// By strategy; `nil` for one whose state is not saved: it warms up again.
    package let strategies: [[UInt8]?]
    /// The time of the newest event.
    package let at: Timestamp

    /// The state of an engine between two events.
    package init(of engine: borrowing Engine) throws(SavedStateError) {
        records = engine.openingRecords()
        reasons = engine.reasons
        at = engine.now
        var strategies: [[UInt8]?] = []
        for strategy in engine.strategies { strategies.append(try StrategyState.encode(strategy)) }
        self.strategies = strategies
    }

    /// An engine that goes on from the state.
    ///
    /// - Parameters:
    ///   - setup: the same instruments and strategies; a strategy whose state was not saved begins as it is there.
    ///   - opening: what the session is opened with.
    ///   - output: what follows from the opening: timers that are to be set again, and what was damaged.
    package func engine(
        _ setup: EngineSetup, opening: SessionOpening, into output: inout EngineOutput
    ) throws(SavedStateError) -> Engine {
        var setup = setup
        setup.reasons = reasons
        for index in setup.strategies.indices where index < strategies.count {
            guard let bytes = strategies[index] else { continue }
            setup.strategies[index].strategy = try StrategyState.decode(
                bytes, as: type(of: setup.strategies[index].strategy))
        }
        var engine = Engine(setup)
        engine.step(Event(at: at, kind: .sessionOpened(opening)), into: &output)
        for record in records {
            engine.step(Event(at: at, kind: .opening(record)), into: &output)
        }
        engine.step(Event(at: at, kind: .openingComplete), into: &output)
        return engine
    }
}
