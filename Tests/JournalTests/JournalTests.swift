import Foundation
import GRDB
import Model
import Primitives
import Testing

@testable import Journal

/// A folder that is gone with the test.
final class TemporaryFolder {
    let path: String

    init() throws {
        path = NSTemporaryDirectory() + "martlet-journal-\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}

/// What was committed is there, in a chain that shows every change of it.
@Suite struct JournalTests {
    private func batch(_ seconds: Int64, count: Int = 3) -> RecordBatch {
        var batch = RecordBatch()
        for index in 0..<count {
            batch.events.append(
                Event(at: Timestamp(seconds: seconds + Int64(index)), kind: .clock))
        }
        batch.commands = [RecordedCommand(.cancel(OrderID(number: seconds)), to: 0)]
        batch.digest = UInt64(seconds)
        return batch
    }

    private func journal(in folder: JournalFolder) throws -> Journal {
        let part = folder.newPart(on: Day(number: 18_000))
        return try Journal(
            creating: folder.file(of: part), previousHash: [1, 2],
            saved: [Journal.SavedPiece("opening", 0, [7, 8, 9])])
    }

    @Test func whatWasCommittedIsRead() throws {
        let temporary = try TemporaryFolder()
        let folder = try JournalFolder(path: temporary.path + "/a/b", newInstance: 5)
        let journal = try journal(in: folder)
        let batches = (1...40).map { batch(Int64($0) * 100) }
        for (index, one) in batches.enumerated() {
            journal.append(one, at: one.events[0].at)
            if index % 3 == 0 { try journal.commit() }
        }
        try journal.commit()
        let reader = try JournalReader(journal.file)
        var read: [RecordBatch] = []
        let head = try reader.forEachBatch { read.append($0) }
        #expect(read == batches)
        #expect(head.hash == journal.headHash)
        #expect(head.nextSequence == journal.nextSequence)
        #expect(head.batchCount == 40)
        let saved = try reader.saved()
        #expect(saved == [Journal.SavedPiece("opening", 0, [7, 8, 9])])
        #expect(journal.byteCount > 0)
    }

    @Test func whatWasNotCommittedIsNotThere() throws {
        let temporary = try TemporaryFolder()
        let folder = try JournalFolder(path: temporary.path, newInstance: 5)
        let journal = try journal(in: folder)
        let isBegun = try JournalReader(journal.file).isBegun()
        #expect(!isBegun)
        journal.append(batch(1), at: Timestamp(seconds: 1))
        try journal.commit()
        journal.append(batch(2), at: Timestamp(seconds: 2))
        #expect(journal.hasPending)
        var count = 0
        _ = try JournalReader(journal.file).forEachBatch { _ in count += 1 }
        #expect(count == 1)
        let isBegunNow = try JournalReader(journal.file).isBegun()
        #expect(isBegunNow)
    }

    /// Commits wait for the disk until they are told not to: 2 is FULL, 1 is NORMAL (sqlite.org/pragma.html).
    @Test func commitsWaitForTheDiskUnlessConfiguredOtherwise() throws {
        let temporary = try TemporaryFolder()
        let folder = try JournalFolder(path: temporary.path, newInstance: 5)
        let journal = try journal(in: folder)
        func level() throws -> Int? {
            try journal.database.inDatabase { try Int.fetchOne($0, sql: "PRAGMA synchronous") }
        }
        #expect(try level() == 2)
        try journal.stopSyncing()
        #expect(try level() == 1)
    }

    @Test func theSecondOpenerIsRefusedByName() throws {
        let temporary = try TemporaryFolder()
        let first = try JournalFolder(path: temporary.path, newInstance: 5)
        #expect(first.instance == 5)
        let refusal = #expect(throws: JournalError.self) {
            _ = try JournalFolder(path: temporary.path, newInstance: 6)
        }
        #expect(refusal == .inUse(folder: temporary.path, by: "process \(getpid())"))
    }

    @Test func theInstanceStaysTheSame() throws {
        let temporary = try TemporaryFolder()
        do { _ = try JournalFolder(path: temporary.path, newInstance: 5) }
        let second = try JournalFolder(path: temporary.path, newInstance: 6)
        #expect(second.instance == 5)
    }

    @Test func eachStartHasItsPart() throws {
        let temporary = try TemporaryFolder()
        let folder = try JournalFolder(path: temporary.path, newInstance: 5)
        _ = try journal(in: folder)
        _ = try journal(in: folder)
        #expect(folder.parts.map(\.number) == [1, 2])
        #expect(folder.newPart(on: Day(number: 18_001)).number == 1)
    }

    @Test func aFolderThatCannotBeMadeIsRefused() throws {
        let temporary = try TemporaryFolder()
        try Data().write(to: URL(fileURLWithPath: temporary.path + "/file"))
        #expect(throws: JournalError.self) {
            _ = try JournalFolder(path: temporary.path + "/file/journal", newInstance: 5)
        }
    }

