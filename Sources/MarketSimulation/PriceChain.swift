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
        /// The jumps within segments.
        let jumps: [Jump]
    }

    /// What is added to the logarithm of the price at once.
    struct Jump: Sendable {
        let segment: Int
        /// How much of the segment's variance is over, from 0 to 1.
        let position: Double
        let size: Double
    }

    /// The days so far, in order.
    private(set) var links: [Link] = []

    private let key: DrawKey
    /// What all instruments' draws follow from.
    private let common: DrawKey
    private let hours: MarketHours
    private let calendar: SessionCalendar
    private let traits: SyntheticTraits
    /// Trading days in a year.
    private let days: Double
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
        common = DrawKey(seed: seed, name: "")
        regimeKey = DrawKey(seed: seed, name: " ")
        hours = listing.hours
        self.calendar = calendar
        self.traits = traits
        let volatility = traits.volatility ?? listing.volatility
        days = calendar.sessionsPerYear
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
            passDay()
        }
    }

    /// The day of an index, which is made with those before it; `nil` once the price has reached the most there is.
    mutating func link(at index: Int) -> Link? {
        while links.count <= index {
            guard price < Self.bounds.upperBound else { return nil }
            passDay()
        }
        return links[index]
    }

    private mutating func passDay() {
        let day = next
        next = next.advanced(by: 1)
        let segments = hours.segments(on: day, of: calendar, extended: traits.hasExtendedHours)
        if !segments.isEmpty { append(day, segments) }
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
        var draws = CorrelatedDraws(
            dayKey, common: common.part(Int(day.number)), correlation: traits.correlation)
        if traits.hasRegimes {
            var generator = SeededGenerator(seed: regimeKey.part(Int(day.number)).seed)
            regime.advance(generator.nextUniform())
        }
        let factor = traits.hasRegimes ? regime.factor : 1
        let variance = variance * factor
        let noise = draws.own.next()
        let scale = reversion?.scale(at: price, start: startPrice) ?? 1
        var ends: [(from: Double, to: Double)] = []
        let remainder = max(0, 1 - segments.reduce(0) { $0 + $1.variance })
        let jumps = drawJumps(
            in: segments.count / 2, hasNight: remainder > 0, &draws.own)
        // Between the days, and half of all jumps with it.
        move((variance * remainder).squareRoot() * draws.next(), over: remainder, jumps.overnight)
        for (index, segment) in segments.enumerated() {
            let from = price
            let change = (variance * segment.variance).squareRoot() * draws.next()
            let jump = jumps.byDay.reduce(0) { $1.segment == index ? $0 + $1.size : $0 }
            move(change, over: segment.variance, jump)
            ends.append((from, price))
        }
        links.append(
            Link(
                day: day, segments: segments, ends: ends, variance: variance * scale * scale,
                activity: factor * Natural.exp(0.4 * noise - 0.08),
                jumps: jumps.byDay.map {
                    Jump(segment: $0.segment, position: $0.position, size: $0.size * scale)
                }))
    }

    /// Lets a part of a session pass.
    private mutating func move(_ change: Double, over part: Double, _ jump: Double) {
        let moved =
            reversion?.moved(price, start: startPrice, by: change + jump, over: part)
            ?? price * Natural.exp(change + trend * part + jump)
        price = min(max(moved, Self.bounds.lowerBound), Self.bounds.upperBound)
    }

    /// A day's jumps: half of them overnight if prices move there, the others somewhere in one of its segments.
    private func drawJumps(
        in segment: Int, hasNight: Bool, _ draws: inout NormalDraws
    ) -> (overnight: Double, byDay: [Jump]) {
        guard traits.jumps > 0 else { return (0, []) }
        var (overnight, byDay, elapsed) = (0.0, [Jump](), 0.0)
        while true {
            elapsed += draws.generator.nextExponential(mean: days / traits.jumps)
            guard elapsed < 1 else { return (overnight, byDay) }
            let size = traits.jumpSize * draws.next()
            if hasNight, draws.generator.nextUniform() < 0.5 {
                overnight += size
            } else {
                byDay.append(
                    Jump(segment: segment, position: draws.generator.nextUniform(), size: size))
            }
        }
    }
}

extension SessionCalendar {
    /// Sessions in a year.
    var sessionsPerYear: Double {
        switch self {
        case .newYork: 252
        case .always: 365
        }
    }
}
