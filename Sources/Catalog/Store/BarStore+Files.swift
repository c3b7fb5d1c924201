internal import Glibc
internal import MarketState
import Model
internal import Primitives

extension BarStore {
    /// Whether a file's name says that it is in binary form.
    static func isNamed(_ path: String) -> Bool { path.lowercased().hasSuffix(ending) }

    /// Reads and checks a file.
    ///
    /// The stamp and zone of `source` do not matter: the file has the timestamps that bars begin at.
    static func read(_ file: DataFolder.File, source: DataSource) throws(DataError) -> BarSeries {
        let (identity, bytes) = try contents(of: file.path)
        let series = try series(
            file.symbol, of: identity, bytes: bytes, calendar: source.calendar)
        if let given = source.barSize, given != series.barSize, given != .days(1) {
            throw DataError(
                file: file.path, finding: "has bars of \(series.barSize), not of \(given)",
                remedy: "Leave the bar length out.")
        }
        return series
    }

    private static func contents(of path: String) throws(DataError) -> (SourceFile, [UInt8]) {
        func failure() -> DataError {
            DataError(
                file: path, finding: "could not be read: \(String(cString: strerror(errno)))",
                remedy: "Check the path and its permissions.")
        }
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure() }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw failure() }
        let size = Int(status.st_size)
        var count = 0
        var hasFailed = false
        let bytes = [UInt8](unsafeUninitializedCapacity: size + paddingBytes) { buffer, filled in
            while count < size {
                let more = Glibc.read(
                    descriptor, buffer.baseAddress?.advanced(by: count), size - count)
                if more < 0, errno == EINTR { continue }
                hasFailed = more < 0
                guard more > 0 else { break }
                count += more
            }
            filled = count
        }
        guard !hasFailed else { throw failure() }
        let identity = SourceFile(
            path: path, bytes: size,
            modified: Int64(status.st_mtim.tv_sec) * 1_000_000_000 + Int64(status.st_mtim.tv_nsec),
            inode: UInt64(status.st_ino))
        return (identity, bytes)
    }
}

/// Writes bar files in binary form.
package enum DataPack {
    /// Writes what `file` holds as `SYMBOL.mbars` to `folder`.
    ///
    /// - Returns: the new file's path, how many bars it has, and its size in bytes.
    /// - Throws: what the loader reports about a faulty file.
    package static func write(
        _ file: DataFolder.File, source: DataSource, to folder: String
    ) throws(DataError) -> (path: String, barCount: Int, bytes: Int) {
        let series = try BarFile.read(file, source: source, bufferBytesMax: 1 << 18)
        let isDated = series.barSize == source.calendar.sessionLength && isAtOpens(series, source)
        let bytes = BarStore.bytes(series, dated: isDated ? source.calendar : nil)
        let path = OutputFolder.path(file.symbol + BarStore.ending, in: folder)
        var output = try OutputFile(path: path)
        try output.write(bytes)
        try output.finish()
        return (path, series.rows.count, bytes.count)
    }

    /// Whether all bars begin with their sessions: then days say it, whatever the calendar is that the
    /// file is read with.
    private static func isAtOpens(_ series: BarSeries, _ source: DataSource) -> Bool {
        series.rows.allSatisfy {
            source.calendar.open(on: source.calendar.day(of: $0.start)) == $0.start
        }
    }
}
