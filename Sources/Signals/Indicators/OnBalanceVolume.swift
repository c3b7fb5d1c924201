public import Model
import Primitives

/// OBV: the volume of bars that closed higher minus the volume of bars that closed lower, since the
/// first.
///
/// The first bar counts upward, as in TA-Lib; a bar that closes where the one before it did counts
/// nothing. The level means nothing, only its changes do. The sum is a whole number and exact:
/// decades of the busiest stock are more than 64 bits of quantity units.
public struct OnBalanceVolume: Indicator, Codable {
    private var previousClose: Price?
    private var sum: Int128 = 0

    /// No bar so far.
    public init() {}

    /// The sum in shares; `nil` before the first bar.
    public var value: Double? {
        previousClose == nil ? nil : sum.nearestDouble / Double(Quantity.unitsPerOne)
    }

    /// Takes in the next bar; the new `value`.
    @discardableResult
    public mutating func update(_ bar: Bar) -> Double? {
        let isHigher = previousClose.map { bar.close > $0 } ?? true
        let isLower = previousClose.map { bar.close < $0 } ?? false
        if isHigher { sum += Int128(bar.volume.units) }
        if isLower { sum -= Int128(bar.volume.units) }
        previousClose = bar.close
        return value
    }
}
