import MarketState
import Model
import Primitives

/// What the slices of a synthetic instrument's trading days follow from.
struct WalkSlices: Sendable {
    let listing: MarketListing
    let traits: SyntheticTraits
    let calendar: SessionCalendar
    /// What the instrument's draws follow from.
    let key: DrawKey
    /// What all instruments' draws follow from.
    let common: DrawKey

    init(
        _ listing: MarketListing, _ traits: SyntheticTraits, _ calendar: SessionCalendar,
        seed: UInt64
    ) {
        self.listing = listing
        self.traits = traits
        self.calendar = calendar
        key = DrawKey(seed: seed, name: listing.family).part(-1)
        common = DrawKey(seed: seed, name: "").part(-1)
    }

    /// The slices of one interval of a day.
    func walk(_ segment: Int, of link: PriceChain.Link) -> SliceWalk {
        SliceWalk(self, segment, link)
    }
}

/// The slices of an interval of a synthetic trading day, in order: a bridge of geometric Brownian motion between
/// the prices at its ends, with the day's jumps. Each begins where the one before ended.
struct SliceWalk: IteratorProtocol {
    private let variance: Double
    private let endPrice: Double
    private var cutter: SliceCutter
    private var maker: SliceMaker
    private var draws: CorrelatedDraws
    /// The jumps still to come, the next one last.
    private var jumps: [PriceChain.Jump]
    private var price: Double
    /// How far the logarithm of the price still has to go, jumps aside.
    private var distance: Double

    fileprivate init(_ walk: WalkSlices, _ segment: Int, _ link: PriceChain.Link) {
        let hours = link.segments[segment]
        let day = Int(link.day.number)
        let key = walk.key.part(day).part(segment + 1)
        let traits = walk.traits
        let hasShape = hours.isRegular && traits.hasIntradayShape && walk.listing.hours != .forex
        variance = link.variance * hours.variance
        (price, endPrice) = link.ends[segment]
        jumps = link.jumps.filter { $0.segment == segment }.sorted { $0.position > $1.position }
        distance = Natural.log(endPrice / price) - jumps.reduce(0) { $0 + $1.size }
        draws = CorrelatedDraws(
            key, common: walk.common.part(day).part(segment + 1), correlation: traits.correlation)
        cutter = SliceCutter(
            hours, hasShape ? .busyEnds : .even, traits.cut,
            wholeSession: walk.calendar.sessionLength, key.part(0))
        maker = SliceMaker(walk, hours, link, count: cutter.count, key)
    }

    mutating func next() -> Slice? {
        guard let part = cutter.next() else { return nil }
        var step = distance
        if !part.isLast {
            let ratio = min(part.share / max(part.remaining, .leastNormalMagnitude), 1)
            step =
                distance * ratio + (variance * part.share * (1 - ratio)).squareRoot() * draws.next()
        }
        distance -= step
        var jump = 0.0
        while let next = jumps.last,
            part.isLast || next.position < 1 - part.remaining + part.share
        {
            jump += next.size
            jumps.removeLast()
        }
        let from = price
        price = part.isLast ? endPrice : from * Self.exp(step + jump)
        return maker.slice(part, from: from, to: price, step: step, variance: variance * part.share)
    }

    /// The exponential, by three terms where those are within 10^-9 of it.
    static func exp(_ x: Double) -> Double {
        x.magnitude < 0.004 ? 1 + x * (1 + x * (0.5 + x / 6)) : Natural.exp(x)
    }
}

/// Makes the slices of one interval, each from where the price was and where it goes.
private struct SliceMaker {
    private let listing: MarketListing
    private let hours: MarketHours.Segment
    private let hasOneQuote: Bool
    /// How many quotes a second has where a slice has more than one.
    private let quoteRate: Double
    /// What is traded in the interval, in units of `Quantity`.
    private let volume: Double
    /// How many slices the interval has.
    private let count: Int
    private let lot: Double
    private let grid: Double
    private let widthFactor: Double
    private let key: DrawKey
    private let table = ExponentialTable.values
    private var generator: SeededGenerator

    init(
        _ walk: WalkSlices, _ hours: MarketHours.Segment, _ link: PriceChain.Link, count: Int,
        _ key: DrawKey
    ) {
        listing = walk.listing
        self.hours = hours
        self.count = count
        self.key = key
        if case .quotes = walk.traits.cut { hasOneQuote = true } else { hasOneQuote = false }
        quoteRate = Double(walk.traits.quotesPerSecond) / (hours.isRegular ? 1 : 8)
        let usual = Double(max(0, listing.dailyVolume)) * Double(Quantity.unitsPerOne)
        volume = min(usual * hours.volume * link.activity, Self.volumeMax)
        lot = Double(listing.lot.units)
        grid = Double(listing.grid)
        let volatility = walk.traits.volatility ?? listing.volatility
        let basisPoints = min(max(volatility, 0.1), 2) / 0.3 * 0.000_1
        widthFactor = listing.instrument.assetClass == .forex ? 0 : basisPoints
        // Other draws than the path's.
        generator = SeededGenerator(seed: key.part(1).seed)
    }

