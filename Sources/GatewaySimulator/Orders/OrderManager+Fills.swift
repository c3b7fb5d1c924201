import Model
import Primitives
import Simulation
import TWSProtocol

/// Fills, and what they do to others.
extension OrderManager {
    /// Books a fill of an order.
    mutating func record(
        _ quantity: Quantity, at price: Price, of order: ManagedOrder, isResting: Bool
    ) {
        if order.filled == .zero { order.firstPrice = price }
        order.filled += quantity
        order.notional += Int128(price.units) * Int128(quantity.units)
        order.lastPrice = price
        let commission = charge(quantity, at: price, of: order)
        order.commission += commission
        var execution = ManagedExecution(
            order: order, root: nextExecutionRoot(), quantity: quantity, price: price, time: now,
            cumulative: order.filled, average: order.averagePrice,
            liquidity: isResting ? .added : .removed, exchange: Self.exchange(of: order),
            commission: commission)
        execution.realized = dependencies.bookFill(fill(execution, isCorrection: false))
        executions.append(execution)
        let isComplete = order.filled >= order.total
        if isComplete, !order.stage.isOver {
            order.stage = .filled
            order.endedAt = now
            order.endText = "Filled Size: \(DecimalValue(order.filled))"
        } else if isComplete {
            order.stage = .filled
        }
        publishFill(executions.count - 1)
        order.group?.hasFilled = true
        for other in order.group?.members ?? [] where other !== order { touch(other) }
        if isComplete { leave(order) }
        meetExecutionConditions(of: order)
        for child in order.children where !child.stage.isOver { touch(child) }
        markStale(order)
    }

    /// A fill as its account books it.
    func fill(_ execution: ManagedExecution, isCorrection: Bool) -> OrderFill {
        let id = WireExecutionID(execution.id)
        guard let id else { preconditionFailure("identifiers end in a point and a number") }
        return OrderFill(
            execution: id, account: execution.order.account,
            instrument: execution.order.instrument, side: execution.order.side,
            quantity: execution.quantity, price: execution.price,
            commission: execution.commission, time: execution.time,
            permID: execution.order.permID, orderRef: execution.order.request.order.orderRef,
            isCorrection: isCorrection)
    }

    /// What a fill adds to its order's costs.
    private mutating func charge(
        _ quantity: Quantity, at price: Price, of order: ManagedOrder
    ) -> Money {
        guard !order.isExercise else { return .zero }
        let instrument = order.listing.instrument
        let execution = Execution(
            id: ExecutionID(base: Int64(executions.count)), instrument: order.instrument,
            side: order.side, quantity: quantity, price: price, time: now)
        return settings.commissions.schedule(for: instrument.assetClass).charge(
            for: execution, multiplier: max(instrument.multiplier, 1), order: &order.costs,
            month: &volumes[order.account, default: MonthlyVolume()])
    }

    /// Reckons the costs of a fill of an earlier order manager along.
    mutating func recharge(_ execution: ManagedExecution) {
        let order = execution.order
        guard !order.isExercise, execution.quantity > .zero else { return }
        let instrument = order.listing.instrument
        let own = Execution(
            id: ExecutionID(base: 0), instrument: order.instrument, side: order.side,
            quantity: execution.quantity, price: execution.price, time: execution.time)
        _ = settings.commissions.schedule(for: instrument.assetClass).charge(
            for: own, multiplier: max(instrument.multiplier, 1), order: &order.costs,
            month: &volumes[order.account, default: MonthlyVolume()])
    }

    /// What an order would cost if all of it filled at a price.
    func commission(_ terms: CheckedOrder, at price: Price) -> Money {
        let instrument = terms.listing.instrument
        guard terms.quantity > .zero,
            price.units.magnitude <= OrderManagerSettings.priceMax.units.magnitude
        else { return .zero }
        let execution = Execution(
            id: ExecutionID(base: 0), instrument: terms.listing.id, side: terms.side,
            quantity: terms.quantity, price: price, time: now)
        var costs = OrderCosts()
        var month = volumes[terms.request.order.account] ?? MonthlyVolume()
        return settings.commissions.schedule(for: instrument.assetClass).charge(
            for: execution, multiplier: max(instrument.multiplier, 1), order: &costs,
            month: &month)
    }

    /// Where an order trades: the exchange it names, or the listing's own behind `SMART`.
    private static func exchange(of order: ManagedOrder) -> String {
        let asked = order.request.contract.exchange
        guard asked == "SMART" else { return asked }
        let own = order.request.contract.primaryExchange
        return own.isEmpty ? asked : own
    }

    /// `0000e0d5.` and three parts: the gateway's own, a counter, and 01; the revision follows.
    private mutating func nextExecutionRoot() -> String {
        counters.execution &+= 1
        let digits = String(counters.execution, radix: 16)
        let padding = String(repeating: "0", count: max(8 - digits.count, 0))
        return "0000e0d5.\(padding)\(digits).01"
    }

    // MARK: Ends

    /// Ends an order, reports it, and ends what depends on it.
    mutating func end(
        _ order: ManagedOrder, _ stage: ManagedOrder.Stage, because refusal: OrderRejection
    ) {
        guard !order.stage.isOver else { return }
        withdraw(order)
        order.stage = stage
        order.isCancelAsked = false
        order.endedAt = now
        order.endText = refusal.completedText
        leave(order)
        publishState(of: order)
        report(refusal, about: order.orderID.rawValue, to: .client(order.clientID), of: order)
        for child in order.children where !child.stage.isOver {
            touch(child)
            // What the broker has not yet of a child, it does not end.
            guard child.sent == nil, order.filled == .zero else { continue }
            end(child, .cancelled, because: .linked)
        }
        if order.request.order.autoCancelParent, let parent = order.parent, parent.filled == .zero {
            end(parent, .cancelled, because: .linked)
        }
    }

    /// Takes an order that is over out of what is looked at.
    mutating func leave(_ order: ManagedOrder) {
        guard let index = live.firstIndex(where: { $0 === order }) else { return }
        live.remove(at: index)
        finished.append(order)
        unfollow(order)
        guard let group = order.group else { return }
        group.members.removeAll { $0 === order }
        // A group that has filled something lets nobody else do so, as long as its orders are kept.
        if group.members.isEmpty, !group.hasFilled { groups[group.key] = nil }
    }
}

extension OrderRejection {
    /// An order was cancelled as its client asked.
    static let cancelled = OrderRejection(202, "Order Canceled - reason:")
    /// An order's time was over.
    static let expiry = OrderRejection(202, "Order Canceled - reason:Expired")
    /// Another order took its place, or the one it hung on finished.
    static let linked = OrderRejection(202, "Order Canceled - reason:Linked")

    /// How an order that ended so is described among completed orders.
    var completedText: String {
        switch self {
        case .cancelled: "Cancelled by Trader"
        default: "Cancelled by System"
        }
    }
}

extension OrderManager {
    /// Ends an order whose new quantity, of which the broker knows, is what it has filled.
    mutating func complete(_ order: ManagedOrder) {
        order.sent = nil
        order.stage = .filled
        order.isCancelAsked = false
        order.endedAt = now
        order.endText = "Filled Size: \(DecimalValue(order.filled))"
        leave(order)
        touch(order)
        for child in order.children where !child.stage.isOver { touch(child) }
    }
}
