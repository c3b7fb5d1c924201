import Primitives

/// ASCII text in the making, in one block of memory: no `String` and no array a field.
///
/// A value reads like its `description` and has a byte behind it that the caller names, such as a
/// comma. The block does not grow: whoever appends knows what fits. Every write checks that there
/// is room, in every build, and stops the process where there is none.
///
/// Text is written in machine words of eight bytes, of which as many count as the text has; what
/// comes next is written over the rest. Raw memory, because an array asks before every write
/// whether anybody else holds it: that was a third of the instructions a backtest's tables took.
struct ASCIIText: ~Copyable {
    /// No value takes more bytes than this, the byte behind it included.
    static let valueLengthMax = 32

    /// How many bytes are written.
    private(set) var count = 0

    private let block: UnsafeMutableRawPointer
    /// The last place a word can be written to.
    private let lastDigit: Int
    private var date = DateWords(of: Day(number: 0))

    /// No text yet.
    ///
    /// - Parameter capacity: how many bytes there will be at most before `clear`.
    init(capacity: Int) {
        block = .allocate(byteCount: capacity + ASCIIWord.size, alignment: ASCIIWord.size)
        lastDigit = capacity
    }

    deinit { block.deallocate() }

    /// Gives what is written to `body`.
    func withBytes<Failure>(_ body: (RawSpan) throws(Failure) -> Void) throws(Failure) {
        try body(UnsafeRawBufferPointer(start: block, count: count).bytes)
    }

    /// Forgets all text.
    mutating func clear() { count = 0 }

    /// Takes the last byte back.
    mutating func removeLast() {
        precondition(count > 0, "there is a byte to take back")
        count -= 1
    }

    /// Appends the first `length` bytes of a word.
    @inline(__always)
    mutating func append(_ word: UInt64, length: Int) {
        precondition((0...ASCIIWord.size).contains(length), "a word has eight bytes")
        precondition(count <= lastDigit, "the block has room for another word")
        block.storeBytes(of: word.littleEndian, toByteOffset: count, as: UInt64.self)
        count += length
    }

    /// Appends a byte.
    @inline(__always)
    mutating func append(_ byte: UInt8) { append(UInt64(byte), length: 1) }

    /// Appends a text as UTF-8.
    mutating func append(text: String) {
        for byte in text.utf8 { append(byte) }
    }

    /// Appends a whole number.
    mutating func append(integer: Int64, end: UInt8) {
        if integer < 0 { append(UInt8(ascii: "-")) }
        append(whole: integer.magnitude, end: end)
    }

    /// Appends a price: `100.05`.
    mutating func append(_ price: Price, end: UInt8) {
        append(units: price.units, digits: Price.digits, digitsMin: 2, end: end)
    }

    /// Appends a quantity: `100`, `1.1404`.
    mutating func append(_ quantity: Quantity, end: UInt8) {
        append(units: quantity.units, digits: Quantity.digits, digitsMin: 0, end: end)
    }

    /// Appends an amount: `962333.00`.
    mutating func append(_ money: Money, end: UInt8) {
        append(units: money.units, digits: Money.digits, digitsMin: 2, end: end)
    }

    /// Appends a length of time in seconds: `90`, `0.25`.
    mutating func append(seconds duration: Duration, end: UInt8) {
        if duration.nanoseconds < 0 { append(UInt8(ascii: "-")) }
        let (second, remainder) = duration.nanoseconds.magnitude.quotientAndRemainder(
            dividingBy: 1_000_000_000)
        guard remainder > 0 else { return append(whole: second, end: end) }
        append(whole: second, end: UInt8(ascii: "."))
        append(nanoseconds: remainder, end: end)
    }

    /// Appends `number` with `decimals` decimals, rounded half to even from its exact binary value;
    /// a zero has no sign. A number whose last kept digit is beyond `Int64` comes as Swift
    /// describes it, `1e+20`; NaN and infinity, which callers have no reason to print, as nothing.
    ///
    /// - Parameter decimals: 0 to 8.
    @inline(__always)
    mutating func append(_ number: Double, decimals: Int, end: UInt8) {
        guard let units = number.units(of: powerOfTen(decimals)) else {
            if number.isFinite { append(text: number.description) }
            return append(end)
        }
        append(units: units, digits: decimals, digitsMin: decimals, end: end)
    }

