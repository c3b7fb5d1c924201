import Foundation
import GatewayTestSupport
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
        #expect(monitor.end() < TurnMonitor.slow)
        monitor.begin()
        #expect(semaphore.wait(timeout: .now() + 30) == .success)
        #expect(monitor.end() >= TurnMonitor.slow)
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
