public import Model
import Primitives

/// Wilder's directional movement: +DI, −DI, DX and ADX.
///
/// Highs above the high before and lows below the low before, the larger of the two only, are
/// summed and faded (sum − sum / `length` + newest, from a first sum of `length` − 1 bars) and
/// taken as shares of the true range, faded alike: J. W. Wilder, New Concepts in Technical Trading
/// Systems (1978). `nil` until `length` + 1 bars have come, and while nothing has moved at all.
public struct AverageDirectionalIndex: Indicator, Codable {
    /// The lines, each 0 to 100.
    public struct Value: Hashable, Codable, Sendable, BitwiseCopyable {
        /// +DI: upward movement as a share of the true range.
        public let plus: Double
        /// −DI: downward movement as a share of the true range.
        public let minus: Double
        /// DX: the difference of both as a share of their sum; `nil` while there was no movement
        /// either way.
        public let index: Double?
        /// ADX: Wilder's average of DX, from 2 × `length` bars on. Where DX is `nil` it stays as it
        /// is.
        public let average: Double?
    }

    /// The number of bars smoothed over.
    public let length: Int
    /// The newest lines.
    public private(set) var value: Value?

    private var previous: Bar?
    private var count = 0
    private var range = 0.0
    private var rise = 0.0
    private var fall = 0.0
    private var average: WilderAverage

    /// Directional movement over `length` bars.
    ///
    /// - Parameter length: positive; Wilder's is 14.
    public init(length: Int) {
        precondition(length > 0, "an index has a length")
        self.length = length
        average = WilderAverage(length: length)
    }

    /// Takes in the next bar; the new `value`.
    @discardableResult
    public mutating func update(_ bar: Bar) -> Value? {
        defer { previous = bar }
        guard let previous else { return nil }
        let trueRange = max(bar.high, previous.close) - min(bar.low, previous.close)
        let up = bar.high - previous.high
        let down = previous.low - bar.low
        add(trueRange, to: &range)
        add(up > .zero && up > down ? up : .zero, to: &rise)
        add(down > .zero && down > up ? down : .zero, to: &fall)
        count = min(count + 1, length)
        value = count == length ? lines() : nil
        return value
    }

    private func add(_ distance: Price, to sum: inout Double) {
        if count >= length - 1 { sum -= sum / Double(length) }
        sum += Double(distance.units)
    }

    private mutating func lines() -> Value? {
        guard range > 0 else { return nil }
        let plus = 100 * rise / range
        let minus = 100 * fall / range
        var index: Double?
        if plus + minus > 0 {
            let newest = 100 * abs(plus - minus) / (plus + minus)
            average.update(newest)
            index = newest
        }
        return Value(plus: plus, minus: minus, index: index, average: average.value)
    }
}
