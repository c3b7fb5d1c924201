import Catalog
import MarketState
import Model
import Primitives

/// How a data command reads times, in the words of its command line.
package struct DataReading: Sendable {
    /// `new_york`, or `always` for no sessions.
    package var calendar = "new_york"
    /// `utc` or `new_york`; `nil` when every time says its zone, or none has one.
    package var zone: String?
    /// Which end of a bar a time marks: `start` or `end`.
    package var stamp = "start"
    /// How long a bar lasts, such as `1m`; found out when `nil`.
    package var barSize: String?

    /// Times that name their zone and mark the start of bars in New York's sessions.
    package init() {}

    /// A source that is read like this.
    func source(path: String) throws(RunFailure) -> DataSource {
        var source = DataSource(path: path, calendar: try Self.calendar(named: calendar))
        source.zone = try zone.map { (name) throws(RunFailure) in
            try Self.choice(name, of: WallClock.allCases, "zone")
        }
        source.stamp = try Self.choice(stamp, of: BarStamp.allCases, "stamp")
        source.barSize = try barSize.map { (text) throws(RunFailure) in try BarSizeText.read(text) }
        return source
    }

    /// The calendar of that name.
    static func calendar(named name: String) throws(RunFailure) -> SessionCalendar {
        switch name {
        case "new_york": return .newYork
        case "always": return .always
        default: throw .usage("--calendar must be new_york or always, not '\(name.printable)'.")
        }
    }

    static func choice<Choice: RawRepresentable<String>>(
        _ name: String, of choices: [Choice], _ option: String
    ) throws(RunFailure) -> Choice {
        if let choice = Choice(rawValue: name) { return choice }
        let names = choices.map(\.rawValue).joined(separator: " or ")
        throw .usage("--\(option) must be \(names), not '\(name.printable)'.")
    }
}

/// The files a data command looks at, and how they are meant.
package struct DataSelection: Sendable {
    /// What the files are and how they are read.
    private(set) var source: DataSource

    /// Files at `path`.
    ///
    /// - Parameter symbols: which of them, separated by commas; all when empty.
    package init(
        path: String, symbols: String, reading: DataReading
    ) throws(RunFailure) {
        source = try reading.source(path: path)
        source.symbols = DataTools.names(symbols)
    }

    /// Files that are read like `source`.
    init(_ source: DataSource) { self.source = source }

    /// The reports on all files, in symbol order, and how each is to be read.
    ///
    /// - Parameter progress: receives how many bytes are done, and of how many.
    func reports(progress: ((Int, Int) -> Void)?) throws(RunFailure) -> [FileReport] {
        let files = try files()
        let total = files.reduce(0) { $0 + $1.bytes }
        var done = 0
        return files.map { file in
            DataCheck.check(file, source: source) { count in
                done += count
                progress?(done, total)
            }
        }
    }

    /// The files.
    ///
    /// - Parameter areSymbols: whether they are named by symbols.
    func files(areSymbols: Bool = true) throws(RunFailure) -> [DataFolder.File] {
        do throws(DataError) {
            return try DataFolder.files(of: source, areSymbols: areSymbols)
        } catch {
            throw .data(
                error.remedied(
                    "Name a folder of SYMBOL.csv or SYMBOL.csv.gz files, or one such file.",
                    insteadOf: ["path"]))
        }
    }

    /// Writes a repaired copy of a file.
    func repair(
        _ file: DataFolder.File, into folder: String
    ) throws(RunFailure) -> (path: String?, changes: [DataRepair.Change]) {
        try DataTools.attempt { () throws(DataError) in
            try DataRepair.repair(file, source: source, into: folder)
        }
    }

    /// Writes a file in binary form.
    func pack(
        _ file: DataFolder.File, into folder: String
    ) throws(RunFailure) -> (path: String, barCount: Int, bytes: Int) {
        try DataTools.attempt { () throws(DataError) in
            try DataPack.write(file, source: source, to: folder)
        }
    }

    /// The same settings for another folder.
    func moved(to path: String) -> DataSelection {
        var selection = self
        selection.source.path = path
        return selection
    }
}

/// What data commands have in common.
enum DataTools {
    /// What `body` gives; an error about data ends the command.
    static func attempt<Value>(
        _ body: () throws(DataError) -> Value
    ) throws(RunFailure) -> Value {
        do throws(DataError) { return try body() } catch { throw .data(error) }
    }

    /// Lines with their cells in columns.
    static func table(_ rows: [[String]]) -> [String] {
        let rows = rows.map { row in row.map { ShownText.escaped($0) } }
        let columnCount = rows.map(\.count).max() ?? 0
        let widths = (0..<columnCount).map { column in
            rows.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0
        }
        return rows.map { row in
            var line = ""
            for (column, cell) in row.enumerated() {
                let isLast = column == row.count - 1
                line += isLast ? cell : cell + spaces(widths[column] - cell.count + 2)
            }
            return line
        }
    }

    /// What a list of names separated by commas says.
    static func names(_ text: String) -> [String] {
        text.split(separator: ",").map { $0.filter { $0 != " " } }.filter { !$0.isEmpty }
    }

    private static func spaces(_ count: Int) -> String {
        String(repeating: " ", count: max(0, count))
    }

    /// `1 file`, `2 files`.
    static func counted(_ count: Int, _ word: String) -> String {
        "\(count) \(word)\(count == 1 ? "" : "s")"
    }
}

/// Lengths of bars as the command line writes them.
enum BarSizeText {
    /// Reads `30s`, `1m`, `1h` or `1d`.
    static func read(_ text: String) throws(RunFailure) -> Duration {
        let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3_600, "d": 86_400]
        guard let unit = text.last.flatMap({ units[$0] }), let count = Int64(text.dropLast()),
            (1...31_622_400 / unit).contains(count)
        else {
            throw .usage(
                "'\(text.printable)' is no length of bars: write a number with its unit, such as 30s, "
                    + "1m, 1h or 1d, at most 366d.")
        }
        return .seconds(count * unit)
    }
}
