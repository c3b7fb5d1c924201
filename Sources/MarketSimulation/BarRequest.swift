package import Primitives

/// How long the bars of a history are.
package enum BarStep: Hashable, Sendable {
    /// That many seconds, counted from midnight; 1 to 86,400.
    case seconds(Int32)
    /// Trading days.
    case day
    /// Weeks from Monday on.
    case week
    /// Months of the calendar.
    case month
}

/// What the bars of a history are made of.
package enum BarKind: Hashable, Sendable {
    /// Trades.
    case trades
    /// The middle of the quote.
    case midpoint
    /// Bids.
    case bid
    /// Asks.
    case ask
    /// The time-weighted average bid as open, the highest ask, the lowest bid, the time-weighted average
    /// ask as close.
    case bidAsk
}

/// A history to be made.
package struct BarRequest: Hashable, Sendable {
    /// How long its bars are.
    package var step: BarStep
    /// The first time at which a bar may begin.
    package var from: Timestamp
    /// The first time that is no longer part of it; the present is the latest.
    package var to: Timestamp
    /// What its bars are made of.
    package var kind: BarKind
    /// Whether only regular hours count.
    package var regularHoursOnly: Bool

    /// A history.
    package init(
        step: BarStep, from: Timestamp, to: Timestamp, kind: BarKind = .trades,
        regularHoursOnly: Bool = true
    ) {
        self.step = step
        self.from = from
        self.to = to
        self.kind = kind
        self.regularHoursOnly = regularHoursOnly
    }
}

/// A bar of a history.
package struct HistoryBar: Hashable, Sendable {
    /// When it begins: a full step of the clock, or the day's first hours if those are later; of a week or
    /// month, when its first trading day begins.
    package var start: Timestamp
    /// Its trading day; of a week or month the last one in it.
    package var day: Day
    /// The first price.
    package var open: Price
    /// The highest price.
    package var high: Price
    /// The lowest price.
    package var low: Price
    /// The last price.
    package var close: Price
    /// What was traded; zero for bars of quotes.
    package var volume: Quantity
    /// The average price by volume; of bars of quotes, the close.
    package var wap: Price
    /// How many trades it has; 0 for bars of quotes.
    package var count: Int64

    /// A bar of parts; `nil` where there is nothing of that kind.
    init?(_ parts: SliceParts, _ kind: BarKind, start: Timestamp, day: Day) {
        guard let range = Self.range(of: parts, kind) else { return nil }
        self.start = start
        self.day = day
        open = Price(units: range.open)
        high = Price(units: range.high)
        low = Price(units: range.low)
        close = Price(units: range.close)
        let isTrades = kind == .trades
        volume = isTrades ? Quantity(units: min(parts.volume, Quantity.magnitudeMax.units)) : .zero
        wap = isTrades ? Price(units: parts.average ?? range.close) : close
        count = isTrades ? parts.count : 0
    }

    private static func range(of parts: SliceParts, _ kind: BarKind) -> PriceUnitRange? {
        switch kind {
        case .trades: return parts.trades
        case .midpoint: return parts.middles
        case .bid: return parts.bids
        case .ask: return parts.asks
        case .bidAsk:
            guard let averages = parts.averages, let bids = parts.bids, let asks = parts.asks
            else { return nil }
            return PriceUnitRange(
                open: averages.bid, high: asks.high, low: bids.low, close: averages.ask)
        }
    }
}
