package import Model
import Primitives
import Signals
import TradingEngine

/// A state that another configuration goes on from.
extension EngineState {
    /// The setup of a session that goes on from the state: the configuration's instruments and strategies, in its
    /// order, and behind them as orphans those that only the state knows and needs.
    ///
    /// Instruments are matched by symbol and contract, strategies by name. A strategy goes on from its saved state
    /// under the program and strategies that saved it, made of the same things for the same instruments; any other
    /// is left as the configuration made it and has to warm up. What nothing depends on any more is left out.
    ///
    /// - Parameters:
    ///   - configured: what the configuration says, without orphans.
    ///   - opening: what the session is opened with. Under another program or configuration than the state's,
    ///     entries are halted until the user has looked.
    package func setup(
        for configured: SessionSetup, opening: SessionOpening
    ) throws(SavedStateError) -> SessionSetup {
        var setup = configured
        setup.engine.reasons = reasons
        setup.engine.configuredInstruments = configured.engine.instruments.count
        setup.engine.configuredStrategies = configured.strategies.count
        let ids = RecordIDs(
            instruments: matchInstruments(in: &setup.engine),
            strategies: matchStrategies(in: &setup))
        var restarts = Array(repeating: true, count: setup.strategies.count)
        for (index, id) in ids.strategies.enumerated() {
            guard let new = id.map({ Int($0.index) }), new < configured.strategies.count,
                goesOn(configured, new, from: index, opening)
            else { continue }
            restarts[new] = false
            // What stands in for a strategy has no state of its own.
            guard index < strategies.count, let bytes = strategies[index],
                !setup.engine.strategies[new].isOrphan
            else { continue }
            let strategy = setup.engine.strategies[new].strategy
            setup.engine.strategies[new].strategy = TimedStrategy.replacing(
                strategy,
                with: try StrategyState.decode(
                    bytes, as: type(of: TimedStrategy.base(of: strategy))))
        }
        let isChanged = !opening.decidesAs(self.opening) || !names.areConfigured(by: configured)
        // The same configuration may have fewer orphans than before.
        if isChanged || restartsStrategies || Names(setup) != names {
            setup.engine.takeover = Takeover(ids, restarts: restarts, haltsEntries: isChanged)
        }
        return setup
    }

    /// True if a strategy of the configuration goes on where the state's has stopped.
    private func goesOn(
        _ configured: SessionSetup, _ new: Int, from old: Int, _ opening: SessionOpening
    ) -> Bool {
        !restartsStrategies && opening.version == self.opening.version
            && opening.program == self.opening.program
            && opening.strategies == self.opening.strategies
            && configured.strategies[new] == names.strategies[old]
            && names.universe.elementsEqual(configured.engine.instruments)
    }

    // MARK: Instruments

    /// The id of each of the state's instruments in the setup, which gains those that it lacks and that are needed.
    private func matchInstruments(in setup: inout EngineSetup) -> [InstrumentID?] {
        let configured = setup.instruments
        var unmatched: [InstrumentKey: InstrumentID] = [:]
        for instrument in configured {
            unmatched[InstrumentKey(instrument, in: configured)] = instrument.id
        }
        var count = configured.count
        let needed = neededInstruments
        let ids: [InstrumentID?] = names.instruments.enumerated().map { index, instrument in
            // No two of the state's are one of the setup's.
            if let id = unmatched.removeValue(
                forKey: InstrumentKey(instrument, in: names.instruments))
            {
                return id
            }
            guard needed[index] else { return nil }
            count += 1
            return InstrumentID(index: count - 1)
        }
        for (index, instrument) in names.instruments.enumerated() {
            guard let id = ids[index], Int(id.index) >= configured.count else { continue }
            let underlying = instrument.underlying.flatMap { ids[Int($0.index)] }
            setup.instruments.append(instrument.moved(to: id, underlying: underlying))
            if names.quotedOnly.contains(instrument.id) { setup.quotedOnly.append(id) }
        }
        return ids
    }

    /// True for each of the state's instruments that something depends on: an option in use needs its underlying.
    private var neededInstruments: [Bool] {
        var needed = names.instruments.indices.map {
            $0 < usedInstruments.count && usedInstruments[$0]
        }
        for (index, instrument) in names.instruments.enumerated() where needed[index] {
            if let underlying = instrument.underlying { needed[Int(underlying.index)] = true }
        }
        return needed
    }

    // MARK: Strategies

    /// The id of each of the state's strategies in the setup, which gains orphans for those that it lacks and that
    /// are needed.
    private func matchStrategies(in setup: inout SessionSetup) -> [StrategyID?] {
        let configured = setup.strategies
        var ids: [StrategyID?] = []
        for (index, strategy) in names.strategies.enumerated() {
            if let match = configured.firstIndex(where: { $0.name == strategy.name }) {
                ids.append(StrategyID(index: match))
            } else if index < usedStrategies.count, usedStrategies[index] {
                ids.append(StrategyID(index: setup.strategies.count))
                setup.strategies.append(strategy)
                setup.engine.strategies.append(.orphan(shown: []))
            } else {
                ids.append(nil)
            }
        }
        return ids
    }
}

extension Instrument {
    /// What an option gives a right to.
    fileprivate var underlying: InstrumentID? {
        switch assetClass {
        case .option(let terms): terms.underlying
        case .stock, .etf, .index, .future, .forex: nil
        }
    }
}
