internal import Primitives

/// Fields of comma-separated text in the form they mostly have, read without making texts of them.
///
/// Every function loads at most eight bytes from where it starts, or from behind what it has recognised.
/// It never recognises a line feed but as a line's end, so it stays within lines for which
/// `checkReach` was asked, and the padding behind them. That is why loads are not checked one by one:
/// their checks were a quarter of a row's instructions.
enum UsualField {
    /// Stops the process unless `lines` of `bytes` end with a line feed and enough can be read behind them.
    static func checkReach(_ lines: Range<Int>, of bytes: RawSpan) {
        precondition(
            lines.lowerBound >= 0
                && lines.upperBound <= bytes.byteCount - LineReader.paddingBytes,
            "there is padding behind the lines")
        precondition(
            lines.isEmpty || byte(bytes, at: lines.upperBound - 1) == UInt8(ascii: "\n"),
            "the last line ends with a line feed")
    }

    @inline(__always)
    static func byte(_ bytes: RawSpan, at position: Int) -> UInt8 {
        load(bytes, at: position, as: UInt8.self)
    }

    @inline(__always)
    static func word(_ bytes: RawSpan, at position: Int) -> UInt64 {
        load(bytes, at: position, as: UInt64.self)
    }

    /// What stands at `position`, which is not behind the end of the line that is read.
    @inline(__always)
    static func load<Number: FixedWidthInteger & BitwiseCopyable>(
        _ bytes: RawSpan, at position: Int, as type: Number.Type
    ) -> Number {
        assert(position >= 0 && position <= bytes.byteCount - type.bitWidth / 8, "within the bytes")
        return bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: position, as: type)
    }

    /// Takes a comma.
    @inline(__always)
    static func comma(_ bytes: RawSpan, at position: inout Int) -> Bool {
        defer { position &+= 1 }
        return byte(bytes, at: position) == UInt8(ascii: ",")
    }

    /// Takes a line feed, with a carriage return before it or without.
    @inline(__always)
    static func lineEnd(_ bytes: RawSpan, at position: inout Int) -> Bool {
        if byte(bytes, at: position) == UInt8(ascii: "\r") { position &+= 1 }
        defer { position &+= 1 }
        return byte(bytes, at: position) == UInt8(ascii: "\n")
    }

    /// Moves to the next comma or line end; `false` when there is a quotation mark before.
    @inline(__always)
    static func skip(_ bytes: RawSpan, at position: inout Int) -> Bool {
        while true {
            switch byte(bytes, at: position) {
            case UInt8(ascii: "\""): return false
            case UInt8(ascii: ","), UInt8(ascii: "\n"), UInt8(ascii: "\r"): return true
            default: position &+= 1
            }
        }
    }

    /// The number at `position` in steps of 10^-8, below 10^10, and moves `position` behind it.
    @inline(__always)
    static func decimal(_ bytes: RawSpan, at position: inout Int) -> Int64? {
        let (values, others) = DigitWords.split(word(bytes, at: position))
        let whole = others.trailingZeroBitCount >> 3
        guard whole > 0 else { return nil }
        if byte(bytes, at: position &+ whole) == UInt8(ascii: "."), others & (others &- 1) != 0 {
            // The usual price: point and end are among the eight characters. Close the gap that the
            // point leaves, and read all digits as one number.
            let count = (others & (others &- 1)).trailingZeroBitCount >> 3 &- 1
            guard count > whole else { return nil }
            position &+= count &+ 1
            let before = ((others & (0 &- others)) >> 7) &- 1
            let digits = (values & before) | ((values >> 8) & ~before)
            return DigitWords.number(first: count, of: digits) &* scale(decimals: count &- whole)
        }
        var number = DigitWords.number(first: whole, of: values)
        position &+= whole
        if whole == 8 {
            let (values, others) = DigitWords.split(word(bytes, at: position))
            let more = others.trailingZeroBitCount >> 3
            guard more <= 2 else { return nil }
            if more > 0 {
                number =
                    number &* (more == 1 ? 10 : 100)
                    &+ DigitWords.number(first: more, of: values)
            }
            position &+= more
        }
        let units = number &* Price.unitsPerOne
        guard byte(bytes, at: position) == UInt8(ascii: ".") else { return units }
        position &+= 1
        let (decimals, end) = DigitWords.split(word(bytes, at: position))
        let count = end.trailingZeroBitCount >> 3
        guard count > 0 else { return nil }
        position &+= count
        return units &+ DigitWords.number(DigitWords.prefix(count, of: decimals))
    }

    /// The units in the last of 1 to 6 decimals.
    @inline(__always)
    static func scale(decimals: Int) -> Int64 {
        switch decimals {
        case 1: 10_000_000
        case 2: 1_000_000
        case 3: 100_000
        case 4: 10_000
        case 5: 1_000
        default: 100
        }
    }
}
