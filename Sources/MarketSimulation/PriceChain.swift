import MarketState
import Primitives

/// The prices of one synthetic instrument at the ends of its trading days' intervals, from its first day on.
///
/// Each day has draws of its own; the price is their sum, so a day is reached by way of those before it.
struct PriceChain: Sendable {
    /// A trading day.
    struct Link: Sendable {
        let day: Day
        let segments: [MarketHours.Segment]
        /// The price at the beginning and the end of each segment.
        let ends: [(from: Double, to: Double)]
        /// The variance of logarithmic returns of the whole day, jumps aside.
        let variance: Double
        /// What the day's volume is multiplied by.
        let activity: Double
        /// What is added to the logarithm of the price within a segment at once, and where; 0 for nothing.
        let jump: (segment: Int, position: Double, size: Double)
    }

    /// The days so far, in order.
    private(set) var links: [Link] = []

    private let key: DrawKey
    private let hours: MarketHours
    private let calendar: SessionCalendar
    private let traits: SyntheticTraits
    private let variance: Double
    private let trend: Double
    private let firstDay: Day
    /// The first day that was not looked at.
    private var next: Day
    private var price: Double
    private let startPrice: Double
    private let reversion: Reversion?
    private var regime = Regime()
    private let regimeKey: DrawKey

    /// Prices stay within this, whatever is drawn: from the smallest unit on.
    private static let bounds = 0.000_000_01...10_000_000.0

    init(
        _ listing: MarketListing, _ traits: SyntheticTraits, calendar: SessionCalendar,
        seed: UInt64,
        firstDay: Day
    ) {
        key = DrawKey(seed: seed, name: listing.family)
        regimeKey = DrawKey(seed: seed, name: " ")
        hours = listing.hours
        self.calendar = calendar
        self.traits = traits
        let volatility = traits.volatility ?? listing.volatility
        let days = calendar == .newYork ? 252.0 : 365.0
        let jumps = traits.jumps * traits.jumpSize * traits.jumpSize
        variance = max(0, volatility * volatility - jumps) / days
        trend = (Natural.log(1 + traits.drift) - volatility * volatility / 2) / days
        self.firstDay = firstDay
        next = firstDay
        startPrice = Double(listing.startPrice.units) / Double(Price.unitsPerOne)
        price = startPrice
        reversion = listing.reversion
    }

    /// Makes all days until one that begins after `timestamp`.
    mutating func reach(_ timestamp: Timestamp) {
        // One day more than the timestamp's: an evening belongs to the day after.
        let last = NewYork.day(at: timestamp).advanced(by: 7)
        while next <= last, links.last.map({ $0.segments[0].start <= timestamp }) ?? true {
            let day = next
            next = next.advanced(by: 1)
            let segments = hours.segments(
                on: day, of: calendar, extended: traits.hasExtendedHours)
            if !segments.isEmpty { append(day, segments) }
        }
    }

    /// The index of the last day that has begun by `timestamp`; `nil` before the first. All days up to it
    /// must have been reached.
    func dayIndex(at timestamp: Timestamp) -> Int? {
        var (low, high) = (0, links.count)
        while low < high {
            let middle = (low + high) / 2
            if links[middle].segments[0].start <= timestamp {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return low > 0 ? low - 1 : nil
    }

    private mutating func append(_ day: Day, _ segments: [MarketHours.Segment]) {
        let dayKey = key.part(Int(day.number))
        var draws = NormalDraws(seed: dayKey.seed)
        if traits.hasRegimes {
            var generator = SeededGenerator(seed: regimeKey.part(Int(day.number)).seed)
            regime.advance(generator.nextUniform())
        }
        let factor = traits.hasRegimes ? regime.factor : 1
        let variance = variance * factor
        let noise = draws.next()
        let jump = drawJump(segments.count, &draws)
        let scale = reversion?.scale(at: price, start: startPrice) ?? 1
        var ends: [(from: Double, to: Double)] = []
        let remainder = max(0, 1 - segments.reduce(0) { $0 + $1.variance })
        // Between the days, and half of all jumps with it.
        move((variance * remainder).squareRoot() * draws.next(), over: remainder, jump.overnight)
        for (index, segment) in segments.enumerated() {
            let from = price
            let change = (variance * segment.variance).squareRoot() * draws.next()
            move(change, over: segment.variance, jump.segment == index ? jump.size : 0)
            ends.append((from, price))
        }
        links.append(
            Link(
                day: day, segments: segments, ends: ends, variance: variance * scale * scale,
                activity: factor * Natural.exp(0.4 * noise - 0.08),
                jump: (jump.segment, jump.position, jump.size * scale)))
    }

    /// Lets a part of a session pass.
    private mutating func move(_ change: Double, over part: Double, _ jump: Double) {
        let moved =
            reversion?.moved(price, start: startPrice, by: change + jump, over: part)
            ?? price * Natural.exp(change + trend * part + jump)
        price = min(max(moved, Self.bounds.lowerBound), Self.bounds.upperBound)
    }

    /// A day's jump: overnight, or at some place in the longest segment's hours.
    private func drawJump(
        _ segmentCount: Int, _ draws: inout NormalDraws
    ) -> (overnight: Double, segment: Int, position: Double, size: Double) {
        let (chance, when, position) = (
            draws.generator.nextUniform(), draws.generator.nextUniform(),
            draws.generator.nextUniform()
        )
        guard traits.jumps > 0, chance < traits.jumps / (calendar == .newYork ? 252 : 365) else {
            return (0, -1, 0, 0)
        }
        let size = traits.jumpSize * draws.next()
        return when < 0.5 ? (size, -1, 0, 0) : (0, segmentCount / 2, position, size)
    }
}
