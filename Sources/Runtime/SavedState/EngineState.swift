package import Model
package import Primitives
import Signals
package import TradingEngine

/// The state that one session leaves and the next begins with: the engine's as records, each strategy's own as
/// bytes, and the names that ids in them stand for.
package struct EngineState: Sendable {
    /// The engine's state, as it enters another by events.
    package let records: [OpeningRecord]
    /// The texts that reasons in it are numbers of.
    package let reasons: [String]
    /// By strategy; `nil` for one whose state is not saved: it warms up again.
    package let strategies: [[UInt8]?]
    /// True if no strategy goes on from the state: it was rebuilt without showing them anything.
    package let restartsStrategies: Bool
    /// The time of the newest event.
    package let at: Timestamp
    /// What ids in the records stand for.
    package let names: Names
    /// By what the session's decisions were made.
    package let opening: SessionOpening

    /// What ids in a state's records stand for.
    package struct Names: Equatable, Sendable {
        /// By the id in records.
        package let instruments: [Instrument]
        /// By the id in records.
        package let strategies: [ConfiguredStrategy]
        /// Instruments that are quoted and never traded.
        package let quotedOnly: [InstrumentID]
        /// How many of the instruments the configuration named; orphans are behind.
        package let configuredInstruments: Int
        /// How many of the strategies the configuration named.
        package let configuredStrategies: Int

        /// The names of a setup.
        init(_ setup: SessionSetup) {
            instruments = setup.engine.instruments
            strategies = setup.strategies
            quotedOnly = setup.engine.quotedOnly
            configuredInstruments = setup.engine.configuredInstruments ?? instruments.count
            configuredStrategies = setup.engine.configuredStrategies ?? strategies.count
        }

        /// The instruments that strategies were made for. A strategy finds its figures by their order.
        var universe: ArraySlice<Instrument> { instruments.prefix(configuredInstruments) }

        /// True if they begin with all that a configuration names, and nothing else was configured.
        func areConfigured(by setup: SessionSetup) -> Bool {
            universe.elementsEqual(setup.engine.instruments)
                && strategies.prefix(configuredStrategies).elementsEqual(setup.strategies)
        }
    }

    /// True for each instrument, by index, that money, orders or what the user has said is about; those behind the
    /// last are not.
    let usedInstruments: [Bool]
    /// The same for strategies.
    let usedStrategies: [Bool]

    /// The state of an engine between two events.
    ///
    /// - Parameters:
    ///   - setup: what the engine was made of.
    ///   - opening: what its session was opened with.
    ///   - restartsStrategies: see the property.
    package init(
        of engine: borrowing Engine, _ setup: SessionSetup, opening: SessionOpening,
        restartsStrategies: Bool = false
    ) throws(SavedStateError) {
        let state = engine.openingState()
        records = state.records
        usedInstruments = state.usedInstruments
        usedStrategies = state.usedStrategies
        reasons = engine.reasons
        at = engine.now
        names = Names(setup)
        self.opening = opening
        self.restartsStrategies = restartsStrategies
        var strategies: [[UInt8]?] = []
        for strategy in engine.strategies {
            strategies.append(restartsStrategies ? nil : try StrategyState.encode(strategy))
        }
        self.strategies = strategies
    }

    /// A state from its parts, as it was written.
    ///
    /// - Parameters:
    ///   - setup: what its engine was made of.
    ///   - used: see `usedInstruments` and `usedStrategies`.
    init(
        records: [OpeningRecord], used: (instruments: [Bool], strategies: [Bool]),
        reasons: [String], strategies: [[UInt8]?], at time: Timestamp, _ setup: SessionSetup,
        opening: SessionOpening
    ) {
        self.records = records
        restartsStrategies = false
        (usedInstruments, usedStrategies) = used
        self.reasons = reasons
        self.strategies = strategies
        at = time
        names = Names(setup)
        self.opening = opening
    }

    /// A digest of an engine's whole state, the strategies' own included where it is saved.
    package static func hash(
        of engine: borrowing Engine
    ) throws(SavedStateError) -> UInt64 {
        var hasher = StateHasher()
        hasher.combine(engine.stateHash)
        for strategy in engine.strategies {
            let bytes = try StrategyState.encode(strategy)
            hasher.combine(bytes?.count ?? -1)
            for byte in bytes ?? [] { hasher.combine(UInt64(byte)) }
        }
        return hasher.digest
    }

    /// The digests of two engines by all that can be compared: without the strategies' own state where that of one
    /// cannot be saved.
    package static func comparableHashes(
        of first: borrowing Engine, _ second: borrowing Engine
    ) -> (UInt64, UInt64) {
        do throws(SavedStateError) {
            return (try hash(of: first), try hash(of: second))
        } catch {
            return (first.stateHash, second.stateHash)
        }
    }

    /// An engine that goes on from the state.
    ///
    /// - Parameters:
    ///   - setup: what `setup(for:opening:)` has made of a configuration's.
    ///   - opening: what the session is opened with.
    ///   - output: what follows from the opening: timers that are to be set again, what was damaged, and what a
    ///     change of the configuration has led to.
    package func engine(
        _ setup: SessionSetup, opening: SessionOpening, into output: inout EngineOutput
    ) -> Engine {
        var engine = Engine(setup.engine)
        engine.step(Event(at: at, kind: .sessionOpened(opening)), into: &output)
        for record in records {
            engine.step(Event(at: at, kind: .opening(record)), into: &output)
        }
        engine.step(Event(at: at, kind: .openingComplete), into: &output)
        return engine
    }
}
