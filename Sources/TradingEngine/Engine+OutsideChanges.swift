import Accounting
import MarketState
import Model
import Orders
import Primitives
import Risk
import Signals

/// What others change of what is ours, and orders that come back: strategies are notified, and what the broker has is
/// taken for true.
extension Engine {
    // MARK: Positions

    /// Notifies the strategies that hold an instrument of what the account has of it besides what the program's own orders
    /// have made of it, once for each such quantity.
    mutating func notifyOfPosition(_ instrument: InstrumentID, _ output: inout EngineOutput) {
        guard hasBroker, isConfigured(instrument), let beyond = outside.takeNews(of: instrument)
        else { return }
        let change = OutsideChange(at: now, instrument: instrument, kind: .position(beyond))
        for strategy in 0..<instances.count
        where heldQuantity(StrategyID(index: strategy), instrument) != .zero {
            notify(StrategyID(index: strategy), of: change)
        }
        if !context.requests.isEmpty { performRequests(into: &output) }
    }

    private mutating func notify(_ strategy: StrategyID, of change: OutsideChange) {
        context.strategy = strategy
        instances[Int(strategy.index)].strategy.changedOutside(change, &context)
    }

    /// True if what the broker has more in an instrument takes an execution of ours back that is at most a day old: an
    /// exchange has cancelled the trade, or others have undone it.
    func undoesOurs(_ gap: Quantity, _ instrument: InstrumentID) -> Bool {
        let now = now
        for index in orders.records.indices {
            var isUndone = false
            orders.records[index].facts.forEachExecution { execution, _ in
                guard execution.instrument == instrument, execution.quantity != .zero,
                    now - execution.time <= .hours(24)
                else { return }
                isUndone = isUndone || execution.signedQuantity == -gap
            }
            if isUndone { return true }
        }
        return false
    }

    // MARK: Orders

    /// Takes an order to work under the terms that the broker has: others have changed it. Prices that they have moved are
    /// those of its plan from now on.
    mutating func adopt(_ terms: Reconciliation.OtherTerms, _ output: inout EngineOutput) {
        // What protects by another type than was planned is no protection.
        if terms.isOfOtherType { placeAnew(terms.order, &output) }
        guard orders.adopt(terms, at: now), let request = orders.request(of: terms.order) else {
            return
        }
        if let type = terms.type, request.purpose == .protection {
            plans.adopt(
                type, of: terms.order, at: plans.place(request.strategy, request.instrument))
        }
        refreshHolding(request.strategy, request.instrument)
        if gate.cashBuffer != nil { checkCash(after: terms.order, &output) }
    }

    /// Notifies a strategy that others have changed an order of its. A quantity while its parent may still fill is the
    /// broker's doing, and a price from before a split that of the split.
    mutating func notifyOfChange(
        _ order: OrderID, ofQuantity: Bool, _ output: inout EngineOutput
    ) {
        guard let record = orders.record(of: order), !record.isSplit else { return }
        let request = record.ticket.request
        guard !ofQuantity || orders.parentOpen(of: request) == .zero,
            isConfigured(request.instrument)
        else { return }
        notify(
            request.strategy,
            of: OutsideChange(at: now, instrument: request.instrument, kind: .order(order)))
        if !context.requests.isEmpty { performRequests(into: &output) }
    }

    // MARK: Orders that come back

    /// Takes in that a report may show an order at the broker that was taken not to be there. A status alone is no proof
    /// against a closure: the broker's list of open orders is.
    mutating func noteReturn(
        by report: OrderReport, _ output: inout EngineOutput
    ) {
        guard let state = orders.record(of: report.order)?.state else { return }
        if case .executed = report.fact { return noteResubmitted(report.order, &output) }
        guard case .status(let status) = report.fact, status.isActive else { return }
        if state.isLive {
            noteResubmitted(report.order, &output)
        } else if state == .closed, !broker.listings.isUnderWay(.openOrders) {
            output.commands.append(.query(.openOrders))
        }
    }

    private mutating func noteResubmitted(_ order: OrderID, _ output: inout EngineOutput) {
        guard let request = orders.request(of: order), broker.isNews(.resubmitted(order)) else {
            return
        }
        decide(.finding(.resubmitted), about: Decision.Subject(order, request), &output)
        recall(order, &output)
    }

    /// Cancels an order that came back, where its intent was decided again meanwhile.
    mutating func recall(_ order: OrderID, _ output: inout EngineOutput) {
        guard let request = orders.request(of: order), orders.isListed(order),
            isDecidedAgain(order, request)
        else { return }
        cancelOrder(order, request, &output)
    }

    private func isDecidedAgain(_ order: OrderID, _ request: OrderRequest) -> Bool {
        let held = heldQuantity(request.strategy, request.instrument)
        switch request.purpose {
        case .entry:
            // What it has filled itself is no reason against the rest.
            let others = (request.side == .buy ? held : -held) - orders.filled(order)
            return gate.isHalted || gate.isLatched(request.instrument)
                || permissions.restriction(of: request.strategy, in: request.instrument) != nil
                || others >= request.quantity || isSucceeded(order, request)
        case .exit:
            return held == .zero || (held > .zero) == (request.side == .buy)
                || isSucceeded(order, request)
        case .protection:
            // One of a plan that has gone on with others; what hangs on an entry goes with it.
            let plan = plans[plans.place(request.strategy, request.instrument)]
            guard let plan, plan.orders.contains(where: { orders.isListed($0) }) else {
                return false
            }
            return !plan.orders.contains(order) && orders.parentOpen(of: request) == .zero
        }
    }

    /// True if a strategy has sent a newer order for what an order was to do, and the broker has or had that.
    private func isSucceeded(_ order: OrderID, _ request: OrderRequest) -> Bool {
        for index in orders.records.indices.reversed() {
            let other = orders.records[index]
            guard other.ticket.id > order else { return false }
            let newer = other.ticket.request
            guard newer.strategy == request.strategy, newer.instrument == request.instrument,
                newer.purpose != .protection, other.isListed || other.facts.filled > .zero
            else { continue }
            return true
        }
        return false
    }
}

extension BrokerStatus {
    /// True if an order of that status works, or will by itself.
    fileprivate var isActive: Bool {
        switch self {
        case .pendingSubmit, .preSubmitted, .submitted: true
        case .pendingCancel, .apiCancelled, .cancelled, .filled, .inactive: false
        }
    }
}
