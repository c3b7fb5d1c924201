import Primitives

/// First, highest, lowest and last of something, in price units.
struct PriceUnitRange: Hashable, Sendable, BitwiseCopyable {
    var open: Int64
    var high: Int64
    var low: Int64
    var close: Int64

    init(open: Int64, high: Int64, low: Int64, close: Int64) {
        self.open = open
        self.high = high
        self.low = low
        self.close = close
    }

    /// Of one value.
    init(_ value: Int64) { self.init(open: value, high: value, low: value, close: value) }

    /// Takes what came later into this.
    mutating func append(_ later: PriceUnitRange) {
        high = max(high, later.high)
        low = min(low, later.low)
        close = later.close
    }

    /// This moved by an amount.
    func moved(by amount: Int64) -> PriceUnitRange {
        PriceUnitRange(
            open: open &+ amount, high: high &+ amount, low: low &+ amount, close: close &+ amount)
    }

    /// The middle of its four values.
    var middle: Int64 {
        Int64((Int128(open) + Int128(high) + Int128(low) + Int128(close)) / 4)
    }
}

/// An interval, of a minute or less unless told otherwise, of one instrument's market, from which its quotes and trades follow.
///
/// `count` trades go from `prices.open` by `prices.high` and `prices.low`, in either order, to
/// `prices.close`. A single trade is at the close. The quote's width stays the same within it.
struct Slice: Hashable, Sendable, BitwiseCopyable {
    /// Its first time.
    var start: Timestamp
    /// How long it lasts; positive.
    var length: Duration
    /// Where trades go, or would go if there were any.
    var prices: PriceUnitRange
    /// What is traded, in units of `Quantity`.
    var volume: Int64
    /// How many trades there are: 0, 1 or from 4 up to `quoteCount`.
    var count: Int32
    /// How many steps its path has, and quotes if there are quotes; 1 or at least 4.
    var quoteCount: Int32
    /// How far the ask is above the bid, in price units; 0 where there are no quotes.
    var width: Int64
    /// What its path is drawn from.
    var key: UInt64
    /// Whether the path runs the other way round, as a put's does beside its underlying's.
    var isMirrored = false
    /// Whether it lies in regular hours.
    var isRegular: Bool
    /// Whether it consists of ticks that are at hand, or has lost some of its own: nothing follows from the
    /// other fields then, and its parts are reckoned from the ticks.
    var isLoose = false

    /// The first time after it.
    var end: Timestamp { start + length }

    /// Whether the trade of a slice of one quote is at the ask, not the bid.
    var isAtAsk: Bool { key & 1 == 1 }

    /// Whether it has quotes.
    var hasQuotes: Bool { width > 0 }

    /// The trades as a bar; `nil` without any.
    var trades: PriceUnitRange? {
        guard count > 0 else { return nil }
        return count == 1 ? PriceUnitRange(prices.close) : prices
    }

    /// What the trades are worth by the middle of the bar, in price units times quantity units.
    ///
    /// The average price of a slice is this by definition: bars that are longer go by it.
    var turnover: Int128 {
        guard let trades else { return 0 }
        return Int128(trades.middle) &* Int128(volume)
    }

    /// How many trades a slice is made of when it should have about `requested`: a quarter of its quotes at
    /// most, and enough to show a whole bar, or one, or none.
    static func tradeCount(_ requested: Int64, of quoteCount: Int) -> Int32 {
        let most = max(4, Int64(quoteCount) / 4)
        return requested >= 4 ? Int32(min(requested, most)) : Int32(min(max(requested, 0), 1))
    }

    /// The bids, on the same path.
    ///
    /// - Parameter grid: the step of prices; positive.
    func bids(grid: Int64) -> PriceUnitRange {
        if quoteCount == 1 {
            return PriceUnitRange(
                isAtAsk && prices.close > width ? prices.close - width : prices.close)
        }
        let half = width / 2 / grid * grid
        let highest = prices.high - width
        guard highest >= prices.low else {
            // The trades keep within one quote.
            let headroom = (prices.low - highest) / 2 / grid * grid
            let bid = prices.low - headroom
            return PriceUnitRange(bid > 0 ? bid : prices.low)
        }
        func within(_ price: Int64) -> Int64 { min(max(price - half, prices.low), highest) }
        return PriceUnitRange(
            open: within(prices.open), high: highest, low: prices.low, close: within(prices.close))
    }
}
