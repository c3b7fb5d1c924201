import Model
import Primitives
package import TWSProtocol

/// New terms of orders, and their cancellation.
extension OrderManager {
    /// A client sent an order again under its number.
    mutating func change(
        _ order: ManagedOrder, to request: PlaceOrder, for client: Client
    ) throws(OrderRejection) {
        switch order.stage {
        case .filled: throw .filledAlready
        case .cancelled, .apiCancelled: throw .duplicateID
        case .underWay: throw .stillProcessed
        case .untransmitted, .accepted, .inactive: break
        }
        guard !order.isModificationAsked, !order.isCancelAsked else { throw .stillProcessed }
        var request = request
        if request.order.ocaGroup.isEmpty { request.order.ocaGroup = order.request.order.ocaGroup }
        let checked = try check(request)
        try checkChange(of: order, to: checked)
        switch order.stage {
        case .untransmitted:
            take(checked, of: order)
            if request.order.transmit { transmitFamily(of: order) }
        case .inactive:
            take(checked, of: order)
            if request.order.transmit { send(order) }
        case .accepted:
            if checked.quantity > order.quantity, order.parent == nil {
                let preview = preview(proposal(checked, filled: order.filled), besides: order)
                if let refusal = preview.refusal { throw OrderRejection(201, refusal) }
            }
            order.isModificationAsked = true
            guard link.isUp else {
                link.modifications.append((order, checked))
                return
            }
            timers.add(.change(order, checked), at: now + settings.modificationLatency)
        case .underWay, .filled, .cancelled, .apiCancelled: break
        }
    }

    /// Somebody changes an order by hand at the gateway: it works under other terms at once.
    ///
    /// - Throws: when there is no such order, it does not work, or the terms cannot be.
    package mutating func amend(_ id: PermID, to request: PlaceOrder) throws(OrderManagerFault) {
        guard let order = byPermID[id] else { throw .noOrder(id) }
        guard order.stage == .accepted, !order.isModificationAsked else {
            throw OrderManagerFault("order \(id) does not work, or a change of it is under way")
        }
        let checked: CheckedOrder
        do throws(OrderRejection) {
            checked = try check(request)
            try checkChange(of: order, to: checked)
        } catch { throw OrderManagerFault("code \(error.code): \(error.text)") }
        takeTerms(checked, of: order)
        pump()
    }

    private func checkChange(
        of order: ManagedOrder, to checked: CheckedOrder
    ) throws(OrderRejection) {
        let (old, new) = (order.request.order, checked.request.order)
        guard checked.listing.id == order.instrument, checked.side == order.side,
            new.account == old.account, new.parentId == old.parentId || new.parentId == 0
        else { throw .otherOrder }
        guard new.orderType == old.orderType else { throw .typeChange }
        guard new.algoStrategy == old.algoStrategy else { throw .algorithmChange }
        guard new.ocaGroup == old.ocaGroup else { throw .groupChange }
        guard checked.quantity >= order.filled else {
            throw .rejected("The order size is below what is filled.")
        }
    }

    /// New terms reach the broker.
    mutating func takeTerms(_ checked: CheckedOrder, of order: ManagedOrder) {
        order.isModificationAsked = false
        guard order.stage == .accepted else {
            guard order.stage == .filled else { return }
            return report(
                .filledAlready, about: order.orderID.rawValue, to: .client(order.clientID),
                of: order)
        }
        refresh(order)
        guard checked.quantity >= order.filled + order.taken else {
            return report(
                .rejected("The order size is below what is filled."),
                about: order.orderID.rawValue, to: .client(order.clientID), of: order)
        }
        guard link.isUp else {
            order.isModificationAsked = true
            link.modifications.append((order, checked))
            return
        }
        take(checked, of: order)
        if order.quantity - order.taken <= order.filled {
            sync(order)
            complete(order)
        } else {
            reprepare(order)
            // A modification is acknowledged even when nothing that is published changes.
            order.lastReported = nil
            touch(order)
            markStale(order)
        }
    }

    /// Puts new terms in the place of the old ones.
    private mutating func take(_ checked: CheckedOrder, of order: ManagedOrder) {
        var request = checked.request
        request.order.parentId = order.request.order.parentId
        request.order.ocaType = order.request.order.ocaType
        order.request = request
        order.quantity = checked.quantity
        order.plan = checked.plan
        order.window = nil
    }

    /// Sets up again what an order waits for, as far as it has not come yet.
    private mutating func reprepare(_ order: ManagedOrder) {
        let before = order.monitor
        unfollow(order)
        follow(order)
        prepare(order)
        guard !order.stage.isOver else { return }
        order.monitor.isReleased = before.isReleased
        order.monitor.trailStop = before.trailStop
        order.monitor.snapPrice = before.snapPrice
        setExpiry(of: order)
        order.nextLook = nil
        scheduleLook(at: order)
    }

    // MARK: Cancelling

    /// A client asked for an order to be cancelled.
    package mutating func cancel(_ request: CancelOrder, from client: Client) {
        let all = byKey[OrderKey(client: client.id, order: request.orderId)] ?? []
        do throws(OrderRejection) {
            guard let newest = all.last else { throw .unknownOrder(request.orderId) }
            let working = all.filter { !$0.stage.isOver }
            guard !working.isEmpty else {
                throw .orderIsOver(request.orderId, status(of: newest))
            }
            let open = working.filter { !$0.isCancelAsked }
            guard !open.isEmpty else { throw .cancelledTwice(newest.permID) }
            for order in open { askForCancellation(of: order) }
        } catch {
            report(error, about: request.orderId.rawValue, to: .connection(client.connection))
        }
        pump()
    }

    /// A client asked for all orders to be cancelled, whoever placed them.
    package mutating func cancelAll() {
        for order in live where !order.isCancelAsked && !order.stage.isOver {
            askForCancellation(of: order)
        }
        pump()
    }

    /// Sends a cancellation on.
    private mutating func askForCancellation(of order: ManagedOrder) {
        switch order.stage {
        case .untransmitted: return end(order, .apiCancelled, because: .cancelled)
        case .inactive: return end(order, .cancelled, because: .cancelled)
        case .underWay, .accepted: break
        case .filled, .cancelled, .apiCancelled: return
        }
        order.isCancelAsked = true
        guard link.isUp else { return link.cancellations.append(order) }
        touch(order)
        timers.add(.cancel(order), at: now + settings.cancellationLatency)
    }

    /// A cancellation reaches the broker.
    mutating func performCancellation(of order: ManagedOrder) {
        guard !order.stage.isOver, order.isCancelAsked else { return }
        guard link.isUp else { return link.cancellations.append(order) }
        end(order, .cancelled, because: .cancelled)
    }
}
