internal import MarketState
import Model
internal import Primitives

/// Reads all rows of a bar file and notes what is wrong with them, where the loader stops at the first
/// faulty one.
///
/// Lines in the usual form go the loader's fast way; the others cost about fifty times as much.
struct RowScan: RowReader {
    /// What was read so far.
    private(set) var result = ScannedFile()

    private var parser: RowParser
    private let header: HeaderLine
    private let columns: Columns
    /// Rows of other symbols than the first row's.
    private var others = (names: Set<String>(), count: 0, line: 0)
    private var isForeign = false
    /// Where an interval of descents is reported when it ends.
    private var descents = Descents()

    /// Which column holds what.
    private struct Columns {
        let time: Int
        let prices: [Int]
        let volume: Int?
        let dividend: Int?
        let split: Int?
        let symbol: Int?

        init(_ header: HeaderLine) {
            func column(_ role: HeaderLine.Role) -> Int? { header.roles.firstIndex(of: role) }
            // A header without the needed ones was refused.
            time = column(.time) ?? 0
            prices = [.open, .high, .low, .close].map { column($0) ?? 0 }
            volume = column(.volume)
            dividend = column(.dividend)
            split = column(.split)
            symbol = column(.symbol)
        }
    }

    /// Rows that are older than the row before them.
    private struct Descents {
        var count = 0
        var first: Int?
        var example = ""
    }

    /// Reads rows under `header`.
    init(file: String, header: HeaderLine, source: DataSource) {
        // Without a length: the loader refuses shorter steps, here they are findings.
        parser = RowParser(file: file, header: header, source: source)
        self.header = header
        columns = Columns(header)
        result.hasVolume = columns.volume != nil
        result.columnNames = header.names
        result.barSize = header.barSize
    }

    var line: Int {
        get { parser.line }
        set { parser.line = newValue }
    }

    mutating func takeUsual(_ lines: Range<Int>, of bytes: RawSpan) -> Int {
        let line = parser.line
        let end = parser.takeUsual(lines, of: bytes)
        if parser.line > line {
            result.lines.append(contentsOf: Int32(line + 1)...Int32(parser.line))
            endDescents()
        }
        return end
    }

    /// What was read, when there is no more.
    consuming func finish() -> ScannedFile {
        result.rows = parser.rows
        parser.rows = []
        result.isDated = parser.stamps.isDated == true
        result.lineCount = parser.line
        endDescents()
        if others.count > 0 {
            let names = others.names.sorted().prefix(5).map { DataError.quoted($0) }
            result.findings.add(
                .symbols, line: others.line, count: others.count,
                "found rows of \(others.names.count == 1 ? "another symbol" : "other symbols") than "
                    + DataError.quoted(String(decoding: parser.symbol, as: UTF8.self)) + ": "
                    + names.joined(separator: ", "))
        }
        return result
    }

    mutating func take(_ text: ArraySlice<UInt8>) {
        let line = parser.line
        guard !CSVLine.trimmed(text).isEmpty else {
            return drop(.format, text, "found an empty line")
        }
        let fields: [String]
        do throws(FieldFault) {
            fields = try CSVLine.fields(of: text, count: header.names.count)
        } catch {
            return drop(.format, text, error.finding)
        }
        let start: Timestamp
        do throws(FieldFault) {
            start = try parser.stamps.stamp(of: fields[columns.time])
        } catch {
            let isMissing = OddNumber.read(fields[columns.time]) == .missing
            return drop(
                isMissing ? .missingValue : .format, text, index(columns.time) + error.finding)
        }
        noteZone(of: fields[columns.time])
        noteSymbol(fields)
        var repair = fields
        let row = priced(start, fields, &repair)
        noteDescent(to: row)
        result.lines.append(Int32(line))
        parser.rows.append(row)
        noteActions(fields)
        let before = String(decoding: CSVLine.trimmed(text), as: UTF8.self)
        if !row.isPriced {
            result.repairs.append(
                LineRepair(line: line, before: before, after: nil, reason: "no usable prices"))
        } else if repair != fields {
            result.repairs.append(
                LineRepair(
                    line: line, before: before,
                    after: repair.map(CSVLine.field).joined(separator: ","),
                    reason: "values made consistent"))
        }
    }

    /// The row of a line. Its prices are all zero when one of them cannot be used.
    private mutating func priced(
        _ start: Timestamp, _ fields: [String], _ repair: inout [String]
    ) -> BarRow {
        var units = columns.prices.compactMap { price($0, fields, &repair) }
        var volume: Int64 = 0
        if let column = columns.volume { volume = self.volume(column, fields, &repair) }
        if units.count < columns.prices.count { units = [0, 0, 0, 0] }
        let row = BarRow(
            start: start, open: Price(units: units[0]), high: Price(units: units[1]),
            low: Price(units: units[2]), close: Price(units: units[3]),
            volume: Quantity(units: volume))
        guard row.isPriced, let (high, low) = widened(row) else { return row }
        let columnHigh = columns.prices[1]
        let columnLow = columns.prices[2]
        result.findings.add(
            .range, line: parser.line,
            "found open \(row.open), high \(row.high), low \(row.low), close \(row.close): "
                + "the high or low contradicts the others")
        if high != row.high { repair[columnHigh] = OddNumber.text(high.units) }
        if low != row.low { repair[columnLow] = OddNumber.text(low.units) }
        return row
    }

    /// The highest and lowest of the four prices, where high and low are not these.
    private func widened(_ row: BarRow) -> (high: Price, low: Price)? {
        let prices = [row.open, row.high, row.low, row.close]
        guard let high = prices.max(), let low = prices.min(), high != row.high || low != row.low
        else { return nil }
        return (high, low)
    }

