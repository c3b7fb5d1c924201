import MarketState
import Model
package import Primitives

/// When orders work, when they end by themselves, and in which order they meet a price.
extension SimulatedBroker {
    /// The hours in which orders in an instrument work that lie around a time, or the next ones.
    ///
    /// - Parameter isOutside: whether the order works outside regular hours, where the instrument has such.
    package mutating func window(
        of instrument: InstrumentID, at time: Timestamp, outside isOutside: Bool
    ) -> TradingWindow {
        clock.window(at: time, states[Int(instrument.index)].hours, outside: isOutside)
    }

    /// Sets when a new order ends by itself, as far as that is known.
    mutating func setEnd(_ index: Int, _ slot: Int, at time: Timestamp) {
        let end: Timestamp?
        if states[index].orders[slot].ticket.request.type.isAuction {
            end = auctionEnd(of: states[index].orders[slot].ticket.request.type, at: time)
        } else {
            end = hoursEnd(of: states[index].orders[slot].ticket.request, index, at: time)
        }
        if let end { states[index].orders[slot].ends = min(end, states[index].orders[slot].ends) }
        earliestEnd = min(earliestEnd, states[index].orders[slot].ends)
    }

    private mutating func hoursEnd(
        of request: OrderRequest, _ index: Int, at time: Timestamp
    ) -> Timestamp? {
        switch request.timeInForce {
        case .day: break
        case .immediateOrCancel: guard rules.matching == .ticks else { return nil }
        case .goodTillCancelled, .goodTillDate: return nil
        }
        guard rules.calendar != .always || states[index].hours == .roundTheClock else { return nil }
        return clock.window(at: time, states[index].hours, outside: request.outsideRTH).end
    }

    /// When the auction is over that an order is in time for.
    private func auctionEnd(of type: OrderType, at time: Timestamp) -> Timestamp? {
        switch type {
        case .marketOnOpen, .limitOnOpen:
            return clock.opening(for: time, cutoff: rules.openingCutoff).close
        case .marketOnClose, .limitOnClose:
            let session = clock.closing(for: time, cutoff: rules.closingCutoff)
            // On the tape the auction's trade comes a little later than the close.
            return rules.matching == .bars ? session.close : rules.calendar.dayEnd(of: session.day)
        case .market, .limit, .stop, .stopLimit, .trailingStop: return nil
        }
    }

    // MARK: Hours

    /// Whether an order takes part from `time` until `end`; a day order learns when it ends where there are no
    /// sessions.
    ///
    /// - Parameter session: the one that lies then, if there is one.
    @inline(__always)
    mutating func join(
        _ index: Int, _ slot: Int, at time: Timestamp, until end: Timestamp,
        _ session: TradingSession?
    ) -> Bool {
        let isOpen =
            session != nil && states[index].hours != .roundTheClock
            || isOpenOutside(index, slot, at: time, until: end)
        states[index].orders[slot].takesPart = isOpen
        guard isOpen else { return false }
        guard states[index].orders[slot].ends == .distantFuture,
            case .day = states[index].orders[slot].ticket.request.timeInForce
        else { return true }
        let close = session?.close ?? time
        states[index].orders[slot].ends = close
        earliestEnd = min(earliestEnd, close)
        return true
    }

    private mutating func isOpenOutside(
        _ index: Int, _ slot: Int, at time: Timestamp, until end: Timestamp
    ) -> Bool {
        switch states[index].hours {
        case .regular: return false
        case .extended:
            guard states[index].orders[slot].ticket.request.outsideRTH else { return false }
            return clock.window(at: time, .extended, outside: true).start < end
        case .roundTheClock:
            return clock.window(at: time, .roundTheClock, outside: false).start < end
        }
    }

    /// When the hours end that an order works in at a time; `nil` outside them.
    mutating func hoursEnd(
        _ index: Int, _ slot: Int, at time: Timestamp, _ session: TradingSession?
    ) -> Timestamp? {
        let isOutside = states[index].orders[slot].ticket.request.outsideRTH
        if states[index].hours != .roundTheClock, let session, !isOutside { return session.close }
        let window = clock.window(at: time, states[index].hours, outside: isOutside)
        return window.contains(time) ? window.end : nil
    }

    // MARK: Priority

    /// Sets in which turn orders in an instrument meet a price: first what is at the market or waits for a stop,
    /// then purchases and then sales by their limits, the better one first, and the older of two alike.
    mutating func setTurns(_ index: Int) {
        turns.removeAll(keepingCapacity: true)
        let orders = states[index].orders.indices
        guard orders.count > 1, rules.participation != nil || rules.matching == .ticks else {
            return
        }
        let limitCount = orders.reduce(0) { $0 + (states[index].orders[$1].limit == nil ? 0 : 1) }
        guard limitCount > 0 else { return }
        for slot in orders {
            var turn = turns.count
            while turn > 0, comesBefore(index, slot, turns[turn - 1]) { turn -= 1 }
            turns.insert(slot, at: turn)
        }
    }

    private func comesBefore(_ index: Int, _ slot: Int, _ other: Int) -> Bool {
        let (limit, otherLimit) = (
            states[index].orders[slot].limit, states[index].orders[other].limit
        )
        guard let otherLimit else { return false }
        guard let limit else { return true }
        let side = states[index].orders[slot].ticket.request.side
        guard side == states[index].orders[other].ticket.request.side else { return side == .buy }
        return side == .buy ? limit > otherLimit : limit < otherLimit
    }

    /// The order whose turn it is.
    @inline(__always)
    func slot(of turn: Int) -> Int { turns.isEmpty ? turn : turns[turn] }
}
