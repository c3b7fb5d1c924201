import Accounting
import Catalog
import Configuration
import MarketState
import Model
import Primitives
import Risk
import Simulation
import TradingEngine

/// What a run reports about itself, a sentence each.
extension Backtest {
    /// Where the result hangs on an assumption, or is not what was asked for.
    var ownWarnings: [String] {
        halted + unbooked + unfinishedExits + sessions.withdrawalWarnings + ambiguity + overdrafts
            + unsent
            + unpaid
            + unused + droppedNotes
    }

    /// A halt that nobody has lifted.
    private var halted: [String] {
        let causes = engine.gate.haltCauses.filter { !$0.endsWithDay }
        guard let haltedOn = sessions.haltedOn, !causes.isEmpty else { return [] }
        let names = causes.map(\.name.description).joined(separator: " and ")
        return [
            "entries were halted from \(haltedOn) to the end (\(names)): no new position was opened since; "
                + "backtest.resume says when entries go on"
        ]
    }

    /// What the ledger could not bear.
    private var unbooked: [String] {
        let unvalued = engine.monitor.unvalued.map {
            "\(symbol(of: $0)): the position was too large to be valued, entries were halted"
        }
        return unvalued
            + engine.monitor.unbooked.map { action in
                let kind =
                    switch action.kind {
                    case .split(let ratio): "split \(ratio.new):\(ratio.old)"
                    case .dividend(let perShare): "dividend of \(perShare)"
                    }
                return """
                    \(symbol(of: action.instrument)): the \(kind) of \(action.exDay) was not booked, its figures \
                    are beyond what the books can bear: what follows is wrong, and entries were refused
                    """
            }
    }

    /// Exits that were wanted and are not done.
    private var unfinishedExits: [String] {
        engine.unfinishedExits.compactMap { exit in
            let (strategy, instrument) = (exit.intent.strategy, exit.intent.instrument)
            let held = engine.portfolio.ledger(of: .strategy(strategy), in: instrument).quantity
            guard held != .zero else { return nil }
            let cause = exit.cause.map { " (\($0.name))" } ?? ""
            return """
                \(symbol(of: instrument)): an exit\(cause) was not done at the end, \(held) shares were still held
                """
        }
    }

    private func symbol(of instrument: InstrumentID) -> String {
        instruments[Int(instrument.index)].symbol
    }

    /// Payments that no session came for.
    private var unpaid: [String] {
        guard let next = sessions.pendingFlows.last else { return [] }
        return [
            "\(sessions.pendingFlows.count) payments from \(next.day) on did not happen: the data ended before"
        ]
    }

    private var droppedNotes: [String] {
        let count = recorder.droppedScoreCount
        guard count > 0 else { return [] }
        return ["scores.csv is not whole: \(count) more scores were noted"]
    }

    /// Where the result hangs on an assumption.
    private var ambiguity: [String] {
        guard link.venue.ambiguousBarCount > 0 else { return [] }
        return [
            "\(link.venue.ambiguousBarCount) bars reached a stop and a target: which came first is assumed"
        ]
    }

    /// Where purchases have spent what was not there.
    private var overdrafts: [String] {
        let count = engine.decisionCounts[.overdrawn]
        guard count > 0 else { return [] }
        return [
            """
            \(count) x settled cash below zero: purchases cost more than \
            account.cash_buffer_pct sets aside
            """
        ]
    }

    /// What the end of the data cut off.
    private var unsent: [String] {
        guard engine.pendingIntentCount > 0 else { return [] }
        return [
            "\(engine.pendingIntentCount) intents were still held for their execution window at the end"
        ]
    }

    /// What of the data no bar has.
    private var unused: [String] {
        var sentences: [String] = []
        if feed.longerBars.dropped.outside > 0 {
            sentences.append(
                "\(feed.longerBars.dropped.outside) bars or trades outside regular hours are in no longer bar"
            )
        }
        let remaining = feed.longerBars.dropped.count - feed.longerBars.dropped.outside
        if remaining > 0 { sentences.append("\(remaining) bars did not fit into longer ones") }
        return sentences
    }
}
