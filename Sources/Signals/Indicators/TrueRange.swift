public import Model
import Primitives

/// How far the price went within a bar and from the close before it.
///
/// The larger of the high and the close before, minus the smaller of the low and the close before;
/// zero for a bar without movement. `nil` for the first bar, which has no close before it.
public struct TrueRange: Indicator, Codable {
    private var previousClose: Price?

    /// The range of the newest bar in price units; not negative.
    public private(set) var value: Double?

    /// No bar so far.
    public init() {}

    /// Takes in the next bar; the new `value`.
    @discardableResult
    public mutating func update(_ bar: Bar) -> Double? {
        if let previousClose {
            value = Double((max(bar.high, previousClose) - min(bar.low, previousClose)).units)
        }
        previousClose = bar.close
        return value
    }
}

/// Wilder's ATR: the smoothed true range.
///
/// Starts from the mean of the first `length` true ranges; `nil` until `length` + 1 bars have come.
public struct AverageTrueRange: Indicator, Codable {
    /// The number of true ranges averaged at first.
    public let length: Int

    private var range = TrueRange()
    private var average: WilderAverage

    /// An average over `length` true ranges.
    ///
    /// - Parameter length: positive; Wilder's is 14.
    public init(length: Int) {
        precondition(length > 0, "an average has a length")
        self.length = length
        average = WilderAverage(length: length)
    }

    /// The average in price units; not negative.
    public var value: Double? { average.value }

    /// Takes in the next bar; the new `value`.
    @discardableResult
    public mutating func update(_ bar: Bar) -> Double? {
        guard let newest = range.update(bar) else { return nil }
        average.update(newest)
        return value
    }
}

extension AverageTrueRange: RecordValue {
    /// Writes the length and all that was taken in.
    package func write(to writer: inout RecordWriter) {
        writer.write(length)
        range.write(to: &writer)
        average.write(to: &writer)
    }

    /// The average as written. Throws when it is none.
    package init(from reader: inout RecordReader) throws(RecordError) {
        let length = try reader.count()
        guard length > 0 else { throw reader.damage }
        self.init(length: length)
        range = try reader.value(TrueRange.self)
        average = try WilderAverage(length: length, from: &reader)
    }
}

extension TrueRange: RecordValue {
    /// Writes the newest close and range.
    package func write(to writer: inout RecordWriter) {
        writer.write(optional: previousClose)
        writer.write(value != nil)
        if let value { writer.write(value) }
    }

    /// The range as written.
    package init(from reader: inout RecordReader) throws(RecordError) {
        previousClose = try reader.optional(Price.self)
        value = try reader.flag() ? try reader.double() : nil
        guard value.map({ $0 >= 0 && $0.isFinite }) ?? true else { throw reader.damage }
    }
}
