import Journal
import Model
import Primitives
import Testing

@testable import Runtime

/// When what happens is written to the disk.
@Suite struct SessionStorageTests {
    /// A journal that counts.
    private final class CountingRecord: SessionRecord {
        private(set) var commits = 0
        var isAwaited = true
        var freeSpace: Int64? { nil }

        func append(_ batch: RecordBatch, at time: Timestamp) {}

        func commit() throws(JournalError) { commits += 1 }
    }

    /// Market data do not cost a write each: what no order depends on waits a tenth of a second for more.
    @Test func whatNoOrderDependsOnIsWrittenTogether() {
        let record = CountingRecord()
        var storage = SessionStorage(record)
        let start = Timestamp(seconds: 1_000)
        for index in 0..<100 {
            let now = start + .milliseconds(Int64(index))
            storage.append(RecordBatch(), at: now)
            #expect(storage.commitWaiting(at: now).isEmpty)
        }
        #expect(record.commits == 0)
        #expect(storage.wake == start + .milliseconds(100))
        #expect(storage.commitWaiting(at: start + .milliseconds(100)).isEmpty)
        #expect(record.commits == 1)
        #expect(storage.wake == nil)
        #expect(storage.commitWaiting(at: start + .seconds(9)).isEmpty)
        #expect(record.commits == 1)
    }

    /// Nothing leaves before it is written, unless the journal is not awaited, as for measurements: then it is written a
    /// tenth of a second later.
    @Test func onlyAJournalThatIsNotAwaitedIsWrittenLater() {
        let record = CountingRecord()
        var storage = SessionStorage(record)
        let start = Timestamp(seconds: 1_000)
        storage.append(RecordBatch(), at: start)
        #expect(storage.commitBeforeLeaving(at: start).isEmpty)
        #expect(record.commits == 1 && storage.isDurable)
        record.isAwaited = false
        storage.append(RecordBatch(), at: start)
        #expect(storage.commitBeforeLeaving(at: start).isEmpty)
        #expect(record.commits == 1 && !storage.isDurable)
        #expect(storage.commitWaiting(at: start + .milliseconds(100)).isEmpty)
        #expect(record.commits == 2 && storage.isDurable)
    }

    /// I-27: a fill is written before the user is notified of it, and an order before it leaves.
    @Test func fillsAndOrdersAreWrittenBeforeTheUserIsNotified() throws {
        let rig = try SessionRig(keepsHistory: true)
        try rig.pass(.minutes(30))
        #expect(rig.driver.fillCount > 4)
        for batch in rig.history.earlyBatches {
            for event in batch.events {
                switch event.kind {
                case .order, .brokerOrder: Issue.record("\(event.kind)")
                default: break
                }
            }
            for command in batch.commands {
                if case .submit = command.command { Issue.record("\(command)") }
            }
        }
        #expect(!rig.history.earlyBatches.isEmpty)
        #expect(rig.history.commitCount < rig.history.batches.count)
    }
}
