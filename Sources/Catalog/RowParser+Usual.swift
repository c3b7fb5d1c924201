internal import Primitives

// The fast path, most of a backtest's run time: a row takes it about 35 ns and `parseLine` 1,500.
//
// It accepts only lines it is sure of: time, open, high, low and close are the first columns, the
// time has the form learned from a line before, the numbers are plain digits, and all values are in
// order. At the first other line it stops, and `parseLine` decides. Tests hold both to the same
// results.
extension RowParser {
    /// Takes in lines as long as they are usual.
    ///
    /// - Parameter bytes: readable for `LineReader.paddingBytes` behind `lines`; every load below
    ///   starts at or before a line's end (a scan stops at the line feed, which is no digit) and
    ///   spans at most 27 bytes from there.
    /// - Returns: the first line not taken in, or the end of `lines`.
    mutating func parseUsual(_ lines: Range<Int>, of bytes: RawSpan) -> Int {
        var pattern = stamps.pattern
        let tail = header.roles.dropFirst(5)
        let endsWithVolume = tail.count == 1 && tail.first == .volume
        defer { stamps.pattern = pattern }
        guard isUsualOrder, blankLine == nil, var previous = rows.last?.start.nanoseconds else {
            return lines.lowerBound
        }
        var position = lines.lowerBound
        while position < lines.upperBound {
            var at = position
            guard let start = pattern.read(bytes, at: &at), Self.comma(bytes, at: &at),
                let open = Self.decimal(bytes, at: &at), Self.comma(bytes, at: &at),
                let high = Self.decimal(bytes, at: &at), Self.comma(bytes, at: &at),
                let low = Self.decimal(bytes, at: &at), Self.comma(bytes, at: &at),
                let close = Self.decimal(bytes, at: &at),
                let volume = endsWithVolume
                    ? Self.volume(bytes, at: &at) : Self.tail(tail, bytes, at: &at)
            else { return position }
            let step = start &- previous
            guard step >= stepMin, low > 0, low <= open, low <= close, high >= open, high >= close,
                high <= Price.magnitudeMax.units
            else { return position }
            rows.append(
                BarRow(
                    start: Timestamp(nanoseconds: start), open: Price(units: open),
                    high: Price(units: high), low: Price(units: low), close: Price(units: close),
                    volume: Quantity(units: volume)))
            stepSmallest = min(stepSmallest, step)
            previous = start
            line &+= 1
            position = at
        }
        return position
    }

    private var isUsualOrder: Bool {
        header.roles.starts(with: [.time, .open, .high, .low, .close])
    }

    /// Reads the usual last column and the line's end.
    @inline(__always)
    private static func volume(_ bytes: RawSpan, at position: inout Int) -> Int64? {
        guard comma(bytes, at: &position), let volume = decimal(bytes, at: &position),
            lineEnd(bytes, at: &position)
        else { return nil }
        return volume
    }

    /// Reads the columns behind the close and the line's end; the result is the volume.
    private static func tail(
        _ roles: ArraySlice<HeaderLine.Role>, _ bytes: RawSpan, at position: inout Int
    ) -> Int64? {
        var volume: Int64 = 0
        for role in roles {
            guard comma(bytes, at: &position) else { return nil }
            switch role {
            case .volume:
                guard let value = decimal(bytes, at: &position) else { return nil }
                volume = value
            case .dividend, .split:
                // Without an action: empty, or a zero, or for a split a one.
                guard byte(bytes, at: position) >= UInt8(ascii: "0") else { break }
                let value = decimal(bytes, at: &position)
                guard value == 0 || role == .split && value == Quantity.unitsPerOne else {
                    return nil
                }
            case .other:
                guard skip(bytes, at: &position) else { return nil }
            case .time, .open, .high, .low, .close: return nil
            }
        }
        return lineEnd(bytes, at: &position) ? volume : nil
    }

    @inline(__always)
    private static func lineEnd(_ bytes: RawSpan, at position: inout Int) -> Bool {
        if byte(bytes, at: position) == UInt8(ascii: "\r") { position &+= 1 }
        defer { position &+= 1 }
        return byte(bytes, at: position) == UInt8(ascii: "\n")
    }

    @inline(__always)
    private static func byte(_ bytes: RawSpan, at position: Int) -> UInt8 {
        bytes.unsafeLoadUnaligned(fromByteOffset: position, as: UInt8.self)
    }

    @inline(__always)
    private static func word(_ bytes: RawSpan, at position: Int) -> UInt64 {
        bytes.unsafeLoadUnaligned(fromByteOffset: position, as: UInt64.self)
    }

    @inline(__always)
    private static func comma(_ bytes: RawSpan, at position: inout Int) -> Bool {
        defer { position &+= 1 }
        return byte(bytes, at: position) == UInt8(ascii: ",")
    }

    /// Moves to the next comma or line end; `false` when there is a quotation mark before.
    @inline(__always)
    private static func skip(_ bytes: RawSpan, at position: inout Int) -> Bool {
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
    private static func decimal(_ bytes: RawSpan, at position: inout Int) -> Int64? {
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
    private static func scale(decimals: Int) -> Int64 {
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
