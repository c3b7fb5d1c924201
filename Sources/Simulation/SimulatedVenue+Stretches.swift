import MarketState
package import Model
package import Primitives

/// Quotes and trades that reach no order: most of them, and what is to be done about them is little.
extension SimulatedVenue {
    /// The bounds within which quotes and trades of an instrument change nothing for its orders: none is
    /// reached, none begins or ceases to take part. `nil` while an order has to be told each of them.
    ///
    /// Wide as can be without orders. Limits that rest and stops that wait for a trade are such that need
    /// not be told; a trailing stop is not, since it follows prices.
    ///
    /// - Parameter instant: of what the venue was told last.
    package mutating func quietBounds(
        of instrument: InstrumentID, at instant: Timestamp
    ) -> TickBounds? {
        let index = Int(instrument.index)
        var bounds = TickBounds()
        guard !books[index].orders.isEmpty else { return bounds }
        guard rules.matching == .ticks else { return nil }
        let close = clock.session(at: instant)?.close
        for place in books[index].orders.indices {
            guard narrow(&bounds, to: place, index, sessionClose: close) else { return nil }
        }
        return bounds
    }

    /// Narrows bounds to what changes nothing for an order; false where everything might.
    private mutating func narrow(
        _ bounds: inout TickBounds, to place: Int, _ index: Int, sessionClose: Timestamp?
    ) -> Bool {
        // An order may learn when it ends when it first takes part.
        guard books[index].orders[place].takesPart else { return false }
        bounds.end = min(bounds.end, books[index].orders[place].ends)
        if !books[index].orders[place].ticket.request.worksOutsideHours {
            guard let sessionClose else { return false }
            bounds.end = min(bounds.end, sessionClose)
        }
        // What waits for its parent meets no price.
        guard books[index].orders[place].available > .zero else { return true }
        let side = books[index].orders[place].ticket.request.side
        if let limit = books[index].orders[place].limit {
            guard books[index].orders[place].isResting else { return false }
            return bounds.narrow(to: limit, side.opposite, isReached: rules.limitFill == .touch)
        }
        switch books[index].orders[place].ticket.request.type {
        case .stop(let stop), .stopLimit(let stop, _):
            guard rules.stopTrigger == .last, !books[index].orders[place].isTriggered else {
                return false
            }
            return bounds.narrow(to: stop, side, isReached: true)
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
        while first < rows.count, books[index].tape.isTaken {
            show(rows[first], index, instrument)
            first += 1
        }
        for place in (first..<rows.count).reversed() where !rows[place].isTrade {
            show(rows[place], index, instrument)
            break
        }
        for place in rows.indices.reversed() {
            guard let price = rows[place].tradePrice else { continue }
            books[index].tape.last = price
            break
        }
    }

    private mutating func show(_ row: TickRow, _ index: Int, _ instrument: InstrumentID) {
        if !row.isTrade { books[index].tape.show(row.quote(of: instrument), at: row.at) }
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
