package import Model
package import Primitives

/// Orders that work when their shares are split.
extension SimulatedBroker {
    /// Brings the orders in an instrument to new shares: what of them may still fill is converted as a position
    /// is, whole shares towards zero, and prices are divided, on their steps. What they have filled stays what it
    /// was. One of which nothing is left, or whose price is none any more, ends as `external`.
    ///
    /// To be called while the market is closed: no bar of the instrument is in progress.
    package mutating func split(
        _ instrument: InstrumentID, by ratio: SplitRatio, answers: inout [OrderReport]
    ) {
        let index = Int(instrument.index)
        exchange.markets[index].topOfBook = TopOfBook()
        for slot in states[index].orders.indices where states[index].orders[slot].left > .zero {
            if !convert(index, slot, by: ratio) { end(index, slot, .external, &answers) }
        }
        dropEnded(index, &answers)
    }

    /// Returns false, and changes nothing, when nothing would be left of an order, or its price would be none.
    private mutating func convert(_ index: Int, _ slot: Int, by ratio: SplitRatio) -> Bool {
        let order = states[index].orders[slot]
        let request = order.ticket.request
        guard
            let type = request.type.adjusted(
                by: ratio, instruments[index].tickSize, for: request.side, request.purpose),
            let available = ratio.exchanged(order.available)?.whole,
            let blocked = ratio.exchanged(order.blocked)?.whole,
            available > .zero || blocked > .zero
        else { return false }
        let gone = [order.filled, order.takenByGroup, order.lost, available, blocked]
        let units = gone.reduce(Int128(0)) { $0 + Int128($1.units) }
        guard units <= Int128(Quantity.magnitudeMax.units) else { return false }
        states[index].orders[slot].ticket = OrderTicket(
            id: order.ticket.id,
            request: request.with(quantity: Quantity(units: Int64(units)))
                .with(type: type, because: request.reason))
        states[index].orders[slot].left = available + blocked
        states[index].orders[slot].blocked = blocked
        states[index].orders[slot].splitTrail(by: ratio, instruments[index].tickSize)
        states[index].orders[slot].waitingBase = blocked
        if let parent = request.parent {
            states[index].orders[slot].parentFilledBefore =
                share(of: parent, near: index)?.filled ?? .zero
        }
        return true
    }
}
