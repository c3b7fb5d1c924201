package import Model
package import Primitives

extension Books {
    /// Values a position at the prices of trades, one after the other, and looks at equity at the end of each
    /// instant but the last, which is still open.
    ///
    /// - Parameters:
    ///   - range: the rows told of, at least one. Each value must be within what the books can bear.
    ///   - instant: the open instant before them.
    package mutating func mark(
        _ instrument: InstrumentID, atTicksIn range: Range<Int>, of rows: Span<TickRow>,
        after instant: Timestamp
    ) {
        guard instruments[instrument].quantity != .zero else {
            return markNothing(instrument, range, of: rows, after: instant)
        }
        var open = instant
        for place in range {
            if rows[place].at != open { drawdown.observe(equity, at: open) }
            open = rows[place].at
            if let price = rows[place].tradePrice { _ = mark(instrument, at: price) }
        }
    }

    /// As above where nothing is held: equity stays as it is, so the first look sees how deep it is, the last
    /// until when.
    private mutating func markNothing(
        _ instrument: InstrumentID, _ range: Range<Int>, of rows: Span<TickRow>,
        after instant: Timestamp
    ) {
        let last = rows[range.upperBound - 1].at
        if last != instant { drawdown.observe(equity, at: instant) }
        for place in range.reversed() where rows[place].at != last {
            drawdown.observe(equity, at: rows[place].at)
            break
        }
        for place in range.reversed() {
            guard let price = rows[place].tradePrice else { continue }
            _ = mark(instrument, at: price)
            return
        }
    }
}
