internal import Model
internal import Primitives

// The fast path: a row takes it a twentieth of the time of `take`.
//
// It accepts only lines it is sure of: the time has the form learned from a line before, numbers are plain
// digits, and all of it is in order. At the first other line it stops, and `take` decides. Tests hold
// both to the same results.
extension TickParser {
    mutating func takeUsual(_ lines: Range<Int>, of bytes: RawSpan) -> Int {
        takeUsual(lines, of: bytes, countMax: .max)
    }

    /// Takes in lines as long as they are usual.
    ///
    /// - Parameters:
    ///   - bytes: readable for `InputLineReader.paddingBytes` behind `lines`; every load below starts at or
    ///     before a line's end and spans at most 27 bytes from there.
    ///   - countMax: how many lines to take in at most.
    /// - Returns: the first line not taken in, or the end of `lines`.
    mutating func takeUsual(_ lines: Range<Int>, of bytes: RawSpan, countMax: Int) -> Int {
        guard blankLine == nil, var previous = rows.last?.at.nanoseconds else {
            return lines.lowerBound
        }
        UsualField.checkReach(lines, of: bytes)
        var pattern = stamps.pattern
        defer { stamps.pattern = pattern }
        let tradeCell = header.tradeCell
        var position = lines.lowerBound
        let lastLine = line.addingReportingOverflow(countMax)
        let lineMax = lastLine.overflow ? Int.max : lastLine.partialValue
        while position < lines.upperBound, line < lineMax {
            var at = position
            guard let cells = usualCells(bytes, at: &at, &pattern), cells.at >= previous else {
                return position
            }
            switch cells.kind {
            case .quote: rows.append(cells.quote)
            case .trade:
                guard cells.hasTrade(tradeCell) else { return position }
                rows.append(cells.trade(tradeCell))
            case .unsaid:
                guard cells.hasQuote || cells.hasTrade(tradeCell) else { return position }
                if cells.hasQuote { rows.append(cells.quote) }
                if cells.hasTrade(tradeCell) { rows.append(cells.trade(tradeCell)) }
            }
            previous = cells.at
            line &+= 1
            position = at
        }
        return position
    }

    /// The numbers of the line at `position`, which moves behind it.
    @inline(__always)
    private func usualCells(
        _ bytes: RawSpan, at position: inout Int, _ pattern: inout StampPattern
    ) -> TickCells? {
        var cells = TickCells()
        var isFirst = true
        for role in header.roles {
            guard isFirst || UsualField.comma(bytes, at: &position) else { return nil }
            isFirst = false
            switch role {
            case .bid, .bidSize, .ask, .askSize, .price, .size:
                // Empty: the comma or the line's end follows at once.
                guard UsualField.byte(bytes, at: position) >= UInt8(ascii: "0") else { continue }
                guard let value = UsualField.decimal(bytes, at: &position) else { return nil }
                cells.set(role.rawValue, value)
            case .time:
                guard let time = pattern.readFine(bytes, at: &position) else { return nil }
                cells.at = time
            case .kind:
                switch UsualField.byte(bytes, at: position) {
                case UInt8(ascii: "Q"), UInt8(ascii: "q"): cells.kind = .quote
                case UInt8(ascii: "T"), UInt8(ascii: "t"): cells.kind = .trade
                default: return nil
                }
                position &+= 1
            case .other:
                guard UsualField.skip(bytes, at: &position) else { return nil }
            }
        }
        guard UsualField.lineEnd(bytes, at: &position), cells.arePricesSound else { return nil }
        return cells
    }
}
