import Foundation
import GatewayTestSupport
import Glibc
import Model
import Primitives
import Synchronization
import TWSProtocol
import Testing

@testable import Runtime

/// What stops a session that does harm to itself.
@Suite struct SessionLatchTests {
    private func folder() throws -> String {
        let path = NSTemporaryDirectory() + "martlet-latch-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        return path
    }

    /// A crash loop stops by itself and stays stopped.
    @Test func aCrashLoopIsLatched() throws {
        let folder = try folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let start = Timestamp(seconds: 1_800_000_000)
        for minute in 0..<Int64(StartLatch.startsMax) {
            try StartLatch(folder: folder).begin(at: start + .minutes(minute))
        }
        for time in [start + .minutes(6), start + .days(30)] {
            #expect {
                try StartLatch(folder: folder).begin(at: time)
            } throws: { error in
                guard case .notPermitted(let words)? = error as? RunFailure else { return false }
                return words.contains("/crash-loop")
            }
        }
        // Whoever clears it may start at once.
        try FileManager.default.removeItem(atPath: folder + "/crash-loop")
        try StartLatch(folder: folder).begin(at: start + .minutes(7))
    }

    /// A file with anything in it stops no start, and traps none.
    @Test func aDamagedListOfStartsIsPassedOver() throws {
        let folder = try folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let lines = [
            "9223372036854775807", "-9223372036854775808", "99999999999999999999", "x", "",
        ]
        let text = (lines + lines).joined(separator: "\n")
        try text.write(toFile: folder + "/starts", atomically: true, encoding: .utf8)
        try StartLatch(folder: folder).begin(at: Timestamp(seconds: 1_800_000_000))
    }

    /// Orderly ends do not count, nor do deaths long ago.
    @Test func usualStartsAreNotLatched() throws {
        let folder = try folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let start = Timestamp(seconds: 1_800_000_000)
        for second in 0..<Int64(20) {
            try StartLatch(folder: folder).begin(at: start + .seconds(second))
            StartLatch(folder: folder).end()
        }
        for hour in 1..<Int64(20) {
            try StartLatch(folder: folder).begin(at: start + .hours(hour))
        }
    }

    /// P1: what a supervisor notes and what a start looks at are one list: the third death within ten minutes sets the latch,
    /// however long the first of them had run.
    @Test func deathsCountByTheirTime() throws {
        let folder = try folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let (latch, start) = (StartLatch(folder: folder), Timestamp(seconds: 1_800_000_000))
        try latch.begin(at: start)
        #expect(try !latch.noteDeath(begun: start, at: start + .hours(3)))
        // Ended by an error: only that start is taken back.
        try latch.begin(at: start + .hours(3) + .minutes(1))
        latch.takeBack(at: start + .hours(3) + .minutes(2))
        try latch.begin(at: start + .hours(3) + .minutes(4))
        let second = start + .hours(3) + .minutes(4)
        #expect(try !latch.noteDeath(begun: second, at: start + .hours(3) + .minutes(5)))
        // Died before it had noted its start.
        let third = start + .hours(3) + .minutes(9)
        #expect(try latch.noteDeath(begun: third, at: third))
        #expect(latch.isSet)
        #expect(throws: RunFailure.self) { try latch.begin(at: third + .days(1)) }
    }

    /// P1: deaths of more than ten minutes before count no more, and none do behind an orderly end.
    @Test func deathsThatAreApartSetNoLatch() throws {
        let folder = try folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let (latch, start) = (StartLatch(folder: folder), Timestamp(seconds: 1_800_000_000))
        for number in Int64(0)..<6 {
            let time = start + .minutes(5 * number)
            try latch.begin(at: time)
            #expect(try !latch.noteDeath(begun: time, at: time), "death \(number)")
        }
        latch.end()
        #expect(try !latch.noteDeath(begun: start + .minutes(26), at: start + .minutes(26)))
        #expect(!latch.isSet)
    }

    /// P1: a session that has died is started again, one without its gateway is tried again, and one that needs a person is
    /// not.
    @Test func whatFollowsFromAnEnd() {
        for number in [SIGILL, SIGTRAP, SIGSEGV, SIGABRT, SIGKILL, SIGTERM] {
            #expect(Supervisor.decision(of: Supervisor.End(number)) == .died)
            // With a dump of its memory.
            #expect(Supervisor.End(number | 0x80) == .killed(number))
        }
        for status in [1, 42, 127, 255] {
            #expect(Supervisor.decision(of: Supervisor.End(Int32(status) << 8)) == .died)
        }
        #expect(Supervisor.decision(of: Supervisor.End(4 << 8)) == .withoutGateway)
        for status in [0, 2, 3, 5, 6, 7, 8, 10] {
            let end = Supervisor.End(Int32(status) << 8)
            #expect(Supervisor.decision(of: end) == .over(Int32(status)))
        }
    }

    /// P3: a strategy that hangs is an alarm from another thread.
    @Test func aTurnThatDoesNotEndIsAnAlarm() throws {
        let alarms = Mutex<[Duration]>([])
        let semaphore = DispatchSemaphore(value: 0)
        let monitor = LoopMonitor { step in
            guard case .notify(let duration) = step else { return }
            alarms.withLock { $0.append(duration) }
            semaphore.signal()
        }
        monitor.begin()
        #expect(monitor.end().awake < TurnMonitor.slow)
        monitor.begin()
        #expect(semaphore.wait(timeout: .now() + 30) == .success)
        #expect(monitor.end().awake >= TurnMonitor.slow)
        #expect(alarms.withLock { $0.allSatisfy { $0 >= TurnMonitor.slow } })
    }

    /// P3: behind an event that took too long no entry leaves for a while; it is an alarm.
    @Test func noEntryFollowsWhatTookTooLong() throws {
        let rig = try SessionRig(keepsHistory: true)
        try rig.pass(.minutes(10) + .seconds(30))
        rig.driver.note(turn: .seconds(3), at: rig.now)
        try rig.pass(.seconds(1))
        #expect(rig.decisions.contains { $0.kind == .conditionBegan(.strategySlow) })
        rig.driver.note(turn: .seconds(11), at: rig.now)
        try rig.pass(.seconds(1))
        let alarm = rig.decisions.last { $0.kind == .conditionBegan(.strategyStuck) }
        #expect(alarm?.kind.severity == .critical)
        let count = rig.decisions.count
        try rig.pass(.seconds(50))
        #expect(!rig.decisions[count...].contains { $0.kind == .submitted(.entry) })
        let fills = rig.driver.fillCount
        try rig.pass(until: "further fills") { rig.driver.fillCount > fills }
        #expect(rig.decisions.contains { $0.kind == .conditionEnded(.strategyStuck) })
        try rig.expectEqualLedgers()
    }
}
