import MarketState
package import Model
package import Primitives

/// Quotes and trades that reach no order: most of them, and what is to be done about them is little.
extension SimulatedBroker {
    /// The bounds within which quotes and trades of an instrument change nothing for its orders: none is
    /// reached, none begins or ceases to take part. `nil` while an order has to receive each of them.
    ///
    /// Wide as can be without orders. Limits that rest and stops that wait for a trade are such that need
    /// not receive them; a trailing stop is not, since it follows prices.
    ///
    /// - Parameter time: of the newest event that the venue has handled.
    package mutating func quietBounds(
        of instrument: InstrumentID, at time: Timestamp
    ) -> TickBounds? {
        let index = Int(instrument.index)
        var bounds = TickBounds()
        guard !states[index].orders.isEmpty else { return bounds }
        guard rules.matching == .ticks else { return nil }
        let session = clock.session(at: time)
        for slot in states[index].orders.indices {
            guard let end = hoursEnd(index, slot, at: time, session) else { return nil }
            bounds.end = min(bounds.end, end)
            guard narrow(&bounds, to: slot, index) else { return nil }
        }
        return bounds
    }

    /// Narrows bounds to what changes nothing for an order; false where everything might.
    private func narrow(
        _ bounds: inout TickBounds, to slot: Int, _ index: Int
    ) -> Bool {
        // An order may learn when it ends when it first takes part.
        guard states[index].orders[slot].takesPart else { return false }
        bounds.end = min(bounds.end, states[index].orders[slot].ends)
        // What waits for its parent meets no price.
        guard states[index].orders[slot].available > .zero else { return true }
        // An immediate order ends with the first price it meets.
        guard states[index].orders[slot].ticket.request.timeInForce != .immediateOrCancel else {
            return false
        }
        let side = states[index].orders[slot].ticket.request.side
        if let limit = states[index].orders[slot].limit {
            guard states[index].orders[slot].isResting else { return false }
            return bounds.narrow(to: limit, side.opposite, isReached: rules.limitFill == .touch)
        }
        switch states[index].orders[slot].ticket.request.type {
        case .stop(let stop), .stopLimit(let stop, _):
            guard trigger(of: index, slot) == .last, !states[index].orders[slot].isTriggered else {
                return false
            }
            return bounds.narrow(
                to: stop, states[index].orders[slot].triggerSide, isReached: true)
        case .market, .limit, .trailingStop, .marketOnOpen, .limitOnOpen, .marketOnClose,
            .limitOnClose:
            return false
        }
    }

    /// As `quoteChanged` and `tradeHappened` with each of `rows` at its own instant, all of which must be
    /// within `quietBounds`.
    package mutating func pass(_ rows: Span<TickRow>, of instrument: InstrumentID) {
        let index = Int(instrument.index)
        var first = 0
        // Only the newest quote counts, once nothing is taken of what is shown.
        while first < rows.count, exchange.markets[index].topOfBook.isTaken {
            show(rows[first], index, instrument)
            first += 1
        }
        for slot in (first..<rows.count).reversed() where !rows[slot].isTrade {
            show(rows[slot], index, instrument)
            break
        }
        for slot in rows.indices.reversed() {
            guard let price = rows[slot].tradePrice else { continue }
            exchange.markets[index].topOfBook.last = price
            break
        }
    }

    private mutating func show(_ row: TickRow, _ index: Int, _ instrument: InstrumentID) {
        if !row.isTrade {
            exchange.markets[index].topOfBook.show(row.quote(of: instrument), at: row.at)
        }
    }
}

/// Bars that reach no order.
extension SimulatedBroker {
    /// The bounds within which bars of an instrument change nothing for its orders: none is reached, none begins or
    /// ceases to take part. `nil` while the venue has to be shown each of them.
    package func quietBars(of instrument: InstrumentID) -> BarBounds? {
        var bounds = BarBounds()
        guard orderCount > 0 else { return bounds }
        // Orders in other instruments end by the clock.
        bounds.end = earliestEnd
        let index = Int(instrument.index)
        guard !states[index].orders.isEmpty else { return bounds }
        guard rules.matching == .bars, laterTypes.isEmpty else { return nil }
        for slot in states[index].orders.indices {
            guard narrow(&bounds, to: slot, index) else { return nil }
        }
        return bounds
    }

    /// Narrows bounds to bars that change nothing for an order; false where any might.
    private func narrow(_ bounds: inout BarBounds, to slot: Int, _ index: Int) -> Bool {
        let request = states[index].orders[slot].ticket.request
        switch request.timeInForce {
        case .immediateOrCancel: return false
        // An order may learn when it ends when it first takes part.
        case .day: guard states[index].orders[slot].ends < .distantFuture else { return false }
        case .goodTillCancelled, .goodTillDate: break
        }
        bounds.end = min(bounds.end, states[index].orders[slot].ends)
        // What waits for its parent meets no price.
        guard states[index].orders[slot].available > .zero else { return true }
        if let limit = states[index].orders[slot].limit {
            return bounds.exclude(
                limit, at: request.side.opposite, isReached: rules.limitFill == .touch)
        }
        switch request.type {
        case .stop(let stop), .stopLimit(let stop, _):
            guard !states[index].orders[slot].isTriggered else { return false }
            return bounds.exclude(
                stop, at: states[index].orders[slot].triggerSide, isReached: true)
        case .market, .limit, .trailingStop, .marketOnOpen, .limitOnOpen, .marketOnClose,
            .limitOnClose:
            return false
        }
    }

    /// As `barOpened` and `barClosed` with bars of an instrument, all of which must be within `quietBars`.
    package mutating func passBars(of instrument: InstrumentID) {
        let index = Int(instrument.index)
        for slot in states[index].orders.indices {
            states[index].orders[slot].takesPart = false
            states[index].orders[slot].since = nil
        }
    }
}

extension BarBounds {
    /// Leaves out what is beyond a price: above it for `.buy`, below for `.sell`; false for a price that
    /// nobody pays.
    ///
    /// - Parameter isReached: true if the price itself is left out too.
    fileprivate mutating func exclude(_ price: Price, at side: Side, isReached: Bool) -> Bool {
        guard price <= .magnitudeMax, price >= -.magnitudeMax else { return false }
        let step = Price(units: isReached ? 1 : 0)
        switch side {
        case .buy: high = min(high, price - step)
        case .sell: low = max(low, price + step)
        }
        return true
    }
}

extension TickBounds {
    /// Leaves out what is beyond a price: above it for `.buy`, below for `.sell`; false for a price that
    /// nobody pays.
    ///
    /// - Parameter isReached: whether the price itself is left out too.
    fileprivate mutating func narrow(to price: Price, _ side: Side, isReached: Bool) -> Bool {
        guard price <= .magnitudeMax, price >= -.magnitudeMax else { return false }
        let step = Price(units: isReached ? 1 : 0)
        switch side {
        case .buy: high = min(high, price - step)
        case .sell: low = max(low, price + step)
        }
        return true
    }
}
