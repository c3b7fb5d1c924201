package import Model
package import Primitives

/// What only those ask for who send orders on for others: terms that change in any way, parts that are held back,
/// orders of an earlier broker, and executions that came about elsewhere.
extension SimulatedBroker {
    /// Gives an order that works other terms: price, quantity, time in force, hours, and what `BrokerTerms` has.
    /// Side, instrument, group and parent stay. It keeps what it has filled and lost, and a stop that was reached
    /// stays so. One that does not work is left alone.
    package mutating func replace(
        _ ticket: OrderTicket, _ terms: BrokerTerms, at time: Timestamp,
        answers: inout [OrderReport]
    ) {
        let index = Int(ticket.request.instrument.index)
        guard
            let slot = states[index].orders.firstIndex(where: {
                $0.ticket.id == ticket.id && $0.left > .zero
            })
        else { return }
        var order = states[index].orders[slot]
        let isNews =
            order.ticket.request.type != ticket.request.type
            || order.ticket.request.outsideRTH != ticket.request.outsideRTH
            || order.terms.allowance < terms.allowance
            || order.ticket.request.quantity < ticket.request.quantity
        let isTrailNew = order.ticket.request.type != ticket.request.type
        if order.terms.trailStart != terms.trailStart { order.trailStop = terms.trailStart }
        order.terms = terms
        // The quantity follows below.
        order.ticket = OrderTicket(
            id: ticket.id, request: ticket.request.with(quantity: order.ticket.request.quantity))
        order.ends = WorkingOrder(ticket, terms, at: time).ends
        if isTrailNew, terms.trailStart == nil { order.followAnew(instruments[index].tickSize) }
        if isNews {
            order.arrived = time
            order.isResting = false
        }
        states[index].orders[slot] = order
        setEnd(index, slot, at: time)
        resize(index, slot, to: ticket.request.quantity, &answers)
        if isNews { markBeginning(index, slot) }
        settle(index, at: time, &answers)
    }

    /// Shows what an instrument's market shows at a time, so that orders meet it which come afterwards. Orders that
    /// work do not.
    ///
    /// - Parameter quote: `nil` where no quotes are known: trades stand in for them.
    package mutating func show(
        _ quote: Quote?, last: Price?, of instrument: InstrumentID, at time: Timestamp
    ) {
        let index = Int(instrument.index)
        exchange.markets[index].topOfBook.last = last
        exchange.markets[index].topOfBook.show(quote, at: time)
    }

    /// Takes over an order as an earlier broker has left it.
    ///
    /// - Parameter arrival: when it came, or its terms were last changed.
    package mutating func resume(
        _ ticket: OrderTicket, _ terms: BrokerTerms, _ progress: OrderProgress,
        since arrival: Timestamp
    ) {
        let index = Int(ticket.request.instrument.index)
        var order = WorkingOrder(ticket, terms, at: arrival)
        order.filled = progress.filled
        order.takenByGroup = progress.taken
        order.left = max(ticket.request.quantity - progress.filled - progress.taken, .zero)
        order.isTriggered = progress.isTriggered
        order.isResting = true
        order.trailStop = progress.trailStop ?? terms.trailStart
        orderCount += 1
        states[index].orders.append(order)
        let slot = states[index].orders.count - 1
        setEnd(index, slot, at: arrival)
        guard ticket.request.isLinked else { return }
        linkCount += 1
        // What a parent that is over has not filled was taken already.
        if let parent = ticket.request.parent {
            states[index].orders[slot].isOrphan = share(of: parent, near: index)?.works != true
            noteParent(parent, of: slot, index)
        }
        block(index, slot)
    }

    /// Takes over an order that was over at an earlier broker.
    package mutating func remember(
        _ id: OrderID, _ quantity: Quantity, group: OrderGroupID?, _ progress: OrderProgress
    ) {
        finished.add(
            FinishedOrders.Order(
                id: id, quantity: quantity, group: group, filled: progress.filled,
                taken: progress.taken, isTriggered: progress.isTriggered))
    }

    /// Books an execution of an order that came about elsewhere, whatever the market is and even if the order is
    /// over. One that works fills at most what is left of it.
    package mutating func book(
        _ quantity: Quantity, at price: Price, of id: OrderID, time: Timestamp,
        answers: inout [OrderReport]
    ) {
        guard let (index, slot) = find(id) else {
            guard let order = finished.find(id) else { return }
            finished.fill(id, quantity)
            if let group = order.group {
                reduce(group, by: quantity, but: id, near: -1, &answers)
            }
            return settle(0, at: time, &answers)
        }
        let match = SimulatedExchange.Match(
            quantity: min(quantity, states[index].orders[slot].left), price: price)
        states[index].orders[slot].blocked = min(
            states[index].orders[slot].blocked,
            states[index].orders[slot].left - match.quantity)
        execute(index, slot, match, Moment(price: price, time: time), &answers)
        settle(index, at: time, &answers)
    }
}
