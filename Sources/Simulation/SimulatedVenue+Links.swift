import Model
import Primitives

/// Groups and parents.
extension SimulatedVenue {
    /// Ties a new order to its group and its parent: it loses what the group has filled, and waits
    /// for what the parent has not.
    mutating func link(_ index: Int, _ place: Int, _ answers: inout [OrderReport]) {
        linkCount += 1
        if let group = books[index].orders[place].ticket.request.group {
            take(groupFills(group, index, before: place), from: place, index, &answers)
        }
        guard let parent = books[index].orders[place].ticket.request.parent else { return }
        let unfilled = rest(of: parent, in: index) ?? .zero
        books[index].orders[place].blocked = min(books[index].orders[place].left, unfilled)
        if !works(parent, index) { endOrphans(index, &answers) }
    }

    /// What a group has filled before an order comes to it. Any order of it that works knows.
    private func groupFills(_ group: OrderGroupID, _ index: Int, before place: Int) -> Quantity {
        for other in 0..<place
        where books[index].orders[other].ticket.request.group == group
            && books[index].orders[other].left > .zero
        {
            return books[index].orders[other].filled + books[index].orders[other].takenByGroup
        }
        return endedFills(of: group, in: index)
    }

    /// Tells an order's group and its children that it has filled `quantity`.
    mutating func pass(
        on quantity: Quantity, of place: Int, _ index: Int, _ moment: Moment,
        _ answers: inout [OrderReport]
    ) {
        let id = books[index].orders[place].ticket.id
        let group = books[index].orders[place].ticket.request.group
        for other in books[index].orders.indices where other != place {
            guard books[index].orders[other].left > .zero else { continue }
            if group != nil, books[index].orders[other].ticket.request.group == group {
                take(quantity, from: other, index, &answers)
            }
            guard books[index].orders[other].ticket.request.parent == id else { continue }
            books[index].orders[other].blocked = max(
                books[index].orders[other].blocked - quantity, .zero)
            if moment.isWithinBar { begin(other, index, at: moment.price) }
        }
        guard books[index].orders[place].left == .zero, books[index].orders[place].isReduced
        else { return }
        answers.append(OrderReport(order: id, fact: .cancelled(.linked)))
    }

    /// Lets a child of a parent that fills within a bar begin at that price.
    private mutating func begin(_ place: Int, _ index: Int, at price: Price) {
        books[index].orders[place].since = price
        if books[index].orders[place].best == nil { books[index].orders[place].follow(price) }
    }

    /// Ends what children have to expect of parents that are over. Children are younger than their
    /// parents, so that one pass is enough for children of children.
    mutating func endOrphans(_ index: Int, _ answers: inout [OrderReport]) {
        for place in books[index].orders.indices {
            guard let parent = books[index].orders[place].ticket.request.parent,
                books[index].orders[place].blocked > .zero,
                !works(parent, index)
            else { continue }
            let blocked = books[index].orders[place].blocked
            books[index].orders[place].lost += blocked
            books[index].orders[place].blocked = .zero
            shorten(place, by: blocked, index, &answers)
        }
    }

    func works(_ id: OrderID, _ index: Int) -> Bool {
        books[index].orders.firstIndex { $0.ticket.id == id && $0.left > .zero } != nil
    }

    /// Takes what the group of an order has filled away from it.
    private mutating func take(
        _ quantity: Quantity, from place: Int, _ index: Int, _ answers: inout [OrderReport]
    ) {
        guard quantity > .zero, books[index].orders[place].left > .zero else { return }
        books[index].orders[place].takenByGroup += quantity
        shorten(place, by: quantity, index, &answers)
    }

    /// Takes a part of what an order may fill away from it, and ends it when nothing is left.
    private mutating func shorten(
        _ place: Int, by quantity: Quantity, _ index: Int, _ answers: inout [OrderReport]
    ) {
        let left = books[index].orders[place].left
        guard quantity < left else { return end(index, place, .linked, &answers) }
        books[index].orders[place].left = left - quantity
        books[index].orders[place].blocked = min(
            books[index].orders[place].blocked, left - quantity)
    }
}
