import Foundation
import Model
import Primitives
import Testing

@testable import Journal

/// What is whole of damaged journals.
@Suite struct JournalSalvageTests {
    private let temporary: TemporaryFolder
    private let source: String
    private let target: String

    init() throws {
        temporary = try TemporaryFolder()
        (source, target) = (temporary.path + "/source", temporary.path + "/target")
    }

    private static let instance: Int32 = 17
    private static let batchCount: Int64 = 400

    private func part(_ day: Int) -> JournalFolder.Part {
        JournalFolder.Part(day: Day(number: Int32(day)), number: 1)
    }

    /// A folder with so many days, each with batches of one event.
    private func makeFolder(days: Int = 1, batches: Int64 = batchCount) throws {
        let folder = try JournalFolder(path: source, newInstance: Self.instance)
        for day in 1...days {
            let journal = try Journal(
                creating: folder.file(of: part(day)), previousHash: [1, 2],
                saved: [Journal.SavedPiece("opening", 0, Array("a state of 15 shares".utf8))])
            for number in 1...batches {
                var batch = RecordBatch()
                batch.events = [Event(at: Timestamp(seconds: number), kind: .clock)]
                batch.digest = UInt64(number)
                journal.append(batch, at: Timestamp(seconds: number))
            }
            try journal.commit()
            folder.note(part(day), nextSequence: journal.nextSequence)
        }
    }

    private func bytes(_ file: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(fileURLWithPath: file)))
    }

    /// All files of the source that are not empty, by name.
    private func contents() throws -> [String: [UInt8]] {
        var all: [String: [UInt8]] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: source) {
            all[name] = try bytes(source + "/" + name)
        }
        return all
    }

    private func digests(_ file: String) throws -> [UInt64] {
        var digests: [UInt64] = []
        let reader = try JournalReader(file)
        try reader.checkStructure()
        _ = try reader.forEachBatch { digests.append($0.digest) }
        return digests
    }

    /// S5: whichever bits are flipped, and wherever the file ends: what is kept is whole and the beginning of what was written,
    /// what is lost is named, and the damaged folder stays as it is to the bit.
    @Test(arguments: 1...60)
    func whatIsWholeIsKept(seed: Int) throws {
        try makeFolder()
        let file = JournalFolder.file(of: part(1), in: source)
        var generator = SeededGenerator(seed: UInt64(seed))
        var damaged = try bytes(file)
        if seed.isMultiple(of: 3) {
            damaged.removeLast(Int.random(in: 1..<damaged.count, using: &generator))
        } else {
            for _ in 0..<20 {
                let index = Int.random(in: damaged.indices, using: &generator)
                damaged[index] ^= 1 << UInt8.random(in: 0...7, using: &generator)
            }
        }
        try Data(damaged).write(to: URL(fileURLWithPath: file))
        let before = try contents()
        var salvage: JournalSalvage?
        do throws(JournalError) {
            salvage = try JournalSalvage(of: source, into: target)
        } catch {
            // Nothing is whole: then there is no new folder.
            #expect("\(error)".contains(file))
            #expect(!FileManager.default.fileExists(atPath: target))
        }
        #expect(try contents() == before)
        guard let salvage else { return }
        let (kept, next) = (salvage.kept, Int64(salvage.kept.batchCount) + 1)
        #expect(kept.nextSequence == next)
        #expect(kept.newest == Timestamp(seconds: next - 1))
        let digests = try digests(JournalFolder.file(of: part(1), in: target))
        #expect(digests == (1..<UInt64(next)).map(\.self))
        #expect(!salvage.isWhole)
        #expect(!salvage.lost.faults.isEmpty || next <= Self.batchCount)
        if next <= Self.batchCount {
            #expect(salvage.lost.nextSequence.map { $0 >= Self.batchCount + 1 } == true)
        }
        // A session can start from it.
        let folder = try JournalFolder(path: target, newInstance: 99)
        #expect(folder.instance == Self.instance)
        try folder.checkMark(part(1), nextSequence: next)
    }

    /// S5: the row is the first that is not as it was written, and those before it are as they were, digest by digest.
    @Test func everyRowBeforeTheFirstBadOneIsKept() throws {
        try makeFolder(days: 3)
        let file = JournalFolder.file(of: part(3), in: source)
        var damaged = try bytes(file)
        let reader = try JournalReader(file)
        var cursor = try reader.cursor()
        _ = try cursor.next(atMost: 249)
        let head = cursor.head
        // The digest of row 250 is there once.
        _ = try cursor.next(atMost: 1)
        let digest = cursor.head.hash
        let index = try #require(damaged.indices.first { damaged[$0...].starts(with: digest) })
        damaged[index] ^= 1
        try Data(damaged).write(to: URL(fileURLWithPath: file))
        let salvage = try JournalSalvage(of: source, into: target)
        #expect(
            salvage.kept
                == JournalSalvage.Kept(
                    file: part(3).name, batchCount: 249, nextSequence: 250,
                    newest: Timestamp(seconds: 249), olderFiles: 2))
        #expect(
            salvage.lost
                == JournalSalvage.Lost(
                    faults: [
                        .damaged(file, sequence: 250, "its digest is not that of its content")
                    ],
                    nextSequence: 401, newest: Timestamp(seconds: 400), files: []))
        #expect(
            try JournalReader(JournalFolder.file(of: part(3), in: target)).forEachBatch { _ in }
                == head)
        for day in 1...2 {
            #expect(
                try bytes(JournalFolder.file(of: part(day), in: target))
                    == bytes(JournalFolder.file(of: part(day), in: source)))
        }
    }

    /// S5: where nothing of the newest file is whole, or it is gone, the one before it is kept.
    @Test(arguments: [true, false])
    func aLostFileIsNamed(isGone: Bool) throws {
        try makeFolder(days: 2, batches: 30)
        let file = JournalFolder.file(of: part(2), in: source)
        if isGone {
            try FileManager.default.removeItem(atPath: file)
        } else {
            try Data("day,open,high,low,close\n".utf8).write(to: URL(fileURLWithPath: file))
        }
        let salvage = try JournalSalvage(of: source, into: target)
        #expect(salvage.kept.file == part(1).name)
        #expect(salvage.kept.batchCount == 30)
        #expect(salvage.lost.files == [part(2).name])
        #expect(salvage.lost.faults.isEmpty == isGone)
    }

    /// Nothing is written over a folder, nor read from one that a session has open; a whole one is named so.
    @Test func whatCannotBeSalvagedIsLeft() throws {
        try makeFolder(batches: 30)
        let before = try contents()
        #expect(throws: JournalError.self) { try JournalSalvage(of: source, into: source) }
        #expect(throws: JournalError.self) {
            try JournalSalvage(of: temporary.path, into: target)
        }
        #expect(!FileManager.default.fileExists(atPath: target))
        #expect(try JournalSalvage(of: source, into: target).isWhole)
        #expect(try contents() == before)
        let session = try JournalFolder(path: source, newInstance: 1)
        #expect {
            try JournalSalvage(of: session.path, into: target + "-2")
        } throws: { error in
            guard case .inUse = error as? JournalError else { return false }
            return true
        }
    }
}
