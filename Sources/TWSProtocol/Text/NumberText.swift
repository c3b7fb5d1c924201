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
    @inline(never)
    init(_ text: UnsafeBufferPointer<UInt8>) {
        if text.count == 22 || text.count == 23, Self.isUnsetDouble(text) {
            self = .unset
            return
        }
        let isSigned = text.first == UInt8(ascii: "-") || text.first == UInt8(ascii: "+")
        let body = isSigned ? UnsafeBufferPointer(rebasing: text[1...]) : text
        let kind: DecimalValue.Kind = text.first == UInt8(ascii: "-") ? .negative : .positive
        if let digits = PackedDigits(body) {
            self = .number(digits.value(kind))
        } else if text.isEmpty {
            self = .unset
        } else if let value = Self.plain(body, kind) {
            // What programs write for a whole number that was never set.
            let isSentinel = value.digits == 2_147_483_647 && value.exponent == 0
            self = isSentinel ? .unset : .number(value)
        } else {
            self = body.isEmpty ? .malformed : Self.unusual(text)
        }
    }

    /// The largest double, as Java and Python write it.
    private static func isUnsetDouble(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard text.count != 22 else { return isJavaUnset(text, at: 0) }
        // `1.797693`, `13486231`, `157e+308`.
        return text.loadWord(at: 0) == 0x3339_3637_3937_2e31
            && text.loadWord(at: 8) == 0x3133_3236_3834_3331
            && text.loadWord(at: 15) == 0x3830_332b_6537_3531
    }

    /// Whether the 22 bytes at `start`, all of which lie inside, are the largest double as Java writes it.
    @inline(__always)
    static func isJavaUnset(_ text: UnsafeBufferPointer<UInt8>, at start: Int) -> Bool {
        // `1.797693`, `13486231`, `3157E308`.
        text.loadWord(at: start) == 0x3339_3637_3937_2e31
            && text.loadWord(at: start &+ 8) == 0x3133_3236_3834_3331
            && text.loadWord(at: start &+ 14) == 0x3830_3345_3735_3133
    }

    /// Digits and at most one point, up to 18 digits from the first that is not 0.
    private static func plain(
        _ text: UnsafeBufferPointer<UInt8>, _ kind: DecimalValue.Kind
    ) -> DecimalValue? {
        // Most of the longer ones are values that mean unset.
        guard text.count <= 20 else { return nil }
        var digits: UInt64 = 0
        /// Zeros seen since the last other digit; they count only when another digit follows.
        var zeros = 0
        var significant = 0
        var point: Int?
        for (position, byte) in text.enumerated() {
            let digit = byte &- UInt8(ascii: "0")
            if digit == 0 {
                zeros &+= 1
            } else if digit <= 9 {
                if digits == 0 { zeros = 0 }
                significant &+= zeros &+ 1
                guard significant <= 18 else { return nil }
                for _ in 0...zeros { digits &*= 10 }
                digits &+= UInt64(digit)
                zeros = 0
            } else if byte == UInt8(ascii: "."), point == nil {
                point = position
            } else {
                return nil
            }
        }
        guard text.count > (point == nil ? 0 : 1) else { return nil }
        guard digits != 0 else { return .zero }
        let fraction = point.map { text.count &- $0 &- 1 } ?? 0
        return DecimalValue(
            digits: digits, exponent: Int16(truncatingIfNeeded: zeros &- fraction), kind: kind)
    }

    /// Words, exponents and long numbers: the rare ones, read with care instead of speed.
    private static func unusual(_ text: UnsafeBufferPointer<UInt8>) -> NumberText {
        // Words end with a letter; the text of a number costs no string.
        guard let last = text.last, last >= UInt8(ascii: "A") else { return general(text) }
        switch String(decoding: text, as: UTF8.self) {
        case "Infinity", "+Infinity", "Infinite", "inf", "+inf", "INF": return .number(.infinity)
        case "-Infinity", "-Infinite", "-inf", "-INF":
            return .number(DecimalValue(digits: 0, exponent: 0, kind: .negativeInfinity))
        case "NaN", "nan", "NAN": return .unset
        default: return .malformed
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

    /// The largest double and the limits of 32, 64 and 128 bits, which are written where nothing was
    /// set; the last one is kept to 19 digits.
    private static func isSentinel(_ value: DecimalValue) -> Bool {
        switch (value.digits, value.exponent) {
        case (17_976_931_348_623_157, 292): true
        case (9_223_372_036_854_775_807, 0), (9_223_372_036_854_775_808, 0): true
        case (2_147_483_647, 0): true
        case (1_701_411_834_604_692_317, 20): true
        default: false
        }
    }
}

/// A number of one to eight bytes, nearly every price and size: digits and at most one point, taken
/// apart all at once in one machine word. Numbers differ in length and in where they have zeros, and a
/// loop over their digits that guesses wrong costs more than all of this.
struct PackedDigits {
    /// A digit in each byte, the first one lowest; zeros in front so that the last fills the highest.
    private let digits: UInt64
    /// Digits behind the point.
    private let fraction: Int
    /// Whether there is no point, not even at the end.
    private let isWhole: Bool

    /// Takes `text` apart; `nil` when it is longer or has anything but digits and one point.
    @inline(__always)
    init?(_ text: UnsafeBufferPointer<UInt8>) {
        guard !text.isEmpty, text.count <= 8 else { return nil }
        self.init(text.word(from: 0), count: text.count)
    }

    /// Takes apart the lowest `count` bytes of `word`, at most eight; what lies above is not looked at.
    @inline(__always)
    init?(_ word: UInt64, count: Int) {
        let points = (word ^ 0x2E2E_2E2E_2E2E_2E2E).zeroMarks
        /// Digits before the first point.
        let front = points.trailingZeroBitCount / 8
        isWhole = front >= count
        var digits = word ^ 0x3030_3030_3030_3030
        var length = count
        if !isWhole {
            // Ones below the point: what is above it moves down by its place.
            let below = (points ^ (points &- 1)) >> 8
            digits = digits & below | (digits >> 8) & ~below
            length &-= 1
        }
        guard length > 0 else { return nil }
        digits &<<= UInt64(truncatingIfNeeded: 8 &* (8 &- length))
        // Above 9 a byte overflows into its high bit, or has it already.
        let faults = ((digits &+ 0x7676_7676_7676_7676) | digits) & 0x8080_8080_8080_8080
        guard faults == 0 else { return nil }
        self.digits = digits
        fraction = isWhole ? 0 : length &- front
    }

    /// The number, where it has no point.
    @inline(__always)
    var wholeNumber: UInt64? { isWhole ? joined(digits) : nil }

    /// The number, without zeros at its end.
    @inline(__always)
    func value(_ kind: DecimalValue.Kind) -> DecimalValue {
        guard digits != 0 else { return .zero }
        let zeros = digits.leadingZeroBitCount / 8
        return DecimalValue(
            digits: joined(digits &<< UInt64(truncatingIfNeeded: 8 &* zeros)),
            exponent: Int16(truncatingIfNeeded: zeros &- fraction), kind: kind)
    }

    /// Neighbours are joined: digits to pairs, pairs to fours, fours to the number.
    @inline(__always)
    private func joined(_ digits: UInt64) -> UInt64 {
        let pairs = digits &* 10 &+ (digits >> 8)
        let odd = (pairs & 0x0000_00FF_0000_00FF) &* 0x000F_4240_0000_0064
        let even = (pairs >> 16 & 0x0000_00FF_0000_00FF) &* 0x0000_2710_0000_0001
        return (odd &+ even) >> 32
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
