import Model
import Primitives

/// Groups and parents.
extension SimulatedBroker {
    /// What an order has filled whose group is reduced afterwards.
    ///
    /// Not private: other modules destroy the broker and need its description for that.
    struct LaterReduction: Sendable {
        let order: OrderID
        let group: OrderGroupID
        let quantity: Quantity
    }

    /// How far a parent has come.
    struct ParentShare {
        let filled: Quantity
        let quantity: Quantity
        let works: Bool

        /// What of a child still waits for the parent's fills: they release it in proportion, in whole shares if
        /// it is for such.
        func waiting(of child: borrowing WorkingOrder) -> Quantity {
            let base = child.waitingBase
            guard filled < quantity else { return .zero }
            let before = child.parentFilledBefore
            let part =
                Int128(base.units) * Int128(filled.units - before.units)
                / Int128(quantity.units - before.units)
            let released = Quantity(units: Int64(clamping: part))
            return base - (base.isWhole ? released.wholeShares : released)
        }
    }

    /// Ties a new order to its group and its parent: it loses what the group has filled, and waits
    /// for what the parent has not.
    mutating func link(_ index: Int, _ slot: Int, _ answers: inout [OrderReport]) {
        linkCount += 1
        if let group = states[index].orders[slot].ticket.request.group {
            let filled = fills(of: group, but: states[index].orders[slot].ticket.id)
            if filled > .zero { reduce(index, slot, by: filled, &answers) }
        }
        guard let parent = states[index].orders[slot].ticket.request.parent else { return }
        noteParent(parent, of: slot, index)
        block(index, slot)
    }

    /// Notes whether the parent of a new order works in another instrument.
    mutating func noteParent(_ parent: OrderID, of slot: Int, _ index: Int) {
        guard let found = find(parent), found.index != index else { return }
        states[index].orders[slot].isForeignChild = true
        foreignChildCount += 1
    }

    /// What a group has filled before an order comes to it. Any order of it that works knows.
    private func fills(of group: OrderGroupID, but id: OrderID) -> Quantity {
        for index in 0..<states.count {
            let slot = states[index].orders.firstIndex {
                $0.ticket.request.group == group && $0.left > .zero && $0.ticket.id != id
            }
            guard let slot else { continue }
            return states[index].orders[slot].filled + states[index].orders[slot].takenByGroup
        }
        return finished.fills(of: group)
    }

    /// How far the parent of an order has come; `nil` for one that is not known, or that ended without a fill.
    ///
    /// - Parameter index: the instrument to look in first.
    func share(of parent: OrderID, near index: Int) -> ParentShare? {
        if let (index, slot) = working(parent, near: index) {
            return ParentShare(
                filled: states[index].orders[slot].filled,
                quantity: states[index].orders[slot].ticket.request.quantity, works: true)
        }
        guard let order = lately(parent, near: index), order.filled > .zero else { return nil }
        return ParentShare(filled: order.filled, quantity: order.quantity, works: false)
    }

    /// An order that works.
    private func working(_ id: OrderID, near index: Int) -> (index: Int, slot: Int)? {
        if let slot = states[index].orders.firstIndex(where: { $0.ticket.id == id }) {
            return states[index].orders[slot].left > .zero ? (index, slot) : nil
        }
        guard let found = find(id), states[found.index].orders[found.slot].left > .zero else {
            return nil
        }
        return found
    }

    /// An order that has ended: just now, or before.
    private func lately(_ id: OrderID, near index: Int) -> (filled: Quantity, quantity: Quantity)? {
        if let slot = states[index].orders.firstIndex(where: { $0.ticket.id == id }) {
            return (
                states[index].orders[slot].filled,
                states[index].orders[slot].ticket.request.quantity
            )
        }
        if let (index, slot) = find(id) {
            return (
                states[index].orders[slot].filled,
                states[index].orders[slot].ticket.request.quantity
            )
        }
        return finished.find(id).map { ($0.filled, $0.quantity) }
    }

    /// Lets an order wait for what its parent has not filled.
    mutating func block(_ index: Int, _ slot: Int) {
        guard let parent = states[index].orders[slot].ticket.request.parent,
            !states[index].orders[slot].isOrphan
        else {
            states[index].orders[slot].blocked = .zero
            return
        }
        let left = states[index].orders[slot].left
        let waiting = share(of: parent, near: index)?.waiting(of: states[index].orders[slot])
        states[index].orders[slot].blocked = min(waiting ?? left, left)
    }

