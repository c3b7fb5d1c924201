import Accounting
import Model
import Orders
import Primitives
import Signals

/// Going on with a state that was left under another configuration.
///
/// Ledgers, orders, protection, halts and latches are taken over as they are, and nothing is decided again. What
/// the configuration no longer names stays in the run as an orphan: protected, and the user can cancel and flatten
/// it by its strategy or instrument.
extension Engine {
    /// True if the configuration names an instrument. Strategies are notified of no other.
    func isConfigured(_ instrument: InstrumentID) -> Bool {
        Int(instrument.index) < configuredInstruments
    }

    /// Drops what strategies that begin anew have asked for and was not sent. Where the configuration has changed,
    /// entries are halted until the user has looked. Exits that were begun go on.
    mutating func complete(_ takeover: Takeover, _ output: inout EngineOutput) {
        timers.remove { takeover.restarts($0) }
        for intent in held.remove(where: { takeover.restarts($0) }) {
            drop(.strategyRestarted, intent, &output)
            refreshHolding(intent.strategy, intent.instrument)
        }
        if takeover.haltsEntries { halt(for: .changedSetup, into: &output) }
    }

    /// Reports every position and order that no configured strategy decides about.
    mutating func noteOrphans(_ output: inout EngineOutput) {
        for strategy in 0..<instances.count {
            for index in 0..<instrumentCount {
                let (owner, instrument) = (
                    StrategyID(index: strategy), InstrumentID(index: index)
                )
                guard isOrphaned(owner, instrument) else { continue }
                let held = portfolio.ledger(of: .strategy(owner), in: instrument).quantity
                let live = orders.allLive.count { isOrder($0, of: owner, in: instrument) }
                guard held != .zero || live > 0 else { continue }
                decide(
                    .orphaned,
                    about: Decision.Subject(strategy: owner, instrument: instrument), &output
                ) { Figures(.shares(.held, held), .count(.count, live)) }
            }
        }
        for index in configuredInstruments..<instrumentCount {
            let instrument = InstrumentID(index: index)
            let held = portfolio.ledger(of: .unattributed, in: instrument).quantity
            guard held != .zero else { continue }
            decide(.orphaned, about: Decision.Subject(instrument: instrument), &output) {
                Figures(.shares(.held, held))
            }
        }
    }

    /// True if no configured strategy decides about a strategy's position in an instrument: one of them is no longer
    /// configured, or the strategy is no longer shown the instrument.
    private func isOrphaned(_ strategy: StrategyID, _ instrument: InstrumentID) -> Bool {
        Int(strategy.index) >= configuredStrategies || !isConfigured(instrument)
            || opening.takeover != nil && !isShown(instrument, to: Int(strategy.index))
    }

    private func isOrder(
        _ id: OrderID, of strategy: StrategyID, in instrument: InstrumentID
    ) -> Bool {
        guard let request = orders.request(of: id) else { return false }
        return request.strategy == strategy && request.instrument == instrument
    }
}
