internal import Model
internal import Primitives

/// Looks for opens, highs and lows that lie far from everything around them.
struct WickCheck {
    private let rows: [BarRow]
    /// The smallest distance that is reported: 2 %, or so many deviations.
    private let distanceMin: Double

    private static let smallest = 0.02

    /// - Parameter deviation: of the closes' changes, times as many as a jump must have.
    init(_ rows: [BarRow], threshold: Double) {
        self.rows = rows
        distanceMin = max(Self.smallest, threshold)
    }

    /// A price that stands alone.
    struct Wick {
        /// `open`, `high` or `low`.
        let name: String
        /// It.
        let price: Price
        /// The nearest price around it.
        let nearest: Price
    }

    /// What stands alone in a row: the open, or else the high and the low.
    func wicks(_ index: Int) -> [Wick] {
        let row = rows[index]
        guard row.isPriced, let around = around(index) else { return [] }
        var high = max(row.close, around.high)
        var low = min(row.close, around.low)
        if isAbove(row.open, high) || isBelow(row.open, low) {
            let nearest = row.open > high ? high : low
            return [Wick(name: "open", price: row.open, nearest: nearest)]
        }
        (high, low) = (max(row.open, high), min(row.open, low))
        var wicks: [Wick] = []
        if isAbove(row.high, high) {
            wicks.append(Wick(name: "high", price: row.high, nearest: high))
        }
        if isBelow(row.low, low) {
            wicks.append(Wick(name: "low", price: row.low, nearest: low))
        }
        return wicks
    }

    /// The highest and lowest prices of the bars before and behind, which both have to be there.
    private func around(_ index: Int) -> (high: Price, low: Price)? {
        guard index > 0, index + 1 < rows.count, rows[index - 1].isPriced, rows[index + 1].isPriced
        else { return nil }
        return (
            max(rows[index - 1].high, rows[index + 1].high),
            min(rows[index - 1].low, rows[index + 1].low)
        )
    }

    private func isAbove(_ price: Price, _ other: Price) -> Bool {
        price > other && Double(price.units) > Double(other.units) * (1 + distanceMin)
    }

    private func isBelow(_ price: Price, _ other: Price) -> Bool {
        price < other && Double(price.units) * (1 + distanceMin) < Double(other.units)
    }
}
