import Foundation
import GRDB
package import Model
import Primitives

/// Reads a day's journal, also beside a session that writes it, and verifies its chain.
///
/// A compressed file is read from a copy that is gone with the reader.
package struct JournalReader {
    private let file: String
    private let database: DatabaseQueue
    private let format: Int
    private let copy: UnpackedCopy?

    /// How long the writer is waited for.
    private static let patience = 5.0

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
        configuration.busyMode = .timeout(Self.patience)
        guard FileManager.default.fileExists(atPath: file) else {
            throw .file(file, "there is no such file")
        }
        copy = file.hasSuffix(JournalFolder.packedSuffix) ? try UnpackedCopy(of: file) : nil
        let path = copy?.path ?? file
        let database = try Journal.perform(file) {
            try DatabaseQueue(path: path, configuration: configuration)
        }
        self.database = database
        // A start that was cut off while it made the file has left one without tables: see `isBegun`.
        guard try Journal.perform(file, { try database.read { try $0.tableExists("meta") } })
        else {
            format = Journal.format
            return
        }
        let format = try Journal.perform(file) {
            try database.read { db in
                try DatabaseValue.fetchOne(
                    db, sql: "SELECT value FROM meta WHERE key = 'format'"
                ).flatMap { Int.fromDatabaseValue($0) }
            }
        }
        guard let format else { throw .damaged(file, sequence: 0, "it has no format") }
        guard format <= Journal.format else { throw .newerFormat(file) }
        guard format > 0 else { throw .damaged(file, sequence: 0, "it has no format") }
        self.format = format
    }

    /// Throws unless the database's own structure is whole.
    package func checkStructure() throws(JournalError) {
        let words = try Journal.perform(file) {
            try database.read { db in
                try String.fetchOne(db, sql: "PRAGMA quick_check(1)") ?? "ok"
            }
        }
        guard words == "ok" else { throw damage(0, words) }
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

    /// How many rows are read at a time: in between the writer can give its log free.
    static let rowsMax = 256

    /// A batch and when it was written.
    struct TimedBatch {
        let content: RecordBatch
        let at: Timestamp
    }

    /// Reads batches in order, a few at a time.
    package struct Cursor {
        private let reader: JournalReader
        /// How far it has read.
        package private(set) var head: Head

        fileprivate init(_ reader: JournalReader) throws(JournalError) {
            self.reader = reader
            head = Head(nextSequence: 1, batchCount: 0, hash: try reader.seed())
        }

        /// The next batches; none behind the last. Throws at the first row that is not as it was written.
        package mutating func next() throws(JournalError) -> [RecordBatch] {
            try reader.next(behind: &head, JournalReader.rowsMax).map(\.content)
        }

        /// The same with the time of each batch, of no more than so many.
        mutating func next(atMost limit: Int) throws(JournalError) -> [TimedBatch] {
            try reader.next(behind: &head, min(limit, JournalReader.rowsMax))
        }
    }

    /// A cursor before the first batch.
    package func cursor() throws(JournalError) -> Cursor { try Cursor(self) }

    /// Calls `body` with each batch, in order. Throws at the first row that is not as it was written.
    ///
    /// What is written meanwhile is read, too.
    package func forEachBatch(_ body: (RecordBatch) -> Void) throws(JournalError) -> Head {
        var cursor = try cursor()
        while true {
            let batches = try cursor.next()
            guard !batches.isEmpty else { return cursor.head }
            for batch in batches { body(batch) }
        }
    }

    /// What the chain begins with.
    fileprivate func seed() throws(JournalError) -> [UInt8] {
        let previous = try previousHash()
        return format < 2 ? previous : Journal.seed(behind: previous, try saved())
    }

    /// The next rows, no more than so many; none behind the last.
    fileprivate func next(
        behind head: inout Head, _ limit: Int
    ) throws(JournalError) -> [TimedBatch] {
        var next = head
        let batches = try Journal.perform(file) {
            try database.read { db in
                let rows = try Row.fetchCursor(
                    db,
                    sql: """
                        SELECT first_seq, count, at, payload, hash FROM batch
                        WHERE first_seq >= ? ORDER BY first_seq LIMIT \(limit)
                        """, arguments: [next.batchCount == 0 ? Int64.min : next.nextSequence])
                var batches: [TimedBatch] = []
                while let row = try rows.next() {
                    let batch = try read(row, behind: next.hash, next.nextSequence)
                    next = Head(
                        nextSequence: next.nextSequence + Int64(batch.content.events.count),
                        batchCount: next.batchCount + 1, hash: batch.hash)
                    batches.append(TimedBatch(content: batch.content, at: batch.at))
                }
                return batches
            }
        }
        head = next
        return batches
    }

    /// The batch of a row. Columns are read as what they are: in a damaged file they may be anything.
    private func read(
        _ row: Row, behind hash: [UInt8], _ next: Int64
    ) throws -> (content: RecordBatch, at: Timestamp, hash: [UInt8]) {
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
        return (content, Timestamp(nanoseconds: at), expected)
    }

    private func damage(_ sequence: Int64, _ words: String) -> JournalError {
        .damaged(file, sequence: sequence, words)
    }
}
