public import MarketState
public import Model
public import Primitives

/// Quotes and trades of one instrument during which nothing is ordered, so that a strategy can be shown one
/// after the other with nobody between.
public struct TickStretch: Sendable {
    /// The row that is shown next.
    @usableFromInline package internal(set) var next: Int

    /// Whose they are.
    @usableFromInline let instrument: InstrumentID
    /// The first instant that is not in it.
    @usableFromInline let limit: Timestamp
    /// At prices between plus and minus this the position is far from what the books cannot bear.
    @usableFromInline let priceMax: UInt64
    /// What is held, times the contract's multiplier.
    @usableFromInline let worth: Quantity
    @usableFromInline let otherEquity: ExactMoney
    /// The account's equity at the newest price.
    @usableFromInline var equity: ExactMoney

    /// A stretch of the rows from `next` on that were told before `limit`.
    ///
    /// - Parameter equity: the account's now.
    package init(
        _ position: BarStretch.Position, equity: ExactMoney, from next: Int,
        before limit: Timestamp
    ) {
        self.next = next
        self.limit = limit
        self.equity = equity
        priceMax = position.closeMax
        instrument = position.instrument
        worth = position.worth
        otherEquity = position.otherEquity
    }
}

extension TickStretch {
    /// Whether a row is in it: it comes in time, and the position at its price is far from what the books
    /// cannot bear. A bid is held to the same, though it marks nothing.
    @inlinable
    @inline(__always)
    func holds(_ row: TickRow) -> Bool {
        // One comparison for both ends: what is below minus `priceMax` is a very large number here.
        row.at < limit && UInt64(bitPattern: row.first) &+ priceMax <= priceMax &+ priceMax
    }
}

extension Strategy {
    /// Shows rows as quotes and trades, up to the first about which the strategy wishes something.
    @inlinable
    public mutating func watchTicks(
        _ rows: Span<TickRow>, _ stretch: inout TickStretch, _ context: inout StrategyContext
    ) {
        while stretch.next < rows.count {
            let row = rows[stretch.next]
            guard stretch.holds(row) else { return }
            stretch.next &+= 1
            // An instant is over when the next begins.
            if row.at != context.instant { context.valuation = stretch.equity }
            context.instant = row.at
            if row.isTrade {
                let trade = row.trade(of: stretch.instrument)
                context.state.record(trade)
                stretch.equity = stretch.otherEquity + trade.price * stretch.worth
                tradeHappened(trade, &context)
            } else {
                let quote = row.quote(of: stretch.instrument)
                context.state.record(quote)
                quoteChanged(quote, &context)
            }
            guard context.requests.isEmpty else { return }
        }
    }
}
