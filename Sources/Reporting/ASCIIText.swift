import Primitives

/// Text is put together as bytes in one buffer: no `String` a field, which a run with tens of
/// thousands of fills would feel. What is appended reads like the value's `description`.
extension [UInt8] {
    /// Appends a text as UTF-8.
    mutating func append(text: String) { append(contentsOf: text.utf8) }

    /// Appends a whole number.
    mutating func append(integer: Int64) { append(units: integer, digits: 0, digitsMin: 0) }

    /// Appends a price: `100.05`.
    mutating func append(_ price: Price) {
        append(units: price.units, digits: Price.digits, digitsMin: 2)
    }

    /// Appends a quantity: `100`, `1.1404`.
    mutating func append(_ quantity: Quantity) {
        append(units: quantity.units, digits: Quantity.digits, digitsMin: 0)
    }

    /// Appends an amount: `962333.00`.
    mutating func append(_ money: Money) {
        append(units: money.units, digits: Money.digits, digitsMin: 2)
    }

    /// Appends a length of time in seconds: `90`, `0.25`.
    mutating func append(seconds duration: Duration) {
        append(units: duration.nanoseconds, digits: 9, digitsMin: 0)
    }

    /// Appends `number` with `decimals` decimals, rounded half to even from its exact binary value;
    /// a zero has no sign. A number whose last kept digit is beyond `Int64` comes as Swift
    /// describes it, `1e+20`; NaN and infinity, which callers have no reason to print, as nothing.
    ///
    /// - Parameter decimals: 0 to 9.
    mutating func append(_ number: Double, decimals: Int) {
        guard number.isFinite else { return }
        guard let units = number.units(decimals: decimals) else {
            append(text: number.description)
            return
        }
        append(units: units, digits: decimals, digitsMin: decimals)
    }

    /// Appends a day: `2019-02-11`.
    mutating func append(_ day: Day) {
        let (year, month, dayOfMonth) = day.date
        append(twoDigits: year / 100)
        append(twoDigits: year % 100)
        append(.minus)
        append(twoDigits: month)
        append(.minus)
        append(twoDigits: dayOfMonth)
    }

    /// Appends an instant in UTC: `2016-01-04T15:00:00Z`, with a fraction only where there is one.
    mutating func append(_ instant: Timestamp) {
        let nanoseconds = instant.sinceMidnight.nanoseconds
        let (second, fraction) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        append(instant.day)
        append(UInt8(ascii: "T"))
        append(twoDigits: Int(second / 3_600))
        append(UInt8(ascii: ":"))
        append(twoDigits: Int(second / 60 % 60))
        append(UInt8(ascii: ":"))
        append(twoDigits: Int(second % 60))
        append(fraction: UInt64(fraction), digits: 9, digitsMin: 0)
        append(UInt8(ascii: "Z"))
    }

    /// Appends `units` · 10^-`digits` with at least `digitsMin` decimals.
    private mutating func append(units: Int64, digits: Int, digitsMin: Int) {
        if units < 0 { append(.minus) }
        let (whole, fraction) = units.magnitude.quotientAndRemainder(
            dividingBy: powerOfTen(digits))
        var wholeDigits = 1
        var rest = whole / 10
        while rest > 0 {
            rest /= 10
            wholeDigits += 1
        }
        append(whole, width: wholeDigits)
        append(fraction: fraction, digits: digits, digitsMin: digitsMin)
    }

    /// Appends `.` and the decimals of `fraction` · 10^-`digits` without zeros at the end beyond
    /// `digitsMin`; nothing if no decimal is left.
    private mutating func append(fraction: UInt64, digits: Int, digitsMin: Int) {
        guard fraction > 0 || digitsMin > 0 else { return }
        var fraction = fraction
        var digits = digits
        while digits > digitsMin, fraction.isMultiple(of: 10) {
            fraction /= 10
            digits -= 1
        }
        append(UInt8(ascii: "."))
        append(fraction, width: digits)
    }

    /// Appends `number` with zeros in front up to `width` digits; it has no more than those.
    private mutating func append(_ number: UInt64, width: Int) {
        // Written from the last digit on, because dividing by a constant is several times faster.
        for _ in 0..<width { append(.digit0) }
        var position = count
        var rest = number
        while rest > 0 {
            position -= 1
            self[position] += UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        }
    }

    private mutating func append(twoDigits number: Int) {
        append(.digit0 + UInt8(truncatingIfNeeded: number / 10))
        append(.digit0 + UInt8(truncatingIfNeeded: number % 10))
    }
}

extension Double {
    /// This number in steps of 10^-`decimals`, rounded half to even from the exact binary value, or
    /// `nil` beyond `Int64`.
    fileprivate func units(decimals: Int) -> Int64? {
        guard !isZero, magnitude < 0x1p63 else { return isZero ? 0 : nil }
        // The number is a whole number of 53 bits · 2^-shift; times 10^9 it still keeps clear of
        // 128 bits.
        let shift = Self.significandBitCount - Int(exponent)
        guard shift < 127 else { return 0 }
        let whole = Int128(Int64(significand * 0x1p52)) * Int128(powerOfTen(decimals))
        let steps = shift <= 0 ? whole << -shift : whole.dividedHalfToEven(by: 1 << shift)
        return Int64(exactly: sign == .minus ? -steps : steps)
    }
}

extension UInt8 {
    fileprivate static let minus = UInt8(ascii: "-")
    fileprivate static let digit0 = UInt8(ascii: "0")
}

/// 10 to the power of `exponent`, at most 19. Not a table: reading one costs more.
private func powerOfTen(_ exponent: Int) -> UInt64 {
    var power: UInt64 = 1
    for _ in 0..<exponent { power *= 10 }
    return power
}
