package import Model
package import Primitives
import Risk

/// Orders that work when their shares are split.
///
/// What an order has filled stays what it was: old shares. What of it may still fill is converted as a position
/// is, whole shares towards zero, and its quantity is the sum of both. The venue counts the same.
extension OrderLedger {
    /// Brings the orders in an instrument that work to new shares and their prices.
    ///
    /// One of which nothing would be left, or whose price would be none, stays as it is: the venue ends it.
    package mutating func split(
        _ instrument: InstrumentID, by ratio: SplitRatio, _ ticks: TickSize, at time: Timestamp
    ) {
        // All are looked at before the first is changed: what a child may fill hangs on its parent.
        var conversions: [(index: Int, request: OrderRequest, change: OrderRequest?)] = []
        for id in liveOrders(in: instrument) {
            guard let index = index(of: id) else { continue }
            let request = records[index].ticket.request
            guard let converted = converted(request, id, by: ratio, ticks) else { continue }
            let change = pendingChange(of: index).flatMap {
                self.converted($0, id, by: ratio, ticks)
            }
            conversions.append((index, converted, change))
        }
        for (index, request, change) in conversions {
            records[index].ticket = OrderTicket(id: records[index].ticket.id, request: request)
            records[index].isSplit = true
            if let change { replacePendingChange(of: index, by: change) }
            recount(index, at: time)
        }
    }

    /// Whether an order is ours and in an instrument.
    package func isOf(_ instrument: InstrumentID, _ id: OrderID) -> Bool {
        request(of: id)?.instrument == instrument
    }

    /// Whether a command is about an order in an instrument.
    package func isOf(_ instrument: InstrumentID, _ command: Command) -> Bool {
        switch command {
        case .submit(let ticket), .modify(let ticket, _): ticket.request.instrument == instrument
        case .cancel(let id), .probe(let id): isOf(instrument, id)
        case .query, .setTimer: false
        }
    }

    /// A command that is on its way, with the terms that its order has now.
    package func current(_ command: Command) -> Command {
        switch command {
        case .submit(let ticket):
            request(of: ticket.id).map { .submit(OrderTicket(id: ticket.id, request: $0)) }
                ?? command
        case .modify(let ticket, let revision):
            index(of: ticket.id).flatMap { pendingChange(of: $0) }.map {
                .modify(OrderTicket(id: ticket.id, request: $0), revision: revision)
            } ?? command
        case .cancel, .probe, .query, .setTimer: command
        }
    }

    /// A request of an order in new shares; `nil` where nothing of it would be left, or without a price.
    private func converted(
        _ request: OrderRequest, _ id: OrderID, by ratio: SplitRatio, _ ticks: TickSize
    ) -> OrderRequest? {
        let filled = request.group == nil ? self.filled(id) : groupFilled(request.group)
        let open = max(request.quantity - filled, .zero)
        let waiting = min(parentUnfilled(of: request), open)
        // What a parent that has ended did not fill is lost in old shares.
        let isParentLive = parentOpen(of: request) > .zero
        guard
            let type = request.type.adjusted(by: ratio, ticks, for: request.side, request.purpose),
            let free = ratio.exchanged(open - waiting)?.whole,
            let blocked = isParentLive ? ratio.exchanged(waiting)?.whole : waiting,
            free > .zero || isParentLive && blocked > .zero
        else { return nil }
        let units = Int128(filled.units) + Int128(free.units) + Int128(blocked.units)
        guard units <= Int128(Quantity.magnitudeMax.units) else { return nil }
        return request.with(quantity: Quantity(units: Int64(units)))
            .with(type: type, because: request.reason)
    }
}
