import Configuration
import Foundation
import GRDB
import GatewayTestSupport
import Journal
import Model
import Primitives
import TWSProtocol
import Testing
import TradingEngine

@testable import Runtime

/// S5: sessions that go on from what is whole of a damaged journal.
@Suite struct JournalSalvageSessionTests {
    private func newestFile(of rig: SessionRig) throws -> String {
        let part = try #require(JournalFolder.parts(in: rig.folder).last)
        return JournalFolder.file(of: part, in: rig.folder)
    }

    /// Starts are refused on the damaged journal; then it is salvaged, and the new folder put in its place.
    private func salvage(_ rig: SessionRig) throws -> SalvagedJournal {
        let sent = rig.gateway.received(.placeOrder).count
        #expect(throws: RunFailure.self) {
            try rig.start()
            try rig.pass(.minutes(1))
        }
        rig.kill()
        #expect(rig.gateway.received(.placeOrder).count == sent)
        let (files, salvaged) = (FileManager.default, rig.folder + "-salvaged")
        let damaged = try files.contentsOfDirectory(atPath: rig.folder).sorted()
        let result = try SalvagedJournal(of: rig.folder, into: salvaged)
        #expect(try files.contentsOfDirectory(atPath: rig.folder).sorted() == damaged)
        try files.removeItem(atPath: rig.folder)
        try files.moveItem(atPath: salvaged, toPath: rig.folder)
        return result
    }

    /// The session is killed: it enters nothing until its user lifts that, with the account's number.
    private func look(at rig: SessionRig, from batch: Int) throws {
        try rig.pass(.minutes(11))
        #expect(rig.haltCauses.contains(.killed))
        #expect(rig.entries(since: batch).isEmpty)
        let lifted = try rig.order("resume", #""cause":"killed","account":"DU1234567""#)
        #expect(lifted["done"] == .text("resume"), "\(lifted.text)")
    }

    /// What was lost are executions and bars, and no order: the broker's lists bring all of it, and the books are equal.
    @Test func whatTheBrokerKnowsComesBack() throws {
        let rig = try SessionRig(keepsHistory: true)
        try rig.pass(until: "fills", limit: .hours(1)) { rig.driver.fillCount >= 4 }
        try rig.pass(.seconds(30))
        rig.kill()
        let file = try newestFile(of: rig)
        // From the row behind the newest order on, with that order's executions.
        let (last, lost) = try behindTheLastOrder(file)
        #expect(lost > 0)
        try DatabaseQueue(path: file).write { db in
            try db.execute(
                sql: "UPDATE batch SET payload = zeroblob(9) WHERE first_seq >= ?",
                arguments: [last])
        }
        let session = ListedSession(
            mode: .paper, account: "DU1234567",
            version: SessionVersion(program: 1, configuration: 2, strategies: 3),
            begun: SimulatedGateway.tuesday)
        try SessionHistory(folder: rig.folder).begin(session)
        let salvaged = try salvage(rig)
        // Whose journal it is stays known.
        try SessionHistory(folder: rig.folder).check(mode: .paper, isEmpty: false)
        #expect(throws: RunFailure.self) {
            try SessionHistory(folder: rig.folder).check(mode: .sim, isEmpty: false)
        }
        #expect(salvaged.json.compact().contains("\"kept_to_event\":\(last - 1)"))
        #expect(salvaged.text.contains("damaged at event \(last)"))
        let batch = rig.history.batches.count
        try rig.start()
        try look(at: rig, from: batch)
        #expect(rig.haltCauses.isEmpty)
        #expect(try rig.differences().isEmpty)
        try rig.pass(until: "an entry", limit: .hours(1)) { !rig.entries(since: batch).isEmpty }
        try rig.expectEqualLedgers()
        try rig.expectVerifiedJournal("salvaged")
    }

    /// The number of the first event behind the newest order, and how many executions are there from it on.
    private func behindTheLastOrder(_ file: String) throws -> (Int64, Int) {
        var (next, first, fills) = (Int64(1), Int64(1), 0)
        _ = try JournalReader(file).forEachBatch { batch in
            next += Int64(batch.events.count)
            let submits = batch.commands.contains {
                if case .submit = $0.command { true } else { false }
            }
            if submits { (first, fills) = (next, 0) }
            fills += batch.events.count {
                guard case .brokerOrder(let report) = $0.kind, case .executed = report.fact else {
                    return false
                }
                return true
            }
        }
        return (first, fills)
    }

    /// Flips bits in each byte of a page, or cuts the file off, behind the rows of its first third.
    private func damage(_ file: String, _ seed: Int) throws {
        let hashes = try DatabaseQueue(path: file).read { db in
            try Data.fetchAll(db, sql: "SELECT hash FROM batch ORDER BY first_seq")
        }
        var bytes = try Data(contentsOf: URL(fileURLWithPath: file))
        let ends = hashes.prefix(hashes.count / 3).compactMap {
            bytes.range(of: $0, options: .backwards)?.upperBound
        }
        let pageSize = 4_096
        let start = (try #require(ends.max()) / pageSize + 1) * pageSize
        try #require(start + 2 * pageSize < bytes.count)
        var generator = SeededGenerator(seed: UInt64(seed))
        let cut = Int.random(in: start..<bytes.count - pageSize, using: &generator)
        if seed.isMultiple(of: 2) {
            bytes.removeLast(bytes.count - cut)
        } else {
            // Less may be what no row uses.
            for index in cut..<cut + pageSize {
                bytes[index] ^= 1 << UInt8.random(in: 0...7, using: &generator)
            }
        }
        try bytes.write(to: URL(fileURLWithPath: file))
    }

    /// Bits flipped and files cut off anywhere behind their first third: nothing is ordered twice, and what the broker has is the program's books and
    /// what these take for others'.
    @Test(arguments: 1...4)
    func nothingIsDoubled(seed: Int) throws {
        let rig = try SessionRig(keepsHistory: true)
        try rig.pass(.minutes(70))
        rig.kill()
        let file = try newestFile(of: rig)
        try damage(file, seed)
        _ = try salvage(rig)
        let batch = rig.history.batches.count
        try rig.start()
        try look(at: rig, from: batch)
        if rig.haltCauses.contains(.journalOutdated) {
            try rig.instruct(.resume(.journalOutdated))
            for index in rig.symbols.indices {
                try rig.instruct(.adopt(InstrumentID(index: index)))
            }
        }
        #expect(rig.haltCauses.isEmpty)
        try rig.pass(until: "an entry", limit: .hours(1)) { !rig.entries(since: batch).isEmpty }
        try rig.pass(.minutes(2))
        for symbol in rig.symbols {
            #expect(
                try rig.held(symbol) + rig.foreign(symbol) == rig.gatewayPosition(symbol),
                "\(symbol)")
        }
        #expect(rig.unknownCount == 0)
        #expect(try rig.ledger()["violations"]?["repeatedReferences"] == .object([]))
        try rig.expectVerifiedJournal("salvaged-\(seed)")
    }
}