    /// Appends a day: `2019-02-11`.
    mutating func append(_ day: Day, end: UInt8) {
        // Rows that follow one another mostly have the same one.
        if day != date.day { date = DateWords(of: day) }
        append(date.yearAndMonth, length: 8)
        append(date.dayOfMonth | UInt64(end) << 16, length: 3)
    }

    /// Appends a time in UTC: `2016-01-04T15:00:00Z`, with a fraction only where there is one.
    mutating func append(_ time: Timestamp, end: UInt8) {
        let nanoseconds = UInt64(time.sinceMidnight.nanoseconds)
        let (second, remainder) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        let (hours, minutes, seconds) = (second / 3_600, second / 60 % 60, second % 60)
        let clock =
            ASCIIWord.digits(of: hours * 1_000_000 + minutes * 1_000 + seconds) + Self.colons
        append(time.day, end: UInt8(ascii: "T"))
        append(clock, length: 8)
        if remainder > 0 {
            append(UInt8(ascii: "."))
            append(nanoseconds: remainder, end: UInt8(ascii: "Z"))
            append(end)
        } else {
            append(UInt64(UInt8(ascii: "Z")) | UInt64(end) << 8, length: 2)
        }
    }

    /// What makes a colon of the third and of the sixth 0.
    private static let colons: UInt64 = 0x00_00_0A_00_00_0A_00_00

    /// Appends `units` · 10^-`digits` with at least `digitsMin` decimals.
    ///
    /// - Parameter digits: 0 to 8.
    @inline(__always)
    private mutating func append(units: Int64, digits: Int, digitsMin: Int, end: UInt8) {
        if units < 0 { append(UInt8(ascii: "-")) }
        let (whole, remainder) = units.magnitude.quotientAndRemainder(
            dividingBy: powerOfTen(digits))
        guard remainder > 0 || digitsMin > 0 else { return append(whole: whole, end: end) }
        append(whole: whole, end: UInt8(ascii: "."))
        append(fraction: remainder * powerOfTen(8 - digits), digitsMin: digitsMin, end: end)
    }

    @inline(__always)
    private mutating func append(whole: UInt64, end: UInt8) {
        // Most fees, and no few numbers.
        if whole < 10 {
            return append(UInt64(UInt8(ascii: "0")) + whole | UInt64(end) << 8, length: 2)
        }
        var lowest = whole
        var lengthMin = 1
        if whole >= 10_000_000 {
            lowest = appendAllButSevenDigits(of: whole)
            lengthMin = 7
        }
        let digits = ASCIIWord.digits(of: lowest)
        let length = max(ASCIIWord.lengthWithoutLeadingZeros(digits), lengthMin)
        append(
            digits >> (64 - 8 * UInt64(length)) | UInt64(end) << (8 * UInt64(length)),
            length: length + 1)
    }

    /// Returns the number that the other seven make.
    @inline(never)
    private mutating func appendAllButSevenDigits(of whole: UInt64) -> UInt64 {
        let (high, low) = whole.quotientAndRemainder(dividingBy: 10_000_000)
        append(whole: high, end: UInt8(ascii: "0"))
        removeLast()
        return low
    }

    /// Appends the decimals of `fraction` · 10^-8 without zeros at the end beyond `digitsMin`.
    @inline(__always)
    private mutating func append(fraction: UInt64, digitsMin: Int, end: UInt8) {
        // Few amounts and quantities have decimals.
        guard fraction > 0 else {
            append(ASCIIWord.zeros, length: digitsMin)
            return append(end)
        }
        let digits = ASCIIWord.digits(of: fraction)
        append(digits, length: max(ASCIIWord.lengthWithoutTrailingZeros(digits), digitsMin))
        append(end)
    }

    /// Appends the decimals of a part of a second, which is more than nothing.
    @inline(never)
    private mutating func append(nanoseconds: UInt64, end: UInt8) {
        let (fraction, last) = nanoseconds.quotientAndRemainder(dividingBy: 10)
        if last > 0 {
            append(ASCIIWord.digits(of: fraction), length: 8)
            append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: last))
            append(end)
        } else {
            append(fraction: fraction, digitsMin: 0, end: end)
        }
    }
}

/// A day in words of text.
private struct DateWords {
    let day: Day
    /// `2016-01-`
    let yearAndMonth: UInt64
    /// `04`
    let dayOfMonth: UInt64

