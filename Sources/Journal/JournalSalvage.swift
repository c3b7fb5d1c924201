import Foundation
import GRDB
import Glibc
import Model
package import Primitives

/// What is whole of a damaged journal, copied into a new folder: the damaged one is only read.
///
/// The newest file of which the beginning is whole is written anew up to its first row that is not as it was written. It
/// begins with all of the state, so older files are copied as they are.
package struct JournalSalvage: Sendable {
    /// What was copied of the newest file.
    package struct Kept: Hashable, Sendable {
        /// The file's name.
        package let file: String
        /// Batches in it.
        package let batchCount: Int
        /// The number of the next event.
        package let nextSequence: Int64
        /// When its newest batch was written.
        package let newest: Timestamp
        /// How many older files were copied as they are.
        package let olderFiles: Int
    }

    /// What could not be copied.
    package struct Lost: Hashable, Sendable {
        /// Why, in a sentence about each file: those of which nothing is whole, newest first, then the kept one.
        package let faults: [JournalError]
        /// The number behind the newest event that the kept file is known to have had; `nil` where nothing says so.
        package let nextSequence: Int64?
        /// When the kept file's newest batch was written, as far as an unverified row says so.
        package let newest: Timestamp?
        /// Files behind the kept one of which nothing was kept.
        package let files: [String]
    }

    /// What was copied.
    package let kept: Kept
    /// What was not.
    package let lost: Lost

    /// True if nothing was damaged.
    package var isWhole: Bool {
        lost.faults.isEmpty && lost.files.isEmpty && (lost.nextSequence ?? 0) <= kept.nextSequence
    }

    /// Copies what is whole of a folder into a new one. Where that fails the new one is gone again.
    ///
    /// - Parameters:
    ///   - source: the damaged journal's folder.
    ///   - target: the new folder, which must not be there.
    package init(of source: String, into target: String) throws(JournalError) {
        guard access(target, F_OK) != 0 else {
            throw .file(target, "it is there already, and nothing is written over it")
        }
        let lock = try JournalFolder.shareLock(of: source)
        defer { if let lock { close(lock) } }
        let parts = JournalFolder.parts(in: source)
        guard !parts.isEmpty else { throw .file(source, "there is no journal in it") }
        let instance = try JournalFolder.instance(in: source)
        let folder = try JournalFolder(path: target, newInstance: instance)
        do throws(JournalError) {
            (kept, lost) = try Self.copy(parts, source, into: folder)
        } catch {
            try? FileManager.default.removeItem(atPath: target)
            throw error
        }
    }

    private static func copy(
        _ parts: [JournalFolder.Part], _ source: String, into folder: JournalFolder
    ) throws(JournalError) -> (Kept, Lost) {
        let mark = JournalFolder.marked(in: source)
        var (faults, files): ([JournalError], [String]) = ([], [])
        if let mark, mark.part > parts[parts.count - 1] { files.append(mark.part.name) }
        for (index, part) in parts.enumerated().reversed() {
            let copy = try FileCopy(of: JournalFolder.file(of: part, in: source), in: folder.path)
            let (written, fault) = try write(part, from: copy, into: folder)
            if let fault { faults.append(fault) }
            guard let written else {
                folder.discard(part)
                // A start that was cut off before its first batch has nothing to lose.
                if fault != nil { files.append(part.name) }
                continue
            }
            for older in parts[..<index] {
                try FileCopy.copy(JournalFolder.file(of: older, in: source), into: folder.path)
            }
            folder.note(part, nextSequence: written.head.nextSequence)
            let marked = mark?.part == part ? mark?.nextSequence : nil
            let last = fault == nil && marked == nil ? nil : copy.lastRow
            let kept = Kept(
                file: part.name, batchCount: written.head.batchCount,
                nextSequence: written.head.nextSequence, newest: written.newest, olderFiles: index)
            let next = [marked, last?.nextSequence].compactMap(\.self).max()
            return (kept, Lost(faults: faults, nextSequence: next, newest: last?.at, files: files))
        }
        throw faults.first ?? .file(source, "no session has begun in it")
    }

    /// Writes what is whole of a file into the folder.
    ///
    /// - Returns: how far that goes, `nil` where no batch is whole; and what is wrong behind it.
    private static func write(
        _ part: JournalFolder.Part, from copy: FileCopy, into folder: JournalFolder
    ) throws(JournalError) -> (
        written: (head: JournalReader.Head, newest: Timestamp)?, JournalError?
    ) {
        let begun: (cursor: JournalReader.Cursor, previous: [UInt8], saved: [Journal.SavedPiece])
        var fault: JournalError?
        do throws(JournalError) {
            let reader = try JournalReader(copy.path)
            guard try reader.isBegun() else { return (nil, nil) }
            do throws(JournalError) { try reader.checkStructure() } catch { fault = error }
            begun = (try reader.cursor(), try reader.previousHash(), try reader.saved())
        } catch {
            // A newer program's journal is not damaged.
            if case .newerFormat = error { throw error }
            return (nil, copy.named(error))
        }
        var (cursor, limit) = (begun.cursor, JournalReader.rowsMax)
        var newest: Timestamp?
        let journal = try Journal(
            creating: folder.file(of: part), previousHash: begun.previous, saved: begun.saved)
        while true {
            let batches: [JournalReader.TimedBatch]
            do throws(JournalError) {
                batches = try cursor.next(atMost: limit)
            } catch {
                // One by one up to the first that is not as it was written.
                guard limit == 1 else {
                    limit = 1
                    continue
                }
                fault = error
                break
            }
            guard let last = batches.last else { break }
            for batch in batches { journal.append(batch.content, at: batch.at) }
            try journal.commit()
            newest = last.at
        }
        return (newest.map { (cursor.head, $0) }, fault.map { copy.named($0) })
    }
}

