/// A number of shares or contracts; 1 unit = 0.00000001. Positive bought or long, negative sold or short.
///
/// Range about ±92 billion. Traps on overflow: edges refuse what is beyond `Quantity.magnitudeMax`.
public struct Quantity: Hashable, Comparable, Sendable, BitwiseCopyable {
    /// The quantity in steps of 10^-8.
    public let units: Int64

    /// Decimals kept.
    public static var digits: Int { 8 }
    /// Units in one share.
    public static var unitsPerOne: Int64 { 100_000_000 }
    /// The largest absolute quantity an edge accepts: 9·10^10.
    public static var magnitudeMax: Quantity { Quantity(units: 90_000_000_000 * unitsPerOne) }
    /// Nothing held.
    @inlinable public static var zero: Quantity { Quantity(units: 0) }

    /// A quantity of `units` steps of 10^-8.
    @inlinable public init(units: Int64) { self.units = units }

    /// A whole number of shares.
    public init(shares: Int64) { units = shares * Self.unitsPerOne }

    /// Reads exact decimal text such as `100` or `1.1404`.
    public init(_ text: some StringProtocol) throws(DecimalError) {
        units = try DecimalText.units(of: text, digits: Self.digits)
    }

    /// Whether no fraction of a share is in it.
    public var isWhole: Bool { units % Self.unitsPerOne == 0 }

    /// The size without the sign.
    public var magnitude: Quantity { Quantity(units: abs(units)) }

    /// This quantity without its fraction of a share, towards zero.
    public var wholeShares: Quantity { Quantity(units: units - units % Self.unitsPerOne) }

    /// Orders quantities by value.
    @inlinable public static func < (left: Quantity, right: Quantity) -> Bool {
        left.units < right.units
    }
    /// The sum.
    @inlinable public static func + (left: Quantity, right: Quantity) -> Quantity {
        Quantity(units: left.units + right.units)
    }
    /// The difference.
    @inlinable public static func - (left: Quantity, right: Quantity) -> Quantity {
        Quantity(units: left.units - right.units)
    }
    /// Adds in place.
    @inlinable public static func += (left: inout Quantity, right: Quantity) { left = left + right }
    /// Subtracts in place.
    @inlinable public static func -= (left: inout Quantity, right: Quantity) { left = left - right }
    /// The opposite.
    @inlinable public static prefix func - (quantity: Quantity) -> Quantity {
        Quantity(units: -quantity.units)
    }
}

extension Quantity: CustomStringConvertible {
    /// Exact decimal text: `100`, `1.1404`.
    public var description: String {
        DecimalText.text(of: units, digits: Self.digits, digitsMin: 0)
    }
}
