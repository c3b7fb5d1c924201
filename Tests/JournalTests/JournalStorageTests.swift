import Foundation
import GRDB
import Model
import Primitives
import Testing

@testable import Journal

/// Files and folders that are not as a session has left them.
@Suite struct JournalStorageTests {
    private let temporary: TemporaryFolder

    init() throws { temporary = try TemporaryFolder() }

    private func batch(_ number: Int64, count: Int = 1) -> RecordBatch {
        var batch = RecordBatch()
        for index in 0..<count {
            batch.events.append(
                Event(at: Timestamp(seconds: number * 1_000 + Int64(index)), kind: .clock))
        }
        batch.digest = UInt64(number)
        return batch
    }

    /// A closed file of so many batches of one event.
    private func makeFile(_ name: String = "day.sqlite", batches: Int64 = 400) throws -> String {
        let file = temporary.path + "/" + name
        let journal = try Journal(
            creating: file, previousHash: [1, 2],
            saved: [
                Journal.SavedPiece("opening", 0, Array("a state of 15 shares".utf8)),
                Journal.SavedPiece("configuration", 0, Array("trading: {mode: sim}".utf8)),
            ])
        for number in 1...batches {
            journal.append(batch(number), at: Timestamp(seconds: number))
        }
        try journal.commit()
        return file
    }

    /// Everything that a start reads.
    private func read(_ file: String) throws(JournalError) -> JournalReader.Head {
        let reader = try JournalReader(file)
        try reader.checkStructure()
        _ = try reader.saved()
        return try reader.forEachBatch { _ in }
    }

    private func write(_ bytes: some Collection<UInt8>, to file: String) throws {
        try Data(bytes).write(to: URL(fileURLWithPath: file))
    }

