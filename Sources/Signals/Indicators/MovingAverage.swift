import Model
public import Primitives

/// The mean of the last `length` prices, exactly.
///
/// The sum is moved, not added up anew. Prices go in as price units, whole numbers in a `Double`,
/// so the sum has no rounding up to 2^53 (`length` × price up to 90 million) and two averages that
/// are equal compare equal. `nil` until `length` prices have come.
public struct SimpleMovingAverage: Indicator, Codable {
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

extension SimpleMovingAverage {
    /// A saved average. Throws when it is none: `update` relies on its places.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        length = try container.decode(Int.self, forKey: .length)
        window = try container.decode([Double].self, forKey: .window)
        next = try container.decode(Int.self, forKey: .next)
        count = try container.decode(Int.self, forKey: .count)
        sum = try container.decode(Double.self, forKey: .sum)
        guard window.count == length, window.indices.contains(next), (0...length).contains(count)
        else { throw decoder.damage("no moving average") }
    }
}

/// An average in which every price weighs 2 / (`length` + 1) at first and fades from then on.
///
/// Starts from the simple mean of the first `length` prices, as TA-Lib's EMA does; `nil` until
/// then.
public struct ExponentialMovingAverage: Indicator, Codable {
    /// The length whose simple average lags as much.
    public let length: Int

    /// What the newest price weighs.
    @usableFromInline let weight: Double

    @usableFromInline var count = 0
    @usableFromInline var mean = 0.0

    /// An average of `length` prices.
    ///
    /// - Parameter length: positive.
    public init(length: Int) {
        precondition(length > 0, "an average has a length")
        self.length = length
        weight = 2 / Double(length + 1)
    }

    /// The average in price units, once there are enough prices.
    @inlinable
    public var value: Double? { count == length ? mean : nil }

    /// Takes in the next price; the new `value`.
    ///
    /// - Note: Inlined into a strategy it costs 2.4 ns, called 4.7 (Benchmarks/Indicators).
    @inlinable
    @discardableResult
    public mutating func update(_ price: Price) -> Double? { update(number: Double(price.units)) }

    /// Takes in the next number, which need not be a price; the new `value`.
    @inlinable
    mutating func update(number: Double) -> Double? {
        if count == length {
            mean += (number - mean) * weight
            return mean
        }
        count += 1
        mean += number
        if count == length { mean /= Double(length) }
        return value
    }
}

/// The mean of the last `length` prices, the newest weighing `length` times as much as the oldest.
///
/// Weights fall by one from price to price. The sums are whole numbers and exact, however long the
/// series. `nil` until `length` prices have come.
public struct WeightedMovingAverage: Indicator, Codable {
    /// The number of prices averaged.
    public let length: Int

    private var window: RollingWindow<Int64>
    private var sum: Int128 = 0
    private var weightedSum: Int128 = 0

    /// An average of `length` prices.
    ///
    /// - Parameter length: positive.
    public init(length: Int) {
        precondition(length > 0, "an average has a length")
        self.length = length
        window = RollingWindow(length: length, blank: 0)
    }

    /// The mean in price units, once there are enough prices.
    public var value: Double? {
        guard window.hasAll else { return nil }
        return weightedSum.nearestDouble / (Double(length) * Double(length + 1) / 2)
    }

    /// Takes in the next price; the new `value`.
    @discardableResult
    public mutating func update(_ price: Price) -> Double? {
        // Every price in the window loses one weight, the oldest its last. Before there are
        // `length` prices the missing ones count as zero, so the weights come out right.
        weightedSum += Int128(price.units) * Int128(length) - sum
        sum += Int128(price.units) - Int128(window.push(price.units) ?? 0)
        return value
    }
}

/// Wilder's smoothing: the newest number weighs 1 / `length`.
///
/// Starts from the simple mean of the first `length` numbers.
struct WilderAverage: Codable, Sendable {
    private let length: Double
    private let weight: Double
    private var missing: Int
    private var mean = 0.0

    /// An average over `length` numbers, positive.
    init(length: Int) {
        precondition(length > 0, "an average has a length")
        self.length = Double(length)
        weight = 1 / Double(length)
        missing = length
    }

    /// The average, once there are enough numbers.
    var value: Double? { missing == 0 ? mean : nil }

    /// Takes in the next number.
    mutating func update(_ number: Double) {
        if missing == 0 {
            // Not (mean · (length − 1) + number) / length: each update waits for the one before it,
            // and a division takes longer than all else here.
            mean += (number - mean) * weight
            return
        }
        mean += number
        missing -= 1
        if missing == 0 { mean /= length }
    }
}

extension WilderAverage {
    /// Writes all but the length.
    func write(to writer: inout RecordWriter) {
        writer.write(missing)
        writer.write(mean)
    }

    /// The average as written. Throws when it lacks more numbers than it has, or is none.
    init(length: Int, from reader: inout RecordReader) throws(RecordError) {
        self.init(length: length)
        missing = try reader.count()
        mean = try reader.double()
        guard missing <= length, mean.isFinite else { throw reader.damage }
    }
}
