import MarketState
import Model
import Orders
import Primitives
import Simulation
import TradingEngine

/// What companies do in a backtest, and how much of it has taken effect.
struct ActionPlan: Sendable {
    private let actions: [TimedAction]
    private var doneCount = 0
    /// When the next takes effect; the end of time without one.
    private(set) var next: Timestamp

    /// A plan before the first action.
    ///
    /// - Parameter actions: in the order in which they take effect.
    init(_ actions: [TimedAction]) {
        self.actions = actions
        next = actions.first?.at ?? .distantFuture
    }

    /// The next action that has taken effect by `time`, if there is one.
    mutating func take(through time: Timestamp) -> CorporateAction? {
        guard next <= time, doneCount < actions.count else { return nil }
        doneCount += 1
        next = doneCount < actions.count ? actions[doneCount].at : .distantFuture
        return actions[doneCount - 1].action
    }
}

/// Corporate actions.
extension Backtest {
    /// Lets the engine know what companies did up to a timestamp.
    mutating func takeActions(through time: Timestamp) {
        while let action = actions.take(through: time) {
            switch action.kind {
            case .dividend: step(Event(at: max(now, engine.now), kind: .corporateAction(action)))
            case .split(let ratio): split(action, by: ratio)
            }
            settle()
        }
    }

    /// Splits shares at the venue and for the engine at once. What either reported of old shares before arrives
    /// first, or is turned into new ones on its way: a split lies between two sessions.
    private mutating func split(_ action: CorporateAction, by ratio: SplitRatio) {
        let instrument = action.instrument
        settle()
        let arrived = sequencer.takeEvents { kind in
            switch kind {
            case .bar(let bar): bar.instrument == instrument
            case .quote(let quote): quote.instrument == instrument
            case .trade(let trade): trade.instrument == instrument
            case .order(let report): engine.orders.isOf(instrument, report.order)
            case .history, .historyComplete, .sliceClosed, .brokerOrder, .listing, .link,
                .accountValue, .sessionOpened, .opening, .openingComplete, .name,
                .corporateAction, .timer, .cashMovement, .signal, .shadowResult,
                .operatorRequest, .condition, .dailyClose, .clock:
                false
            }
        }
        for kind in arrived { step(Event(at: max(now, engine.now), kind: kind)) }
        link.venue.split(instrument, by: ratio, answers: &link.answers)
        let event = Event(at: max(now, engine.now), kind: .corporateAction(action))
        engine.step(event, into: &output)
        if verifier != nil { verify(event) }
        sequencer.replaceCommands { command in
            engine.orders.isOf(instrument, command) ? engine.orders.current(command) : command
        }
        recorder.replaceTerms {
            engine.orders.isOf(instrument, $0) ? engine.orders.request(of: $0) : nil
        } changes: {
            engine.orders.isOf(instrument, $0) ? engine.orders.pendingTerms(of: $0) : nil
        }
        performCommands()
    }
}
