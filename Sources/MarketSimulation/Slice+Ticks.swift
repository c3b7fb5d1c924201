import Model
import Primitives

/// What a slice's ticks have in common with those of the instrument's other slices.
struct TickTerms: Hashable, Sendable {
    /// Whose they are.
    let instrument: InstrumentID
    /// The step of prices; positive.
    let grid: Int64
    /// What whole lots are of, in units of `Quantity`.
    let lot: Int64
    /// The mean size of a quote in lots.
    let depth: Double
}

extension Slice {
    /// Its quotes and trades, in order, no two at one time: together exactly the slice.
    func appendTicks(_ terms: TickTerms, to ticks: inout [MarketEvent]) {
        var path = SlicePath(self, terms)
        if ticks.isEmpty { ticks.reserveCapacity(Int(quoteCount) + Int(count)) }
        for step in 0..<Int(quoteCount) { path.go(step, &ticks) }
    }
}

/// A walk through a slice in steps of equal time, past its highest and its lowest point.
private struct SlicePath {
    private let slice: Slice
    private let terms: TickTerms
    private let bids: PriceUnitRange
    private let steps: Int
    private let stepTime: Int64
    private let table = ExponentialTable.values
    private var generator: SeededGenerator
    /// The steps at which the highest and the lowest point are reached.
    private let (highStep, lowStep): (Int, Int)
    /// The points still to be reached, in order, the next one last.
    private var targets: [(step: Int, bid: Int64)]
    private let noise: Double
    private var position: Double
    private var sizes = (bid: Int64(0), ask: Int64(0))
    private var remainingTrades: Int
    private var remainingFreeTrades: Int
    private var remainingFreeSteps: Int
    private var remainingVolume: Int64
    private let lot: Int64

    init(_ slice: Slice, _ terms: TickTerms) {
        self.slice = slice
        self.terms = terms
        bids = slice.bids(grid: terms.grid)
        steps = Int(slice.quoteCount)
        stepTime = slice.length.nanoseconds / Int64(steps)
        generator = SeededGenerator(seed: slice.key)
        (highStep, lowStep) = steps > 1 ? Self.turns(slice, steps, &generator) : (0, 0)
        var points = [(0, bids.open), (highStep, bids.high), (lowStep, bids.low)]
        points.append((steps - 1, bids.close))
        // Ends that are extremes have the same bid for both.
        points.sort { $0.0 > $1.0 }
        targets = points.map { (step: $0.0, bid: $0.1) }
        let range = Double(bids.high - bids.low)
        noise = (slice.isMirrored ? -1.0 : 1.0) * range * 1.2 / Double(steps).squareRoot()
        position = Double(bids.open)
        remainingTrades = Int(slice.count)
        remainingVolume = slice.volume
        let named = slice.count < 4 ? 1 : Set([0, highStep, lowStep, steps - 1]).count
        remainingFreeTrades = max(0, Int(slice.count) - named)
        remainingFreeSteps = steps - named
        let each = slice.count > 0 ? slice.volume / Int64(slice.count) : 0
        let share = Quantity(shares: 1).units
        lot = each >= terms.lot ? terms.lot : each >= share ? share : each
    }

    /// Where the path turns: an extreme that the open or the close is needs no turn of its own.
    private static func turns(
        _ slice: Slice, _ steps: Int, _ generator: inout SeededGenerator
    ) -> (high: Int, low: Int) {
        let draws = (generator.next(), generator.next())
        let first = 1 + Int(draws.0 % UInt64(steps - 2))
        var second = 1 + Int(draws.1 % UInt64(steps - 3))
        if second >= first { second += 1 }
        let (high, low) = slice.isMirrored ? (second, first) : (first, second)
        let prices = slice.prices
        return (
            prices.open == prices.high ? 0 : prices.close == prices.high ? steps - 1 : high,
            prices.open == prices.low ? 0 : prices.close == prices.low ? steps - 1 : low
        )
    }

