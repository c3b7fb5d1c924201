import MarketState
import Model
import Primitives
import Simulation
package import TWSProtocol

/// Orders as they come.
extension OrderManager {
    /// A client sent an order, or new terms of one.
    package mutating func place(_ request: PlaceOrder, from client: Client) {
        let key = Placement.Key(
            client: client.id, order: request.orderId, reference: request.order.orderRef)
        placements.append(Placement(key: key, at: now))
        do throws(OrderRejection) {
            if request.order.whatIf {
                try answerWhatIf(request, to: client)
            } else if let order = newest(client.id, request.orderId) {
                try change(order, to: request, for: client)
            } else {
                try take(request, from: client)
            }
        } catch {
            report(error, about: request.orderId.rawValue, to: .connection(client.connection))
        }
        pump()
    }

    /// The order a client knows under a number; the newest, where a fault made two of one.
    func newest(_ client: ClientID, _ id: APIOrderID) -> ManagedOrder? {
        byKey[OrderKey(client: client, order: id)]?.last
    }

    private mutating func take(_ request: PlaceOrder, from client: Client) throws(OrderRejection) {
        guard request.orderId >= nextValidID(for: client.id), request.orderId > 0,
            request.orderId.rawValue < .max
        else { throw .duplicateID }
        let checked = try check(request)
        let parent = try parent(of: request, client)
        nextIDs[client.id] = APIOrderID(rawValue: request.orderId.rawValue + 1)
        for warning in checked.warnings {
            report(warning, about: request.orderId.rawValue, to: .connection(client.connection))
        }
        let order = enter(checked, of: client.id, isManual: false)
        attach(order, to: parent)
        if request.order.transmit { transmitFamily(of: order) }
    }

    private func parent(
        of request: PlaceOrder, _ client: Client
    ) throws(OrderRejection) -> ManagedOrder? {
        guard request.order.parentId != 0 else { return nil }
        guard let parent = newest(client.id, request.order.parentId) else { throw .noParent }
        switch parent.stage {
        case .untransmitted, .underWay, .accepted, .filled: return parent
        case .inactive, .cancelled, .apiCancelled:
            throw .rejected("Parent order is being cancelled.")
        }
    }

    /// Adds an order to those that are kept.
    mutating func enter(
        _ checked: CheckedOrder, of client: ClientID, isManual: Bool
    ) -> ManagedOrder {
        counters.order += 1
        counters.permID += 1
        let order = ManagedOrder(
            checked, number: counters.order, permID: PermID(rawValue: counters.permID),
            clientID: client, isManual: isManual, at: now)
        admit(order)
        return order
    }

    /// Takes an order into the indexes.
    mutating func admit(_ order: ManagedOrder) {
        orders[order.number] = order
        byPermID[order.permID] = order
        if order.orderID != 0 {
            byKey[OrderKey(client: order.clientID, order: order.orderID), default: []]
                .append(order)
        }
        if order.stage.isOver { finished.append(order) } else { live.append(order) }
    }

    /// Ties an order to its parent and its group.
    mutating func attach(_ order: ManagedOrder, to parent: ManagedOrder?) {
        if let parent {
            order.parent = parent
            parent.children.append(order)
            order.isWaitingForParent = parent.filled == .zero
            if order.request.order.ocaGroup.isEmpty {
                // The children of one parent take each other's place, whether or not they name a
                // group.
                order.request.order.ocaGroup = "\(parent.permID)"
            }
        }
        guard let group = group(of: order, parent) else { return }
        group.members.append(order)
        order.group = group
    }

    /// The group an order names.
    mutating func group(of order: ManagedOrder, _ parent: ManagedOrder?) -> OrderGroup? {
        let name = order.request.order.ocaGroup
        guard !name.isEmpty else { return nil }
        let key = "\(order.account.name)/\(name)"
        if let known = groups[key] { return known }
        let isFamily = parent.map { name == "\($0.permID)" } ?? false
        counters.group += 1
        let group = OrderGroup(
            key: key,
            rule: isFamily
                ? .reduceWithBlock : BrokerTerms.GroupRule(order.request.order.ocaType),
            number: counters.group)
        groups[key] = group
        return group
    }

    // MARK: Sending on

    /// Sends an order on, and with it everything of its family that waits at the gateway.
    mutating func transmitFamily(of order: ManagedOrder) {
        var root = order
        while let parent = root.parent, !parent.stage.isOver { root = parent }
        transmit(root)
    }

    private mutating func transmit(_ order: ManagedOrder) {
        if order.stage == .untransmitted { send(order) }
        for child in order.children { transmit(child) }
    }

    /// Sends an order to the broker.
    mutating func send(_ order: ManagedOrder) {
        order.stage = .underWay
        guard link.isUp else {
            order.isWithheld = true
            return
        }
        timers.add(.accept(order), at: now + settings.placementLatency)
    }

    // MARK: At the broker

