public import MarketState
public import Model
public import Primitives

/// Bars of one instrument during which nothing is ordered, so that a strategy can be shown one after the
/// other without a look at anything else.
public struct BarBatch: Sendable {
    /// The row that is shown next.
    @usableFromInline package internal(set) var next: Int

    /// The bars' instrument.
    @usableFromInline package let instrument: InstrumentID
    @usableFromInline let barSize: Duration
    /// The row behind the last.
    @usableFromInline package var end: Int
    /// Rows that begin then or later are not shown.
    @usableFromInline let startEnd: Timestamp
    /// What is held, times the contract's multiplier.
    @usableFromInline let worth: Quantity
    @usableFromInline let otherEquity: ExactMoney
    /// How many requests there were before the batch.
    @usableFromInline let requestCount: Int

    /// The account's position in the instrument of a batch, which does not change within it.
    package struct Position: Sendable {
        /// The instrument.
        package let instrument: InstrumentID
        /// What the account holds of it, times the contract's multiplier.
        package let worth: Quantity
        /// The account's equity but for what is held.
        package let otherEquity: ExactMoney

        /// A position; `nil` for one too large for a batch.
        package init?(
            of instrument: InstrumentID, multiplier: Int64, held: Quantity, otherEquity: ExactMoney
        ) {
            let (worth, isTooLarge) = held.units.multipliedReportingOverflow(by: multiplier)
            guard !isTooLarge else { return nil }
            self.instrument = instrument
            self.worth = Quantity(units: worth)
            self.otherEquity = otherEquity
        }

        /// A price at which the position is worth no more than the portfolio can bear. Less than the largest
        /// there is: an exact one would take a division of 128 bits.
        package var priceMax: Price {
            let most = UInt64(truncatingIfNeeded: ExactMoney.tradeMax.units >> 64)
            let units = (most << 33) / (worth.units.magnitude >> 31 + 1)
            return Price(units: Int64(clamping: units))
        }

        /// The account's equity at a price.
        package func equity(at price: Price) -> ExactMoney { otherEquity + price * worth }
    }

    /// A batch that begins with a row and has none yet.
    package init(
        _ position: Position, barSize: Duration, from first: Int, startEnd: Timestamp,
        requestCount: Int
    ) {
        next = first
        end = first
        self.startEnd = startEnd
        self.barSize = barSize
        self.requestCount = requestCount
        instrument = position.instrument
        worth = position.worth
        otherEquity = position.otherEquity
    }
}

extension Strategy {
    /// Shows rows as bars, each with the end of its slice, up to the first about which the strategy asks for
    /// something.
    @inlinable
    public mutating func _runBars(
        _ rows: Span<BarRow>, _ batch: inout BarBatch, _ context: inout StrategyContext
    ) {
        guard batch.next < batch.end, batch.end <= rows.count else { return }
        context.valuation = Valuation(otherEquity: batch.otherEquity, worth: batch.worth)
        // What does not change is read once: the strategy could change anything else.
        let (end, startEnd) = (batch.end, batch.startEnd)
        let (barSize, instrument) = (batch.barSize, batch.instrument)
        let requestCount = batch.requestCount
        var next = batch.next
        defer { batch.next = next }
        while next < end {
            let row = rows[next]
            guard row.start < startEnd else { return }
            next &+= 1
            // Below the batch's end: it cannot overflow.
            context.time = Timestamp(nanoseconds: row.start.nanoseconds &+ barSize.nanoseconds)
            let bar = Bar(row, of: instrument, barSize: barSize)
            context.state.record(bar)
            context.valuation.price = row.close
            barClosed(bar, &context)
            sliceClosed(&context)
            guard context.requests.count == requestCount else { return }
        }
    }

    /// Shows the bars of a slice and its end.
    @inlinable
    public mutating func _runSlice(_ bars: Span<Bar>, _ context: inout StrategyContext) {
        for index in bars.indices { barClosed(bars[index], &context) }
        sliceClosed(&context)
    }
}
