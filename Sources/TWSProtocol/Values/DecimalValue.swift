public import Primitives

/// A decimal number as it travelled: exact up to 19 significant digits, rounded half away from zero
/// beyond them (no venue sends more; a text from a foreign program may).
///
/// Equal numbers compare equal however they were written (`185.90` and `185.9`). Never "unset": that
/// is `nil`. Infinity exists because one order attribute uses it as a word ("up to the midpoint").
public struct DecimalValue: Hashable, Sendable {
    /// The significant digits as an integer without trailing zeros; 0 for nothing and infinity.
    public let digits: UInt64
    /// The power of ten behind `digits`; 0 for nothing and infinity.
    public let exponent: Int16
    /// Which side of zero, and whether finite.
    public let kind: Kind

    /// Which side of zero, and whether finite.
    public enum Kind: UInt8, Sendable {
        /// Nothing or more.
        case positive
        /// Less than nothing.
        case negative
        /// Beyond every number.
        case positiveInfinity
        /// Below every number.
        case negativeInfinity
    }

    /// Nothing.
    public static let zero = DecimalValue(digits: 0, exponent: 0, kind: .positive)
    /// Beyond every number.
    public static let infinity = DecimalValue(digits: 0, exponent: 0, kind: .positiveInfinity)

    /// For callers that hand over normal digits: none trailing, no exponent on nothing.
    init(digits: UInt64, exponent: Int16, kind: Kind) {
        self.digits = digits
        self.exponent = exponent
        self.kind = kind
    }

    /// `digits` · 10^`exponent`, negative where asked.
    ///
    /// - Returns: `nil` beyond 10^±9,999, where no price, size or amount of money lies.
    init?(normalizing digits: UInt64, exponent: Int, isNegative: Bool) {
        guard digits != 0 else {
            self = .zero
            return
        }
        var digits = digits
        var exponent = exponent
        while digits % 10 == 0 {
            digits /= 10
            exponent += 1
        }
        guard exponent.magnitude <= 9_999 else { return nil }
        self.init(
            digits: digits, exponent: Int16(exponent), kind: isNegative ? .negative : .positive)
    }

    /// A whole number.
    public init(_ value: Int64) {
        let isNegative = value < 0
        self =
            DecimalValue(normalizing: value.magnitude, exponent: 0, isNegative: isNegative) ?? .zero
    }

    /// The shortest decimal that reads back as `value`; `nil` for NaN.
    public init?(_ value: Double) {
        guard !value.isNaN else { return nil }
        self.init(value.description)
    }

    /// Reads decimal text such as `100.05`, `1e-05` or `Infinity`; `nil` when it is none, or unset.
    public init?(_ text: some StringProtocol) {
        let parsed = Array(text.utf8).withUnsafeBufferPointer { NumberText($0) }
        guard case .number(let value) = parsed else { return nil }
        self = value
    }

    /// A price, exactly.
    public init(_ price: Price) { self.init(units: price.units, digits: Price.digits) }
    /// A quantity, exactly.
    public init(_ quantity: Quantity) { self.init(units: quantity.units, digits: Quantity.digits) }

    private init(units: Int64, digits: Int) {
        self =
            DecimalValue(normalizing: units.magnitude, exponent: -digits, isNegative: units < 0)
            ?? .zero
    }

    /// Finite and not nothing.
    public var isFinite: Bool { kind == .positive || kind == .negative }

    /// The number as a price, exactly; `nil` when it is infinite, has more than 8 decimals or is beyond
    /// what an edge accepts (`Price.magnitudeMax`).
    public var price: Price? {
        guard let units = units(digits: Price.digits), isFinite else { return nil }
        guard units.magnitude <= Price.magnitudeMax.units.magnitude else { return nil }
        return Price(units: units)
    }

    /// The number as a quantity, exactly; `nil` when it is infinite, has more than 8 decimals or does
    /// not fit.
    public var quantity: Quantity? {
        guard let units = units(digits: Quantity.digits), isFinite else { return nil }
        return Quantity(units: units)
    }

