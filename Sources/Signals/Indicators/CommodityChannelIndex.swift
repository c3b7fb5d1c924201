public import Model
import Primitives

extension Bar {
    /// Three times the typical price: high, low and close together. Not divided, so that it stays
    /// exact.
    var typicalTripled: Price { high + low + close }
}

/// CCI: how far the typical price is from its mean, in units of 0.015 mean absolute deviations.
///
/// The typical price is the mean of high, low and close; mean and deviation are those of the last
/// `length` bars. `nil` until `length` bars have come, and when all their typical prices are equal.
/// An update takes time in proportion to `length`: every distance from the mean changes with the
/// mean.
public struct CommodityChannelIndex: Indicator, Codable {
    /// The number of bars.
    public let length: Int
    /// The newest index; negative below the mean.
    public private(set) var value: Double?

    private var window: RollingWindow<Int64>
    private var sum: Int128 = 0

    /// The index over `length` bars.
    ///
    /// - Parameter length: at least two; usually 20 or 14.
    public init(length: Int) {
        precondition(length > 1, "a deviation needs a second bar")
        self.length = length
        window = RollingWindow(length: length, blank: 0)
    }

    /// Takes in the next bar; the new `value`.
    @discardableResult
    public mutating func update(_ bar: Bar) -> Double? {
        let newest = bar.typicalTripled.units
        sum += Int128(newest) - Int128(window.push(newest) ?? 0)
        guard window.hasAll else { return nil }
        // Seen from the newest price all distances are exact, and all zero in a flat window.
        let mean = (sum - Int128(newest) * Int128(length)).nearestDouble / Double(length)
        var deviations = 0.0
        for other in window.elements { deviations += abs(Double(other - newest) - mean) }
        value = deviations > 0 ? -mean / (0.015 * deviations / Double(length)) : nil
        return value
    }
}
