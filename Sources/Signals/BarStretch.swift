public import MarketState
public import Model
public import Primitives

/// Bars of one instrument during which nothing is ordered, so that a strategy can be shown one after the
/// other with nobody between.
public struct BarStretch: Sendable {
    /// The row that is shown next.
    @usableFromInline package internal(set) var next: Int

    @usableFromInline let instrument: InstrumentID
    @usableFromInline let length: Duration
    /// The first instant at which no bar of it ends any more.
    @usableFromInline let limit: Timestamp
    @usableFromInline let held: Quantity
    @usableFromInline let multiplier: Int64
    @usableFromInline let otherEquity: ExactMoney

    /// What a stretch is of.
    package struct Position: Sendable {
        /// The instrument.
        package let instrument: InstrumentID
        /// The contract's multiplier.
        package let multiplier: Int64
        /// What the account holds of it.
        package let held: Quantity
        /// The account's equity but for what is held.
        package let otherEquity: ExactMoney

        /// A position that does not change.
        package init(
            of instrument: InstrumentID, multiplier: Int64, held: Quantity, otherEquity: ExactMoney
        ) {
            self.instrument = instrument
            self.multiplier = multiplier
            self.held = held
            self.otherEquity = otherEquity
        }
    }

    /// A stretch of the rows from `next` on that end before `limit`.
    package init(_ position: Position, length: Duration, from next: Int, before limit: Timestamp) {
        self.next = next
        self.length = length
        self.limit = limit
        instrument = position.instrument
        held = position.held
        multiplier = position.multiplier
        otherEquity = position.otherEquity
    }
}

extension Strategy {
    /// Shows rows as bars, up to the first about which the strategy wishes something.
    @inlinable
    public mutating func watch(
        _ rows: Span<BarRow>, _ stretch: inout BarStretch, _ context: inout StrategyContext
    ) {
        while stretch.next < rows.count {
            let row = rows[stretch.next]
            let end = row.start + stretch.length
            let value = row.close * stretch.held * stretch.multiplier
            // What the books cannot bear is for the engine to see.
            guard end < stretch.limit, value <= .tradeMax, value >= -.tradeMax else { return }
            stretch.next += 1
            context.instant = end
            let bar = Bar(row, of: stretch.instrument, length: stretch.length)
            context.state.record(bar)
            barClosed(bar, &context)
            guard context.requests.isEmpty else { return }
            context.valuation = stretch.otherEquity + value
        }
    }

    /// Shows bars of an instant, up to the first about which the strategy wishes something.
    @inlinable
    public mutating func watchSlice(_ bars: Span<Bar>, _ context: inout StrategyContext) -> Int {
        for place in bars.indices {
            context.state.record(bars[place])
            barClosed(bars[place], &context)
            guard context.requests.isEmpty else { return place + 1 }
        }
        return bars.count
    }
}
