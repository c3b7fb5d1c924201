public import MarketState
public import Model
public import Primitives

/// Quotes and trades of one instrument during which nothing is ordered and nothing that works is reached, so
/// that a strategy can be shown one after the other with nobody between.
public struct TickBatch: Sendable {
    /// The row that is shown next.
    @usableFromInline package internal(set) var next: Int
    /// The lowest and the highest price paid in it; `nil` before a trade.
    package var paid: ClosedRange<Price>? { lowest <= highest ? lowest...highest : nil }

    /// Whose they are.
    @usableFromInline let instrument: InstrumentID
    /// What is in it. At prices between these the position is far from what the ledger cannot bear.
    @usableFromInline let bounds: TickBounds
    /// What is held, times the contract's multiplier.
    @usableFromInline let worth: Quantity
    @usableFromInline let otherEquity: ExactMoney
    /// How many requests there were before the batch.
    @usableFromInline let requestCount: Int
    /// The account's equity at the newest price.
    @usableFromInline var equity: ExactMoney
    @usableFromInline var lowest = Price(units: .max)
    @usableFromInline var highest = Price(units: .min)

    /// A batch of the rows from `next` on that are within `bounds`.
    ///
    /// - Parameter equity: the account's now.
    package init(
        _ position: BarBatch.Position, equity: ExactMoney, from next: Int,
        within bounds: TickBounds, requestCount: Int
    ) {
        self.requestCount = requestCount
        self.next = next
        self.equity = equity
        instrument = position.instrument
        worth = position.worth
        otherEquity = position.otherEquity
        self.bounds = bounds
    }

    /// Values the position at what was paid.
    @inlinable
    @inline(__always)
    mutating func mark(at price: Price) {
        equity = otherEquity + price * worth
        lowest = min(lowest, price)
        highest = max(highest, price)
    }
}

extension Strategy {
    /// Shows rows as quotes and trades, up to the first about which the strategy asks for something.
    @inlinable
    public mutating func _runTicks(
        _ rows: Span<TickRow>, _ batch: inout TickBatch, _ context: inout StrategyContext
    ) {
        // What does not change is read once: the strategy could change anything else.
        let (bounds, instrument, requestCount) = (
            batch.bounds, batch.instrument, batch.requestCount
        )
        var (next, time) = (batch.next, context.time)
        defer { batch.next = next }
        while next < rows.count {
            let row = rows[next]
            guard bounds.contains(row) else { return }
            next &+= 1
            // A slice is over when the next begins.
            if row.at != time { context.valuation = Valuation(batch.equity) }
            time = row.at
            context.time = time
            if row.isTrade {
                let trade = row.trade(of: instrument)
                context.state.record(trade)
                batch.mark(at: trade.price)
                tradeHappened(trade, &context)
            } else {
                let quote = row.quote(of: instrument)
                context.state.record(quote)
                quoteChanged(quote, &context)
            }
            guard context.requests.count == requestCount else { return }
        }
    }
}
