/// A price in the instrument's currency; 1 unit = 0.00000001.
///
/// Range about ±92 billion. May be negative (spreads). Traps on overflow: edges refuse what is beyond
/// `Price.magnitudeMax` before it becomes a `Price` anybody calculates with.
public struct Price: Hashable, Comparable, Sendable, BitwiseCopyable {
    /// The price in steps of 10^-8.
    public let units: Int64

    /// Decimals kept.
    public static var digits: Int { 8 }
    /// Units in a price of 1.
    public static var unitsPerOne: Int64 { 100_000_000 }
    /// The largest absolute price an edge accepts: 10^8.
    public static var magnitudeMax: Price { Price(units: 100_000_000 * unitsPerOne) }
    /// A price of nothing; never "no price", which is `nil`.
    @inlinable public static var zero: Price { Price(units: 0) }

    /// A price of `units` steps of 10^-8.
    @inlinable public init(units: Int64) { self.units = units }

    /// A price of `cents` hundredths.
    public init(cents: Int64) { units = cents * (Self.unitsPerOne / 100) }

    /// Reads exact decimal text such as `100.05`.
    public init(_ text: some StringProtocol) throws(DecimalError) {
        units = try DecimalText.units(of: text, digits: Self.digits)
    }

    /// The nearest price to `value` (in units of 1), half to even; `nil` for NaN, infinity and
    /// magnitudes above `magnitudeMax`. The one way back from floating point to a price.
    public init?(rounding value: Double) {
        let scaled = (value * Double(Self.unitsPerOne)).rounded(.toNearestOrEven)
        guard scaled.magnitude <= Double(Self.magnitudeMax.units) else { return nil }
        units = Int64(scaled)
    }

    /// Orders prices by value.
    @inlinable public static func < (left: Price, right: Price) -> Bool { left.units < right.units }
    /// The sum.
    @inlinable public static func + (left: Price, right: Price) -> Price {
        Price(units: left.units + right.units)
    }
    /// The difference.
    @inlinable public static func - (left: Price, right: Price) -> Price {
        Price(units: left.units - right.units)
    }

    /// The opposite.
    @inlinable public static prefix func - (price: Price) -> Price { Price(units: -price.units) }

    /// What `quantity` is worth at this price, exactly.
    @inlinable public static func * (price: Price, quantity: Quantity) -> ExactMoney {
        // Two factors of 64 bits: the product always fits.
        ExactMoney(units: Int128(price.units) &* Int128(quantity.units))
    }

    /// This price moved to a multiple of `tick`, never downwards.
    ///
    /// - Parameter tick: smallest step; positive.
    public func roundedUp(to tick: Price) -> Price { -(-self).roundedDown(to: tick) }

    /// This price moved to a multiple of `tick`, never upwards.
    ///
    /// - Parameter tick: smallest step; positive.
    public func roundedDown(to tick: Price) -> Price {
        precondition(tick.units > 0, "a tick is positive")
        let remainder = units % tick.units
        return Price(units: units - (remainder < 0 ? remainder + tick.units : remainder))
    }
}

extension Price: CustomStringConvertible {
    /// Exact decimal text with at least two decimals: `100.05`.
    public var description: String {
        DecimalText.text(of: units, digits: Self.digits, digitsMin: 2)
    }
}
