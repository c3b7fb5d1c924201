import Foundation
import GRDB
import GatewayTestSupport
import Journal
import Primitives
import TWSProtocol
import Testing

@testable import Runtime

/// Starts on a journal that is not as a session has left it.
@Suite struct JournalDamageTests {
    private func newestFile(of rig: SessionRig) throws -> String {
        let part = try #require(JournalFolder.parts(in: rig.folder).last)
        return JournalFolder.file(of: part, in: rig.folder)
    }

    /// No session trades on the journal as it is.
    private func refusal(of rig: SessionRig) -> String {
        let sent = rig.gateway.received(.placeOrder).count
        let refusal = #expect(throws: RunFailure.self) {
            try rig.start()
            try rig.pass(.minutes(1))
        }
        rig.kill()
        #expect(rig.gateway.received(.placeOrder).count == sent)
        return refusal.map { "\($0)" } ?? ""
    }

    /// S5: what was changed is named by its first event, and nothing is traded on it.
    @Test func aChangedJournalIsRefused() throws {
        let rig = try SessionRig()
        try rig.pass(.minutes(15))
        rig.kill()
        let file = try newestFile(of: rig)
        let changed = try DatabaseQueue(path: file).write { db in
            let first = try Int64.fetchOne(
                db, sql: "SELECT first_seq FROM batch ORDER BY first_seq LIMIT 1 OFFSET 30")
            try db.execute(
                sql: "UPDATE batch SET at = at + 1 WHERE first_seq >= ?", arguments: [first])
            return first
        }
        let sequence = try #require(changed)
        #expect(refusal(of: rig).contains("damaged at event \(sequence)"))
        // As it stays so, so does the refusal.
        #expect(refusal(of: rig).contains("damaged at event \(sequence)"))
    }

    /// S5, S10: an older copy, or a file whose log was deleted, is refused: what was sent since would be sent again.
    @Test func anOlderCopyIsRefused() throws {
        let rig = try SessionRig()
        try rig.pass(.minutes(12))
        let file = try newestFile(of: rig)
        let (copy, whole) = (rig.folder + "/copy", rig.folder + "/whole")
        try DatabaseQueue(path: file).writeWithoutTransaction { db in
            try db.execute(sql: "VACUUM INTO ?", arguments: [copy])
        }
        try rig.pass(.minutes(11))
        rig.kill()
        try FileManager.default.moveItem(atPath: file, toPath: whole)
        try FileManager.default.moveItem(atPath: copy, toPath: file)
        let words = refusal(of: rig)
        #expect(words.contains("lacks what was written from event"))
        #expect(words.contains(rig.folder + "/head"))

        // What is missing was put back.
        try FileManager.default.removeItem(atPath: file)
        try FileManager.default.moveItem(atPath: whole, toPath: file)
        try rig.start()
        try rig.pass(.minutes(12))
        #expect(rig.driver.recovery?.contains("answered as before") == true)
        try rig.expectEqualLedgers()
    }

    /// S5: a newest file that is gone is no reason to trade on the one before.
    @Test func aMissingFileIsRefused() throws {
        let rig = try SessionRig()
        try rig.pass(.minutes(6))
        try rig.crash()
        try rig.pass(.minutes(6))
        rig.kill()
        try FileManager.default.removeItem(atPath: try newestFile(of: rig))
        #expect(refusal(of: rig).contains("lacks what was written from event 1"))
    }

    /// P6: started and ended again and again, also while it synchronises: nothing is lost or doubled, and warm-up is not
    /// repeated.
    @Test(arguments: 1...2)
    func manyShortStartsLoseNothing(seed: Int) throws {
        let rig = try SessionRig(seed: UInt64(seed))
        try rig.pass(.minutes(11))
        var generator = SeededGenerator(seed: UInt64(seed))
        for _ in 0..<30 {
            try rig.crash()
            try rig.pass(.milliseconds(Int64.random(in: 0...4_000, using: &generator)))
        }
        try rig.pass(.minutes(12))
        try rig.expectEqualLedgers()
        let verification = try JournalVerification(of: rig.folder)
        #expect(verification.isVerified, "\(verification.text)")
    }
}
