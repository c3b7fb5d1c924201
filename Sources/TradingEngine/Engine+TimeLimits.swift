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
        switch timed.ended(report.order, by: report.fact) {
        case .none: break
        case .cancel(let id): cancelOrder(id, &output)
        case .renew(let predecessors): renew(report.order, after: predecessors, &output)
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
    private func marketPrice(for side: Side, of instrument: InstrumentID) -> Price? {
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
