package import Model
package import Primitives

/// What a simulated market makes known: quotes and trades as they happen.
package enum MarketEvent: Hashable, Sendable, BitwiseCopyable {
    /// A new best bid or ask, or another size of one.
    case quote(Quote)
    /// A trade between others.
    case trade(Trade)

    /// When it happens.
    package var at: Timestamp {
        switch self {
        case .quote(let quote): quote.at
        case .trade(let trade): trade.at
        }
    }

    /// Whether it is a trade.
    package var isTrade: Bool {
        switch self {
        case .quote: false
        case .trade: true
        }
    }

    /// Whose it is.
    package var instrument: InstrumentID {
        switch self {
        case .quote(let quote): quote.instrument
        case .trade(let trade): trade.instrument
        }
    }
}

/// What a market shows of one instrument at one time.
package struct MarketSnapshot: Hashable, Sendable {
    /// The best bid; `nil` where nobody has quoted.
    package var bid: Price?
    /// The best ask.
    package var ask: Price?
    /// The price of the last trade.
    package var last: Price?
    /// How much is bid for; zero without a bid.
    package var bidSize = Quantity.zero
    /// How much is offered; zero without an ask.
    package var askSize = Quantity.zero
    /// The size of the last trade; zero without one and for what has no sizes.
    package var lastSize = Quantity.zero
    /// What was traded on the trading day so far, in all its hours.
    package var volume = Quantity.zero
    /// How many trades the trading day has had, in all its hours.
    package var tradeCount: Int64 = 0
    /// The first price of the day's regular hours; `nil` before.
    package var open: Price?
    /// The highest price of the day's regular hours.
    package var high: Price?
    /// The lowest price of the day's regular hours.
    package var low: Price?
    /// The last price of the regular hours of the trading day before; of a currency pair, the middle of
    /// its last quote.
    package var previousClose: Price?
    /// The average price of the day's trades by volume, in all hours; `nil` without volume.
    package var vwap: Price?
    /// When the last trade was made.
    package var lastTime: Timestamp?
    /// When the last quote was made.
    package var quoteTime: Timestamp?
    /// The trading day: the one whose first hours have begun last; `nil` before the first.
    package var day: Day?
    /// Whether trading is halted.
    package var isHalted = false
    /// Whether these are hours in which it is traded, halted or not.
    package var isOpen = false
    /// Whether these are its regular hours.
    package var isRegular = false

    /// Nothing known.
    package init() {}
}