    // MARK: Fills

    /// Reduces the other orders of an order's group by the `quantity` it has filled, and releases as much of
    /// its children.
    ///
    /// - Parameter price: the one within a bar at which it has filled; `nil` for none.
    mutating func pass(
        on quantity: Quantity, of slot: Int, _ index: Int, within price: Price?,
        _ answers: inout [OrderReport]
    ) {
        let id = states[index].orders[slot].ticket.id
        if let group = states[index].orders[slot].ticket.request.group {
            switch states[index].orders[slot].terms.groupRule {
            case .cancelWithBlock, .reduceWithBlock:
                reduce(group, by: quantity, but: id, near: index, &answers)
            case .reduceWithoutBlock:
                laterReductions.append(
                    LaterReduction(order: id, group: group, quantity: quantity))
            }
        }
        release(id, within: price)
        guard states[index].orders[slot].left == .zero, states[index].orders[slot].isReduced
        else { return }
        answers.append(OrderReport(order: id, fact: .cancelled(.linked)))
    }

    /// Takes what one order of a group has filled from the others.
    mutating func reduce(
        _ group: OrderGroupID, by quantity: Quantity, but id: OrderID, near index: Int,
        _ answers: inout [OrderReport]
    ) {
        for other in 0..<states.count {
            for slot in states[other].orders.indices
            where states[other].orders[slot].ticket.request.group == group
                && states[other].orders[slot].ticket.id != id
            {
                if other != index { hasChangedOthers = true }
                reduce(other, slot, by: quantity, &answers)
            }
        }
    }

    private mutating func reduce(
        _ index: Int, _ slot: Int, by quantity: Quantity, _ answers: inout [OrderReport]
    ) {
        guard states[index].orders[slot].left > .zero else { return }
        switch states[index].orders[slot].terms.groupRule {
        case .cancelWithBlock: end(index, slot, .linked, &answers)
        case .reduceWithBlock, .reduceWithoutBlock:
            states[index].orders[slot].takenByGroup += quantity
            shorten(slot, by: quantity, index, &answers)
        }
    }

    /// Reduces the groups that are reduced afterwards.
    mutating func reduceLater(_ answers: inout [OrderReport]) {
        let reductions = laterReductions
        laterReductions.removeAll(keepingCapacity: true)
        for reduction in reductions {
            reduce(
                reduction.group, by: reduction.quantity, but: reduction.order, near: -1, &answers)
        }
    }

    /// Lets the children of an order have what its fills release.
    ///
    /// - Parameter price: the one within a bar at which it has filled; `nil` for none.
    mutating func release(_ id: OrderID, within price: Price?) {
        for other in 0..<states.count {
            for slot in states[other].orders.indices
            where states[other].orders[slot].ticket.request.parent == id
                && states[other].orders[slot].left > .zero
            {
                let wasWaiting = states[other].orders[slot].available <= .zero
                block(other, slot)
                if let price {
                    begin(slot, other, at: price)
                } else if wasWaiting {
                    markBeginning(other, slot)
                }
            }
        }
    }

    /// Lets a child of a parent that fills within a bar begin at that price.
    private mutating func begin(_ slot: Int, _ index: Int, at price: Price) {
        states[index].orders[slot].since = price
        if states[index].orders[slot].trailStop == nil {
            states[index].orders[slot].follow(price, instruments[index].tickSize)
        }
    }

    // MARK: Ends

    /// Ends what children have to expect of parents that are over. Children are younger than their
    /// parents, so that one pass is enough for children of children.
    mutating func endOrphans(_ index: Int, _ answers: inout [OrderReport]) {
        for slot in states[index].orders.indices {
            guard let parent = states[index].orders[slot].ticket.request.parent,
                states[index].orders[slot].left > .zero, !states[index].orders[slot].isOrphan,
                working(parent, near: index) == nil
            else { continue }
            states[index].orders[slot].isOrphan = true
            guard let share = share(of: parent, near: index) else {
                end(index, slot, .linked, &answers)
                continue
            }
            let blocked = states[index].orders[slot].blocked
            // All that the parent has not filled: its group may have taken a part of what waits for that.
            states[index].orders[slot].lost = max(
                share.waiting(of: states[index].orders[slot]), blocked)
            states[index].orders[slot].blocked = .zero
            shorten(slot, by: blocked, index, &answers)
        }
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
