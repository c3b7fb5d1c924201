import Model
import Primitives

/// How far one instrument's market has been played, and what it shows there.
struct MarketCursor: Sendable {
    /// The day that is being played; `nil` before the first.
    var index: Int?
    /// Its date.
    var day: Day?
    /// Its slices.
    var slices: [Slice] = []
    /// How many of them are over.
    var sliceIndex = 0
    /// The ticks of the slice being played; empty where none is.
    var ticks: [MarketEvent] = []
    /// How many of those are over.
    var tickIndex = 0
    /// Whether `ticks` are those of the slice at `sliceIndex`.
    var hasTicks = false
    /// What the day's slices that are over come to.
    var done = DayTotals()
    /// That and the ticks since.
    var live = DayTotals()
    /// The close of the day before.
    var previousClose: Price?
    /// The last quote, where it is known.
    var quote: Quote?
    /// The last trade, where it is known.
    var trade: Trade?
    /// Whether `quote` is the last one: slices may be passed over without their ticks.
    var knowsQuote = true
    /// Whether `trade` is the last one.
    var knowsTrade = true
    /// Up to when this was played.
    var position = Timestamp.distantPast
    /// When the next day begins; this one ends before.
    var nextDay = Timestamp.distantPast
}

/// What a day has had so far.
struct DayTotals: Hashable, Sendable {
    /// Prices of its regular hours.
    var regular: PriceUnitRange?
    /// What was traded in all hours.
    var volume: Int64 = 0
    /// Price units times quantity units of it.
    var turnover: Int128 = 0
    /// How many trades in all hours.
    var count: Int64 = 0

    mutating func append(_ parts: SliceParts, isRegular: Bool) {
        if isRegular, let trades = parts.trades { append(trades) }
        add(volume: parts.volume, turnover: parts.turnover, count: parts.count)
    }

    mutating func append(_ trade: Trade, isRegular: Bool) {
        if isRegular { append(PriceUnitRange(trade.price.units)) }
        let turnover = Int128(trade.price.units) &* Int128(trade.size.units)
        add(volume: trade.size.units, turnover: turnover, count: 1)
    }

    private mutating func append(_ range: PriceUnitRange) {
        if regular == nil { regular = range } else { regular?.append(range) }
    }

    private mutating func add(volume more: Int64, turnover: Int128, count: Int64) {
        let (sum, isTooLarge) = volume.addingReportingOverflow(more)
        volume = isTooLarge ? .max : sum
        self.turnover &+= turnover
        self.count &+= count
    }
}