    init(of day: Day) {
        self.day = day
        let (year, month, dayOfMonth) = day.date
        let parts = UInt64(truncatingIfNeeded: year) % 10_000 * 10_000 + UInt64(month) * 10
        yearAndMonth = ASCIIWord.digits(of: parts) - Self.hyphens
        self.dayOfMonth = ASCIIWord.digits(of: UInt64(dayOfMonth)) >> 48
    }

    /// What makes a hyphen of the fifth and of the last 0.
    private static let hyphens: UInt64 = 0x03_00_00_03_00_00_00_00
}

/// Eight characters in a machine word, the first one in the lowest byte.
enum ASCIIWord {
    /// Bytes in a word.
    static let size = 8

    /// Eight zeros.
    static let zeros: UInt64 = 0x30_30_30_30_30_30_30_30

    /// The eight digits of a number below 10^8.
    ///
    /// All at once: halves of four digits, quarters of two, single ones, each split by multiplying
    /// with a reciprocal (1/100 as 10,486/2^20, 1/10 as 103/2^10) that is exact for what it meets.
    @inline(__always)
    static func digits(of number: UInt64) -> UInt64 {
        let fours = number / 10_000 | (number % 10_000) << 32
        let hundreds = (fours &* 10_486) >> 20 & 0x0000_007F_0000_007F
        let twos = hundreds | (fours &- hundreds &* 100) << 16
        let tens = (twos &* 103) >> 10 & 0x000F_000F_000F_000F
        return zeros | tens | (twos &- tens &* 10) << 8
    }

    /// How many digits are left of eight when zeros in front are dropped.
    @inline(__always)
    static func lengthWithoutLeadingZeros(_ digits: UInt64) -> Int {
        8 - (digits ^ zeros).trailingZeroBitCount / 8
    }

    /// How many digits are left of eight when zeros at the end are dropped.
    @inline(__always)
    static func lengthWithoutTrailingZeros(_ digits: UInt64) -> Int {
        8 - (digits ^ zeros).leadingZeroBitCount / 8
    }
}

extension [UInt8] {
    /// Appends a text as UTF-8.
    mutating func append(text: String) { append(contentsOf: text.utf8) }

    /// Appends a length of time as `ASCIIText` writes it.
    mutating func append(seconds duration: Duration) {
        var text = ASCIIText(capacity: ASCIIText.valueLengthMax)
        text.append(seconds: duration, end: 0)
        append(&text)
    }

    /// Appends a number as `ASCIIText` writes it.
    mutating func append(_ number: Double, decimals: Int) {
        var text = ASCIIText(capacity: ASCIIText.valueLengthMax)
        text.append(number, decimals: decimals, end: 0)
        append(&text)
    }

    private mutating func append(_ text: inout ASCIIText) {
        text.removeLast()
        text.withBytes { bytes in
            for offset in bytes.byteOffsets {
                append(bytes.unsafeLoad(fromByteOffset: offset, as: UInt8.self))
            }
        }
    }
}

extension Double {
    /// This number in steps of 1 / `stepsPerOne`, rounded half to even from the exact binary
    /// value, or `nil` beyond `Int64`.
    ///
    /// - Parameter stepsPerOne: at most 10^9.
    @inline(__always)
    fileprivate func units(of stepsPerOne: UInt64) -> Int64? {
        guard !isZero, magnitude < 0x1p63 else { return isZero ? 0 : nil }
        // The number is a whole number of 53 bits · 2^-shift; times 10^9 it still keeps clear of
        // 128 bits.
        let shift = Self.significandBitCount - Int(exponent)
        guard shift < 127 else { return 0 }
        let whole = UInt128(UInt64(significand * 0x1p52)) * UInt128(stepsPerOne)
        let steps = shift <= 0 ? whole << -shift : whole.shiftedHalfToEven(by: shift)
        return Int64(exactly: sign == .minus ? -Int128(steps) : Int128(steps))
    }
}

extension UInt128 {
    /// This number / 2^`count`, rounded half to even.
    ///
    /// - Parameter count: 1 to 126.
    fileprivate func shiftedHalfToEven(by count: Int) -> UInt128 {
        let quotient = self >> count
        let remainder = self - quotient << count
        let half = (1 as UInt128) << (count - 1)
        return remainder > half || (remainder == half && quotient & 1 != 0)
            ? quotient + 1 : quotient
    }
}

/// 10 to the power of `exponent`, at most 19. Not a table: reading one costs more.
@inline(__always)
private func powerOfTen(_ exponent: Int) -> UInt64 {
    var power: UInt64 = 1
    for _ in 0..<exponent { power *= 10 }
    return power
}
