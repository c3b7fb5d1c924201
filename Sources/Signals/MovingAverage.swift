public import Primitives

/// The mean of the last `length` prices, exactly.
///
/// The sum is moved, not added up anew. Prices go in as price units, whole numbers in a `Double`, so the
/// sum has no rounding up to 2^53 (`length` × price up to 90 million) and two averages that are equal
/// compare equal. `nil` until `length` prices have come.
public struct SimpleMovingAverage: Sendable {
    /// The number of prices averaged.
    public let length: Int

    @usableFromInline var window: [Double]
    @usableFromInline var next = 0
    @usableFromInline var count = 0
    @usableFromInline var sum = 0.0

    /// An average of `length` prices.
    ///
    /// - Parameter length: positive.
    public init(length: Int) {
        precondition(length > 0, "an average has a length")
        self.length = length
        window = Array(repeating: 0, count: length)
    }

    /// The mean in price units, once there are enough prices.
    @inlinable
    public var value: Double? { count == length ? sum / Double(length) : nil }

    /// Takes in the next price; the new `value`.
    @inlinable
    @discardableResult
    public mutating func update(_ price: Price) -> Double? {
        let units = Double(price.units)
        sum += units - window[next]
        window[next] = units
        next = next + 1 == length ? 0 : next + 1
        if count < length { count += 1 }
        return value
    }
}

/// An average in which every price weighs 2 / (`length` + 1) at first and fades from then on.
///
/// Starts from the simple mean of the first `length` prices, as TA-Lib's EMA does; `nil` until then.
public struct ExponentialMovingAverage: Sendable {
    /// The length whose simple average lags as much.
    public let length: Int

    private let weight: Double
    private var count = 0
    private var mean = 0.0

    /// An average of `length` prices.
    ///
    /// - Parameter length: positive.
    public init(length: Int) {
        precondition(length > 0, "an average has a length")
        self.length = length
        weight = 2 / Double(length + 1)
    }

    /// The average in price units, once there are enough prices.
    public var value: Double? { count == length ? mean : nil }

    /// Takes in the next price; the new `value`.
    @discardableResult
    public mutating func update(_ price: Price) -> Double? {
        let units = Double(price.units)
        if count == length {
            mean += (units - mean) * weight
            return mean
        }
        count += 1
        mean += units
        if count == length { mean /= Double(length) }
        return value
    }
}
