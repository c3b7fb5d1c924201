public import Primitives

/// A quote or a trade of a series that knows for all of them whose they are.
public struct TickRow: Hashable, BitwiseCopyable, Sendable {
    /// When it was published.
    public let at: Timestamp

    // In steps of 10^-8: bid, its size, ask, its size; of a trade, price and size. What is not there is
    // zero and has no bit in `parts`.
    @usableFromInline package let first: Int64
    @usableFromInline package let firstSize: Int64
    @usableFromInline package let second: Int64
    @usableFromInline package let secondSize: Int64
    @usableFromInline package let parts: Parts

    /// What a row holds.
    @usableFromInline
    package struct Parts: OptionSet, Hashable, Codable, BitwiseCopyable, Sendable {
        /// One bit a part.
        @usableFromInline package let rawValue: UInt8

        /// The parts whose bits are set.
        @inlinable
        package init(rawValue: UInt8) { self.rawValue = rawValue }

        /// A price to bid.
        @inlinable package static var bid: Parts { Parts(rawValue: 1) }
        /// How much is bid for.
        @inlinable package static var bidSize: Parts { Parts(rawValue: 2) }
        /// A price asked.
        @inlinable package static var ask: Parts { Parts(rawValue: 4) }
        /// How much is offered.
        @inlinable package static var askSize: Parts { Parts(rawValue: 8) }
        /// All of a trade.
        @inlinable package static var trade: Parts { Parts(rawValue: 16) }
    }

    /// A row of these parts; a size without its price is left out.
    @inlinable
    package init(
        at time: Timestamp, first: (price: Int64, size: Int64),
        second: (price: Int64, size: Int64), parts: Parts
    ) {
        at = time
        self.first = first.price
        firstSize = first.size
        self.second = second.price
        secondSize = second.size
        self.parts = parts
    }

    /// Whether it is a trade, not a quote.
    @inlinable public var isTrade: Bool { parts.contains(.trade) }

    /// What was paid; `nil` for a quote.
    @inlinable public var tradePrice: Price? { isTrade ? Price(units: first) : nil }

    /// The quote; asked of quotes only.
    @inlinable
    public func quote(of instrument: InstrumentID) -> Quote {
        Quote(self, of: instrument)
    }

    /// The trade; asked of trades only. Its size is zero where the file has none.
    @inlinable
    public func trade(of instrument: InstrumentID) -> Trade {
        Trade(
            instrument: instrument, at: at, price: Price(units: first),
            size: Quantity(units: firstSize))
    }
}

extension TickRow {
    /// A quote.
    public init(_ quote: Quote) {
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
    public init(_ trade: Trade) {
        self.init(
            at: trade.at, first: (trade.price.units, trade.size.units), second: (0, 0),
            parts: .trade)
    }
}