    /// Makes the quote of a step, and its trade if it has one.
    mutating func go(_ step: Int, _ ticks: inout [MarketEvent]) {
        let bits = generator.next()
        let bid = nextBid(step, bits)
        let begin = slice.start.nanoseconds + Int64(step) * stepTime
        if slice.hasQuotes { drawSizes(bits, isFirst: step == 0) }
        var trade: MarketEvent?
        if remainingTrades > 0 {
            let tradeBits = generator.next()
            if let price = tradePrice(step, bid, tradeBits) {
                let size = tradeSize(tradeBits)
                cover(size, at: price, bid: bid)
                let delay = stepTime / 2 + Int64(tradeBits >> 52) * (stepTime / 8_192)
                trade = .trade(
                    Trade(
                        instrument: terms.instrument, at: Timestamp(nanoseconds: begin + delay),
                        price: Price(units: price), size: Quantity(units: size)))
            }
        }
        if slice.hasQuotes {
            let delay = step == 0 ? 0 : Int64(bits >> 52) * (stepTime / 8_192)
            ticks.append(
                .quote(
                    Quote(
                        instrument: terms.instrument, at: Timestamp(nanoseconds: begin + delay),
                        bid: Price(units: bid), ask: Price(units: bid + slice.width),
                        bidSize: Quantity(units: sizes.bid), askSize: Quantity(units: sizes.ask))))
        }
        if let trade { ticks.append(trade) }
    }

    /// Makes the quote before a trade at its bid or ask show at least the trade's size there, in whole lots.
    private mutating func cover(_ size: Int64, at price: Int64, bid: Int64) {
        let lots = (size + terms.lot - 1) / terms.lot
        let shown = min(lots * terms.lot, Quantity.magnitudeMax.units)
        if price == bid { sizes.bid = max(sizes.bid, shown) }
        if price == bid + slice.width { sizes.ask = max(sizes.ask, shown) }
    }

    /// A bridge to the next point that must be reached.
    private mutating func nextBid(_ step: Int, _ bits: UInt64) -> Int64 {
        while let target = targets.last, target.step <= step {
            targets.removeLast()
            if targets.last.map({ $0.step > step }) ?? true {
                position = Double(target.bid)
                return target.bid
            }
        }
        guard let target = targets.last else { return bids.close }
        let remaining = Double(target.step - step + 1)
        // The sum of two equally distributed numbers: a triangle with deviation 1 / √6 of its reach.
        let draw = Double(Int64(bits & 0xFFFF) + Int64(bits >> 16 & 0xFFFF) - 0xFFFF) / 0xFFFF
        position +=
            (Double(target.bid) - position) / remaining
            + noise * draw * ((remaining - 1) / remaining).squareRoot()
        position = min(max(position, Double(bids.low)), Double(bids.high))
        let units = Int64(position.rounded())
        let onGrid = units - units % terms.grid
        return min(max(onGrid, bids.low), bids.high)
    }

    private mutating func drawSizes(_ bits: UInt64, isFirst: Bool) {
        let lots = 1 + (table[Int(bits >> 32 & 1_023)] * terms.depth).rounded(.down)
        let size = Int64(min(lots, 1e6)) * terms.lot
        if isFirst {
            let other = 1 + (table[Int(bits >> 42 & 1_023)] * terms.depth).rounded(.down)
            sizes = (size, Int64(min(other, 1e6)) * terms.lot)
        } else if bits & 1 == 0 {
            sizes.bid = size
        } else {
            sizes.ask = size
        }
    }

    /// What is paid in a step's trade; `nil` when it has none.
    private mutating func tradePrice(_ step: Int, _ bid: Int64, _ bits: UInt64) -> Int64? {
        if step == steps - 1 { return slice.prices.close }
        if slice.count >= 4 {
            if step == highStep { return slice.prices.high }
            if step == lowStep { return slice.prices.low }
            if step == 0 { return slice.prices.open }
        }
        defer { remainingFreeSteps -= 1 }
        guard Int64(bits & 0xFF_FFFF) * Int64(remainingFreeSteps) < Int64(remainingFreeTrades) << 24
        else {
            return nil
        }
        remainingFreeTrades -= 1
        let price = bits >> 24 & 1 == 0 ? bid : bid + slice.width
        return min(max(price, slice.prices.low), slice.prices.high)
    }

    private mutating func tradeSize(_ bits: UInt64) -> Int64 {
        defer { remainingTrades -= 1 }
        guard remainingTrades > 1, lot > 0 else {
            defer { remainingVolume = 0 }
            return remainingTrades > 1 ? 0 : remainingVolume
        }
        let all = Double(remainingVolume / lot)
        let lots = min(all / Double(remainingTrades) * table[Int(bits >> 32 & 1_023)], all)
        let headroom = remainingVolume - Int64(remainingTrades - 1) * lot
        let size = min(max(1, Int64(lots.rounded(.down))) * lot, max(headroom, lot))
        remainingVolume -= size
        return size
    }
}