    /// A slice whose logarithmic price goes by `step`, and by a jump at its end if it has one.
    mutating func slice(
        _ part: SliceCutter.Part, from: Double, to: Double, step: Double, variance: Double
    ) -> Slice {
        let bits = generator.next()
        var slice = Slice(
            start: part.start, length: part.length, prices: PriceUnitRange(onGrid(from)), volume: 0,
            count: 0, quoteCount: 1, width: 0, key: key.part(part.index + 2).seed,
            isRegular: hours.isRegular)
        if hasOneQuote {
            slice.width = width(slice.prices, bits)
            // The price lies between bid and ask.
            let bid = onGrid(from - Double(slice.width) / Double(2 * Price.unitsPerOne))
            slice.prices = PriceUnitRange(slice.isAtAsk ? bid + slice.width : bid)
            if listing.hasTrades, bits & 1_023 < 256 {
                (slice.volume, slice.count) = (
                    max(1, lots(of: 4 / Double(count), part.length, bits)), 1
                )
            }
        } else {
            slice.prices = prices(from: from, to: to, step: step, variance: variance)
            slice.width = width(slice.prices, bits)
            let seconds = Double(part.length.nanoseconds / 1_000_000_000)
            slice.quoteCount = Int32(max(4, quoteRate * seconds))
            (slice.volume, slice.count) = trading(part, slice.quoteCount, bits)
        }
        slice.volume = slice.volume &* listing.lot.units
        return slice
    }

    /// The prices between `from` and `to`, with extremes that are each exact by themselves: those of a bridge of
    /// Brownian motion by inversion of P(max > m) = exp(-2 m (m - x) / variance).
    private mutating func prices(
        from: Double, to: Double, step: Double, variance: Double
    ) -> PriceUnitRange {
        let (up, down) = (generator.nextExponential(mean: 1), generator.nextExponential(mean: 1))
        let high = (step + (step * step + 2 * variance * up).squareRoot()) / 2
        let low = (step - (step * step + 2 * variance * down).squareRoot()) / 2
        var prices = PriceUnitRange(
            open: onGrid(from), high: onGrid(from * SliceWalk.exp(high)),
            low: onGrid(from * SliceWalk.exp(low)), close: onGrid(to))
        prices.high = max(prices.high, prices.open, prices.close)
        prices.low = min(prices.low, prices.open, prices.close)
        return prices
    }

    private func onGrid(_ price: Double) -> Int64 {
        let steps = (price * Double(Price.unitsPerOne) / grid).rounded(.toNearestOrEven)
        let bounded = min(max(steps, 1), Double(Price.magnitudeMax.units) / grid)
        return Int64(bounded) &* Int64(grid)
    }

    /// The most that is traded in an interval, and in a slice.
    private static let volumeMax = Double(Quantity.magnitudeMax.units) / 4

    /// How many lots are traded in a share of the interval, about as many as usual: the longer the slice, the less of
    /// its minutes' noise is left.
    private func lots(of share: Double, _ length: Duration, _ bits: UInt64) -> Int64 {
        let noise = (table[Int(bits >> 20 & 1_023)] + table[Int(bits >> 30 & 1_023)]) / 2 - 1
        let minutes = max(1, Double(length.nanoseconds) / 60e9)
        let odds = Double(bits >> 52) / 4_096
        let exact = volume * share * (1 + noise / minutes.squareRoot()) / lot + odds
        return Int64(min(exact, Self.volumeMax / lot).rounded(.down))
    }

    /// How many lots are traded, and in how many trades.
    private func trading(
        _ part: SliceCutter.Part, _ quoteCount: Int32, _ bits: UInt64
    ) -> (lots: Int64, count: Int32) {
        guard listing.hasTrades else { return (0, 0) }
        guard listing.hasQuotes else { return (0, min(12, quoteCount)) }
        let lots = lots(of: part.share, part.length, bits)
        return (lots, Slice.tradeCount(min(lots / 2 + 3, lots), of: Int(quoteCount)))
    }

    /// The spread: a basis point at a volatility of 30 %, at least a step, now and then two or three times
    /// as much, and wide outside regular hours.
    private func width(_ prices: PriceUnitRange, _ bits: UInt64) -> Int64 {
        guard listing.hasQuotes else { return 0 }
        let steps = max(1, (Double(prices.close) * widthFactor / grid).rounded())
        let draw = bits >> 40 & 255
        let times = (draw < 180 ? 1 : draw < 230 ? 2 : 3) * (hours.isRegular ? 1 : 4)
        let units = steps * Double(times) * grid
        return Int64(
            min(units, Double(prices.low) / 2 > grid ? Double(prices.low) / 2 : grid) / grid)
            * Int64(grid)
    }
}
