import Model
internal import Primitives

/// Turns the lines of one bar file into rows, or reports what is wrong with the first faulty one.
struct RowParser: RowReader {
    /// The bars so far; `start` is what the row's time says.
    var rows: [BarRow] = []
    /// Splits and dividends so far.
    private(set) var actions: [RowAction] = []
    /// The steps between successive rows.
    var steps = StepCount()
    /// The last line taken in, from 1.
    var line = 1
    /// Turns times into timestamps.
    var stamps: StampReader
    /// What the columns hold.
    let header: HeaderLine
    /// Whose rows these are, where a column says it: the text of the first row.
    private(set) var symbol: [UInt8] = []
    /// The smallest step that keeps bars from overlapping, in nanoseconds.
    let stepMin: Int64

    /// The first empty line: there may be no row behind it.
    private(set) var blankLine: Int?

    private let file: String

    /// Reads rows of the file `file` under `header`.
    ///
    /// - Parameter barSize: how long bars are declared to last.
    init(file: String, header: HeaderLine, source: DataSource, barSize: Duration? = nil) {
        self.file = file
        self.header = header
        stamps = StampReader(source: source)
        stepMin = barSize?.nanoseconds ?? 1
    }

    /// Takes in one line of any form.
    mutating func take(_ text: ArraySlice<UInt8>) throws(DataError) {
        guard !CSVLine.trimmed(text).isEmpty else {
            blankLine = blankLine ?? line
            return
        }
        if let blankLine {
            throw DataError(
                file: file, line: blankLine, finding: "found an empty line between rows",
                remedy: "Remove it.")
        }
        let fields: [String]
        do throws(FieldFault) {
            fields = try CSVLine.fields(of: text, count: header.names.count)
        } catch {
            throw DataError(
                file: file, line: line, finding: error.finding, remedy: error.remedy)
        }
        let cells = try self.cells(of: fields)
        guard let row = cells.row else { return }
        try check(row, fields: fields)
        actions += cells.actions.map { RowAction(row: rows.count, line: line, kind: $0) }
        rows.append(row)
    }

    /// What the fields of one line say, each by itself.
    private struct Cells {
        var start: Timestamp?
        var open: Price?
        var high: Price?
        var low: Price?
        var close: Price?
        var volume = Quantity.zero
        var actions: [RowAction.Kind] = []

        /// The row; the header has a column for every part of it.
        var row: BarRow? {
            guard let start, let open, let high, let low, let close else { return nil }
            return BarRow(
                start: start, open: open, high: high, low: low, close: close, volume: volume)
        }
    }

    private mutating func cells(of fields: [String]) throws(DataError) -> Cells {
        var cells = Cells()
        for (column, role) in header.roles.enumerated() {
            let text = fields[column]
            do throws(FieldFault) {
                switch role {
                case .time: cells.start = try stamps.stamp(of: text)
                case .open: cells.open = try FieldText.price(text)
                case .high: cells.high = try FieldText.price(text)
                case .low: cells.low = try FieldText.price(text)
                case .close: cells.close = try FieldText.price(text)
                case .volume: cells.volume = try FieldText.volume(text)
                case .dividend: cells.actions += try FieldText.dividend(text).map { [$0] } ?? []
                case .split: cells.actions += try FieldText.split(text).map { [$0] } ?? []
                case .symbol:
                    if let other = noteSymbol(text) {
                        throw FieldFault(
                            finding: "found \(DataError.quoted(other)) behind rows of "
                                + DataError.quoted(String(decoding: symbol, as: UTF8.self)),
                            remedy: "Keep one symbol a file: martlet data import divides them.")
                    }
                case .other: break
                }
            } catch {
                throw fault(column, error.finding, error.remedy)
            }
        }
        return cells
    }

    /// Takes in whose row it is; gives the text back when the rows before are another symbol's.
    mutating func noteSymbol(_ text: String) -> String? {
        if symbol.isEmpty { symbol = Array(text.utf8) }
        return symbol.elementsEqual(text.utf8) ? nil : text
    }

    /// Compares a row's values with each other and with the row before.
    private mutating func check(_ row: BarRow, fields: [String]) throws(DataError) {
        func fault(_ role: HeaderLine.Role, _ relation: String) -> DataError {
            let column = header.roles.firstIndex(of: role) ?? 0
            return self.fault(
                column, "found \(DataError.quoted(fields[column])), which is \(relation)",
                DataError.correctRow)
        }
        guard row.high >= row.low else { throw fault(.high, "below the low \(row.low)") }
        guard row.high >= row.open else { throw fault(.high, "below the open \(row.open)") }
        guard row.high >= row.close else { throw fault(.high, "below the close \(row.close)") }
        guard row.low <= row.open else { throw fault(.low, "above the open \(row.open)") }
        guard row.low <= row.close else { throw fault(.low, "above the close \(row.close)") }
        guard let previous = rows.last?.start else { return }
        guard row.start != previous else { throw fault(.time, "the time of the row before, too") }
        guard row.start > previous else {
            throw fault(.time, "before the row before (\(previous)): rows go from old to new")
        }
        let step = (row.start - previous).nanoseconds
        guard step >= stepMin || stamps.isDated == true else {
            throw fault(
                .time,
                "only \(row.start - previous) after the row before, within its bar of "
                    + "\(Duration(nanoseconds: stepMin))")
        }
        steps.add(step)
    }

    private func fault(_ column: Int, _ finding: String, _ remedy: String) -> DataError {
        var fault = DataError(file: file, line: line, finding: finding, remedy: remedy)
        fault.column = column + 1
        fault.columnName = header.names[column]
        return fault
    }
}
