import Model
import Primitives

/// Groups and parents.
extension SimulatedVenue {
    /// Ties a new order to its group and its parent: it loses what the group has filled, and waits
    /// for what the parent has not.
    mutating func link(_ index: Int, _ slot: Int, _ answers: inout [OrderReport]) {
        linkCount += 1
        if let group = states[index].orders[slot].ticket.request.group {
            take(groupFills(group, index, before: slot), from: slot, index, &answers)
        }
        guard let parent = states[index].orders[slot].ticket.request.parent else { return }
        let unfilled = rest(of: parent, in: index) ?? .zero
        states[index].orders[slot].blocked = min(states[index].orders[slot].left, unfilled)
        if !works(parent, index) { endOrphans(index, &answers) }
    }

    /// What a group has filled before an order comes to it. Any order of it that works knows.
    private func groupFills(_ group: OrderGroupID, _ index: Int, before slot: Int) -> Quantity {
        for other in 0..<slot
        where states[index].orders[other].ticket.request.group == group
            && states[index].orders[other].left > .zero
        {
            return states[index].orders[other].filled + states[index].orders[other].takenByGroup
        }
        return endedFills(of: group, in: index)
    }

    /// Reduces the other orders of an order's group by the `quantity` it has filled, and releases as much of
    /// its children.
    mutating func pass(
        on quantity: Quantity, of slot: Int, _ index: Int, _ moment: Moment,
        _ answers: inout [OrderReport]
    ) {
        let id = states[index].orders[slot].ticket.id
        let group = states[index].orders[slot].ticket.request.group
        for other in states[index].orders.indices where other != slot {
            guard states[index].orders[other].left > .zero else { continue }
            if group != nil, states[index].orders[other].ticket.request.group == group {
                take(quantity, from: other, index, &answers)
            }
            guard states[index].orders[other].ticket.request.parent == id else { continue }
            let unfilled =
                states[index].orders[slot].ticket.request.quantity
                - states[index].orders[slot].filled
            states[index].orders[other].blocked = min(
                states[index].orders[other].left, max(unfilled, .zero))
            if moment.isWithinBar { begin(other, index, at: moment.price) }
        }
        guard states[index].orders[slot].left == .zero, states[index].orders[slot].isReduced
        else { return }
        answers.append(OrderReport(order: id, fact: .cancelled(.linked)))
    }

    /// Lets a child of a parent that fills within a bar begin at that price.
    private mutating func begin(_ slot: Int, _ index: Int, at price: Price) {
        states[index].orders[slot].since = price
        if states[index].orders[slot].best == nil { states[index].orders[slot].follow(price) }
    }

    /// Ends what children have to expect of parents that are over. Children are younger than their
    /// parents, so that one pass is enough for children of children.
    mutating func endOrphans(_ index: Int, _ answers: inout [OrderReport]) {
        for slot in states[index].orders.indices {
            guard let parent = states[index].orders[slot].ticket.request.parent,
                states[index].orders[slot].left > .zero, !states[index].orders[slot].isOrphan,
                !works(parent, index)
            else { continue }
            let blocked = states[index].orders[slot].blocked
            states[index].orders[slot].isOrphan = true
            // All that the parent has not filled: its group may have taken a part of what waits for that.
            states[index].orders[slot].lost = max(unfilled(parent, index) ?? blocked, blocked)
            states[index].orders[slot].blocked = .zero
            shorten(slot, by: blocked, index, &answers)
        }
    }

    /// What an order has not filled of its quantity, whether it still works or has just ended.
    private func unfilled(_ id: OrderID, _ index: Int) -> Quantity? {
        guard let slot = states[index].orders.firstIndex(where: { $0.ticket.id == id }) else {
            return rest(of: id, in: index)
        }
        let order = states[index].orders[slot]
        return max(order.ticket.request.quantity - order.filled, .zero)
    }

    func works(_ id: OrderID, _ index: Int) -> Bool {
        states[index].orders.firstIndex { $0.ticket.id == id && $0.left > .zero } != nil
    }

    /// Takes what the group of an order has filled away from it.
    private mutating func take(
        _ quantity: Quantity, from slot: Int, _ index: Int, _ answers: inout [OrderReport]
    ) {
        guard quantity > .zero, states[index].orders[slot].left > .zero else { return }
        states[index].orders[slot].takenByGroup += quantity
        shorten(slot, by: quantity, index, &answers)
    }

    /// Takes a part of what an order may fill away from it, and ends it when nothing is left.
    private mutating func shorten(
        _ slot: Int, by quantity: Quantity, _ index: Int, _ answers: inout [OrderReport]
    ) {
        let left = states[index].orders[slot].left
        guard quantity < left else { return end(index, slot, .linked, &answers) }
        states[index].orders[slot].left = left - quantity
        states[index].orders[slot].blocked = min(
            states[index].orders[slot].blocked, left - quantity)
    }
}
