import Model
import Primitives

/// Groups and parents.
extension SimulatedVenue {
    /// Ties a new order to its group and its parent: it loses what the group has filled, and waits
    /// for what the parent has not.
    mutating func link(_ index: Int, _ place: Int, _ answers: inout [OrderReport]) {
        linkCount += 1
        if let group = books[index].orders[place].ticket.request.group {
            var filled = endedFills(of: group, in: index)
            for other in 0..<place
            where books[index].orders[other].ticket.request.group == group {
                filled = min(filled, .magnitudeMax) + books[index].orders[other].filled
            }
            take(filled, from: place, index, &answers)
        }
        guard let parent = books[index].orders[place].ticket.request.parent else { return }
        let left = books[index].orders[place].left
        let filled = fills(of: parent, in: index) ?? .zero
        let ordered = books[index].orders[place].ticket.request.quantity
        books[index].orders[place].blocked = min(left, max(ordered - filled, .zero))
        if !works(parent, index) { endOrphans(index, &answers) }
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
            take(blocked, from: place, index, &answers)
            books[index].orders[place].blocked = .zero
        }
    }

    private func works(_ id: OrderID, _ index: Int) -> Bool {
        books[index].orders.contains { $0.ticket.id == id && $0.left > .zero }
    }

    /// Takes what an order may fill away from it, and ends it when nothing is left.
    private mutating func take(
        _ quantity: Quantity, from place: Int, _ index: Int, _ answers: inout [OrderReport]
    ) {
        let left = books[index].orders[place].left
        guard quantity > .zero, left > .zero else { return }
        guard quantity < left else { return end(index, place, .linked, &answers) }
        books[index].orders[place].isReduced = true
        books[index].orders[place].left = left - quantity
        books[index].orders[place].blocked = min(
            books[index].orders[place].blocked, left - quantity)
    }
}
