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
    /// A time in UTC: `2016-01-04T15:00:00Z`.
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

    /// Its first line, without the end.
    package var header: String { columns.map { $0.name }.joined(separator: ",") }
}

/// A CSV file in the making: the header of its description, then row after row, all ended by LF. It
/// is handed over in blocks, so that a long file needs no more memory than a short one.
struct CSVText: ~Copyable {
    private var text: ASCIIText
    private let cells: TextCells
    private let columnCount: Int
    private var cellCount = 0

    /// How long a block gets before it is handed over: it stays in a processor's cache.
    private static let blockLength = 1 << 16

    /// The beginning of a file, or more rows of one.
    ///
    /// - Parameter isHeaded: false for rows behind those that a file has.
    init(_ description: CSVDescription, _ cells: TextCells, isHeaded: Bool = true) {
        self.cells = cells
        columnCount = description.columns.count
        let header = description.header
        // A cell is a text, or one value or two.
        let cellLengthMax = max(2 * ASCIIText.valueLengthMax, cells.lengthMax)
        text = ASCIIText(
            capacity: Self.blockLength + columnCount * cellLengthMax + header.utf8.count + 1)
        guard isHeaded else { return }
        text.append(text: header)
        text.append(CSV.lineEnd)
    }

    /// Adds a cell with a price, empty without one.
    @inline(__always)
    mutating func add(_ price: Price?) {
        cellCount += 1
        guard let price else { return text.append(CSV.comma) }
        text.append(price, end: CSV.comma)
    }

    /// Adds a cell with a quantity.
    @inline(__always)
    mutating func add(_ quantity: Quantity) {
        cellCount += 1
        text.append(quantity, end: CSV.comma)
    }

    /// Adds a cell with an amount, empty without one.
    @inline(__always)
    mutating func add(_ money: Money?) {
        cellCount += 1
        guard let money else { return text.append(CSV.comma) }
        text.append(money, end: CSV.comma)
    }

    /// Adds a cell with a whole number.
    @inline(__always)
    mutating func add(_ integer: Int64) {
        cellCount += 1
        text.append(integer: integer, end: CSV.comma)
    }

    /// Adds a cell with a day.
    @inline(__always)
    mutating func add(_ day: Day) {
        cellCount += 1
        text.append(day, end: CSV.comma)
    }

    /// Adds a cell with a time, empty without one.
    @inline(__always)
    mutating func add(_ time: Timestamp?) {
        cellCount += 1
        guard let time else { return text.append(CSV.comma) }
        text.append(time, end: CSV.comma)
    }

    /// Adds a cell with a length of time in seconds.
    @inline(__always)
    mutating func add(seconds duration: Duration) {
        cellCount += 1
        text.append(seconds: duration, end: CSV.comma)
    }

    /// Adds a cell with a fraction in percent, empty without one.
    mutating func add(percentOf fraction: Double?) {
        cellCount += 1
        guard let fraction else { return text.append(CSV.comma) }
        text.append(fraction * 100, decimals: 6, end: CSV.comma)
    }

    /// Adds a cell with a number of six decimals, empty without one.
    mutating func add(number: Double?) {
        cellCount += 1
        guard let number else { return text.append(CSV.comma) }
        text.append(number, decimals: 6, end: CSV.comma)
    }

    /// Adds a cell with a whole number, empty without one.
    mutating func add(integer: Int?) {
        cellCount += 1
        guard let integer else { return text.append(CSV.comma) }
        text.append(integer: Int64(integer), end: CSV.comma)
    }

    /// Adds a cell with one of our own words, empty without one.
    mutating func add(word: TableWord?) {
        guard let word else {
            cellCount += 1
            return text.append(CSV.comma)
        }
        add(word)
    }

    /// Adds a cell with an execution's number and revision.
    @inline(__always)
    mutating func add(_ execution: ExecutionID) {
        cellCount += 1
        text.append(integer: execution.base, end: UInt8(ascii: "."))
        text.append(integer: Int64(execution.revision), end: CSV.comma)
    }

    /// Adds a cell with one of our own words.
    @inline(__always)
    mutating func add(_ word: TableWord) { add(cells.word(word)) }

    /// Adds a cell with the ticker.
    @inline(__always)
    mutating func add(symbolOf instrument: InstrumentID) { add(cells.symbol(instrument)) }

