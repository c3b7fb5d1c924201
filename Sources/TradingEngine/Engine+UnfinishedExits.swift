import Accounting
import MarketState
import Model
import Orders
import Primitives
import Risk
import Signals

/// Exits that end before they are done, and intents whose rest has to wait for an order's end.
///
/// `UnfinishedIntents` decides what is to be done, the engine gathers what is known and performs it.
extension Engine {
    /// Exits that the venue has ended, and those that a halt wants.
    package var unfinishedExits: [UnfinishedExit] { unfinished.exits }

    // MARK: What the venue has ended

    /// An order of ours was ended, not by us: while its intent stands it is sent again.
    mutating func restoreOrder(
        _ id: OrderID, endedBy cause: CancelCause, _ output: inout EngineOutput
    ) {
        guard let request = orders.request(of: id) else { return }
        let isLeftToMarket = held.rules.isLeftToMarket(request.type)
        guard
            EndedExit.isRestored(
                request.purpose, endedBy: cause, isLeftToMarket: isLeftToMarket)
        else { return }
        switch request.purpose {
        case .protection: return
        case .entry: restoreEntry(id, request, &output)
        case .exit:
            let end = EndedExit(
                request: request, filled: orders.filled(id), spent: orders.spent(of: request),
                others: exiting(request.strategy, request.instrument),
                isExpired: cause == .expired, isLeftToMarket: isLeftToMarket)
            let position = positionFacts(request.strategy, request.instrument)
            perform(
                unfinished.restore(end, position, marketFacts(request.instrument)), &output)
        }
    }

    /// The venue has refused an exit that stands: it counts as a try.
    mutating func recordRejection(of id: OrderID) {
        guard let request = orders.request(of: id), request.purpose == .exit else { return }
        unfinished.recordRejection(
            request.strategy, request.instrument, marketFacts(request.instrument))
    }

    private mutating func restoreEntry(
        _ id: OrderID, _ request: OrderRequest, _ output: inout EngineOutput
    ) {
        guard orders.record(of: id)?.isSplit == true,
            let restored = request.restored(
                filled: orders.filled(id), isInSession: days.isInSession(now))
        else { return }
        _ = submit(restored, for: nil, &output)
    }

    // MARK: What halts want

    /// Wants a strategy's position closed, whatever the strategy wants meanwhile, over days if need be.
    mutating func keepExiting(
        of strategy: StrategyID, in instrument: InstrumentID, because cause: HaltCause
    ) {
        guard !unfinished.isForced(strategy, instrument) else { return }
        let intent = Intent(
            strategy: strategy, instrument: instrument, goal: .exit, terms: .marketNow,
            reason: context.number(of: cause.name))
        unfinished.force(intent, because: cause)
    }

    /// Sends what is missing of the exits that stand, and forgets those that are done.
    mutating func reviewUnfinishedExits(into output: inout EngineOutput) {
        guard permissions.areOpen || permissions.mayLeave(.exit) else { return }
        var index = 0
        while index < unfinished.exits.count {
            let intent = unfinished.exits[index].intent
            let position = positionFacts(intent.strategy, intent.instrument)
            switch unfinished.review(index, position, marketFacts(intent.instrument)) {
            case .done: continue
            case .wait: break
            case .resume(let intent): resolve(resumed(intent), into: &output)
            }
            index += 1
        }
    }

    /// Ends exits that together sell more than is held, and sends another at their end.
    mutating func reduceSurplusExits(
        _ strategy: StrategyID, _ instrument: InstrumentID, _ output: inout EngineOutput
    ) {
        guard !unfinished.exits.isEmpty,
            let intent = unfinished.surplusExit(
                strategy, instrument, held: heldQuantity(strategy, instrument),
                exiting: exiting(strategy, instrument))
        else { return }
        cancel(intent, &output) { $0.purpose == .exit }
        noteDeferral(of: intent, &output)
        deferredExits.awaitExits(intent)
    }

    // MARK: What follows an order's end

    /// Keeps an intent until the orders that are against it have ended.
    mutating func awaitEnd(for intent: Intent, _ output: inout EngineOutput) {
        decide(.held(.otherOrders), about: Decision.Subject(intent), &output)
        unfinished.awaitEnd(for: intent)
    }

    /// Takes up an intent again, once no order works any more that it had to wait for.
    mutating func followUp(
        _ strategy: StrategyID, _ instrument: InstrumentID, after report: OrderReport,
        _ output: inout EngineOutput
    ) {
        let isExitInVain =
            report.fact.isEndByOthers && orders.request(of: report.order)?.purpose == .exit
        perform(
            unfinished.followUp(
                strategy, instrument, positionFacts(strategy, instrument),
                isExitInVain: isExitInVain),
            &output)
    }

    /// Lets a strategy's intent take the place of what it wanted before and is not done.
    ///
    /// - Returns: false when it is not to be taken up.
    mutating func supersede(_ intent: Intent, _ output: inout EngineOutput) -> Bool {
        let action = unfinished.supersede(by: intent, marketFacts(intent.instrument))
        perform(action, &output)
        return action == .none
    }

    // MARK: Facts and actions

    /// What is known of a strategy's position in an instrument.
    func positionFacts(
        _ strategy: StrategyID, _ instrument: InstrumentID
    ) -> PositionFacts {
        let working = orders.working.strategy(strategy, in: instrument)
        return PositionFacts(
            held: heldQuantity(strategy, instrument), buying: working.buys,
            selling: working.sells, exiting: working.exits,
            isExitDeferred: deferredExits.contains(strategy, instrument))
    }

    private func marketFacts(_ instrument: InstrumentID) -> MarketFacts {
        MarketFacts(today: days.today, price: context.market.latestPrice(of: instrument))
    }

    /// What a strategy's exits will sell, counting orders of one group once.
    private func exiting(
        _ strategy: StrategyID, _ instrument: InstrumentID
    ) -> Quantity {
        orders.linkedExits(of: strategy, in: instrument) { $0.purpose == .exit }
    }

    private mutating func perform(_ action: UnfinishedAction, _ output: inout EngineOutput) {
        switch action {
        case .none: break
        case .resume(let intent): resolve(resumed(intent), into: &output)
        case .refuse(let rule, let intent, let figures):
            refuse(rule, intent, &output) { figures }
        case .drop(let cause, let intent): drop(cause, intent, &output)
        }
    }
}
