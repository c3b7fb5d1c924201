package import Model
package import Primitives

/// Changes of orders that work.
extension SimulatedVenue {
    /// A price that an order in an instrument works at once the bar in progress is over.
    ///
    /// Not private: other modules destroy the venue and need its description for that.
    struct LaterType: Sendable {
        let id: OrderID
        let index: Int
        let type: OrderType
    }

    /// Lets an order work under other terms: another quantity, another price, a stop for a trailing stop or
    /// the other way round. What follows at once is appended to `answers`.
    ///
    /// Refused are orders that do not work, what is no such change, prices off the tick, and a quantity
    /// below what the order itself has filled. One that was reached before is reached for good.
    ///
    /// - Parameter revision: comes back in the answer.
    package mutating func modify(
        _ ticket: OrderTicket, revision: Int32, at instant: Timestamp,
        answers: inout [OrderReport]
    ) {
        let index = Int(ticket.request.instrument.index)
        guard let place = place(of: ticket, in: index) else {
            answers.append(OrderReport(order: ticket.id, fact: .modificationRefused(revision)))
            return
        }
        answers.append(OrderReport(order: ticket.id, fact: .modified(revision)))
        resize(index, place, to: ticket.request.quantity, &answers)
        let type = books[index].orders[place].ticket.request.type
        laterTypes.removeAll { $0.id == ticket.id }
        if type != ticket.request.type, books[index].orders[place].left > .zero {
            reprice(index, place, to: ticket.request.type, at: instant, &answers)
        }
        dropEnded(index, &answers)
    }

    /// Where an order is that can be changed so; `nil` if there is none.
    private mutating func place(of ticket: OrderTicket, in index: Int) -> Int? {
        guard
            let place = books[index].orders.firstIndex(where: {
                $0.ticket.id == ticket.id && $0.left > .zero
            })
        else { return nil }
        let request = books[index].orders[place].ticket.request
        let isPossible =
            ticket.request.isChange(of: request) && ticket.request.quantity > .zero
            && ticket.request.quantity >= books[index].orders[place].filled
            && (request.type == ticket.request.type
                || request.type.isChangeable && ticket.request.type.isChangeable)
            && isSound(ticket.request)
        return isPossible ? place : nil
    }

    private mutating func isSound(_ request: OrderRequest) -> Bool {
        switch rejection(of: request) {
        // Its parent was there when it came.
        case nil, .noParent: true
        case .priceNotOnTick, .invalidTerms, .notTradable: false
        }
    }

    private mutating func resize(
        _ index: Int, _ place: Int, to quantity: Quantity, _ answers: inout [OrderReport]
    ) {
        let order = books[index].orders[place]
        books[index].orders[place].ticket = OrderTicket(
            id: order.ticket.id, request: order.ticket.request.with(quantity: quantity))
        for child in books[index].orders.indices
        where books[index].orders[child].ticket.request.parent == order.ticket.id {
            books[index].orders[child].blocked = min(
                books[index].orders[child].left, quantity - order.filled)
        }
        let left = quantity - order.filled - order.takenByGroup - order.lost
        guard left > .zero else {
            // What filled all of it needs no end of its own.
            if order.filled < quantity { return end(index, place, .linked, &answers) }
            books[index].orders[place].left = .zero
            return
        }
        books[index].orders[place].left = left
        let parent = order.ticket.request.parent
        let waiting = parent.flatMap { works($0, index) ? rest(of: $0, in: index) : nil }
        books[index].orders[place].blocked = min(left, waiting ?? .zero)
    }

    private mutating func reprice(
        _ index: Int, _ place: Int, to type: OrderType, at instant: Timestamp,
        _ answers: inout [OrderReport]
    ) {
        switch rules.matching {
        case .bars:
            if books[index].orders[place].takesPart, instant > books[index].barStart {
                let id = books[index].orders[place].ticket.id
                return laterTypes.append(LaterType(id: id, index: index, type: type))
            }
            setType(index, place, type, at: instant)
            guard instant <= books[index].barStart, let bar = books[index].bar else { return }
            open(place, bar, session: clock.session(of: bar), &answers)
        case .ticks:
            setType(index, place, type, at: instant)
            meetStanding(index, place, at: instant, &answers)
        }
    }

    private mutating func setType(
        _ index: Int, _ place: Int, _ type: OrderType, at instant: Timestamp
    ) {
        let ticket = books[index].orders[place].ticket
        books[index].orders[place].ticket = OrderTicket(
            id: ticket.id, request: ticket.request.with(type: type, because: ticket.request.reason))
        books[index].orders[place].arrived = instant
        books[index].orders[place].isResting = false
    }

    /// Puts prices into force that came within a bar that is over now.
    mutating func takeLaterTypes(_ index: Int, at instant: Timestamp) {
        for later in laterTypes where later.index == index {
            guard let place = books[index].orders.firstIndex(where: { $0.ticket.id == later.id })
            else { continue }
            setType(index, place, later.type, at: instant)
        }
        laterTypes.removeAll { $0.index == index }
    }
}

extension OrderType {
    /// Whether an order of this type can become one of another such type while it works.
    fileprivate var isChangeable: Bool {
        switch self {
        case .limit, .stop, .stopLimit, .trailingStop: true
        case .market, .marketOnOpen, .limitOnOpen, .marketOnClose, .limitOnClose: false
        }
    }
}
