import Foundation
import Glibc
import Journal
import MarketState
import Model
import Primitives
import Reporting
import Signals

/// The scores of a journal's session days, a file for each with the columns of `scores.csv`. They are not in the
/// journal, and last from one start of the program to the next.
struct ScoreFiles {
    private let journal: String
    private let calendar: SessionCalendar
    /// That of the newest day.
    private var file: LogFile?
    private var day: Day?

    /// Their folder, in that of the journal.
    static let folderName = "scores"
    /// How long the file of a day gets: about a million scores.
    static let bytesMax = 64 << 20
    private static let suffix = ".csv"
    private static let lineEnd = UInt8(ascii: "\n")

    /// The files beside the journal in a folder.
    init(beside journal: String, _ calendar: SessionCalendar) {
        self.journal = journal
        self.calendar = calendar
    }

    // MARK: Writing

    /// Adds the scores of a batch to the file of their day.
    mutating func write(_ notes: [ScoreNote], _ names: SessionNames) throws(LogFailure) {
        // A batch is of one time.
        guard let first = notes.first else { return }
        let file = try opened(for: calendar.day(of: first.at))
        // An index without a name would end the program.
        let named = notes.filter {
            names.symbols.indices.contains(Int($0.instrument.index))
                && names.strategies.indices.contains(Int($0.strategy.index))
        }
        var lines = file.byteCount == 0 ? CSVDescription.scores.header + "\n" : ""
        RunTables.moreScores(named.map(ScoreRecord.init), (names.symbols, names.strategies)) {
            lines += $0.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
        }
        guard file.byteCount + lines.utf8.count <= Self.bytesMax else {
            throw LogFailure("The file of a day takes no more than \(Self.bytesMax >> 20) MiB.")
        }
        try file.write(lines)
    }

    private mutating func opened(for newDay: Day) throws(LogFailure) -> LogFile {
        if let file, day == newDay, file.isThere { return file }
        let folder = Self.folder(in: journal)
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
        } catch {
            throw LogFailure(
                "\(folder): cannot be made: \((error as NSError).localizedDescription)")
        }
        removeOld()
        let path = Self.path(of: newDay, in: journal)
        Self.removeTornLine(of: path)
        let opened = try LogFile(appendingTo: path)
        (file, day) = (opened, newDay)
        return opened
    }

    /// Removes the days that the journal no longer has. What cannot be removed is tried again with the next file.
    private func removeOld() {
        guard let oldest = JournalFolder.parts(in: journal).first?.day else { return }
        for day in Self.days(in: journal) where day < oldest {
            _ = unlink(Self.path(of: day, in: journal))
        }
    }

    /// Removes what a kill or a loss of power has left of a line: it may look like a whole one.
    private static func removeTornLine(of path: String) {
        let descriptor = open(path, O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return }
        let length = Int(status.st_size)
        var end = length
        var block = [UInt8](repeating: 0, count: 4_096)
        while end > 0 {
            let start = max(end - block.count, 0)
            let count = pread(descriptor, &block, end - start, off_t(start))
            guard count == end - start else { return }
            if let last = block[..<count].lastIndex(of: lineEnd) {
                end = start + last + 1
                break
            }
            end = start
        }
        if end < length { _ = ftruncate(descriptor, off_t(end)) }
    }

    // MARK: Reading

    /// Hands over the rows of all days from one on, without a header, in the order in which they were written. A last
    /// line without an end is left out.
    ///
    /// - Parameter put: receives whole rows, many at a time.
    static func read(
        beside journal: String, from first: Day, _ put: (RawSpan) throws(RunFailure) -> Void
    ) throws(RunFailure) {
        for day in days(in: journal) where day >= first {
            try readRows(of: path(of: day, in: journal), put)
        }
    }

    private static func readRows(
        of path: String, _ put: (RawSpan) throws(RunFailure) -> Void
    ) throws(RunFailure) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw unreadable(path) }
        defer { close(descriptor) }
        var block = [UInt8](repeating: 0, count: 1 << 16)
        var lines: [UInt8] = []
        var isHeaderRead = false
        while true {
            let count = Glibc.read(descriptor, &block, block.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw unreadable(path) }
            guard count > 0 else { return }
            lines += block[..<count]
            if !isHeaderRead, let end = lines.firstIndex(of: lineEnd) {
                lines.removeSubrange(...end)
                isHeaderRead = true
            }
            guard isHeaderRead, let end = lines.lastIndex(of: lineEnd) else { continue }
            let rows = Array(lines[...end])
            try put(rows.span.bytes)
            lines.removeSubrange(...end)
        }
    }

    private static func unreadable(_ path: String) -> RunFailure {
        .file("cannot read \(path): \(String(cString: strerror(errno))).")
    }

    // MARK: The folder

    private static func folder(in journal: String) -> String { journal + "/" + folderName }

    private static func path(of day: Day, in journal: String) -> String {
        "\(folder(in: journal))/\(day)\(suffix)"
    }

    /// The days of which there are files, oldest first; none where nothing was noted.
    private static func days(in journal: String) -> [Day] {
        let path = folder(in: journal)
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return names.compactMap {
            $0.hasSuffix(suffix) ? Day($0.dropLast(suffix.count)) : nil
        }.sorted()
    }
}
