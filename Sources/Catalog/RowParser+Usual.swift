import Model
internal import Primitives

// The fast path, most of a backtest's run time: a row takes it about 35 ns and `take` 1,500.
//
// It accepts only lines it is sure of: time, open, high, low and close are the first columns, the
// time has the form learned from a line before, the numbers are plain digits, and all values are in
// order. At the first other line it stops, and `take` decides. Tests hold both to the same
// results.
extension RowParser {
    /// Takes in lines as long as they are usual.
    ///
    /// - Parameter bytes: readable for `LineReader.paddingBytes` behind `lines`; every load below
    ///   starts at or before a line's end (a scan stops at the line feed, which is no digit) and
    ///   spans at most 27 bytes from there.
    /// - Returns: the first line not taken in, or the end of `lines`.
    mutating func takeUsual(_ lines: Range<Int>, of bytes: RawSpan) -> Int {
        guard isUsualOrder, blankLine == nil, let last = rows.last?.start.nanoseconds else {
            return lines.lowerBound
        }
        UsualField.checkReach(lines, of: bytes)
        var reader = UsualRows(after: last, stamps.pattern, tail: header.roles.dropFirst(5))
        reader.symbol = symbol
        reader.stepMin = stepMin
        // Moved, not copied: two owners would make each count anew.
        swap(&reader.steps, &steps)
        var position = lines.lowerBound
        let first = rows.count
        rows.append(addingCapacity: lines.count / UsualRows.lineBytesMin) { rows in
            while position < lines.upperBound, let row = reader.row(bytes, at: &position) {
                rows.append(row)
            }
        }
        line += rows.count - first
        swap(&reader.steps, &steps)
        stamps.pattern = reader.pattern
        return position
    }

    private var isUsualOrder: Bool {
        header.roles.starts(with: [.time, .open, .high, .low, .close])
    }
}

/// Reads usual rows, each later than the one before.
private struct UsualRows {
    var pattern: StampPattern
    /// The smallest step that keeps bars from overlapping, in nanoseconds.
    var stepMin: Int64 = 1
    /// The steps so far.
    var steps = StepCount()
    /// What stands in a column of symbols.
    var symbol: [UInt8] = []
    private var previous: Int64
    private var price = PricePattern()
    private let tail: ArraySlice<HeaderLine.Role>
    private let endsWithVolume: Bool

    /// No usual line is shorter: a time of nine characters, four prices of a comma and a digit, a line feed.
    static var lineBytesMin: Int { 18 }

    /// - Parameter tail: what the columns behind the close hold.
    init(after previous: Int64, _ pattern: StampPattern, tail: ArraySlice<HeaderLine.Role>) {
        self.previous = previous
        self.pattern = pattern
        self.tail = tail
        endsWithVolume = tail.count == 1 && tail.first == .volume
    }

    /// The row in the line at `position`, which moves behind it; `nil` when the line is not usual.
    @inline(__always)
    mutating func row(_ bytes: RawSpan, at position: inout Int) -> BarRow? {
        var at = position
        guard let start = pattern.read(bytes, at: &at), UsualField.comma(bytes, at: &at),
            let open = price.read(bytes, at: &at), UsualField.comma(bytes, at: &at),
            let high = price.read(bytes, at: &at), UsualField.comma(bytes, at: &at),
            let low = price.read(bytes, at: &at), UsualField.comma(bytes, at: &at),
            let close = price.read(bytes, at: &at),
            let volume = endsWithVolume
                ? Self.volume(bytes, at: &at) : tail(bytes, at: &at)
        else { return nil }
        let step = start &- previous
        guard step >= stepMin, low > 0, low <= open, low <= close, high >= open, high >= close,
            high <= Price.magnitudeMax.units
        else { return nil }
        steps.add(step)
        previous = start
        position = at
        return BarRow(
            start: Timestamp(nanoseconds: start), open: Price(units: open),
            high: Price(units: high), low: Price(units: low), close: Price(units: close),
            volume: Quantity(units: volume))
    }

    /// Reads the usual last column and the line's end.
    @inline(__always)
    private static func volume(_ bytes: RawSpan, at position: inout Int) -> Int64? {
        guard UsualField.comma(bytes, at: &position),
            let volume = UsualField.decimal(bytes, at: &position),
            UsualField.lineEnd(bytes, at: &position)
        else { return nil }
        return volume
    }

    /// Reads the columns behind the close and the line's end; the result is the volume.
    private func tail(_ bytes: RawSpan, at position: inout Int) -> Int64? {
        var volume: Int64 = 0
        for role in tail {
            guard UsualField.comma(bytes, at: &position) else { return nil }
            switch role {
            case .volume:
                guard let value = UsualField.decimal(bytes, at: &position) else { return nil }
                volume = value
            case .dividend, .split:
                // Without an action: empty, or a zero, or for a split a one.
                guard UsualField.byte(bytes, at: position) >= UInt8(ascii: "0") else { break }
                let value = UsualField.decimal(bytes, at: &position)
                guard value == 0 || role == .split && value == Quantity.unitsPerOne else {
                    return nil
                }
            case .symbol:
                // It has no line feed: the comparison ends with the line at the latest.
                for byte in symbol {
                    guard UsualField.byte(bytes, at: position) == byte else { return nil }
                    position &+= 1
                }
            case .other:
                guard UsualField.skip(bytes, at: &position) else { return nil }
            case .time, .open, .high, .low, .close: return nil
            }
        }
        return UsualField.lineEnd(bytes, at: &position) ? volume : nil
    }
}
