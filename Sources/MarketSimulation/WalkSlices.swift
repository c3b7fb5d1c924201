import Model
import Primitives

/// Makes the minutes of a synthetic trading day: bridges of geometric Brownian motion between the prices at
/// the ends of its intervals.
struct WalkSlices {
    let listing: MarketListing
    let traits: SyntheticTraits
    let key: DrawKey

    /// The minutes of one interval of a day, in order.
    func append(_ segment: Int, of link: PriceChain.Link, to slices: inout [Slice]) {
        let hours = link.segments[segment]
        let count = hours.minutes
        guard count > 0 else { return }
        let dayKey = key.part(Int(link.day.number)).part(segment + 1)
        let weights = self.weights(hours, count)
        let steps = self.steps(segment, link, weights, dayKey)
        var maker = SliceMaker(self, hours, link, dayKey)
        slices.reserveCapacity(slices.count + count)
        let (from, to) = link.ends[segment]
        var price = from
        for index in 0..<count {
            let next = index == count - 1 ? to : price * Self.exp(steps[index])
            maker.variance = link.variance * hours.variance * weights[index]
            maker.share = weights[index]
            slices.append(maker.slice(index, from: price, to: next, step: steps[index]))
            price = next
        }
    }

    /// Each minute's part of the interval's variance and volume; 1 together.
    private func weights(_ hours: MarketHours.Segment, _ count: Int) -> [Double] {
        guard hours.isRegular, traits.hasIntradayShape, listing.hours != .forex else {
            return Array(repeating: 1 / Double(count), count: count)
        }
        let raw = (0..<count).map {
            SessionShape.weight(at: (Double($0) + 0.5) / Double(count))
        }
        let sum = raw.reduce(0, +)
        return raw.map { $0 / sum }
    }

    /// The minutes' logarithmic returns, which add up to what the interval's ends are apart.
    private func steps(
        _ segment: Int, _ link: PriceChain.Link, _ weights: [Double], _ key: DrawKey
    ) -> [Double] {
        var draws = NormalDraws(seed: key.seed)
        let deviation = (link.variance * link.segments[segment].variance).squareRoot()
        var steps = weights.map { deviation * $0.squareRoot() * draws.next() }
        let (from, to) = link.ends[segment]
        let jumps = link.jump.segment == segment
        let missing = Natural.log(to / from) - (jumps ? link.jump.size : 0) - steps.reduce(0, +)
        for index in steps.indices { steps[index] += missing * weights[index] }
        if jumps {
            let index = Int(link.jump.position * Double(steps.count))
            steps[min(index, steps.count - 1)] += link.jump.size
        }
        return steps
    }

    /// The exponential, by three terms where those are within 10^-9 of it.
    static func exp(_ x: Double) -> Double {
        x.magnitude < 0.004 ? 1 + x * (1 + x * (0.5 + x / 6)) : Natural.exp(x)
    }
}

/// Makes the minutes of one interval, each from where the price was and where it goes.
private struct SliceMaker {
    private let listing: MarketListing
    private let hours: MarketHours.Segment
    private let quoteCount: Int32
    private let volume: Double
    private let lot: Double
    private let grid: Double
    private let widthFactor: Double
    private let key: DrawKey
    private let table = ExponentialTable.values
    private var generator: SeededGenerator
    /// The minute's variance of logarithmic returns.
    var variance = 0.0
    /// The minute's part of the interval's volume.
    var share = 0.0

    init(_ walk: WalkSlices, _ hours: MarketHours.Segment, _ link: PriceChain.Link, _ key: DrawKey)
    {
        listing = walk.listing
        self.hours = hours
        self.key = key
        let perMinute = walk.traits.quotesPerSecond * 60
        quoteCount = Int32(max(4, hours.isRegular ? perMinute : perMinute / 8))
        let usual = Double(max(0, listing.dailyVolume)) * Double(Quantity.unitsPerOne)
        volume = min(usual * hours.volume * link.activity, Double(Quantity.magnitudeMax.units) / 4)
        lot = Double(listing.lot.units)
        grid = Double(listing.grid)
        let volatility = walk.traits.volatility ?? listing.volatility
        let basisPoints = min(max(volatility, 0.1), 2) / 0.3 * 0.000_1
        widthFactor = listing.instrument.assetClass == .forex ? 0 : basisPoints
        // Other draws than the path's.
        generator = SeededGenerator(seed: key.part(1).seed)
    }

    mutating func slice(_ index: Int, from: Double, to: Double, step: Double) -> Slice {
        let bits = generator.next()
        let (up, down) = (table[Int(bits & 1_023)], table[Int(bits >> 10 & 1_023)])
        // The bridge's extremes by inversion: P(max > m) = exp(-2 m (m - x) / variance).
        let high = (step + (step * step + 2 * variance * up).squareRoot()) / 2
        let low = (step - (step * step + 2 * variance * down).squareRoot()) / 2
        var prices = PriceUnitRange(
            open: onGrid(from), high: onGrid(from * WalkSlices.exp(high)),
            low: onGrid(from * WalkSlices.exp(low)), close: onGrid(to))
        prices.high = max(prices.high, prices.open, prices.close)
        prices.low = min(prices.low, prices.open, prices.close)
        let (units, count) = trading(bits)
        return Slice(
            start: hours.start + .minutes(Int64(index)), length: .minutes(1), prices: prices,
            volume: units, count: count, quoteCount: quoteCount, width: width(prices, bits),
            key: key.part(index + 2).seed, isRegular: hours.isRegular)
    }

    private func onGrid(_ price: Double) -> Int64 {
        let steps = (price * Double(Price.unitsPerOne) / grid).rounded(.toNearestOrEven)
        let bounded = min(max(steps, 1), Double(Price.magnitudeMax.units) / grid)
        return Int64(bounded) &* Int64(grid)
    }

    /// The most that is traded in a minute.
    private static let volumeMax = Double(Quantity.magnitudeMax.units) / 4

    /// How much is traded, in whole lots, and in how many trades.
    private func trading(_ bits: UInt64) -> (volume: Int64, count: Int32) {
        guard listing.hasTrades else { return (0, 0) }
        guard listing.hasQuotes else { return (0, min(12, quoteCount)) }
        let noise = (table[Int(bits >> 20 & 1_023)] + table[Int(bits >> 30 & 1_023)]) / 2
        let odds = Double(bits >> 52) / 4_096
        let exact = min(volume * share * noise / lot + odds, Self.volumeMax / lot)
        let lots = Int64(exact.rounded(.down))
        return (
            lots &* Int64(lot), Slice.tradeCount(min(lots / 2 + 3, lots), of: Int(quoteCount))
        )
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