    /// S3: what a full disk did not take is written, in its order, when there is room again.
    @Test func aFullDiskKeepsWhatCouldNotBeWritten() throws {
        let temporary = try TemporaryFolder()
        let folder = try JournalFolder(path: temporary.path, newInstance: 5)
        let journal = try journal(in: folder)
        try journal.database.inDatabase { database in
            try database.execute(sql: "PRAGMA max_page_count = 12")
        }
        let batches = (1...40).map { batch(Int64($0) * 10_000, count: 4_000) }
        var failures = 0
        for one in batches {
            journal.append(one, at: one.events[0].at)
            do { try journal.commit() } catch {
                #expect(error == .diskFull(journal.file))
                failures += 1
            }
        }
        #expect(failures > 3)
        #expect(journal.hasPending)
        try journal.database.inDatabase { database in
            try database.execute(sql: "PRAGMA max_page_count = 100000")
        }
        try journal.commit()
        var read: [RecordBatch] = []
        _ = try JournalReader(journal.file).forEachBatch { read.append($0) }
        #expect(read == batches)
    }

    /// C-39: another program has the file.
    @Test func aLockedFileKeepsWhatCouldNotBeWritten() throws {
        let temporary = try TemporaryFolder()
        let folder = try JournalFolder(path: temporary.path, newInstance: 5)
        let journal = try journal(in: folder)
        let other = try DatabaseQueue(path: journal.file)
        journal.append(batch(1), at: Timestamp(seconds: 1))
        try other.inTransaction(.immediate) { _ in
            #expect(throws: JournalError.locked(journal.file)) { try journal.commit() }
            return .rollback
        }
        try journal.commit()
        #expect(!journal.hasPending)
        #expect(try JournalReader(journal.file).forEachBatch { _ in }.batchCount == 1)
    }

    /// The reserve takes room, and gives it free.
    @Test func theReserveIsSpaceForLater() throws {
        let temporary = try TemporaryFolder()
        let folder = try JournalFolder(path: temporary.path, newInstance: 5)
        #expect(!folder.releaseReserve())
        folder.keepReserve()
        let size = try FileManager.default.attributesOfItem(atPath: temporary.path + "/reserve")
        #expect(size[.size] as? Int == 8 << 20)
        #expect(folder.releaseReserve())
        #expect(folder.parts.isEmpty)
        #expect(try #require(folder.freeSpace) > 0)
    }

    @Test func everyChangeOfARowIsFound() throws {
        let temporary = try TemporaryFolder()
        let folder = try JournalFolder(path: temporary.path, newInstance: 5)
        var journal: Journal? = try journal(in: folder)
        let file = try #require(journal?.file)
        for second in 1...30 {
            journal?.append(batch(Int64(second) * 10), at: Timestamp(seconds: Int64(second)))
        }
        try journal?.commit()
        journal = nil
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: file)))
        var generator = SeededGenerator(seed: 3)
        var found = 0
        for number in 0..<200 {
            var damaged = bytes
            let index = Int.random(in: damaged.indices, using: &generator)
            damaged[index] ^= UInt8.random(in: 1...255, using: &generator)
            let copy = folder.path + "/damaged-\(number)"
            try Data(damaged).write(to: URL(fileURLWithPath: copy))
            var read: [RecordBatch] = []
            do {
                _ = try JournalReader(copy).forEachBatch { read.append($0) }
                // The byte was none of a row's: all rows are as they were.
                #expect(read == (1...30).map { batch(Int64($0) * 10) })
            } catch {
                found += 1
            }
            try? FileManager.default.removeItem(atPath: copy)
        }
        #expect(found > 20)
    }

    @Test func aCopyTakenMidwayIsABeginning() throws {
        let temporary = try TemporaryFolder()
        let folder = try JournalFolder(path: temporary.path, newInstance: 5)
        let journal = try journal(in: folder)
        for second in 1...50 {
            journal.append(batch(Int64(second) * 10), at: Timestamp(seconds: Int64(second)))
            try journal.commit()
            guard second % 10 == 0 else { continue }
            // What a process that is killed leaves: the file and its log, as they are.
            let copy = folder.path + "/copy-\(second)"
            for suffix in ["", "-wal"] {
                try FileManager.default.copyItem(
                    atPath: journal.file + suffix, toPath: copy + suffix)
            }
            var count = 0
            _ = try JournalReader(copy).forEachBatch { _ in count += 1 }
            #expect(count == second)
        }
    }
}
