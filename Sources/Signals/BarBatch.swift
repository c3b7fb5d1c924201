public import MarketState
public import Model
public import Primitives

/// Bars of one instrument during which nothing is ordered, so that a strategy can be shown one after the
/// other with nobody between.
public struct BarBatch: Sendable {
    /// The row that is shown next.
    @usableFromInline package internal(set) var next: Int

    /// Whose bars they are.
    @usableFromInline package let instrument: InstrumentID
    @usableFromInline let length: Duration
    /// The first instant at which no bar of it begins any more.
    @usableFromInline let startLimit: Timestamp
    /// At closes between plus and minus this the position is far from what the books cannot bear.
    @usableFromInline let closeMax: UInt64
    /// What is held, times the contract's multiplier.
    @usableFromInline let worth: Quantity
    @usableFromInline let otherEquity: ExactMoney

    /// What a batch is of.
    package struct Position: Sendable {
        /// The instrument.
        package let instrument: InstrumentID
        /// What the account holds of it, times the contract's multiplier.
        package let worth: Quantity
        /// The account's equity but for what is held.
        package let otherEquity: ExactMoney

        /// A position that does not change; `nil` for one too large for a batch.
        package init?(
            of instrument: InstrumentID, multiplier: Int64, held: Quantity, otherEquity: ExactMoney
        ) {
            let (worth, isTooLarge) = held.units.multipliedReportingOverflow(by: multiplier)
            guard !isTooLarge else { return nil }
            self.instrument = instrument
            self.worth = Quantity(units: worth)
            self.otherEquity = otherEquity
        }

        /// A close at which the position is worth no more than the books can bear, in price units. Less than
        /// the largest there is: an exact one would take a division of 128 bits.
        var closeMax: UInt64 {
            let most = UInt64(truncatingIfNeeded: ExactMoney.tradeMax.units >> 64)
            return (most << 33) / (worth.units.magnitude >> 31 + 1)
        }
    }

    /// A batch of the rows from `next` on that end before `limit`.
    package init(_ position: Position, length: Duration, from next: Int, before limit: Timestamp) {
        self.next = next
        self.length = length
        startLimit = limit > .distantPast + length ? limit - length : .distantPast
        closeMax = position.closeMax
        instrument = position.instrument
        worth = position.worth
        otherEquity = position.otherEquity
    }
}

extension BarBatch {
    /// Whether a row is in it: its bar ends in time, and the position at its close is far from what the
    /// books cannot bear.
    @inlinable
    @inline(__always)
    package func holds(_ row: BarRow) -> Bool {
        // One comparison for both ends: what is below minus `closeMax` is a very large number here.
        row.start < startLimit
            && UInt64(bitPattern: row.close.units) &+ closeMax <= closeMax &+ closeMax
    }

    /// Takes rows as shown, and leaves the market as of the last of them in the context.
    ///
    /// - Parameters:
    ///   - end: the row behind the last one shown.
    ///   - isWished: whether the strategy is about to intent something: equity is then as of the bar before.
    package mutating func advance(
        to end: Int, of rows: Span<BarRow>, hasIntents: Bool, _ context: inout StrategyContext
    ) {
        guard end > next else { return }
        let valued = hasIntents ? end - 2 : end - 1
        if valued >= next { context.valuation = otherEquity + rows[valued].close * worth }
        next = end
        context.time = rows[end - 1].start + length
        context.state.record(Bar(rows[end - 1], of: instrument, length: length))
    }
}

extension Strategy {
    /// Shows rows as bars, up to the first about which the strategy intents something.
    @inlinable
    public mutating func watch(
        _ rows: Span<BarRow>, _ batch: inout BarBatch, _ context: inout StrategyContext
    ) {
        watchEach(rows, &batch, &context)
    }

    /// Calls `barClosed` for one row after the other.
    @inlinable
    @inline(__always)
    package mutating func watchEach(
        _ rows: Span<BarRow>, _ batch: inout BarBatch, _ context: inout StrategyContext
    ) {
        while batch.next < rows.count {
            let row = rows[batch.next]
            guard batch.holds(row) else { return }
            batch.next += 1
            context.time = row.start + batch.length
            let bar = Bar(row, of: batch.instrument, length: batch.length)
            context.state.record(bar)
            barClosed(bar, &context)
            guard context.requests.isEmpty else { return }
            context.valuation = batch.otherEquity + row.close * batch.worth
        }
    }

    /// Shows all bars of an instant.
    @inlinable
    public mutating func watchSlice(_ bars: Span<Bar>, _ context: inout StrategyContext) {
        for index in bars.indices {
            context.state.record(bars[index])
            barClosed(bars[index], &context)
        }
    }
}
