import Model
internal import Primitives

/// Reads one tick file.
enum TickFile {
    /// Reads and checks all quotes and trades of `file`. Memory grows with them, 48 bytes each.
    ///
    /// - Parameters:
    ///   - bufferBytesMax: the longest line accepted, and how much is read at once.
    ///   - progress: receives how many more bytes of the file are done.
    static func read(
        _ file: DataFolder.File, source: DataSource, bufferBytesMax: Int,
        progress: (Int) -> Void = { _ in }
    ) throws(DataError) -> TickSeries {
        guard !BarStore.isNamed(file.path) else {
            throw DataError(
                file: file.path, finding: "holds bars, where quotes and trades were expected",
                remedy: "Keep bars and ticks in folders of their own.")
        }
        var reader = try LineReader(path: file.path, bufferBytesMax: bufferBytesMax)
        let header = try TickHeader(reader.takeHeader(), file: file.path)
        var parser = TickParser(file: file.path, header: header, source: source)
        parser.rows.reserve(BarFile.rowCount(of: reader))
        try reader.readRemainder(progress: progress) { reader throws(DataError) in
            try parser.take(reader.lines, of: reader.bytes)
        }
        guard !parser.rows.isEmpty else {
            throw DataError(
                file: file.path, finding: "found no rows under the header",
                remedy: "Add rows, or remove the file.")
        }
        return TickSeries(symbol: file.symbol, rows: parser.rows, file: reader.file)
    }

    /// What the first line of a file says its rows are. A file that cannot be read, or whose header says
    /// neither, is left to who reads bars.
    static func kind(of file: DataFolder.File) throws(DataError) -> DataKind {
        guard !BarStore.isNamed(file.path) else { return .bars }
        var reader = try LineReader(path: file.path, bufferBytesMax: 1 << 16)
        guard try reader.next() else { return .bars }
        let line = reader.takeLine()
        return TickHeader.isMeant(by: try HeaderLine.names(in: line, of: file.path))
            ? .ticks : .bars
    }
}