    /// An order reaches the broker.
    mutating func accept(_ order: ManagedOrder) {
        guard order.stage == .underWay else { return }
        guard link.isUp else {
            order.isWithheld = true
            return
        }
        if let parent = order.parent {
            switch parent.stage {
            case .untransmitted, .underWay, .accepted, .filled: break
            case .cancelled where parent.filled > .zero: break
            case .inactive, .cancelled, .apiCancelled:
                return end(
                    order, .cancelled, because: .rejected("Parent order is being cancelled."))
            }
        }
        follow(order)
        let preview = preview(proposal(order.terms), besides: order)
        // What hangs on another order ends what that one begins.
        if order.parent == nil, let refusal = preview.refusal {
            return reject(order, OrderRejection(201, refusal))
        }
        order.stage = .accepted
        order.isLocating =
            preview.isShortSale && order.parent == nil && faults.isHardToBorrow(order.instrument)
        setExpiry(of: order)
        publishState(of: order, as: .preSubmitted)
        publishNotices(of: order)
        prepare(order)
        scheduleLook(at: order)
        markStale(order)
        touch(order)
    }

    /// Refuses an order.
    mutating func reject(_ order: ManagedOrder, _ refusal: OrderRejection) {
        order.stage = .inactive
        order.isCancelAsked = false
        order.endText = refusal.text
        unfollow(order)
        report(refusal, about: order.orderID.rawValue, to: .client(order.clientID), of: order)
        touch(order)
        for child in order.children where !child.stage.isOver {
            end(child, .cancelled, because: .rejected("Parent order is being cancelled."))
        }
    }

    /// What an account would have to bear of an order's terms.
    func proposal(_ terms: CheckedOrder, filled: Quantity = .zero) -> OrderProposal {
        let quantity = max(terms.quantity - filled, .zero)
        let cursor = snapshots[Int(terms.listing.id.index)]
        let price =
            terms.plan.limitPrice
            ?? (terms.side == .buy ? cursor.quote?.ask : cursor.quote?.bid) ?? cursor.last
        return OrderProposal(
            account: terms.request.order.account, instrument: terms.listing.id, side: terms.side,
            quantity: quantity, price: price,
            commission: price.map { commission(terms, at: $0) } ?? .zero)
    }

    /// What an order would do to its account, beside the others that may fill before it.
    func preview(_ proposal: OrderProposal, besides order: ManagedOrder?) -> WhatIfPreview {
        let others = live.filter { other in
            other !== order && other.stage == .accepted && other.parent == nil
                && other.account == proposal.account && other.remaining > .zero
        }
        var preview = dependencies.preview(
            proposal, others.map { self.proposal($0.terms, filled: $0.filled) })
        if let reason = faults.marginRefusal {
            preview.refusal = OrderRejection.rejected(reason).text
        }
        return preview
    }

    private mutating func answerWhatIf(
        _ request: PlaceOrder, to client: Client
    ) throws(OrderRejection) {
        guard request.order.transmit else { throw .whatIfUntransmitted }
        let checked = try check(request)
        show(checked.listing.id)
        let proposal = proposal(checked)
        let preview = preview(proposal, besides: nil)
        if let refusal = preview.refusal { throw OrderRejection(201, refusal) }
        publishWhatIf(checked, preview, proposal, to: client)
    }

    /// Publishes the notices about an order that was taken.
    private mutating func publishNotices(of order: ManagedOrder) {
        let id = order.orderID.rawValue
        if order.isLocating {
            let text =
                "Shares for this order are not immediately available for short sale. The order will "
                + "be held while we attempt to locate the shares."
            report(OrderRejection(404, text), about: id, to: .client(order.clientID), of: order)
        }
        guard order.parent == nil, order.plan.persistence != .auction,
            let start = opening(of: order)
        else { return }
        report(
            OrderRejection(399, Self.notice(of: order, until: start)), about: id,
            to: .client(order.clientID), of: order)
    }

    /// When an order that does not work yet begins to, by its hours.
    private func opening(of order: ManagedOrder) -> Timestamp? {
        let window = window(of: order)
        return window.start > now ? window.start : nil
    }

    private static func notice(of order: ManagedOrder, until start: Timestamp) -> String {
        let contract = order.request.contract
        let venue = contract.primaryExchange.isEmpty ? contract.exchange : contract.primaryExchange
        let clock = WireClock.clock(start)
        let date = clock.day.description
        return "Order Message:\n\(order.request.order.action.word) "
            + "\(DecimalValue(order.quantity)) \(contract.localSymbol) \(venue)\n"
            + "Warning: Your order will not be placed at the exchange until "
            + "\(date) \(clock.timeOfDay) \(WireClock.zone)."
    }
}

extension WireTime.WallClock {
    /// `09:30:00`.
    var timeOfDay: String {
        [second / 3_600, second / 60 % 60, second % 60]
            .map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
    }
}

extension OrderPlan {
    /// The worst price at which it may fill, where that stands from the start.
    var limitPrice: Price? {
        switch style {
        case .native(let type): type.limitPrice
        case .stop(_, let limit), .touch(_, let limit): limit
        case .peg(_, _, let cap): cap
        case .trail, .marketToLimit, .snap: nil
        }
    }
}
