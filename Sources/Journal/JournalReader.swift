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
        // A start that was cut off while it made the file has left one without tables: see `isBegun`.
        guard try Journal.perform(file, { try database.read { try $0.tableExists("meta") } })
        else { return }
        let format = try Journal.perform(file) {
            try database.read { db in
                try DatabaseValue.fetchOne(
                    db, sql: "SELECT value FROM meta WHERE key = 'format'"
                ).flatMap { Int.fromDatabaseValue($0) }
            }
        }
        guard let format else { throw .damaged(file, sequence: 0, "it has no format") }
        guard format <= Journal.format else { throw .newerFormat(file) }
    }

    /// The state that the journal begins with.
    package func saved() throws(JournalError) -> [Journal.SavedPiece] {
        try Journal.perform(file) {
            try database.read { db in
                try Row.fetchAll(db, sql: "SELECT kind, id, body FROM saved ORDER BY kind, id")
                    .map { row in
                        guard let kind = String.fromDatabaseValue(row[0]),
                            let id = Int.fromDatabaseValue(row[1]),
                            let bytes = Data.fromDatabaseValue(row[2])
                        else { throw damage(0, "its opening state cannot be read") }
                        return Journal.SavedPiece(kind, id, [UInt8](bytes))
                    }
            }
        }
    }

    /// The digest of the journal that it goes on from; empty without one.
    package func previousHash() throws(JournalError) -> [UInt8] {
        try Journal.perform(file) {
            try database.read { db in [UInt8](try previous(db)) }
        }
    }

    private func previous(_ db: Database) throws -> Data {
        let value = try DatabaseValue.fetchOne(
            db, sql: "SELECT value FROM meta WHERE key = 'previous'")
        guard let data = value.flatMap({ Data.fromDatabaseValue($0) }) else {
            throw damage(0, "the digest that it goes on from is missing")
        }
        return data
    }

    /// True if there is a batch.
    package func isBegun() throws(JournalError) -> Bool {
        try Journal.perform(file) {
            try database.read { db in
                guard try db.tableExists("batch") else { return false }
                let sql = "SELECT count(*) FROM (SELECT 1 FROM batch LIMIT 1)"
                return try Int.fetchOne(db, sql: sql) == 1
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
        var hash = [UInt8](try previous(db))
        var next: Int64 = 1
        var batches = 0
        let rows = try Row.fetchCursor(
            db, sql: "SELECT first_seq, count, at, payload, hash FROM batch ORDER BY first_seq")
        while let row = try rows.next() {
            let batch = try read(row, behind: hash, next)
            hash = batch.hash
            body(batch.content)
            next += Int64(batch.content.events.count)
            batches += 1
        }
        return Head(nextSequence: next, batchCount: batches, hash: hash)
    }

    /// The batch of a row. Columns are read as what they are: in a damaged file they may be anything.
    private func read(
        _ row: Row, behind hash: [UInt8], _ next: Int64
    ) throws -> (content: RecordBatch, hash: [UInt8]) {
        guard let first = Int64.fromDatabaseValue(row[0]),
            let count = Int64.fromDatabaseValue(row[1]), let at = Int64.fromDatabaseValue(row[2]),
            let payload = Data.fromDatabaseValue(row[3]), let kept = Data.fromDatabaseValue(row[4])
        else { throw damage(next, "its row is none of a journal's") }
        guard first == next else { throw damage(next, "it is missing") }
        let bytes = [UInt8](payload)
        let expected = Journal.hash(hash, first, count, at, bytes)
        guard expected == [UInt8](kept) else {
            throw damage(first, "its digest is not that of its content")
        }
        let content: RecordBatch
        do throws(Model.RecordError) {
            content = try RecordBatch(decoding: bytes)
        } catch {
            throw damage(first, "it cannot be read")
        }
        guard Int64(content.events.count) == count else {
            throw damage(first, "it has not as many events as it says")
        }
        return (content, expected)
    }

    private func damage(_ sequence: Int64, _ words: String) -> JournalError {
        .damaged(file, sequence: sequence, words)
    }
}
