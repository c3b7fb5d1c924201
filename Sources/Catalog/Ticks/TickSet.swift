package import MarketState
public import Model
public import Primitives

/// One row of a tick file: a quote or a trade.
@usableFromInline
package struct TickRow: Hashable, BitwiseCopyable, Sendable {
    /// When it was told.
    @usableFromInline package let at: Timestamp

    // In steps of 10^-8: bid, its size, ask, its size; of a trade, price and size. What is not there is
    // zero and has no bit in `parts`.
    @usableFromInline let first: Int64
    @usableFromInline let firstSize: Int64
    @usableFromInline let second: Int64
    @usableFromInline let secondSize: Int64
    @usableFromInline let parts: Parts

    /// What a row holds.
    @usableFromInline
    struct Parts: OptionSet, Hashable, BitwiseCopyable, Sendable {
        @usableFromInline let rawValue: UInt8

        @inlinable
        init(rawValue: UInt8) { self.rawValue = rawValue }

        @inlinable static var bid: Parts { Parts(rawValue: 1) }
        @inlinable static var bidSize: Parts { Parts(rawValue: 2) }
        @inlinable static var ask: Parts { Parts(rawValue: 4) }
        @inlinable static var askSize: Parts { Parts(rawValue: 8) }
        @inlinable static var trade: Parts { Parts(rawValue: 16) }
    }

    /// A row of these parts; a size without its price is left out.
    init(
        at instant: Timestamp, first: (price: Int64, size: Int64),
        second: (price: Int64, size: Int64), parts: Parts
    ) {
        at = instant
        self.first = first.price
        firstSize = first.size
        self.second = second.price
        secondSize = second.size
        self.parts = parts
    }

    /// Whether it is a trade, not a quote.
    @inlinable package var isTrade: Bool { parts.contains(.trade) }

    /// The quote; asked of quotes only.
    @inlinable
    package func quote(of instrument: InstrumentID) -> Quote {
        Quote(
            instrument: instrument, at: at,
            bid: parts.contains(.bid) ? Price(units: first) : nil,
            ask: parts.contains(.ask) ? Price(units: second) : nil,
            bidSize: parts.contains(.bidSize) ? Quantity(units: firstSize) : nil,
            askSize: parts.contains(.askSize) ? Quantity(units: secondSize) : nil)
    }

    /// The trade; asked of trades only. Its size is zero where the file has none.
    @inlinable
    package func trade(of instrument: InstrumentID) -> Trade {
        Trade(
            instrument: instrument, at: at, price: Price(units: first),
            size: Quantity(units: firstSize))
    }
}

extension TickRow {
    /// A quote.
    package init(_ quote: Quote) {
        var parts: Parts = []
        if quote.bid != nil { parts.insert(quote.bidSize == nil ? .bid : [.bid, .bidSize]) }
        if quote.ask != nil { parts.insert(quote.askSize == nil ? .ask : [.ask, .askSize]) }
        self.init(
            at: quote.at,
            first: (
                quote.bid?.units ?? 0,
                parts.contains(.bidSize) ? quote.bidSize?.units ?? 0 : 0
            ),
            second: (
                quote.ask?.units ?? 0,
                parts.contains(.askSize) ? quote.askSize?.units ?? 0 : 0
            ), parts: parts)
    }

    /// A trade.
    package init(_ trade: Trade) {
        self.init(
            at: trade.at, first: (trade.price.units, trade.size.units), second: (0, 0),
            parts: .trade)
    }
}

/// All quotes and trades of one symbol: at least one, in the order of time.
package struct TickSeries: Sendable {
    /// The ticker, upper case.
    package let symbol: String
    /// The quotes and trades; those of one instant in the order of the file.
    package let rows: [TickRow]
    /// How many of them are trades.
    package let tradeCount: Int
    /// Where they came from.
    package let file: SourceFile

    /// Checked rows of a symbol.
    package init(symbol: String, rows: [TickRow], file: SourceFile) {
        self.symbol = symbol
        self.rows = rows
        self.file = file
        tradeCount = rows.count { $0.isTrade }
    }
}

/// The historical quotes and trades of a run.
package struct TickSet: Sendable {
    /// One series a symbol, sorted by symbol.
    package var series: [TickSeries]
    /// What the prices were adjusted for.
    package let basis: PriceBasis
    /// The sessions they belong to.
    package let calendar: SessionCalendar

    /// Series that belong together.
    package init(series: [TickSeries], basis: PriceBasis, calendar: SessionCalendar) {
        self.series = series
        self.basis = basis
        self.calendar = calendar
    }
}

/// What the rows of a data file are.
package enum DataKind: String, CaseIterable, Sendable {
    /// Bars.
    case bars
    /// Quotes and trades.
    case ticks
}
