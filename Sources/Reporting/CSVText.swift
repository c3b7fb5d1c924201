import Model
import Primitives

/// One column of a CSV file, as the documentation describes it and the header names it.
package struct CSVColumn: Hashable, Sendable {
    /// The name in the header: lower case with underscores; stable.
    package let name: String
    /// What its cells look like.
    package let type: CSVType
    /// What they mean, and when they are empty.
    package let meaning: String

    /// A column.
    init(_ name: String, _ type: CSVType, _ meaning: String) {
        self.name = name
        self.type = type
        self.meaning = meaning
    }
}

/// What the cells of a column look like.
package enum CSVType: Hashable, Sendable {
    /// Any text; what a spreadsheet would take for a formula has a `'` in front.
    case text
    /// One of these words.
    case word([String])
    /// A whole number.
    case integer
    /// An exact decimal number.
    case decimal
    /// A number with six decimals.
    case ratio
    /// An instant in UTC: `2016-01-04T15:00:00Z`.
    case time
    /// A civil day: `2016-01-04`.
    case day
    /// A number and which version of it: `17.1`. Read as text: `17.10` is not `17.1`.
    case revision
}

extension CSVType: CustomStringConvertible {
    /// In words: `exact decimal`, `BUY or SELL`.
    package var description: String {
        switch self {
        case .text: "text"
        case .word(let words): words.joined(separator: " or ")
        case .integer: "integer"
        case .decimal: "exact decimal"
        case .ratio: "number, 6 decimals"
        case .time: "ISO 8601 time, UTC"
        case .day: "ISO 8601 day"
        case .revision: "number.revision"
        }
    }
}

/// What documentation says about one CSV file.
package struct CSVDescription: Hashable, Sendable {
    /// The file's name: `fills.csv`.
    package let file: String
    /// What its rows are.
    package let rows: String
    /// Its columns from left to right.
    package let columns: [CSVColumn]
}

/// A CSV file in the making: the header of its description, then row after row, all ended by LF.
struct CSVText {
    /// What is written so far.
    private(set) var bytes: [UInt8] = []

    private let columnCount: Int
    private var cellCount = 0

    /// A file that has its header.
    ///
    /// - Parameter rowCount: how many rows will follow.
    init(_ description: CSVDescription, rowCount: Int) {
        columnCount = description.columns.count
        // More than most rows take, so that the buffer seldom moves.
        bytes.reserveCapacity(192 * (rowCount + 1))
        bytes.append(text: description.columns.map { $0.name }.joined(separator: ","))
        bytes.append(CSV.lineEnd)
    }

    /// Adds a cell with a price, empty without one.
    mutating func add(_ price: Price?) {
        if let price { bytes.append(price) }
        endCell()
    }

    /// Adds a cell with a quantity.
    mutating func add(_ quantity: Quantity) {
        bytes.append(quantity)
        endCell()
    }

    /// Adds a cell with an amount.
    mutating func add(_ money: Money) {
        bytes.append(money)
        endCell()
    }

    /// Adds a cell with a whole number.
    mutating func add(_ integer: Int64) {
        bytes.append(integer: integer)
        endCell()
    }

    /// Adds a cell with a day.
    mutating func add(_ day: Day) {
        bytes.append(day)
        endCell()
    }

    /// Adds a cell with an instant, empty without one.
    mutating func add(_ instant: Timestamp?) {
        if let instant { bytes.append(instant) }
        endCell()
    }

    /// Adds a cell with a length of time in seconds.
    mutating func add(seconds duration: Duration) {
        bytes.append(seconds: duration)
        endCell()
    }

    /// Adds a cell with a fraction in percent, empty without one.
    mutating func add(percentOf fraction: Double?) {
        if let fraction { bytes.append(fraction * 100, decimals: 6) }
        endCell()
    }

    /// Adds a cell with an execution's number and revision.
    mutating func add(_ execution: ExecutionID) {
        bytes.append(integer: execution.base)
        bytes.append(UInt8(ascii: "."))
        bytes.append(integer: Int64(execution.revision))
        endCell()
    }

    /// Adds a cell with one of our own words.
    mutating func add(word: String) {
        bytes.append(text: word)
        endCell()
    }

    /// Adds a cell as `CSV.cell` made it.
    mutating func add(cell: [UInt8]) {
        bytes.append(contentsOf: cell)
        endCell()
    }

    /// Ends the row; a cell for each column must have been added.
    mutating func endRow() {
        precondition(cellCount == columnCount, "a row has a cell for each column")
        bytes[bytes.count - 1] = CSV.lineEnd
        cellCount = 0
    }

    private mutating func endCell() {
        bytes.append(CSV.comma)
        cellCount += 1
    }
}

/// The texts of a run as CSV cells, made once: a run has few texts and many rows.
struct TextCells: Sendable {
    private let symbols: [[UInt8]]
    private let currencies: [[UInt8]]
    private let strategies: [[UInt8]]
    private let reasons: [[UInt8]]

    /// The cells of a run.
    init(of record: RunRecord) {
        symbols = record.instruments.map { CSV.cell($0.symbol) }
        currencies = record.instruments.map { CSV.cell($0.currency) }
        strategies = record.strategies.map { CSV.cell($0) }
        reasons = record.reasons.map { CSV.cell($0) }
    }

    /// The ticker.
    func symbol(_ instrument: InstrumentID) -> [UInt8] { symbols[Int(instrument.index)] }

    /// The currency of the prices.
    func currency(_ instrument: InstrumentID) -> [UInt8] { currencies[Int(instrument.index)] }

    /// The name.
    func name(_ strategy: StrategyID) -> [UInt8] { strategies[Int(strategy.index)] }

    /// The text of a reason; number 0 is the empty text, whether or not it is listed.
    func reason(_ reason: TextID) -> [UInt8] {
        reason == .none ? [] : reasons[Int(reason.index)]
    }
}

/// How a text becomes a cell: RFC 4180, and no formula in it.
enum CSV {
    /// Between cells.
    static let comma = UInt8(ascii: ",")
    /// Behind each row.
    static let lineEnd = UInt8(ascii: "\n")
    private static let quote = UInt8(ascii: "\"")
    private static let apostrophe = UInt8(ascii: "'")

    /// The bytes of a text cell.
    ///
    /// A text that a spreadsheet would take for a formula gets a leading `'` (OWASP, "CSV
    /// Injection"). One with a comma, a quote or a line break is quoted, its quotes doubled (RFC
    /// 4180, section 2).
    static func cell(_ text: String) -> [UInt8] {
        var cell = Array(text.utf8)
        if let first = cell.first, startsFormula(first) { cell.insert(apostrophe, at: 0) }
        guard cell.contains(where: needsQuotes) else { return cell }
        let doubled = cell.flatMap { $0 == quote ? [quote, quote] : [$0] }
        return [quote] + doubled + [quote]
    }

    private static func startsFormula(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "="), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "@"),
            UInt8(ascii: "\t"), UInt8(ascii: "\r"), 0:
            true
        default: false
        }
    }

    private static func needsQuotes(_ byte: UInt8) -> Bool {
        byte == comma || byte == quote || byte == UInt8(ascii: "\r") || byte == lineEnd
    }
}