    /// S5: a thousand files with a flipped bit each: whatever was changed of a row or of the opening is found.
    @Test func aFlippedBitIsFoundOrChangesNothing() throws {
        let file = try makeFile(batches: 60)
        let whole = try read(file)
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: file)))
        let saved = try JournalReader(file).saved()
        var generator = SeededGenerator(seed: 7)
        var found = 0
        let copy = temporary.path + "/copy.sqlite"
        for _ in 0..<1_000 {
            var damaged = bytes
            let index = Int.random(in: damaged.indices, using: &generator)
            damaged[index] ^= 1 << UInt8.random(in: 0...7, using: &generator)
            try write(damaged, to: copy)
            do throws(JournalError) {
                // Free space has no meaning: all that is read is as it was written.
                #expect(try read(copy) == whole)
                let kept = try JournalReader(copy).saved()
                #expect(kept == saved)
            } catch {
                found += 1
            }
        }
        #expect(found > 150)
    }

    /// S5: the first bad event is named.
    @Test func theFirstBadEventIsNamed() throws {
        let file = try makeFile()
        try DatabaseQueue(path: file).inDatabase { db in
            try db.execute(sql: "UPDATE batch SET at = at + 1 WHERE first_seq IN (250, 300)")
        }
        #expect(
            throws: JournalError.damaged(
                file, sequence: 250, "its digest is not that of its content")
        ) { try read(file) }
        try DatabaseQueue(path: file).inDatabase { db in
            try db.execute(sql: "DELETE FROM batch WHERE first_seq = 120")
        }
        #expect(throws: JournalError.damaged(file, sequence: 120, "it is missing")) {
            try read(file)
        }
    }

    /// The state that a file begins with is in the chain, too.
    @Test func aChangedOpeningIsFound() throws {
        let file = try makeFile()
        try DatabaseQueue(path: file).inDatabase { db in
            try db.execute(
                sql: "UPDATE saved SET body = ? WHERE kind = 'opening'",
                arguments: [Data("a state of 16 shares".utf8)])
        }
        #expect(throws: JournalError.self) { try read(file) }
    }

    /// S5: a file that was cut off is damaged, or lacks what its folder's mark says was written.
    @Test func aTruncatedFileIsFound() throws {
        let file = try makeFile()
        let whole = try read(file)
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: file)))
        let copy = temporary.path + "/copy.sqlite"
        for kept in stride(from: 0, to: bytes.count, by: 1_024) {
            try write(bytes[..<kept], to: copy)
            do throws(JournalError) {
                #expect(try read(copy).nextSequence < whole.nextSequence)
            } catch {
                continue
            }
        }
    }

    /// S5: files of other programs.
    @Test func aForeignFileIsRefused() throws {
        let file = temporary.path + "/foreign.sqlite"
        try write(
            Array("day,open,high,low,close\n".utf8) + Array(repeating: 9, count: 9_000), to: file)
        #expect(throws: JournalError.self) { try read(file) }
        let other = temporary.path + "/other.sqlite"
        try DatabaseQueue(path: other).inDatabase { try $0.execute(sql: "CREATE TABLE a (b)") }
        #expect(throws: JournalError.self) { try read(other) }
    }

    /// S5, S10: what was written and is not there is found by the folder's mark: a log that was deleted, an older copy,
    /// a newest file that is gone.
    @Test func whatIsMissingIsFound() throws {
        let folder = try JournalFolder(path: temporary.path + "/f", newInstance: 5)
        let (first, second) = (
            JournalFolder.Part(day: Day(number: 100), number: 1),
            JournalFolder.Part(day: Day(number: 101), number: 1)
        )
        try folder.checkMark(nil, nextSequence: 0)
        folder.note(second, nextSequence: 41)
        try folder.checkMark(second, nextSequence: 41)
        // The mark waits for no disk: behind a loss of power it may say less.
        try folder.checkMark(second, nextSequence: 42)
        let mark = folder.path + "/head"
        #expect(
            throws: JournalError.missing(folder.file(of: second), sequence: 40, mark: mark)
        ) { try folder.checkMark(second, nextSequence: 40) }
        #expect(throws: JournalError.missing(folder.file(of: second), sequence: 1, mark: mark)) {
            try folder.checkMark(first, nextSequence: 900)
        }
        #expect(throws: JournalError.self) { try folder.checkMark(nil, nextSequence: 0) }
        folder.note(first, nextSequence: 7)
        try folder.checkMark(second, nextSequence: 1)
    }

    /// S9: what this version wrote in its first two formats is read; what a newer one has written is not.
    @Test func olderFormatsAreReadAndNewerAreRefused() throws {
        let fixtures = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("Fixtures")
        for format in 1...Journal.format {
            let copy = temporary.path + "/format-\(format).sqlite"
            let fixture = fixtures.appendingPathComponent("format-\(format).sqlite")
            try FileManager.default.copyItem(at: fixture, to: URL(fileURLWithPath: copy))
            let head = try read(copy)
            #expect(head.nextSequence == 61)
            #expect(try JournalReader(copy).previousHash() == [1, 2])
        }
        let newer = try makeFile()
        try DatabaseQueue(path: newer).inDatabase { db in
            try db.execute(
                sql: "UPDATE meta SET value = ? WHERE key = 'format'",
                arguments: [Journal.format + 1])
        }
        #expect(throws: JournalError.newerFormat(newer)) { try read(newer) }
    }

    /// S7, S8: a session writes on while its journal is read, and its log stays small.
    @Test func theLogStaysSmallBesideAReader() throws {
        let folder = try JournalFolder(path: temporary.path + "/f", newInstance: 5)
        let part = folder.newPart(on: Day(number: 100))
        let journal = try Journal(creating: folder.file(of: part), previousHash: [], saved: [])
        for number in 1...600 {
            journal.append(batch(Int64(number)), at: Timestamp(seconds: Int64(number)))
        }
        try journal.commit()
        var largest: Int64 = 0
        var number: Int64 = 600
        var seen = 0
        _ = try JournalReader(journal.file).forEachBatch { _ in
            seen += 1
            guard seen % 100 == 0, number < 1_800 else { return }
            for _ in 0..<200 {
                number += 1
                journal.append(batch(number, count: 2_000), at: Timestamp(seconds: number))
            }
            // A failure is found below: then batches are missing.
            try? journal.commit()
            var status = stat()
            if stat(journal.file + "-wal", &status) == 0 {
                largest = max(largest, Int64(status.st_size))
            }
        }
        #expect(!journal.hasPending)
        #expect(Int64(seen) == number)
        #expect(largest > 0)
        #expect(largest < Int64(Journal.logBytesMax) / 4)
        let limit = try journal.database.inDatabase {
            try Int.fetchOne($0, sql: "PRAGMA journal_size_limit")
        }
        #expect(limit == 64 << 20)
    }

    /// S8: a reader that holds on to what it sees does not stop the writer.
    @Test func aReaderNeverStopsTheWriter() throws {
        let file = temporary.path + "/day.sqlite"
        let journal = try Journal(creating: file, previousHash: [], saved: [])
        journal.append(batch(1), at: Timestamp(seconds: 1))
        try journal.commit()
        let other = try DatabaseQueue(path: file)
        try other.inDatabase { db in
            try db.execute(sql: "BEGIN; SELECT count(*) FROM batch")
            for number in 2...50 {
                journal.append(batch(Int64(number)), at: Timestamp(seconds: Int64(number)))
                try journal.commit()
            }
            try db.execute(sql: "COMMIT")
        }
        #expect(try read(file).batchCount == 50)
    }

    /// S11: another user's folder. Root's is that of another user for everyone else.
    @Test func anotherUsersFolderIsRefused() throws {
        var path = "/"
        if geteuid() == 0 {
            path = temporary.path + "/theirs"
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true)
            #expect(chown(path, 4_321, 4_321) == 0)
        }
        let refusal = #expect(throws: JournalError.self) {
            _ = try JournalFolder(path: path, newInstance: 5)
        }
        #expect(refusal?.description.contains("belongs to user") == true)
        #expect(!FileManager.default.fileExists(atPath: path + "/lock"))
    }

    /// S11: file systems of other machines, by the lines of proc(5).
    @Test func networkFileSystemsAreKnown() {
        let mounts = """
            22 28 0:21 / /proc rw,relatime shared:12 - proc proc rw
            28 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw
            96 28 0:55 / /home/a rw,relatime shared:50 master:3 - nfs4 server:/export rw,vers=4.2
            97 28 0:60 /sub /mnt/c rw - 9p C: rw
            98 28 259:65537 / /disk rw - xfs /dev/nvme rw
            """
        func name(_ major: UInt64, _ minor: UInt64) -> String? {
            // makedev(3)
            let device =
                (major & 0xFFF) << 8 | (major & ~0xFFF) << 32 | minor & 0xFF
                | (minor & ~0xFF) << 12
            return JournalFolder.networkFileSystem(ofDevice: device, among: mounts)
        }
        #expect(name(0, 55) == "nfs4")
        #expect(name(0, 60) == "9p")
        #expect(name(8, 1) == nil)
        #expect(name(259, 65_537) == nil)
        #expect(name(0, 99) == nil)
    }
}
