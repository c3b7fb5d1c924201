package import Model
package import Primitives

extension PortfolioLedger {
    /// Values a position at the prices of trades, one after the other, and looks at equity at the end of each
    /// instant but the last, which is still open.
    ///
    /// - Parameters:
    ///   - range: the rows to value at, at least one. Each value must be within what the ledger can bear.
    ///   - time: the open instant before them.
    ///   - paid: the lowest and the highest price of the trades among them; `nil` where there is none.
    package mutating func mark(
        _ instrument: InstrumentID, atTicksIn range: Range<Int>, of rows: Span<TickRow>,
        after time: Timestamp, paid: ClosedRange<Price>?
    ) {
        guard instruments[instrument].quantity != .zero else {
            return markNothing(instrument, range, of: rows, after: time)
        }
        guard !isOrdinary(instrument, paid) else {
            return markLast(instrument, range, of: rows)
        }
        var open = time
        var first = range.lowerBound
        while first < range.upperBound {
            let end = min(first + Self.ticksPerBlock, range.upperBound)
            if isOrdinary(instrument, Self.paid(in: first..<end, of: rows)) {
                markLast(instrument, first..<end, of: rows)
            } else {
                markEach(instrument, first..<end, of: rows, after: open)
            }
            open = rows[end - 1].at
            first = end
        }
    }

    /// How many ticks are looked at together: few of them make a new high or the deepest fall.
    private static var ticksPerBlock: Int { 32 }

    /// The lowest and the highest price of the trades among some rows; `nil` where there is none.
    private static func paid(
        in range: Range<Int>, of rows: Span<TickRow>
    ) -> ClosedRange<Price>? {
        var (lowest, highest) = (Price(units: .max), Price(units: .min))
        for row in range {
            lowest = min(lowest, rows[row].tradePrice ?? lowest)
            highest = max(highest, rows[row].tradePrice ?? highest)
        }
        return lowest <= highest ? lowest...highest : nil
    }

    private mutating func markEach(
        _ instrument: InstrumentID, _ range: Range<Int>, of rows: Span<TickRow>,
        after time: Timestamp
    ) {
        var open = time
        for row in range {
            if rows[row].at != open { drawdown.observe(equity, at: open) }
            open = rows[row].at
            if let price = rows[row].tradePrice { _ = mark(instrument, at: price) }
        }
    }

    /// Whether equity is neither a new high nor the deepest fall, now and at any of the prices paid.
    private func isOrdinary(
        _ instrument: InstrumentID, _ paid: ClosedRange<Price>?
    ) -> Bool {
        guard let paid else { return drawdown.ignores(equity, equity) }
        // It rises with the price, or falls with it: all others are between these.
        let position = instruments[instrument]
        let held = HeldEquity(position, others: equity - position.value)
        let (one, other) = (held(at: paid.lowerBound), held(at: paid.upperBound))
        return drawdown.ignores(min(equity, one, other), max(equity, one, other))
    }

    /// As above where nothing is held: equity stays as it is, so the first look sees how deep it is, the last
    /// until when.
    private mutating func markNothing(
        _ instrument: InstrumentID, _ range: Range<Int>, of rows: Span<TickRow>,
        after time: Timestamp
    ) {
        let last = rows[range.upperBound - 1].at
        if last != time { drawdown.observe(equity, at: time) }
        for row in range.reversed() where rows[row].at != last {
            drawdown.observe(equity, at: rows[row].at)
            break
        }
        markLast(instrument, range, of: rows)
    }

    /// Values a position at the last price paid.
    private mutating func markLast(
        _ instrument: InstrumentID, _ range: Range<Int>, of rows: Span<TickRow>
    ) {
        for row in range.reversed() {
            guard let price = rows[row].tradePrice else { continue }
            _ = mark(instrument, at: price)
            return
        }
    }
}