    /// The number in steps of 10^-`digits`; `nil` when it is no whole number of them or does not fit.
    func units(digits count: Int) -> Int64? {
        let shift = Int(exponent) + count
        guard shift >= 0, digits != 0 || shift == count else { return nil }
        var magnitude = digits
        for _ in 0..<min(shift, 20) {
            let (tenfold, overflowed) = magnitude.multipliedReportingOverflow(by: 10)
            guard !overflowed else { return nil }
            magnitude = tenfold
        }
        guard shift <= 20 else { return digits == 0 ? 0 : nil }
        return Int64(exactly: kind == .negative ? -Int128(magnitude) : Int128(magnitude))
    }
}

extension DecimalValue: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral {
    /// A whole number.
    public init(integerLiteral value: Int64) { self.init(value) }
    /// The shortest decimal that reads back as the literal.
    public init(floatLiteral value: Double) { self = DecimalValue(value) ?? .zero }
}

extension DecimalValue: Comparable {
    /// Orders by value.
    public static func < (left: DecimalValue, right: DecimalValue) -> Bool {
        guard left.rank == right.rank else { return left.rank < right.rank }
        guard left.isFinite, left.digits != 0 else { return false }
        return left.kind == .positive
            ? left.isSmaller(than: right) : right.isSmaller(than: left)
    }

    /// Coarse place on the number line: infinity, negative, nothing, positive, infinity.
    private var rank: Int {
        switch kind {
        case .negativeInfinity: -2
        case .negative: -1
        case .positive: digits == 0 ? 0 : 1
        case .positiveInfinity: 2
        }
    }

    /// Compares magnitudes, both of them more than nothing.
    private func isSmaller(than other: DecimalValue) -> Bool {
        let length = digits.decimalDigits
        let otherLength = other.digits.decimalDigits
        let index = Int(exponent) + length
        let otherIndex = Int(other.exponent) + otherLength
        guard index == otherIndex else { return index < otherIndex }
        // The same leading place: compare the digits at equal length.
        let width = max(length, otherLength)
        return UInt128(digits) * .powerOfTen(width - length)
            < UInt128(other.digits) * .powerOfTen(width - otherLength)
    }
}

extension UInt64 {
    /// Digits in decimal writing; 1 for nothing.
    var decimalDigits: Int {
        // 1233 / 4096 is just below the logarithm of 2; the guess is right or one too low.
        let guess = ((64 &- leadingZeroBitCount) &* 1_233) >> 12
        return Swift.max(1, self >= Self.powersOfTen[guess] ? guess &+ 1 : guess)
    }

    /// 10^0 … 10^19.
    private static let powersOfTen: [UInt64] = (0...19).map { exponent in
        (0..<exponent).reduce(1) { power, _ in power * 10 }
    }
}

extension UInt128 {
    /// 10^`exponent`, at most 10^38.
    fileprivate static func powerOfTen(_ exponent: Int) -> UInt128 {
        (0..<exponent).reduce(1) { power, _ in power * 10 }
    }
}

extension DecimalValue: CustomStringConvertible {
    /// Plain decimal text without an exponent below 10^22, scientific beyond: `100`, `187.25`, `1e+30`.
    public var description: String {
        var output = WireOutput()
        append(to: &output, as: .plain)
        return String(decoding: output.written, as: UTF8.self)
    }
}

extension Double {
    /// The nearest floating-point number.
    public init(_ value: DecimalValue) {
        switch value.kind {
        case .positiveInfinity: self = .infinity
        case .negativeInfinity: self = -.infinity
        case .positive, .negative:
            let sign = value.kind == .negative ? "-" : ""
            self = Double("\(sign)\(value.digits)e\(value.exponent)") ?? 0
        }
    }
}

extension DecimalValue {
    /// The number when it is whole and fits in 64 bits.
    var wholeNumber: Int64? {
        guard isFinite else { return nil }
        return units(digits: 0)
    }
}
