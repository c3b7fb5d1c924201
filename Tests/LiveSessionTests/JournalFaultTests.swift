import GatewayTestSupport
import Journal
import Model
import Primitives
import TWSProtocol
import Testing

@testable import Runtime

/// Sessions whose journal cannot be written.
@Suite struct JournalFaultTests {
    /// C-39, S3: nothing leaves before it is written; what was decided meanwhile is not sent later, and trading goes on
    /// by itself.
    @Test(arguments: [JournalError.diskFull("day"), .locked("day"), .file("day", "I/O error")])
    func nothingLeavesThatIsNotWritten(failure: JournalError) throws {
        let rig = try SessionRig(keepsHistory: true)
        try rig.pass(.minutes(12))
        rig.disk.failure = failure
        let sent = rig.gateway.received(.placeOrder).count
        try rig.pass(.minutes(20))
        #expect(rig.gateway.received(.placeOrder).count == sent)
        #expect(rig.gateway.received(.cancelOrder).isEmpty)
        let began = rig.decisions.filter { $0.kind == .conditionBegan(.journalFailing) }
        #expect(began.map(\.kind.severity) == [.critical])

        rig.disk.failure = nil
        let fills = rig.driver.fillCount
        try rig.pass(until: "further fills") { rig.driver.fillCount > fills }
        #expect(rig.decisions.contains { $0.kind == .conditionEnded(.journalFailing) })
        try rig.expectEqualLedgers()
        try rig.crash()
        try rig.pass(.minutes(1))
        #expect(rig.driver.recovery?.contains("answered as before") == true)
        try rig.expectEqualLedgers()
    }

    /// S4: behind a failed sync nothing leaves any more, what comes is kept, the user is told, and the session ends; the
    /// next start goes on from what is there. Later syncs that succeed change nothing.
    @Test func aFailedSyncEndsTheSession() throws {
        let rig = try SessionRig(keepsHistory: true)
        try rig.pass(.minutes(12))
        let sent = rig.gateway.received(.placeOrder).count
        let written = rig.history.commitCount
        rig.disk.failure = .notSynced("day")
        #expect {
            try rig.pass(.minutes(5))
        } throws: { error in
            guard case .file(let words)? = error as? RunFailure else { return false }
            return words.contains("fsync")
        }
        #expect(
            rig.driver.takeAlarms().map(\.text).contains { $0.contains("journal") })
        rig.disk.failure = nil
        // What is on its way when the session ends, and its end itself, touch the disk no more.
        for _ in 0..<20 {
            #expect(throws: RunFailure.self) { try rig.pass(.seconds(1)) }
        }
        #expect(throws: RunFailure.self) { try rig.driver.finish() }
        #expect(rig.history.commitCount == written)
        #expect(rig.gateway.received(.placeOrder).count == sent)
        #expect(rig.began(.journalFailing).count == 1)

        try rig.crash()
        let fills = rig.driver.fillCount
        try rig.pass(until: "further fills") { rig.driver.fillCount > fills }
        try rig.expectEqualLedgers()
    }

    /// The process dies while nothing can be written: what is missing in the journal is read from the broker.
    @Test(arguments: 1...4)
    func aCrashWhileNothingCanBeWrittenLosesNothing(seed: Int) throws {
        let rig = try SessionRig(seed: UInt64(seed))
        let before = rig.gateway.received(.placeOrder).count
        try rig.pass(until: "an order") { rig.gateway.received(.placeOrder).count > before }
        // Its executions come and cannot be written any more.
        rig.disk.failure = .diskFull("day")
        try rig.pass(.minutes(7))
        try rig.crash()
        rig.disk.failure = nil
        try rig.pass(.minutes(12))
        try rig.expectEqualLedgers()
    }

    /// S3: with little room people are warned, with less no entry leaves; exits do.
    @Test func littleSpaceStopsEntries() throws {
        let rig = try SessionRig(keepsHistory: true)
        try rig.pass(.minutes(12))
        rig.disk.freeSpace = SessionStorage.warningSpace - 1
        try rig.pass(.minutes(10))
        #expect(rig.decisions.contains { $0.kind == .conditionBegan(.diskFilling) })
        let fills = rig.driver.fillCount
        try rig.pass(.minutes(10))
        #expect(rig.driver.fillCount > fills)

        rig.disk.freeSpace = SessionStorage.entrySpace - 1
        try rig.pass(.seconds(2))
        let count = rig.decisions.count
        try rig.pass(.minutes(20))
        let later = rig.decisions[count...]
        #expect(!later.contains { $0.kind == .submitted(.entry) })
        #expect(later.contains { $0.kind == .submitted(.exit) })
        #expect(later.contains { $0.kind == .refused(.linkNotReady) })

        rig.disk.freeSpace = 1 << 40
        try rig.pass(.minutes(10))
        #expect(
            rig.decisions.last { $0.kind == .submitted(.entry) }.map { $0.at > later.last!.at }
                == true)
        try rig.expectEqualLedgers()
    }
}