/// A copy of a database's file and its log, which is read in its place: reading one may write beside it.
private final class FileCopy {
    /// The copied file.
    let original: String
    /// The copy.
    let path: String

    init(of original: String, in folder: String) throws(JournalError) {
        self.original = original
        let name =
            "damaged"
            + (original.hasSuffix(JournalFolder.packedSuffix) ? JournalFolder.packedSuffix : "")
        path = "\(folder)/\(name)"
        try Self.copy(original, to: path)
        Self.fill(path)
    }

    /// The most that a file is filled up to: journals have some megabytes.
    private static let bytesMax: off_t = 2 << 30

    /// Gives a file that was cut off the size that its header names: SQLite reads nothing of one that is shorter.
    ///
    /// - Note: SQLite's file format, 1.3: the page size at byte 16, 1 for 65536, and the number of pages at byte 28.
    private static func fill(_ path: String) {
        let file = open(path, O_RDWR | O_CLOEXEC)
        guard file >= 0 else { return }
        defer { close(file) }
        var header = [UInt8](repeating: 0, count: 32)
        guard pread(file, &header, header.count, 0) == header.count else { return }
        func number(_ range: Range<Int>) -> off_t {
            header[range].reduce(0) { $0 << 8 | off_t($1) }
        }
        let pageSize = number(16..<18)
        let size = number(28..<32) * (pageSize == 1 ? 65_536 : pageSize)
        if size > lseek(file, 0, SEEK_END), size <= bytesMax { _ = ftruncate(file, size) }
    }

    deinit {
        for ending in ["", "-wal", "-shm"] { unlink(path + ending) }
    }

    /// An error with the name of the copied file.
    func named(_ error: JournalError) -> JournalError {
        switch error {
        case .damaged(_, let sequence, let words): .damaged(original, sequence: sequence, words)
        case .file(_, let words): .file(original, words)
        case .inUse, .folder, .diskFull, .locked, .missing, .newerFormat, .notDurable, .notSynced:
            error
        }
    }

    /// What the last row says of itself, whether or not it is as it was written.
    var lastRow: (nextSequence: Int64, at: Timestamp)? {
        var configuration = Configuration()
        configuration.readonly = true
        let sql = "SELECT first_seq + count, at FROM batch ORDER BY first_seq DESC LIMIT 1"
        guard let database = try? DatabaseQueue(path: path, configuration: configuration),
            let row = try? database.read({ try Row.fetchOne($0, sql: sql) }),
            let next = Int64.fromDatabaseValue(row[0]), let at = Int64.fromDatabaseValue(row[1])
        else { return nil }
        return (next, Timestamp(nanoseconds: at))
    }

    /// Copies a file under its name into a folder.
    static func copy(_ file: String, into folder: String) throws(JournalError) {
        try copy(file, to: "\(folder)/\(URL(fileURLWithPath: file).lastPathComponent)")
    }

    private static func copy(_ file: String, to target: String) throws(JournalError) {
        do {
            try FileManager.default.copyItem(atPath: file, toPath: target)
            if access(file + "-wal", F_OK) == 0 {
                try FileManager.default.copyItem(atPath: file + "-wal", toPath: target + "-wal")
            }
        } catch {
            throw .file(file, "it cannot be copied to \(target): \(error.localizedDescription)")
        }
    }
}
