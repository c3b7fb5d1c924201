import Foundation
import GRDB
import Model
import Primitives
import Testing

@testable import Journal

/// Days that are over are compressed and, once they are old, deleted; whatever happens on the way, each can be read.
@Suite struct JournalRetentionTests {
    private let temporary: TemporaryFolder
    private let folder: JournalFolder

    init() throws {
        temporary = try TemporaryFolder()
        folder = try JournalFolder(path: temporary.path, newInstance: 5)
    }

    private func batch(_ seconds: Int64) -> RecordBatch {
        var batch = RecordBatch()
        batch.events = [Event(at: Timestamp(seconds: seconds), kind: .clock)]
        batch.digest = UInt64(seconds)
        return batch
    }

    /// A file of a day with so many batches.
    @discardableResult
    private func makeFile(day: Int32, batches: Int64 = 20) throws -> JournalFolder.Part {
        let part = folder.newPart(on: Day(number: day))
        let journal = try Journal(
            creating: folder.file(of: part), previousHash: [],
            saved: [Journal.SavedPiece("opening", 0, [7])])
        for second in 1...batches {
            journal.append(batch(second), at: Timestamp(seconds: second))
        }
        try journal.commit()
        return part
    }

    private func count(_ part: JournalFolder.Part) throws -> Int {
        let reader = try JournalReader(folder.file(of: part))
        try reader.checkStructure()
        return try reader.forEachBatch { _ in }.batchCount
    }

    private var files: [String] {
        JournalFolder.names(in: folder.path)
            .filter { $0.hasSuffix(".sqlite") || $0.hasSuffix(".gz") }.sorted()
    }

    /// EVT-02: a compressed day reads as it was written.
    @Test func daysThatAreOverAreCompressed() throws {
        let parts = try [100, 101, 101, 102, 102].map { try makeFile(day: $0) }
        let errors = folder.tidy(behind: parts[4], keeping: 30)
        #expect(errors.isEmpty)
        let expected = parts.map { $0.name + ($0.day.number < 102 ? ".gz" : "") }
        #expect(files == expected)
        #expect(folder.parts == parts)
        for part in parts { #expect(try count(part) == 20) }
        // Once more changes nothing.
        #expect(folder.tidy(behind: parts[4], keeping: 30).isEmpty)
        #expect(files == expected)
        #expect(folder.newPart(on: Day(number: 101)).number == 3)
    }

    /// What is older than it has to be kept goes, oldest first; the newest session's day never does.
    @Test func oldDaysAreDeleted() throws {
        let parts = try [50, 99, 100, 101, 130].map { try makeFile(day: $0) }
        #expect(folder.tidy(behind: parts[4], keeping: 30).isEmpty)
        #expect(folder.parts == Array(parts[2...]))
        #expect(folder.tidy(behind: parts[4], keeping: 1).isEmpty)
        #expect(folder.parts == [parts[4]])
        #expect(files == [parts[4].name])
    }

    /// Not more than a bounded number of files in one call: the rest follows with the next.
    @Test func aFolderOfManyDaysIsWorkedOffInParts() throws {
        let days = JournalFolder.packedMax + 3
        let parts = try (0..<days).map { try makeFile(day: 100 + Int32($0), batches: 1) }
        let newest = try #require(parts.last)
        #expect(folder.tidy(behind: newest, keeping: 400).isEmpty)
        #expect(files.count { $0.hasSuffix(".gz") } == JournalFolder.packedMax)
        #expect(folder.tidy(behind: newest, keeping: 400).isEmpty)
        #expect(files.count { $0.hasSuffix(".gz") } == days - 1)
    }

    /// A process that dies while it compresses leaves the plain file, and at most half of another or both: the day is
    /// readable at each point, and the next call ends the work.
    @Test func aCrashWhileCompressingLosesNothing() throws {
        let old = try makeFile(day: 100)
        let newest = try makeFile(day: 101)
        let plain = "\(folder.path)/\(old.name)"
        try Data([1, 2, 3]).write(to: URL(fileURLWithPath: plain + ".gz.unfinished"))
        #expect(folder.parts == [old, newest])
        #expect(try count(old) == 20)
        // Both are there: the plain one counts, whatever the other is.
        try Data([1, 2, 3]).write(to: URL(fileURLWithPath: plain + ".gz"))
        #expect(folder.file(of: old) == plain)
        #expect(folder.tidy(behind: newest, keeping: 30).isEmpty)
        #expect(files == [old.name + ".gz", newest.name])
        #expect(try count(old) == 20)
    }

    /// A day that another program reads is left as it is, and said so.
    @Test func aDayThatIsBeingReadIsLeft() throws {
        let old = try makeFile(day: 100)
        let newest = try makeFile(day: 101)
        let other = try DatabaseQueue(path: folder.file(of: old))
        try other.inDatabase { db in
            try db.execute(sql: "BEGIN; SELECT count(*) FROM batch")
            #expect(folder.tidy(behind: newest, keeping: 30) == [.locked(folder.file(of: old))])
            try db.execute(sql: "COMMIT")
        }
        try other.close()
        #expect(files.contains(old.name))
        #expect(folder.tidy(behind: newest, keeping: 30).isEmpty)
        #expect(try count(old) == 20)
    }

    /// A compressed file that was cut off or changed is damaged, not short.
    @Test func aDamagedCompressedDayIsFound() throws {
        let old = try makeFile(day: 100)
        _ = folder.tidy(behind: try makeFile(day: 101), keeping: 30)
        let file = folder.file(of: old)
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: file)))
        for kept in [0, 5, 12, bytes.count / 2, bytes.count - 9] {
            try Data(bytes[..<kept]).write(to: URL(fileURLWithPath: file))
            #expect(throws: JournalError.self, "\(kept) of \(bytes.count) bytes") {
                _ = try count(old)
            }
        }
        var generator = SeededGenerator(seed: 4)
        for _ in 0..<100 {
            var damaged = bytes
            // Behind the head, whose time and name gzip does not verify.
            let index = Int.random(in: 10..<bytes.count, using: &generator)
            damaged[index] ^= 1 << UInt8.random(in: 0...7, using: &generator)
            try Data(damaged).write(to: URL(fileURLWithPath: file))
            do {
                // The last bits of what was packed have no meaning.
                #expect(try count(old) == 20)
                #expect(index > bytes.count - 10)
            } catch {
                #expect(error is JournalError)
            }
        }
    }
}