    /// Adds a cell with the currency of the prices.
    @inline(__always)
    mutating func add(currencyOf instrument: InstrumentID) { add(cells.currency(instrument)) }

    /// Adds a cell with the name.
    @inline(__always)
    mutating func add(_ strategy: StrategyID) { add(cells.name(strategy)) }

    /// Adds a cell with the text of a reason.
    @inline(__always)
    mutating func add(_ reason: TextID) { add(cells.reason(reason)) }

    /// Adds a cell with a text.
    mutating func add(text cell: String) {
        cellCount += 1
        for byte in CSV.cell(cell) { text.append(byte) }
        text.append(CSV.comma)
    }

    /// Adds a cell with the text of a number or a time: a minus in front of it begins no formula.
    mutating func add(numeral cell: String) {
        cellCount += 1
        for byte in cell.utf8 { text.append(byte) }
        text.append(CSV.comma)
    }

    /// Adds an empty cell.
    mutating func addNothing() {
        cellCount += 1
        text.append(CSV.comma)
    }

    /// Ends the row, for which a cell for each column must have been added. Hands over a block if
    /// there is one.
    @inline(__always)
    mutating func endRow<Failure>(
        _ take: (RawSpan) throws(Failure) -> Void
    ) throws(Failure) {
        precondition(cellCount == columnCount, "a row has a cell for each column")
        cellCount = 0
        text.removeLast()
        text.append(CSV.lineEnd)
        if text.count >= Self.blockLength { try hand(to: take) }
    }

    /// Hands over what is written.
    mutating func hand<Failure>(
        to take: (RawSpan) throws(Failure) -> Void
    ) throws(Failure) {
        try text.withBytes(take)
        text.clear()
    }

    @inline(__always)
    private mutating func add(_ cell: TextCells.Cell) {
        cellCount += 1
        var remainder = cell.length
        var word = cell.word
        while remainder > ASCIIWord.size {
            text.append(cells.words[word], length: ASCIIWord.size)
            remainder -= ASCIIWord.size
            word += 1
        }
        text.append(cells.words[word], length: remainder)
    }
}

/// The texts of a run as CSV cells, made once: a run has few texts and many rows.
struct TextCells: Sendable {
    /// All cells, each with the comma behind it, in machine words from a new one on.
    fileprivate private(set) var words: [UInt64] = []
    /// How long the longest of them is.
    private(set) var lengthMax = 0

    private var symbols: [Cell] = []
    private var currencies: [Cell] = []
    private var strategies: [Cell] = []
    private var reasons: [Cell] = []
    private var tableWords: [Cell] = []

    /// Where a cell is.
    fileprivate struct Cell: Sendable {
        /// Its first word.
        let word: Int
        /// How many bytes it has.
        let length: Int
    }

    /// The cells of a run.
    init(of record: RunRecord) {
        // Reason number 0 is the empty text, whether or not it is listed.
        let texts = [""] + record.reasons.dropFirst()
        symbols = record.instruments.map { cell($0.symbol) }
        currencies = record.instruments.map { cell($0.currency) }
        strategies = record.strategies.map { cell($0) }
        reasons = texts.map { cell($0) }
        tableWords = TableWord.allCases.map { cell($0.text) }
    }

    /// The cells of rows with nothing but these.
    init(symbols: [String], strategies: [String]) {
        self.symbols = symbols.map { cell($0) }
        self.strategies = strategies.map { cell($0) }
    }

    private mutating func cell(_ text: String) -> Cell {
        let cell = CSV.cell(text) + [CSV.comma]
        let newCell = Cell(word: words.count, length: cell.count)
        lengthMax = max(lengthMax, cell.count)
        for start in stride(from: 0, to: cell.count, by: ASCIIWord.size) {
            let bytes = cell[start...].prefix(ASCIIWord.size)
            words.append(bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) })
        }
        return newCell
    }

    fileprivate func symbol(_ instrument: InstrumentID) -> Cell {
        symbols[Int(instrument.index)]
    }

    fileprivate func currency(_ instrument: InstrumentID) -> Cell {
        currencies[Int(instrument.index)]
    }

    fileprivate func name(_ strategy: StrategyID) -> Cell { strategies[Int(strategy.index)] }

    fileprivate func reason(_ reason: TextID) -> Cell { reasons[Int(reason.index)] }

    fileprivate func word(_ word: TableWord) -> Cell { tableWords[Int(word.rawValue)] }
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
