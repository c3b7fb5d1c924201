import Primitives

/// Cuts a bar into equal parts on a path through its four prices: together the parts are the bar.
struct BarCutter {
    /// A part of a bar.
    struct Part {
        /// Its prices.
        var prices: PriceUnitRange
        /// Whether the bar's open, high, low or close is in it.
        var isNamed: Bool
    }

    private let bar: PriceUnitRange
    private let count: Int
    private let grid: Int64
    private var draws: NormalDraws

    init(_ bar: PriceUnitRange, _ count: Int, _ grid: Int64, _ key: DrawKey) {
        self.bar = bar
        self.count = count
        self.grid = grid
        draws = NormalDraws(key)
    }

    /// The parts, in order: each begins where the one before ended.
    consuming func parts() -> [Part] {
        guard count > 1 else { return [Part(prices: bar, isNamed: true)] }
        let (highPart, lowPart) = (drawPart(bar.high), drawPart(bar.low))
        let ends = path(highPart, lowPart)
        let range = Double(bar.high - bar.low)
        let reach = range * 0.4 / Double(count).squareRoot()
        return (0..<count).map { index in
            let (from, to) = (ends[index], ends[index + 1])
            var prices = PriceUnitRange(
                open: from, high: max(from, to), low: min(from, to), close: to)
            prices.high = onGrid(Double(prices.high) + draws.next().magnitude * reach)
            prices.low = onGrid(Double(prices.low) - draws.next().magnitude * reach)
            prices.high = max(prices.high, from, to)
            prices.low = min(prices.low, from, to)
            if index == highPart { prices.high = bar.high }
            if index == lowPart { prices.low = bar.low }
            return Part(
                prices: prices,
                isNamed: index == 0 || index == count - 1 || index == highPart || index == lowPart)
        }
    }

    /// The part an extreme is in: the first or last where the bar begins or ends with it.
    private mutating func drawPart(_ extreme: Int64) -> Int {
        let draw = Int(draws.generator.next() % UInt64(count))
        return bar.open == extreme ? 0 : bar.close == extreme ? count - 1 : draw
    }

    /// Where the parts begin and end: bridges between the open, the middles of the parts with the
    /// extremes, and the close.
    private mutating func path(_ highPart: Int, _ lowPart: Int) -> [Int64] {
        let range = Double(bar.high - bar.low)
        var points: [(step: Int, price: Double)] = [(0, Double(bar.open))]
        let turns = [(highPart, bar.high, -1.0), (lowPart, bar.low, 1.0)].sorted { $0.0 < $1.0 }
        for (part, price, side) in turns where part > 0 && part < count - 1 {
            // Near the extreme before the part that has it.
            let near = Double(price) + side * draws.generator.nextUniform() * 0.05 * range
            if points[points.count - 1].step < part { points.append((part, near)) }
        }
        points.append((count, Double(bar.close)))
        let noise = range * 0.5 / Double(count).squareRoot()
        var ends = [bar.open]
        ends.reserveCapacity(count + 1)
        for (from, to) in zip(points, points.dropFirst()) {
            var price = from.price
            for step in (from.step + 1)...to.step {
                let remaining = Double(to.step - step + 1)
                price +=
                    (to.price - price) / remaining
                    + noise * draws.next() * ((remaining - 1) / remaining).squareRoot()
                price = min(max(price, Double(bar.low)), Double(bar.high))
                ends.append(step == count ? bar.close : onGrid(price))
            }
        }
        return ends
    }

    private func onGrid(_ price: Double) -> Int64 {
        let units = Int64(min(max(price, Double(bar.low)), Double(bar.high)).rounded())
        let steps = (units + grid / 2) / grid * grid
        return min(max(steps, bar.low), bar.high)
    }
}
