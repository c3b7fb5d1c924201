package import Model
package import Primitives

/// Changes of orders that work.
extension SimulatedBroker {
    /// A price that an order in an instrument works at once the bar in progress is over.
    ///
    /// Not private: other modules destroy the broker and need its description for that.
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
        _ ticket: OrderTicket, revision: Int32, at time: Timestamp,
        answers: inout [OrderReport]
    ) {
        let index = Int(ticket.request.instrument.index)
        guard let slot = slot(of: ticket, in: index) else {
            answers.append(OrderReport(order: ticket.id, fact: .modificationRefused(revision)))
            return
        }
        answers.append(OrderReport(order: ticket.id, fact: .modified(revision)))
        resize(index, slot, to: ticket.request.quantity, &answers)
        let type = states[index].orders[slot].ticket.request.type
        laterTypes.removeAll { $0.id == ticket.id }
        if type != ticket.request.type, states[index].orders[slot].left > .zero {
            reprice(index, slot, to: ticket.request.type, at: time, &answers)
        }
        settle(index, at: time, &answers)
    }

    /// Where an order is that can be changed so; `nil` if there is none.
    private func slot(of ticket: OrderTicket, in index: Int) -> Int? {
        guard
            let slot = states[index].orders.firstIndex(where: {
                $0.ticket.id == ticket.id && $0.left > .zero
            })
        else { return nil }
        let request = states[index].orders[slot].ticket.request
        let isPossible =
            ticket.request.isChange(of: request) && ticket.request.quantity > .zero
            && ticket.request.quantity >= states[index].orders[slot].filled
            && (request.type == ticket.request.type
                || request.type.isChangeable && ticket.request.type.isChangeable)
            && isSound(ticket.request)
        return isPossible ? slot : nil
    }

    private func isSound(_ request: OrderRequest) -> Bool {
        switch rejection(of: request) {
        // Its parent was there when it came.
        case nil, .noParent: true
        case .priceNotOnTick, .invalidTerms, .notTradable, .byBroker, .unknownContract,
            .numberInUse, .readOnly, .notPermitted, .funds, .size, .price, .shortSale,
            .dayTrading, .hours, .algorithm:
            false
        }
    }

    mutating func resize(
        _ index: Int, _ slot: Int, to quantity: Quantity, _ answers: inout [OrderReport]
    ) {
        let order = states[index].orders[slot]
        states[index].orders[slot].ticket = OrderTicket(
            id: order.ticket.id, request: order.ticket.request.with(quantity: quantity))
        states[index].orders[slot].waitingBase = max(
            order.waitingBase + quantity - order.ticket.request.quantity, .zero)
        let left = max(quantity - order.filled - order.taken, .zero)
        if left == .zero, order.filled < quantity {
            end(index, slot, .linked, &answers)
        } else {
            // What has filled all of it needs no end of its own.
            states[index].orders[slot].left = left
            block(index, slot)
        }
        release(order.ticket.id, within: nil)
    }

    private mutating func reprice(
        _ index: Int, _ slot: Int, to type: OrderType, at time: Timestamp,
        _ answers: inout [OrderReport]
    ) {
        switch rules.matching {
        case .bars:
            if states[index].orders[slot].takesPart, time > exchange.markets[index].barStart {
                let id = states[index].orders[slot].ticket.id
                return laterTypes.append(LaterType(id: id, index: index, type: type))
            }
            setType(index, slot, type, at: time)
        case .ticks: setType(index, slot, type, at: time)
        }
        meetOnArrival(index, slot, at: time, &answers)
    }

    private mutating func setType(
        _ index: Int, _ slot: Int, _ type: OrderType, at time: Timestamp
    ) {
        let ticket = states[index].orders[slot].ticket
        states[index].orders[slot].ticket = OrderTicket(
            id: ticket.id, request: ticket.request.with(type: type, because: ticket.request.reason))
        states[index].orders[slot].followAnew(instruments[index].tickSize)
        states[index].orders[slot].arrived = time
        states[index].orders[slot].isResting = false
    }

    /// Puts prices into force that came within a bar that is over now.
    mutating func takeLaterTypes(_ index: Int, at time: Timestamp) {
        for later in laterTypes where later.index == index {
            guard let slot = states[index].orders.firstIndex(where: { $0.ticket.id == later.id })
            else { continue }
            setType(index, slot, later.type, at: time)
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
