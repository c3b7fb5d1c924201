public import Primitives

/// The mean and the variance of the last `length` prices, from exact sums.
///
/// Squares of price units do not fit into a `Double`, and moving their sum would leave more and
/// more rounding behind. So both sums are whole numbers: what a price added when it came it takes
/// away when it leaves, to the last unit, and the result is the same as that of sums made anew.
struct PriceMoments: Codable, Sendable {
    private let length: Double
    /// 1 / `length`².
    private let squaredPart: Double
    private var window: RollingWindow<Int64>
    private var sum: Int128 = 0
    /// Modulo 2^128, as is everything made from it until it is small.
    private var squares: Int128 = 0

    /// Moments of the last `length` prices, positive.
    init(length: Int) {
        self.length = Double(length)
        squaredPart = 1 / (Double(length) * Double(length))
        window = RollingWindow(length: length, blank: 0)
    }

    /// Whether `length` prices have come.
    var hasAll: Bool { window.hasAll }

    /// The mean in price units; equal to that of a `SimpleMovingAverage`.
    var mean: Double { sum.nearestDouble / length }

    /// How far a price is above the mean, in price units; not the difference of two rounded
    /// numbers.
    func distance(of price: Price) -> Double {
        (Int128(price.units) * Int128(window.elements.count) - sum).nearestDouble / length
    }

    /// The mean squared distance from the mean, in price units squared; exactly zero for a flat
    /// window and for no other.
    var variance: Double {
        // Around a whole number near the mean: the distances' squares add up to `spread`, the
        // distances themselves to `remainder`, which is below `length`. Both are exact.
        let center = Int128(Int64(mean))
        let remainder = sum &- center &* Int128(window.elements.count)
        let spread = squares &- center &* (sum &+ remainder)
        let offset = remainder.nearestDouble
        return max(0, spread.nearestDouble * length - offset * offset) * squaredPart
    }

    /// Takes in the next price.
    mutating func update(_ price: Price) {
        let leaving = window.push(price.units) ?? 0
        // Two squares in one product.
        let difference = Int128(price.units) - Int128(leaving)
        sum += difference
        squares &+= difference &* (Int128(price.units) + Int128(leaving))
    }
}

/// The mean squared distance of the last `length` prices from their mean (population: divided by
/// `length`).
///
/// Zero when the window is flat. `nil` until `length` prices have come.
public struct Variance: Indicator, Codable {
    /// The number of prices.
    public let length: Int

    private var moments: PriceMoments

    /// The variance of `length` prices.
    ///
    /// - Parameter length: positive.
    public init(length: Int) {
        precondition(length > 0, "a window has a length")
        self.length = length
        moments = PriceMoments(length: length)
    }

    /// The variance in price units squared.
    public var value: Double? { moments.hasAll ? moments.variance : nil }

    /// Takes in the next price; the new `value`.
    @discardableResult
    public mutating func update(_ price: Price) -> Double? {
        moments.update(price)
        return value
    }
}

/// The standard deviation of the last `length` prices (population: divided by `length`).
///
/// Zero when the window is flat. `nil` until `length` prices have come.
public struct StandardDeviation: Indicator, Codable {
    /// The number of prices.
    public let length: Int

    private var moments: PriceMoments

    /// The deviation of `length` prices.
    ///
    /// - Parameter length: positive.
    public init(length: Int) {
        precondition(length > 0, "a window has a length")
        self.length = length
        moments = PriceMoments(length: length)
    }

    /// The deviation in price units.
    public var value: Double? { moments.hasAll ? moments.variance.squareRoot() : nil }

    /// Takes in the next price; the new `value`.
    @discardableResult
    public mutating func update(_ price: Price) -> Double? {
        moments.update(price)
        return value
    }
}

/// How many standard deviations the newest price is above the mean of the last `length`, itself
/// included.
///
/// The deviation is the population's (divided by `length`). `nil` until `length` prices have come,
/// and when all of them are equal: a flat window has no deviation to count in.
public struct ZScore: Indicator, Codable {
    /// The number of prices.
    public let length: Int
    /// The score; negative below the mean.
    public private(set) var value: Double?

    private var moments: PriceMoments

    /// The score within `length` prices.
    ///
    /// - Parameter length: at least two; one price alone is always its own mean.
    public init(length: Int) {
        precondition(length > 1, "a score needs a second price")
        self.length = length
        moments = PriceMoments(length: length)
    }

    /// Takes in the next price; the new `value`.
    @discardableResult
    public mutating func update(_ price: Price) -> Double? {
        moments.update(price)
        let variance = moments.hasAll ? moments.variance : 0
        value = variance > 0 ? moments.distance(of: price) / variance.squareRoot() : nil
        return value
    }
}

/// A simple moving average and two lines a number of standard deviations above and below it.
///
/// The deviation is the population's (divided by `length`); in a flat window the three lines are
/// one. `nil` until `length` prices have come.
public struct BollingerBands: Indicator, Codable {
    /// The number of prices.
    public let length: Int
    /// How many standard deviations the outer lines are away.
    public let deviations: Double

    private var moments: PriceMoments

    /// The three lines, in price units.
    public struct Value: Hashable, Codable, Sendable, BitwiseCopyable {
        /// The mean plus the deviations.
        public let upper: Double
        /// The mean.
        public let middle: Double
        /// The mean minus the deviations.
        public let lower: Double
    }

    /// Bands around `length` prices.
    ///
    /// - Parameters:
    ///   - length: positive; Bollinger's is 20.
    ///   - deviations: finite and not negative.
    public init(length: Int, deviations: Double = 2) {
        precondition(length > 0, "a window has a length")
        precondition(deviations.isFinite && deviations >= 0, "a band has a width")
        self.length = length
        self.deviations = deviations
        moments = PriceMoments(length: length)
    }

    /// The bands, once there are enough prices.
    public var value: Value? {
        guard moments.hasAll else { return nil }
        let middle = moments.mean
        let reach = deviations * moments.variance.squareRoot()
        return Value(upper: middle + reach, middle: middle, lower: middle - reach)
    }

    /// Takes in the next price; the new `value`.
    @discardableResult
    public mutating func update(_ price: Price) -> Value? {
        moments.update(price)
        return value
    }
}
