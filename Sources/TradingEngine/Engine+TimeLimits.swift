import Accounting
import MarketState
import Model
import Orders
import Primitives
import Risk
import Signals

/// Working-time limits.
///
/// `TimedOrders` says what is to be done, the engine gathers what is known and performs it.
extension Engine {
    /// Limits the working time of the entry just sent, if it is a limit at or through the market.
    mutating func limitTime(
        of request: OrderRequest, after predecessors: [OrderID] = [], _ output: inout EngineOutput
    ) {
        guard timed.isOn, let id = orders.newestID else { return }
        let entry = SubmittedEntry(
            id: id, request: request,
            marketPrice: marketPrice(for: request.side, of: request.instrument))
        if timed.submitted(entry, after: predecessors, at: now) { wakeForTimeLimits(&output) }
    }

    /// Cancels the entries whose time is over.
    mutating func endOverdueOrders(into output: inout EngineOutput) {
        for id in timed.endOverdue(at: now) { cancelOrder(id, &output) }
        wakeForTimeLimits(&output)
    }

    /// An order that may have a limited time has ended, or traded behind its end.
    mutating func limitedOrderEnded(
        _ report: OrderReport, _ output: inout EngineOutput
    ) {
        let isRequested =
            hasBroker
            && orders.record(of: report.order).flatMap { orders.cancelCause(of: $0) } == .requested
        switch timed.ended(report.order, by: report.fact, isRequested: isRequested) {
        case .none: break
        case .cancel(let id): cancelOrder(id, &output)
        case .renew(let predecessors):
            if hasBroker {
                awaitProof(of: report.order, after: predecessors, &output)
            } else {
                renew(report.order, after: predecessors, &output)
            }
        }
    }

    /// Asks the broker what an entry that has ended has filled: executions may come behind the word of its end, and only
    /// what is left of it is sent anew.
    private mutating func awaitProof(
        of id: OrderID, after predecessors: [OrderID], _ output: inout EngineOutput
    ) {
        guard let request = orders.request(of: id) else { return }
        timed.awaitProof(
            of: TimedOrders.Unproven(
                id: id, strategy: request.strategy, instrument: request.instrument, finished: now,
                predecessors: predecessors))
        // With a new connection all lists are read anyway.
        if permissions.link == .ready { output.commands.append(.query(.executions)) }
    }

    /// All lists are complete: what of entries that have ended is not filled is sent anew.
    mutating func renewProven(_ output: inout EngineOutput) {
        guard timed.isAnyUnproven, let began = broker.listings.began(.executions) else { return }
        for entry in timed.takeProven(by: began) {
            renew(entry.id, after: entry.predecessors, &output)
            refreshHolding(entry.strategy, entry.instrument)
        }
    }

    private mutating func renew(
        _ id: OrderID, after predecessors: [OrderID], _ output: inout EngineOutput
    ) {
        guard let request = orders.request(of: id) else { return }
        let facts = RenewalFacts(
            filled: orders.filled(id), isMaintenance: held.isMaintenance(at: now),
            price: marketPrice(for: request.side, of: request.instrument),
            ticks: context.market.instruments[Int(request.instrument.index)].tickSize)
        switch timed.renewal(of: request, facts) {
        case .none: break
        case .refuse(let rule):
            refuse(
                rule, about: Decision.Subject(id, request), as: .enter,
                because: request.reason, &output)
        case .place(let renewed):
            guard submit(renewed, for: nil, &output) else { return }
            limitTime(of: renewed, after: predecessors, &output)
        }
    }

    /// What trading at once costs or brings: the opposite quote, else the newest price that was paid.
    func marketPrice(for side: Side, of instrument: InstrumentID) -> Price? {
        let quote = context.market.latestQuote(of: instrument)
        let opposite =
            switch side {
            case .buy: quote?.ask
            case .sell: quote?.bid
            }
        return opposite ?? context.market.latestPrice(of: instrument)
    }

    mutating func wakeForTimeLimits(_ output: inout EngineOutput) {
        guard let time = timed.newWakeUp() else { return }
        output.commands.append(.setTimer(TimerID(engine: EngineTimer.timeLimit.rawValue), at: time))
    }
}
