import MarketSimulation
import Primitives
import TWSProtocol

/// What a market shows of one instrument at one time, as far as a subscription to its ticks needs it.
struct TickView: Sendable {
    /// Quote, last trade and the day so far.
    var snapshot: MarketSnapshot
    /// Whether the instrument is traded now, in or outside regular hours.
    var isOpen: Bool
    /// What is reckoned from longer intervals; `nil` where nobody asked for it.
    var figures: TickFigures?
    /// What an option is worth; `nil` for what is none.
    var option: OptionView?
}

/// Numbers of a market that change slowly: by the minute, or by the day.
struct TickFigures: Hashable, Sendable {
    /// Lowest and highest prices of 13, 26 and 52 weeks.
    var ranges: [PriceUnitRange] = []
    /// The average volume of a day, over 90 days.
    var averageVolume: Quantity?
    /// A year's volatility, reckoned from the last 30 daily closes: 0.25 for 25 %.
    var historicalVolatility: Double?
    /// A year's volatility that option prices imply.
    var impliedVolatility: Double?
    /// Trades of the day.
    var tradeCount: Int64?
    /// Trades of the last full minute.
    var tradesPerMinute: Int64?
    /// Units traded in the last full minute.
    var volumePerMinute: Quantity?
    /// Units traded in the last 3, 5 and 10 minutes.
    var recentVolumes: [Quantity] = []
    /// The last price of regular hours.
    var lastRegularHours: Price?

    /// An interval's lowest and highest price.
    struct PriceUnitRange: Hashable, Sendable {
        let low: Price
        let high: Price
    }
}

/// Numbers as they were reckoned.
struct KnownFigures: Sendable {
    /// The day they are of: what follows from whole days is good for it.
    let day: Day
    /// The full minute they are of.
    let asOf: Timestamp
    /// The numbers.
    let figures: TickFigures
}

/// How much prices move.
enum Volatility {
    /// A year's standard deviation of logarithmic returns, from daily closes; `nil` for fewer than three
    /// closes and for prices that are not positive.
    static func yearly(ofCloses closes: [Price]) -> Double? {
        guard closes.count >= 3, closes.allSatisfy({ $0 > .zero }) else { return nil }
        let returns = zip(closes, closes.dropFirst()).map { before, after in
            Natural.log(Double(after.units) / Double(before.units))
        }
        let mean = returns.reduce(0, +) / Double(returns.count)
        let squares = returns.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
        return (squares / Double(returns.count - 1) * 252).squareRoot()
    }
}
