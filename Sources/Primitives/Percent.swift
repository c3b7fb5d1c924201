/// A share of something, exactly; 1 unit = 0.000001 percent, which is 10^-8 of the whole.
///
/// Range about ±92 billion times the whole. Traps on overflow.
public struct Percent: Hashable, Comparable, Sendable, BitwiseCopyable {
    /// The share in steps of 0.000001 percent.
    public let units: Int64

    /// Decimals kept of a percentage.
    public static var digits: Int { 6 }
    /// Units in one percent.
    public static var unitsPerOne: Int64 { 1_000_000 }
    /// Decimals kept of a number of basis points.
    public static var basisPointDigits: Int { 4 }
    /// Decimals kept of a ratio.
    public static var ratioDigits: Int { 8 }
    /// Nothing.
    public static var zero: Percent { Percent(units: 0) }
    /// All of it.
    public static var hundred: Percent { Percent(100) }

    /// A share of `units` steps of 0.000001 percent.
    public init(units: Int64) { self.units = units }

    /// A whole number of percent.
    public init(_ percent: Int64) { units = percent * Self.unitsPerOne }

    /// Reads an exact percentage: `12.5` is an eighth.
    public init(_ text: some StringProtocol) throws(DecimalError) {
        units = try DecimalText.units(of: text, digits: Self.digits)
    }

    /// Reads exact basis points: `5` is 0.05 percent.
    public init(basisPoints text: some StringProtocol) throws(DecimalError) {
        units = try DecimalText.units(of: text, digits: Self.basisPointDigits)
    }

    /// Reads an exact ratio: `1.5` is 150 percent.
    public init(ratio text: some StringProtocol) throws(DecimalError) {
        units = try DecimalText.units(of: text, digits: Self.ratioDigits)
    }

    /// Exact decimal text in basis points.
    public var basisPoints: String {
        DecimalText.text(of: units, digits: Self.basisPointDigits, digitsMin: 0)
    }

    /// Exact decimal text of the ratio to the whole.
    public var ratio: String {
        DecimalText.text(of: units, digits: Self.ratioDigits, digitsMin: 0)
    }

    /// The nearest share to a fraction of 1, half to even; `nil` for NaN, infinity and magnitudes above
    /// a million percent. The one way from a strategy's floating point to a size.
    public init?(roundingFraction fraction: Double) {
        let scaled = (fraction * 100 * Double(Self.unitsPerOne)).rounded(.toNearestOrEven)
        guard scaled.magnitude <= 1e12 else { return nil }
        units = Int64(scaled)
    }

    /// This share of `amount`, rounded towards zero to 10^-16; `nil` when it cannot be represented.
    public func of(_ amount: ExactMoney) -> ExactMoney? {
        let (product, overflowed) = amount.units.multipliedReportingOverflow(by: Int128(units))
        return overflowed ? nil : ExactMoney(units: product / Int128(Self.hundred.units))
    }

    /// This share of `quantity`, rounded towards zero to 10^-8; `nil` when it cannot be represented.
    public func of(_ quantity: Quantity) -> Quantity? {
        let product = Int128(quantity.units) * Int128(units) / Int128(Self.hundred.units)
        return Int64(exactly: product).map(Quantity.init(units:))
    }

    /// Orders by size.
    public static func < (left: Percent, right: Percent) -> Bool { left.units < right.units }
}

extension Percent: CustomStringConvertible {
    /// Exact decimal text in percent, without the sign: `12.5`.
    public var description: String {
        DecimalText.text(of: units, digits: Self.digits, digitsMin: 0)
    }
}