    /// A usable price, in units.
    private mutating func price(
        _ column: Int, _ fields: [String], _ repair: inout [String]
    ) -> Int64? {
        let text = fields[column]
        switch OddNumber.read(text) {
        case .missing:
            note(.missingValue, column, "found \(DataError.quoted(text)) where a price should be")
        case .unreadable:
            note(.format, column, "found \(DataError.quoted(text)), which is not a decimal number")
        case .number(let units, _) where units <= 0:
            note(.price, column, "found \(DataError.quoted(text)), which is not a positive price")
        case .number(let units, _) where units > Price.magnitudeMax.units:
            note(.price, column, "found \(DataError.quoted(text)), which is too large for a price")
        case .number(let units, isPlain: true): return units
        case .number(let units, isPlain: false):
            note(.format, column, "found \(DataError.quoted(text)), which the loader does not read")
            repair[column] = OddNumber.text(units)
            return units
        }
        return nil
    }

    /// A usable volume, in units; zero in place of an unusable one.
    private mutating func volume(
        _ column: Int, _ fields: [String], _ repair: inout [String]
    ) -> Int64 {
        let text = fields[column]
        let range = 0...Quantity.magnitudeMax.units
        let reading = OddNumber.read(text)
        if case .number(let units, let isPlain) = reading, range.contains(units) {
            guard !isPlain else { return units }
            note(.format, column, "found \(DataError.quoted(text)), which the loader does not read")
            repair[column] = OddNumber.text(units)
            return units
        }
        note(
            reading == .missing ? .missingValue : .format, column,
            "found \(DataError.quoted(text)), which is no volume")
        repair[column] = "0"
        return 0
    }

    private mutating func noteActions(_ fields: [String]) {
        for (column, read) in [
            (columns.dividend, FieldText.dividend), (columns.split, FieldText.split),
        ] {
            guard let column else { continue }
            do throws(FieldFault) {
                guard let kind = try read(fields[column]) else { continue }
                result.actions[Int32(parser.line), default: []].append(kind)
            } catch {
                note(.format, column, error.finding)
            }
        }
    }

    private mutating func noteSymbol(_ fields: [String]) {
        guard let column = columns.symbol, let other = parser.noteSymbol(fields[column]) else {
            return
        }
        if others.count == 0 { others.line = parser.line }
        others.count += 1
        if others.names.count < FindingList.keptMax { others.names.insert(other) }
    }

    /// Text that is not UTF-8 is noted once.
    mutating func noteEncoding(_ lines: ArraySlice<UInt8>) {
        guard !isForeign, let index = TextEncoding.firstForeignLine(lines) else { return }
        isForeign = true
        result.findings.add(
            .encoding, line: parser.line + 1 + index,
            "found bytes that are not UTF-8, as in Latin-1 or Windows-1252")
    }

    /// Times that do not name their zone are noted once.
    private mutating func noteZone(of text: String) {
        guard !result.isZoneUnstated, case .reading(_, _, nil)? = StampText(text) else { return }
        result.isZoneUnstated = true
    }

    private mutating func noteDescent(to row: BarRow) {
        guard let previous = parser.rows.last?.start, row.start < previous else {
            return endDescents()
        }
        if descents.first == nil {
            descents.first = parser.line
            descents.example = "found \(row.start) behind \(previous)"
        }
        descents.count += 1
        result.isSorted = false
    }

    private mutating func endDescents() {
        defer { descents = Descents() }
        guard let first = descents.first else { return }
        let others =
            descents.count == 1 ? "" : ", and \(descents.count - 1) more rows from new to old"
        result.findings.add(
            .unsorted, line: first, count: descents.count, descents.example + others)
    }

    private mutating func drop(
        _ kind: DataFinding.Kind, _ text: ArraySlice<UInt8>, _ finding: String
    ) {
        result.findings.add(kind, line: parser.line, finding)
        result.repairs.append(
            LineRepair(
                line: parser.line,
                before: String(decoding: CSVLine.trimmed(text), as: UTF8.self), after: nil,
                reason: finding))
    }

    private mutating func note(_ kind: DataFinding.Kind, _ column: Int, _ finding: String) {
        let text = index(column) + finding
        result.findings.add(kind, line: parser.line, text)
    }

    private func index(_ column: Int) -> String {
        "column \(column + 1) (\(header.names[column])): "
    }
}

/// What can be done about a faulty line.
struct LineRepair: Hashable, Sendable {
    /// The line of the file, from 1.
    let line: Int
    /// Its text.
    let before: String
    /// What to write in its place; `nil` to leave it out.
    let after: String?
    /// Why.
    let reason: String
}

/// The rows of a file in the order of its lines, and what is wrong with them.
struct ScannedFile {
    /// The rows whose time could be read; see `BarRow.isPriced`.
    var rows: [BarRow] = []
    /// The line of each row.
    var lines: [Int32] = []
    /// How many lines there are, the header included.
    var lineCount = 0
    /// Whether times are dates alone.
    var isDated = false
    /// How long bars last by the name of the time column.
    var barSize: Duration?
    /// Whether no row is older than the row before.
    var isSorted = true
    /// Whether there are times that do not name their zone.
    var isZoneUnstated = false
    /// Whether there is a column for volume.
    var hasVolume = false
    /// The columns' names as written.
    var columnNames: [String] = []
    /// Splits and dividends by line.
    var actions: [Int32: [RowAction.Kind]] = [:]
    /// What was found.
    var findings = FindingList()
    /// What can be done about it, in the order of lines.
    var repairs: [LineRepair] = []
}

extension BarRow {
    /// Whether its prices can be used: a scan gives rows without usable prices zeros.
    var isPriced: Bool { low > .zero }
}
