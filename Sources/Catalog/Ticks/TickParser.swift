internal import Model
internal import Primitives

/// Turns the lines of one tick file into quotes and trades, or reports what is wrong with a faulty one.
struct TickParser: RowReader {
    /// The quotes and trades so far.
    var rows: [TickRow] = []
    /// The last line taken in, from 1.
    var line = 1
    /// Turns times into timestamps.
    var stamps: StampReader
    /// What the columns hold.
    let header: TickHeader
    /// The first empty line: there may be no row behind it.
    var blankLine: Int?

    private let file: String

    /// What is wrong with a line.
    struct Fault: Error {
        /// What kind of fault it is.
        let kind: DataFinding.Kind
        /// The column, from 0, when one field is at fault.
        var column: Int?
        /// As in `DataError`.
        let finding: String
        /// As in `DataError`.
        var remedy = DataError.correctRow
    }

    /// Reads rows of the file `file` under `header`.
    init(file: String, header: TickHeader, source: DataSource) {
        self.file = file
        self.header = header
        stamps = StampReader(source: source, hasFractions: true)
    }

    /// Takes in one line of any form.
    mutating func take(_ text: ArraySlice<UInt8>) throws(DataError) {
        do throws(Fault) {
            let found = try parseLine(text)
            try checkOrder(of: found)
            rows += found
        } catch {
            throw self.error(error)
        }
    }

    /// What one line of any form says: at most a quote and a trade, in this order.
    mutating func parseLine(_ text: ArraySlice<UInt8>) throws(Fault) -> [TickRow] {
        guard !CSVLine.trimmed(text).isEmpty else {
            blankLine = blankLine ?? line
            return []
        }
        if blankLine != nil {
            throw Fault(
                kind: .format, finding: "found a row behind an empty line",
                remedy: "Remove the empty line.")
        }
        let fields: [String]
        do throws(FieldFault) {
            fields = try CSVLine.fields(of: text, count: header.names.count)
        } catch {
            throw Fault(kind: .format, finding: error.finding, remedy: error.remedy)
        }
        return try cells(of: fields).rows(tradeCell: header.tradeCell)
    }

    private mutating func cells(of fields: [String]) throws(Fault) -> TickCells {
        var cells = TickCells()
        for (column, role) in header.roles.enumerated() {
            let text = fields[column]
            do throws(FieldFault) {
                switch role {
                case .time: cells.at = try stamps.stamp(of: text).nanoseconds
                case .kind: cells.kind = try Self.kind(text)
                case .bid, .ask, .price:
                    if !text.isEmpty { cells.set(role.rawValue, try FieldText.price(text).units) }
                case .bidSize, .askSize, .size:
                    if !text.isEmpty { cells.set(role.rawValue, try FieldText.volume(text).units) }
                case .other: break
                }
            } catch {
                let isPrice = [.bid, .ask, .price].contains(role)
                throw Fault(
                    kind: isPrice && OddNumber.read(text) != .unreadable ? .price : .format,
                    column: column, finding: error.finding, remedy: error.remedy)
            }
        }
        guard stamps.isDated != true else {
            throw Fault(
                kind: .format, column: header.roles.firstIndex(of: .time),
                finding: "found a date alone, which tells no instant")
        }
        return cells
    }

    private static func kind(_ text: String) throws(FieldFault) -> TickCells.Kind {
        switch text.lowercased() {
        case "q", "quote": return .quote
        case "t", "trade": return .trade
        default:
            throw FieldFault(
                finding: "found \(DataError.quoted(text)), which is no quote (Q) and no trade (T)",
                remedy: DataError.correctRow)
        }
    }

    private func checkOrder(of found: [TickRow]) throws(Fault) {
        guard let previous = rows.last?.at, let next = found.first?.at, next < previous else {
            return
        }
        throw Fault(
            kind: .unsorted, column: header.roles.firstIndex(of: .time),
            finding: "found \(next), which is before the row before (\(previous)): "
                + "rows go from old to new")
    }

    /// A fault of the newest line with its place.
    private func error(_ fault: Fault) -> DataError {
        var error = DataError(
            file: file, line: line, finding: fault.finding, remedy: fault.remedy)
        error.column = fault.column.map { $0 + 1 }
        error.columnName = fault.column.map { header.names[$0] }
        return error
    }
}

/// The numbers of one row.
struct TickCells {
    /// When it was published, in nanoseconds since 1970 UTC.
    var at: Int64 = 0
    /// The kind that the row names.
    var kind = Kind.unsaid
    private var values = InlineArray<6, Int64>(repeating: 0)
    private var present: UInt8 = 0

    /// What a row is.
    enum Kind {
        /// A quote: nothing else counts.
        case quote
        /// A trade: nothing else counts.
        case trade
        /// What its cells hold: a quote, a trade, or a quote and then a trade.
        case unsaid
    }

    /// Fills a cell; see `TickHeader.Role`.
    @inline(__always)
    mutating func set(_ cell: Int, _ value: Int64) {
        values[cell] = value
        present |= 1 &<< UInt8(truncatingIfNeeded: cell)
    }

    /// Whether a cell was filled.
    @inline(__always)
    private func has(_ cell: Int) -> Bool {
        present & (1 &<< UInt8(truncatingIfNeeded: cell)) != 0
    }

    /// Whether the row has a price to bid or ask.
    @inline(__always) var hasQuote: Bool { present & 0b101 != 0 }

    /// Whether the row has a price that was paid.
    @inline(__always)
    func hasTrade(_ tradeCell: Int) -> Bool { has(tradeCell) }

    /// Whether the prices are such: positive, and not beyond the largest.
    @inline(__always) var arePricesSound: Bool {
        isPriceSound(0) && isPriceSound(2) && isPriceSound(4)
    }

    @inline(__always)
    private func isPriceSound(_ cell: Int) -> Bool {
        !has(cell) || (values[cell] > 0 && values[cell] <= Price.magnitudeMax.units)
    }

    /// The quote.
    @inline(__always) var quote: TickRow {
        // A size is absent with its price.
        let sizes = (present & 0b101) &<< 1
        let parts = present & (0b101 | sizes)
        let isBidSized = parts & 0b10 != 0
        let isAskSized = parts & 0b1000 != 0
        return TickRow(
            at: Timestamp(nanoseconds: at), first: (values[0], isBidSized ? values[1] : 0),
            second: (values[2], isAskSized ? values[3] : 0),
            parts: TickRow.Parts(rawValue: parts & 0b1111))
    }

    /// The trade whose price is in that cell.
    @inline(__always)
    func trade(_ cell: Int) -> TickRow {
        TickRow(
            at: Timestamp(nanoseconds: at), first: (values[cell], values[cell + 1]),
            second: (0, 0), parts: .trade)
    }

    /// What the row says: at most a quote and a trade, in this order.
    func rows(tradeCell: Int) throws(TickParser.Fault) -> [TickRow] {
        switch kind {
        case .quote: return [quote]
        case .trade:
            guard hasTrade(tradeCell) else {
                throw TickParser.Fault(
                    kind: .missingValue, finding: "found a trade without a price")
            }
            return [trade(tradeCell)]
        case .unsaid:
            let rows =
                (hasQuote ? [quote] : []) + (hasTrade(tradeCell) ? [trade(tradeCell)] : [])
            guard !rows.isEmpty else {
                throw TickParser.Fault(
                    kind: .missingValue, finding: "found neither a quote nor a trade")
            }
            return rows
        }
    }
}
