/// An amount in one currency; 1 unit = 0.000001.
///
/// Range about ±9.2 trillion. Traps on overflow.
public struct Money: Hashable, Comparable, Sendable, BitwiseCopyable {
    /// The amount in steps of 10^-6.
    public let units: Int64

    /// Decimals kept.
    public static var digits: Int { 6 }
    /// Units in an amount of 1.
    public static var unitsPerOne: Int64 { 1_000_000 }
    /// No money.
    @inlinable public static var zero: Money { Money(units: 0) }

    /// An amount of `units` steps of 10^-6.
    @inlinable public init(units: Int64) { self.units = units }

    /// An amount of `cents` hundredths.
    public init(cents: Int64) { units = cents * (Self.unitsPerOne / 100) }

    /// Reads exact decimal text such as `-12.50`.
    public init(_ text: some StringProtocol) throws(DecimalError) {
        units = try DecimalText.units(of: text, digits: Self.digits)
    }

    /// The nearest amount in the type's range, for messages only.
    package init(clamping exact: ExactMoney) {
        let limit = Money(units: exact < .zero ? -.max : .max)
        self = exact.roundedIfRepresentable() ?? limit
    }

    /// The amount as floating point, for statistics only.
    public var asDouble: Double { Double(units) / Double(Self.unitsPerOne) }

    /// The amount rounded to hundredths, half to even.
    public var roundedToCents: Money {
        let step = Self.unitsPerOne / 100
        guard units % step != 0 else { return self }
        return Money(units: Int64(Int128(units).dividedHalfToEven(by: Int128(step))) * step)
    }

    /// The size without the sign.
    public var magnitude: Money { Money(units: abs(units)) }

    /// Orders amounts by value.
    @inlinable public static func < (left: Money, right: Money) -> Bool { left.units < right.units }
    /// The sum.
    @inlinable public static func + (left: Money, right: Money) -> Money {
        Money(units: left.units + right.units)
    }
    /// The difference.
    @inlinable public static func - (left: Money, right: Money) -> Money {
        Money(units: left.units - right.units)
    }
    /// Adds in place.
    @inlinable public static func += (left: inout Money, right: Money) { left = left + right }
    /// The opposite.
    @inlinable public static prefix func - (money: Money) -> Money { Money(units: -money.units) }
}

extension Money: CustomStringConvertible {
    /// Exact decimal text with at least two decimals: `962333.00`.
    public var description: String {
        DecimalText.text(of: units, digits: Self.digits, digitsMin: 2)
    }
}

/// An amount that nothing was rounded away from: sums of price times quantity; 1 unit = 10^-16.
///
/// Ledgers keep their sums in this type and round once, where a figure leaves them (`rounded()`).
/// Range about ±1.7·10^22, which is ten thousand million of the largest trades an edge accepts.
public struct ExactMoney: Hashable, Comparable, Sendable, BitwiseCopyable {
    /// The amount in steps of 10^-16.
    public let units: Int128

    /// Units in one unit of `Money`.
    public static var unitsPerMoneyUnit: Int128 { 10_000_000_000 }
    /// No money.
    @inlinable public static var zero: ExactMoney { ExactMoney(units: 0) }
    /// The largest trade or position value an edge accepts: 10^12.
    @inlinable public static var tradeMax: ExactMoney {
        ExactMoney(units: 10_000_000_000_000_000_000_000_000_000)
    }

    /// An amount of `units` steps of 10^-16.
    @inlinable public init(units: Int128) { self.units = units }

    /// The same amount as `money`.
    public init(_ money: Money) { units = Int128(money.units) * Self.unitsPerMoneyUnit }

    /// The nearest `Money`, half to even: the one place where products of price and quantity are
    /// rounded. Traps beyond `Money`'s range.
    public func rounded() -> Money {
        Money(units: Int64(units.dividedHalfToEven(by: Self.unitsPerMoneyUnit)))
    }

    /// The nearest `Money`, half to even, or `nil` beyond its range.
    public func roundedIfRepresentable() -> Money? {
        Int64(exactly: units.dividedHalfToEven(by: Self.unitsPerMoneyUnit)).map(Money.init(units:))
    }

    /// The amount as floating point, for statistics only.
    public var asDouble: Double {
        // In two halves: the generic conversion of 128 bits is a hundred times slower.
        let high = Double(Int64(truncatingIfNeeded: units >> 64))
        let low = Double(UInt64(truncatingIfNeeded: units))
        return (high * 0x1p64 + low) / 1e16
    }

    /// The size without the sign.
    public var magnitude: ExactMoney { ExactMoney(units: units < 0 ? -units : units) }

    /// Orders amounts by value.
    @inlinable public static func < (left: ExactMoney, right: ExactMoney) -> Bool {
        left.units < right.units
    }
    /// The sum.
    @inlinable public static func + (left: ExactMoney, right: ExactMoney) -> ExactMoney {
        ExactMoney(units: left.units + right.units)
    }
    /// The difference.
    @inlinable public static func - (left: ExactMoney, right: ExactMoney) -> ExactMoney {
        ExactMoney(units: left.units - right.units)
    }
    /// A whole multiple, such as by a contract's multiplier.
    @inlinable public static func * (left: ExactMoney, right: Int64) -> ExactMoney {
        // Shares have a multiplier of 1, and this is on the path of every mark.
        right == 1 ? left : ExactMoney(units: left.units * Int128(right))
    }
    /// Adds in place.
    @inlinable public static func += (left: inout ExactMoney, right: ExactMoney) {
        left = left + right
    }
    /// Subtracts in place.
    @inlinable public static func -= (left: inout ExactMoney, right: ExactMoney) {
        left = left - right
    }
    /// The opposite.
    @inlinable public static prefix func - (money: ExactMoney) -> ExactMoney {
        ExactMoney(units: -money.units)
    }
}

extension Int64 {
    /// The quotient rounded half to even; a tenth of the time it takes in 128 bits.
    ///
    /// - Parameter divisor: positive.
    fileprivate func dividedHalfToEven(by divisor: Int64) -> Int64 {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        // Compared without doubling, which could overflow.
        let excess = remainder.magnitude
        let missing = divisor.magnitude - excess
        guard excess > missing || (excess == missing && quotient & 1 != 0) else { return quotient }
        return quotient + (self < 0 ? -1 : 1)
    }
}

extension Int128 {
    /// The quotient rounded half to even.
    ///
    /// - Parameter divisor: positive.
    package func dividedHalfToEven(by divisor: Int128) -> Int128 {
        if let small = Int64(exactly: self), let smallDivisor = Int64(exactly: divisor) {
            return Int128(small.dividedHalfToEven(by: smallDivisor))
        }
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        let doubled = remainder.magnitude * 2
        let isPastHalf = doubled > divisor.magnitude
        let isTieToOdd = doubled == divisor.magnitude && quotient & 1 != 0
        guard isPastHalf || isTieToOdd else { return quotient }
        return quotient + (self < 0 ? -1 : 1)
    }
}
