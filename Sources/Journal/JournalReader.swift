import Foundation
import GRDB
package import Model

/// Reads a day's journal, also beside a session that writes it, and verifies its chain.
package struct JournalReader {
    private let file: String
    private let database: DatabaseQueue

    /// Where a journal ends.
    package struct Head: Hashable, Sendable {
        /// The number of the next event.
        package let nextSequence: Int64
        /// How many batches there are.
        package let batchCount: Int
        /// The digest of all rows.
        package let hash: [UInt8]
    }

    /// Opens the journal in a file.
    package init(_ file: String) throws(JournalError) {
        self.file = file
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(2)
        guard FileManager.default.fileExists(atPath: file) else {
            throw .file(file, "there is no such file")
        }
        let database = try Journal.perform(file) {
            try DatabaseQueue(path: file, configuration: configuration)
        }
        self.database = database
        let format = try Journal.perform(file) {
            try database.read { db in
                try Int.fetchOne(db, sql: "SELECT value FROM meta WHERE key = 'format'")
            }
        }
        guard let format else { throw .damaged(file, sequence: 0, "it has no format") }
        guard format <= Journal.format else { throw .newerFormat(file) }
    }

    /// The state that the day begins with.
    package func saved() throws(JournalError) -> [Journal.SavedPiece] {
        try Journal.perform(file) {
            try database.read { db in
                try Row.fetchAll(db, sql: "SELECT kind, id, body FROM saved ORDER BY kind, id")
                    .map { row in
                        Journal.SavedPiece(row[0], row[1], [UInt8](row[2] as Data))
                    }
            }
        }
    }

    /// True if there is a batch.
    package func isBegun() throws(JournalError) -> Bool {
        try Journal.perform(file) {
            try database.read { db in
                try Int.fetchOne(db, sql: "SELECT count(*) FROM (SELECT 1 FROM batch LIMIT 1)") == 1
            }
        }
    }

    /// Calls `body` with each batch, in order. Throws at the first row that is not as it was written.
    package func forEachBatch(_ body: (RecordBatch) -> Void) throws(JournalError) -> Head {
        try Journal.perform(file) {
            try database.read { db in try read(db, body) }
        }
    }

    private func read(_ db: Database, _ body: (RecordBatch) -> Void) throws -> Head {
        var hash = [UInt8](
            try Data.fetchOne(db, sql: "SELECT value FROM meta WHERE key = 'previous'")
                ?? Data())
        var next: Int64 = 1
        var batches = 0
        let rows = try Row.fetchCursor(
            db,
            sql: "SELECT first_seq, count, at, payload, hash FROM batch ORDER BY first_seq")
        while let row = try rows.next() {
            let (first, count, at): (Int64, Int64, Int64) = (row[0], row[1], row[2])
            guard first == next else {
                throw JournalError.damaged(file, sequence: next, "it is missing")
            }
            let payload = [UInt8](row[3] as Data)
            let expected = Journal.hash(hash, first, count, at, payload)
            guard expected == [UInt8](row[4] as Data) else {
                throw JournalError.damaged(
                    file, sequence: first, "its digest is not that of its content")
            }
            let batch: RecordBatch
            do throws(Model.RecordError) {
                batch = try RecordBatch(decoding: payload)
            } catch {
                throw JournalError.damaged(file, sequence: first, "it cannot be read")
            }
            guard Int64(batch.events.count) == count else {
                throw JournalError.damaged(
                    file, sequence: first, "it has not as many events as it says")
            }
            body(batch)
            hash = expected
            next += count
            batches += 1
        }
        return Head(nextSequence: next, batchCount: batches, hash: hash)
    }
}
