import MarketState
import Model
import Primitives

/// Makes an option's minutes of its underlying's: Black and Scholes with a fixed volatility, so that the
/// option's prices are where the underlying's are within each minute.
struct OptionSlices: Sendable {
    let listing: MarketListing
    /// The underlying's place in the market's list.
    let underlying: Int
    let terms: OptionTerms
    let volatility: Double
    let rate: Double
    /// When the right ends.
    let expiry: Timestamp
    let key: DrawKey

    /// Options are listed this many days before they expire.
    static let lifeDays: Int32 = 365

    /// Whether it can be traded on a day.
    func isListed(on day: Day) -> Bool {
        day <= terms.expiry && terms.expiry.number - day.number <= Self.lifeDays
    }

    /// The option at a time with its underlying at a price.
    func model(at timestamp: Timestamp, underlying: Double) -> BlackScholes {
        let remaining = timestamp < expiry ? Double((expiry - timestamp).nanoseconds) : 0
        return BlackScholes(
            underlying: underlying, strike: Double(terms.strike.units) / Self.one,
            years: remaining / (365 * 86_400e9), volatility: volatility, rate: rate,
            right: terms.right)
    }

    /// Its minutes of a day whose underlying's minutes are known.
    func slices(of minutes: [Slice]) -> [Slice] {
        var slices: [Slice] = []
        for (index, minute) in minutes.enumerated()
        where minute.isRegular && minute.start < expiry && minute.prices.low > 0 {
            slices.append(slice(of: minute, index))
        }
        return slices
    }

    private func slice(of minute: Slice, _ index: Int) -> Slice {
        // Quotes are on either side of what it is worth in the middle of the underlying's quote.
        func worth(_ price: Int64) -> Int64 {
            let value = model(at: minute.start, underlying: Double(price) / Self.one).value
            let grid = Double(listing.grid)
            let steps = (value * Self.one / grid).rounded(.toNearestOrEven)
            let bounded = min(max(steps, 1), Double(Price.magnitudeMax.units) / grid)
            return Int64(bounded) &* listing.grid
        }
        let isPut = terms.right == .put
        let (high, low) = (worth(minute.prices.high), worth(minute.prices.low))
        var prices = PriceUnitRange(
            open: worth(minute.prices.open), high: isPut ? low : high, low: isPut ? high : low,
            close: worth(minute.prices.close))
        prices.high = max(prices.high, prices.open, prices.close, prices.low)
        prices.low = min(prices.low, prices.open, prices.close)
        let quoteCount = Int(minute.quoteCount)
        var generator = SeededGenerator(seed: key.part(Int(minute.start.nanoseconds >> 30)).seed)
        let bits = generator.next()
        let noise = ExponentialTable.values[Int(bits & 1_023)]
        let odds = Double(bits >> 40) / Double(1 << 24)
        let perMinute = Double(max(0, listing.dailyVolume)) / 390
        let lots = Int64(min(perMinute * noise + odds, 1e9).rounded(.down))
        let width = max(1, prices.close / 50 / listing.grid) * listing.grid
        return Slice(
            start: minute.start, length: minute.length, prices: prices,
            volume: Quantity(shares: lots).units,
            count: Slice.tradeCount(lots, of: quoteCount), quoteCount: Int32(quoteCount),
            width: width, key: minute.key, isMirrored: isPut, isRegular: true)
    }

    private static let one = Double(Price.unitsPerOne)
}
