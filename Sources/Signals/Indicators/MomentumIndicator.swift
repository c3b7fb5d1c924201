public import Primitives

/// The newest price minus the one `length` prices before it.
///
/// `nil` until `length` + 1 prices have come.
public struct MomentumIndicator: Indicator, Codable {
    /// How many prices back.
    public let length: Int
    /// The difference in price units.
    public private(set) var value: Double?

    private var window: RollingWindow<Int64>

    /// The change over `length` prices.
    ///
    /// - Parameter length: positive.
    public init(length: Int) {
        precondition(length > 0, "a change takes time")
        self.length = length
        window = RollingWindow(length: length, blank: 0)
    }

    /// Takes in the next price; the new `value`.
    @discardableResult
    public mutating func update(_ price: Price) -> Double? {
        guard let past = window.push(price.units) else { return nil }
        value = Double(price.units - past)
        return value
    }
}

/// The change from the price `length` prices ago to the newest, in percent of the former.
///
/// `nil` until `length` + 1 prices have come, and when the former price is zero.
public struct RateOfChange: Indicator, Codable {
    /// How many prices back.
    public let length: Int
    /// The change in percent.
    public private(set) var value: Double?

    private var window: RollingWindow<Int64>

    /// The relative change over `length` prices.
    ///
    /// - Parameter length: positive.
    public init(length: Int) {
        precondition(length > 0, "a change takes time")
        self.length = length
        window = RollingWindow(length: length, blank: 0)
    }

    /// Takes in the next price; the new `value`.
    @discardableResult
    public mutating func update(_ price: Price) -> Double? {
        guard let past = window.push(price.units), past != 0 else {
            value = nil
            return nil
        }
        value = 100 * (Double(price.units - past) / Double(past))
        return value
    }
}
