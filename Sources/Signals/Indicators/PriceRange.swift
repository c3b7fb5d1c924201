public import Model
import Primitives

/// The highest high and the lowest low of the last `length` bars, in exact price units.
struct PriceRange: Codable, Sendable {
    private var highs: RollingMaximum
    /// Of the opposites: the largest of them is the lowest low.
    private var lows: RollingMaximum

    /// The range of the last `length` bars, positive.
    init(length: Int) {
        highs = RollingMaximum(length: length)
        lows = RollingMaximum(length: length)
    }

    /// Takes in the next bar; the range once there are `length` bars.
    mutating func update(_ bar: Bar) -> (high: Int64, low: Int64)? {
        let high = highs.update(bar.high.units)
        let low = -lows.update(-bar.low.units)
        return highs.hasAll ? (high, low) : nil
    }
}

/// The highest high, the lowest low and the middle of the last `length` bars, the newest included.
///
/// A close can therefore not be above `upper`: for breakouts compare it with the channel as it was
/// before the bar. `nil` until `length` bars have come.
public struct DonchianChannel: Indicator, Codable {
    /// The three lines, in price units.
    public struct Value: Hashable, Codable, Sendable, BitwiseCopyable {
        /// The highest high.
        public let upper: Double
        /// Half-way between both.
        public let middle: Double
        /// The lowest low.
        public let lower: Double
    }

    /// The number of bars.
    public let length: Int
    /// The newest channel.
    public private(set) var value: Value?

    private var range: PriceRange

    /// The channel of `length` bars.
    ///
    /// - Parameter length: positive.
    public init(length: Int) {
        precondition(length > 0, "a window has a length")
        self.length = length
        range = PriceRange(length: length)
    }

    /// Takes in the next bar; the new `value`.
    @discardableResult
    public mutating func update(_ bar: Bar) -> Value? {
        guard let (high, low) = range.update(bar) else { return nil }
        let upper = Double(high)
        let lower = Double(low)
        value = Value(upper: upper, middle: (upper + lower) / 2, lower: lower)
        return value
    }
}

/// Williams %R: how far the close is below the highest high of the last `length` bars, as a share
/// of their range: 0 at the top to −100 at the bottom.
///
/// `nil` until `length` bars have come, and when the highest high is the lowest low.
public struct WilliamsPercentRange: Indicator, Codable {
    /// The number of bars.
    public let length: Int
    /// The newest share, −100 to 0.
    public private(set) var value: Double?

    private var range: PriceRange

    /// The share within the range of `length` bars.
    ///
    /// - Parameter length: positive; Williams' is 14.
    public init(length: Int) {
        precondition(length > 0, "a window has a length")
        self.length = length
        range = PriceRange(length: length)
    }

    /// Takes in the next bar; the new `value`.
    @discardableResult
    public mutating func update(_ bar: Bar) -> Double? {
        guard let (high, low) = range.update(bar), high > low else {
            value = nil
            return nil
        }
        value = -100 * (Double(high - bar.close.units) / Double(high - low))
        return value
    }
}

/// The stochastic oscillator: where the close is within the range of the last `length` bars,
/// smoothed.
///
/// Raw %K is 100 at the highest high and 0 at the lowest low. %K is the mean of the last `slowing`
/// raw values, %D the mean of the last `smoothing` %K. A `slowing` of 1 gives the fast stochastic,
/// 3 the usual slow one. `nil` until both lines have all their values (`length` + `slowing` +
/// `smoothing` − 2 bars). A bar whose window is flat (highest high = lowest low) has no raw value:
/// it gives `nil`, and the means pass over it.
public struct StochasticOscillator: Indicator, Codable {
    /// The two lines, each 0 to 100.
    public struct Value: Hashable, Codable, Sendable, BitwiseCopyable {
        /// %K.
        public let percentK: Double
        /// %D, the mean of %K.
        public let percentD: Double
    }

    /// The number of bars.
    public let length: Int
    /// The newest lines.
    public private(set) var value: Value?

    private var range: PriceRange
    private var rawValues: RollingWindow<Double>
    private var percentKs: RollingWindow<Double>

    /// The oscillator over the range of `length` bars.
    ///
    /// - Parameters:
    ///   - length: positive; Lane's are 5 and 14.
    ///   - slowing: positive.
    ///   - smoothing: positive.
    public init(length: Int, slowing: Int = 3, smoothing: Int = 3) {
        precondition(length > 0, "a window has a length")
        precondition(slowing > 0 && smoothing > 0, "a mean has a length")
        self.length = length
        range = PriceRange(length: length)
        rawValues = RollingWindow(length: slowing, blank: 0)
        percentKs = RollingWindow(length: smoothing, blank: 0)
    }

    /// Takes in the next bar; the new `value`.
    @discardableResult
    public mutating func update(_ bar: Bar) -> Value? {
        value = nil
        guard let (high, low) = range.update(bar), high > low else { return nil }
        let raw = 100 * (Double(bar.close.units - low) / Double(high - low))
        guard let percentK = Self.mean(of: &rawValues, with: raw),
            let percentD = Self.mean(of: &percentKs, with: percentK)
        else { return nil }
        value = Value(percentK: percentK, percentD: percentD)
        return value
    }

    /// Added up anew each time: these are no whole numbers, and a moved sum would gather rounding.
    /// The windows are short.
    private static func mean(
        of window: inout RollingWindow<Double>, with newest: Double
    ) -> Double? {
        _ = window.push(newest)
        guard window.hasAll else { return nil }
        return window.elements.reduce(0, +) / Double(window.elements.count)
    }
}
