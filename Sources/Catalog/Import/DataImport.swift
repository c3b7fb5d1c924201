internal import MarketState
internal import Primitives

/// Converts files of other programs into bar files.
package struct DataImport: Sendable {
    /// How times are meant: path, zone, stamp, bar length and calendar.
    package var source: DataSource
    /// The shape of the files; found out when `nil`.
    package var shape: String?
    /// Names of columns for roles: `time`, `clock`, `symbol`, `open`, `high`, `low`, `close`, `adjusted`,
    /// `volume`, `dividend`, `split`.
    package var columns: [String: String] = [:]
    /// The ticker of a file with one symbol; its name without the ending when `nil`.
    package var symbol: String?
    /// Whether `02/11/2019` is in November.
    package var isDayFirst = false
    /// Whether to multiply prices by adjusted close / close.
    package var isAdjusting = false
    /// `.csv` or `.csv.gz`.
    package var ending = ".csv"

    /// An import of what `source` means.
    package init(_ source: DataSource) { self.source = source }

    /// What came of a file.
    package struct Report: Sendable {
        /// The file.
        package let path: String
        /// Its shape.
        package let shape: String
        /// What was written: symbol, path and rows.
        package let written: [(symbol: String, path: String, rowCount: Int)]
        /// What could not be taken over.
        package let findings: FindingList
        /// How many cells were empty where empty means "no price yet".
        package let emptyCount: Int
    }

    /// Converts one file. Memory grows with its rows, about 100 bytes each.
    ///
    /// - Parameter progress: receives how many more bytes of the file are done.
    /// - Throws: when the file cannot be read, its header does not show its layout, or a file to write
    ///   is there already. Faulty rows are findings.
    package func run(
        _ file: DataFolder.File, into folder: String, progress: (Int) -> Void = { _ in }
    ) throws(DataError) -> Report {
        var reader = try LineReader(path: file.path, bufferBytesMax: 1 << 20)
        let header = try reader.takeHeader()
        let separator = Self.separator(of: header)
        let layout = try ImportLayout(
            header: Self.names(header, separator, file.path), given: try roles(file.path),
            requested: try requestedShape(file.path), file: file.path)
        guard !isAdjusting || layout.columns[.adjusted] != nil else {
            throw DataError(
                file: file.path, line: 1,
                finding: "found no column of adjusted closes to adjust prices by",
                remedy: "Leave --adjust out, or name it with --columns adjusted=NAME.")
        }
        var rows = ImportedRows(layout, separator: separator, settings: self, file: file)
        try reader.readRemainder(progress: progress) { reader throws(DataError) in
            while !reader.lines.isEmpty { rows.take(reader.takeLine()) }
        }
        return try rows.write(to: folder)
    }

    private func requestedShape(_ path: String) throws(DataError) -> ImportLayout.Shape? {
        guard let shape else { return nil }
        guard let requested = ImportLayout.Shape(rawValue: shape) else {
            let names = ImportLayout.Shape.allCases.map(\.rawValue).joined(separator: ", ")
            throw DataError(
                file: path, finding: "cannot be read as \(DataError.quoted(shape))",
                remedy: "Choose one of \(names) with --format.")
        }
        return requested
    }

    private func roles(_ path: String) throws(DataError) -> [ImportLayout.Role: String] {
        var roles: [ImportLayout.Role: String] = [:]
        for name in columns.keys.sorted() {
            guard let role = ImportLayout.Role(rawValue: name) else {
                let names = ImportLayout.Role.allCases.map(\.rawValue).joined(separator: ", ")
                throw DataError(
                    file: path, finding: "has no place for \(DataError.quoted(name))",
                    remedy: "--columns knows \(names).")
            }
            roles[role] = columns[name]
        }
        return roles
    }

    /// The sign between fields: comma, semicolon or tab, whichever the header has most of.
    private static func separator(of header: ArraySlice<UInt8>) -> UInt8 {
        let signs = [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t")]
        let counts = signs.map { sign in header.count { $0 == sign } }
        return zip(signs, counts).max { $0.1 < $1.1 }?.0 ?? signs[0]
    }

    private static func names(
        _ header: ArraySlice<UInt8>, _ separator: UInt8, _ path: String
    ) throws(DataError) -> [String] {
        if let name = TextEncoding.unreadable(header) { throw TextEncoding.fault(name, path) }
        let mark = TextEncoding.mark
        let text = header.starts(with: mark) ? header.dropFirst(mark.count) : header
        if let names = CSVLine.fields(of: text, separator: separator) { return names }
        throw DataError(
            file: path, line: 1, finding: "found a quotation mark that is not closed",
            remedy: "Correct the header.")
    }
}
