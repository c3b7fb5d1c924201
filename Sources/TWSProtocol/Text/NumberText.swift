/// A number's text, read.
enum NumberText {
    /// A number.
    case number(DecimalValue)
    /// Empty, not a number, or one of the values that mean "none given".
    case unset
    /// No number.
    case malformed

    /// Reads decimal text: sign, digits, point, exponent, or a word for infinity.
    ///
    /// Empty text, `NaN` and the largest values of the types in use (32, 64 and 128 bits and double;
    /// that is what programs write when a number was never set) are `unset`.
    init(_ text: UnsafeBufferPointer<UInt8>) {
        let count = text.count
        var position = 0
        var isNegative = false
        if count > 0 {
            isNegative = text[0] == UInt8(ascii: "-")
            if isNegative || text[0] == UInt8(ascii: "+") { position = 1 }
        }
        guard position < count else {
            self = count == 0 ? .unset : .malformed
            return
        }
        var digits: UInt64 = 0
        /// Zeros seen since the last other digit; they count only when another digit follows.
        var zeros = 0
        var significant = 0
        var fraction = 0
        var hasPoint = false
        var hasDigit = false
        while position < count {
            let byte = text[position]
            let digit = byte &- UInt8(ascii: "0")
            if digit == 0 {
                hasDigit = true
                zeros &+= 1
                if hasPoint { fraction &+= 1 }
            } else if digit <= 9 {
                hasDigit = true
                if significant == 0 { zeros = 0 }
                significant &+= zeros &+ 1
                guard significant <= 18 else { break }
                digits = digits &* Self.powersOfTen[zeros &+ 1] &+ UInt64(digit)
                zeros = 0
                if hasPoint { fraction &+= 1 }
            } else if byte == UInt8(ascii: "."), !hasPoint {
                hasPoint = true
            } else {
                break
            }
            position &+= 1
        }
        guard position == count, hasDigit else {
            self = Self.unusual(text)
            return
        }
        guard digits != 0 else {
            self = .number(.zero)
            return
        }
        let exponent = zeros &- fraction
        guard exponent.magnitude <= 9_999 else {
            self = .malformed
            return
        }
        guard digits != 2_147_483_647 || exponent != 0 else {
            self = .unset
            return
        }
        self = .number(
            DecimalValue(
                digits: digits, exponent: Int16(truncatingIfNeeded: exponent),
                kind: isNegative ? .negative : .positive))
    }

    /// 10^0 … 10^18.
    private static let powersOfTen: [UInt64] = (0...18).map { exponent in
        (0..<exponent).reduce(1) { power, _ in power * 10 }
    }

    /// Long numbers, exponents and words: the rare ones, read with care instead of speed.
    private static func unusual(_ text: UnsafeBufferPointer<UInt8>) -> NumberText {
        switch String(decoding: text, as: UTF8.self) {
        case "Infinity", "+Infinity", "Infinite", "inf", "+inf", "INF": return .number(.infinity)
        case "-Infinity", "-Infinite", "-inf", "-INF":
            return .number(DecimalValue(digits: 0, exponent: 0, kind: .negativeInfinity))
        case "NaN", "nan", "NAN": return .unset
        // 2^127 - 1: a quantity that was never set.
        case "170141183460469231731687303715884105727": return .unset
        default: return general(text)
        }
    }

    /// `[+-]digits[.digits][e[+-]digits]` of any length.
    private static func general(_ text: UnsafeBufferPointer<UInt8>) -> NumberText {
        var position = 0
        let isNegative = text[0] == UInt8(ascii: "-")
        if isNegative || text[0] == UInt8(ascii: "+") { position = 1 }
        var mantissa = Mantissa()
        while position < text.count, mantissa.take(text[position]) { position += 1 }
        guard mantissa.hasDigit else { return .malformed }
        var exponent = 0
        if position < text.count {
            guard text[position] | 0x20 == UInt8(ascii: "e"),
                let power = Int(String(decoding: text[(position + 1)...], as: UTF8.self)),
                power.magnitude <= 99_999
            else { return .malformed }
            exponent = power
        }
        guard
            let value = DecimalValue(
                normalizing: mantissa.digits, exponent: mantissa.exponent + exponent,
                isNegative: isNegative)
        else { return .malformed }
        return isSentinel(value) ? .unset : .number(value)
    }

    /// The largest double and the 64-bit limits; TWS writes them where nothing was set.
    private static func isSentinel(_ value: DecimalValue) -> Bool {
        switch (value.digits, value.exponent) {
        case (17_976_931_348_623_157, 292): true
        case (9_223_372_036_854_775_807, 0), (9_223_372_036_854_775_808, 0): true
        case (2_147_483_647, 0): true
        default: false
        }
    }
}

/// Digits of a number of any length, kept to 19 significant ones.
private struct Mantissa {
    private(set) var digits: UInt64 = 0
    private(set) var exponent = 0
    private(set) var hasDigit = false
    private var isFull = false
    private var hasPoint = false

    /// Takes one byte; false when it belongs to no mantissa.
    mutating func take(_ byte: UInt8) -> Bool {
        if byte == UInt8(ascii: ".") {
            defer { hasPoint = true }
            return !hasPoint
        }
        let digit = byte &- UInt8(ascii: "0")
        guard digit <= 9 else { return false }
        hasDigit = true
        guard !isFull else {
            if !hasPoint { exponent += 1 }
            return true
        }
        // Below 10^18 another digit always fits.
        guard digits < 1_000_000_000_000_000_000 else {
            isFull = true
            if digit >= 5 { digits += 1 }
            if !hasPoint { exponent += 1 }
            return true
        }
        digits = digits * 10 + UInt64(digit)
        if hasPoint { exponent -= 1 }
        return true
    }
}
