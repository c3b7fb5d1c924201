import Digests
import Foundation
import GRDB
import Glibc
package import Model
package import Primitives

/// A journal: batches of events and what the engine answered, in a chain of digests, in an SQLite file.
///
/// What is appended is durable once `commit` has returned. A row is never altered.
package final class Journal {
    /// The file.
    package let file: String
    /// The number of the next event, from 1.
    package private(set) var nextSequence: Int64 = 1
    /// The digest of all rows.
    package private(set) var headHash: [UInt8]

    // Not private for tests, which take its room and its lock.
    let database: DatabaseQueue
    private var pending: [PendingRow] = []

    private struct PendingRow {
        let firstSequence: Int64
        let count: Int64
        let at: Int64
        let payload: [UInt8]
        let hash: [UInt8]
    }

    /// A piece of the state that a journal begins with, which it only keeps.
    package struct SavedPiece: Hashable, Sendable {
        /// The kind of piece.
        package let kind: String
        /// The place among those of its kind.
        package let id: Int
        /// The piece itself.
        package let bytes: [UInt8]

        /// A piece.
        package init(_ kind: String, _ id: Int, _ bytes: [UInt8]) {
            self.kind = kind
            self.id = id
            self.bytes = bytes
        }
    }

    /// The newest form of the file: since 2, the chain begins with a digest of what the journal begins with.
    static let format = 2
    /// How large the file's log may stay: more is given back to the disk once no reader holds it.
    static let logBytesMax = 64 << 20

    /// A new journal.
    ///
    /// - Parameters:
    ///   - previousHash: the digest of the journal before; empty without one.
    ///   - saved: the state that it begins with.
    package init(
        creating file: String, previousHash: [UInt8], saved: [SavedPiece]
    ) throws(JournalError) {
        self.file = file
        database = try Self.open(file)
        headHash = Self.seed(behind: previousHash, saved)
        try Self.perform(file) {
            try database.write { db in
                try db.execute(sql: Self.schema)
                try db.execute(
                    sql: "INSERT INTO meta VALUES ('format', ?), ('previous', ?)",
                    arguments: [Self.format, Data(previousHash)])
                for piece in saved {
                    try db.execute(
                        sql: "INSERT INTO saved VALUES (?, ?, ?)",
                        arguments: [piece.kind, piece.id, Data(piece.bytes)])
                }
            }
        }
    }

    /// Lets commits return from now on once the system has them: a loss of power can take the newest. For measurements.
    package func stopSyncing() throws(JournalError) {
        try Self.perform(file) {
            try database.inDatabase { db in try db.execute(sql: "PRAGMA synchronous = NORMAL") }
        }
    }

    /// The bytes of the file and what belongs to it.
    package var byteCount: Int64 {
        ["", "-wal"].reduce(0) { sum, suffix in
            var status = stat()
            return stat(file + suffix, &status) == 0 ? sum + Int64(status.st_size) : sum
        }
    }

    /// Takes a batch; it is durable with the next `commit`.
    package func append(_ batch: RecordBatch, at time: Timestamp) {
        guard !batch.events.isEmpty else { return }
        let payload = batch.encoded()
        let count = Int64(batch.events.count)
        let hash = Self.hash(
            headHash, nextSequence, count, time.nanoseconds, payload)
        pending.append(
            PendingRow(
                firstSequence: nextSequence, count: count, at: time.nanoseconds,
                payload: payload, hash: hash))
        headHash = hash
        nextSequence += count
    }

    /// True if something was appended that is not durable yet.
    package var hasPending: Bool { !pending.isEmpty }

    /// Returns once everything that was appended is durable. After an error all of it is pending still, and the next
    /// call tries once more.
    package func commit() throws(JournalError) {
        guard !pending.isEmpty else { return }
        let isLastLost = PlantedBug.lastBatchLost.isPlanted && pending.count > 1
        let rows = isLastLost ? Array(pending.dropLast()) : pending
        try Self.perform(file) {
            // One row is a transaction by itself, which is quicker than one around it.
            if rows.count == 1 {
                try database.writeWithoutTransaction { db in try Self.write(rows, to: db) }
            } else {
                try database.write { db in try Self.write(rows, to: db) }
            }
        }
        pending.removeAll(keepingCapacity: true)
    }

    private static func write(_ rows: [PendingRow], to db: Database) throws {
        let statement = try db.cachedStatement(sql: "INSERT INTO batch VALUES (?, ?, ?, ?, ?)")
        for row in rows {
            try statement.execute(arguments: [
                row.firstSequence, row.count, row.at, Data(row.payload), Data(row.hash),
            ])
        }
    }

    // MARK: The file

    private static let schema = """
        CREATE TABLE meta (key TEXT PRIMARY KEY, value BLOB) WITHOUT ROWID;
        CREATE TABLE saved (kind TEXT, id INTEGER, body BLOB, PRIMARY KEY (kind, id)) WITHOUT ROWID;
        CREATE TABLE batch (
            first_seq INTEGER PRIMARY KEY, count INTEGER NOT NULL, at INTEGER NOT NULL,
            payload BLOB NOT NULL, hash BLOB NOT NULL);
        """

    private static func open(_ file: String) throws(JournalError) -> DatabaseQueue {
        var configuration = Configuration()
        configuration.journalMode = .wal
        // The caller keeps what could not be written, and tries again.
        configuration.busyMode = .timeout(0.5)
        return try perform(file) {
            let database = try DatabaseQueue(path: file, configuration: configuration)
            // The library sets NORMAL in this mode, which a loss of power can take commits from.
            let level = try database.inDatabase { db in
                try db.execute(sql: "PRAGMA synchronous = FULL")
                try db.execute(sql: "PRAGMA journal_size_limit = \(logBytesMax)")
                return try Int.fetchOne(db, sql: "PRAGMA synchronous")
            }
            guard level == 2 else { throw JournalError.notDurable(file) }
            return database
        }
    }

    /// What the chain begins with: the digest of the journal before, and of what this one begins with.
    static func seed(behind previous: [UInt8], _ saved: [SavedPiece]) -> [UInt8] {
        var hash = SHA256()
        hash.update(previous)
        for piece in saved.sorted(by: { ($0.kind, $0.id) < ($1.kind, $1.id) }) {
            for number in [Int64(piece.kind.utf8.count), Int64(piece.id), Int64(piece.bytes.count)]
            {
                hash.update(withUnsafeBytes(of: number.littleEndian) { Array($0) })
            }
            hash.update(piece.kind.utf8)
            hash.update(piece.bytes)
        }
        return hash.digest()
    }

    /// The digest of a row behind another.
    static func hash(
        _ previous: [UInt8], _ first: Int64, _ count: Int64, _ at: Int64, _ payload: [UInt8]
    ) -> [UInt8] {
        var hash = SHA256()
        hash.update(previous)
        for number in [first, count, at] {
            hash.update(withUnsafeBytes(of: number.littleEndian) { Array($0) })
        }
        hash.update(payload)
        return hash.digest()
    }

    /// Runs `body` and turns the library's errors into ours.
    static func perform<Result>(
        _ file: String, _ body: () throws -> Result
    ) throws(JournalError) -> Result {
        do {
            return try body()
        } catch let error as JournalError {
            throw error
        } catch let error as DatabaseError {
            switch error.extendedResultCode {
            case .SQLITE_IOERR_FSYNC, .SQLITE_IOERR_DIR_FSYNC: throw .notSynced(file)
            default: break
            }
            switch error.resultCode {
            case .SQLITE_FULL: throw .diskFull(file)
            case .SQLITE_BUSY, .SQLITE_LOCKED: throw .locked(file)
            case .SQLITE_CORRUPT, .SQLITE_NOTADB:
                throw .damaged(file, sequence: 0, error.message ?? "it is no database")
            default: throw .file(file, error.message ?? "\(error.resultCode)")
            }
        } catch {
            throw .file(file, "\(error)")
        }
    }
}
