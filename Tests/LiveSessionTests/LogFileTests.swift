import Configuration
import Foundation
import Primitives
import Testing

@testable import Runtime

/// The files and lines of logs.
@Suite struct LogFileTests {
    private let folder = NSTemporaryDirectory() + "martlet-log-\(UUID().uuidString)"

    private func settings(_ logging: String) throws -> Settings {
        var document = SettingsDocument()
        document.merge(
            Array((SessionRig.rotation + "\nlogging: \(logging)\n").utf8), from: "session.yaml")
        document.merge(environment: ["MARTLET__ALERTS__SMTP_PASSWORD": "pass\"word"])
        return try SettingsCheck(document).get()
    }

    private func log(_ logging: String) throws -> SessionLog {
        let settings = try settings(logging)
        var plan = SessionLog.Plan(
            settings: settings.logging, folder: folder,
            mask: LogMask(settings, account: "DU1234567")
        ) { _ in }
        plan.isBeside = false
        return SessionLog(plan)
    }

    private func entry(_ text: String, day: Int, second: Int64 = 0) throws -> LogEntry {
        let day = try #require(Day(year: 2026, month: 1, day: day))
        let time = Timestamp(day: day, sinceMidnight: .hours(15) + .seconds(second))
        return LogEntry(at: time, .info, .session, text)
    }

    private var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: folder).sorted() }
    }

    private func text(_ name: String) throws -> String {
        try String(contentsOfFile: folder + "/" + name, encoding: .utf8)
    }

    /// LOG-02: the folder is made, a new day begins a file, and days that are too old are deleted.
    @Test func aNewDayBeginsAFile() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let log = try log("{keep_days: 2}")
        for day in [5, 5, 6, 7, 8] { log.write([try entry("day \(day)", day: day)]) }
        // The 5th is more than two days before the 8th.
        #expect(
            try names == [
                "martlet.2026-01-06.1.log", "martlet.2026-01-07.1.log", "martlet.log", "trades.log",
            ])
        #expect(
            try text("martlet.2026-01-06.1.log")
                == "2026-01-06T15:00:00Z 3 info session: day 6\n")
        #expect(try text("martlet.log") == "2026-01-08T15:00:00Z 5 info session: day 8\n")
        #expect(try text("trades.log").isEmpty)
    }

    /// LOG-02: a file that is full is followed by another, and the newest so many are kept. A restart goes on.
    @Test func aFullFileIsFollowedByAnother() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let half = String(repeating: "x", count: 600_000)
        // Two of them are more than a mebibyte.
        for second in 1...4 as ClosedRange<Int64> {
            let log = try log("{max_file_mb: 1, keep_files: 2}")
            log.write([try entry("\(second) \(half)", day: 5, second: second)])
        }
        #expect(
            try names == [
                "martlet.2026-01-05.2.log", "martlet.2026-01-05.3.log", "martlet.log", "trades.log",
            ])
        #expect(try text("martlet.2026-01-05.2.log").hasPrefix("2026-01-05T15:00:02Z"))
        #expect(try text("martlet.log").hasPrefix("2026-01-05T15:00:04Z"))
    }

    /// LOG-06: an entry is a JSON object on a line. Accounts and secrets are in no line of either form.
    @Test(arguments: ["text", "json"])
    func noLineHasAnAccountOrASecret(format: String) throws {
        let settings = try settings("{format: \(format)}")
        let lines = LogFormat(settings.logging.format, LogMask(settings, account: "ACCOUNT1"))
        var entry = try entry("DU1234567 has\n\"pass\"word\"", day: 5)
        entry.set("account", .text("of ACCOUNT1"))
        entry.set("order", .integer(7))
        let line = lines.line(of: entry, 3)
        #expect(!line.contains("DU1234567") && !line.contains("ACCOUNT1"))
        #expect(!line.contains("pass\"word") && !line.contains("pass\\\"word"))
        if format == "text" {
            #expect(
                line
                    == "2026-01-05T15:00:00Z 3 info session: DU***67 has\\u000A\"***\" account=\"of AC***T1\" "
                    + "order=7\n")
        } else {
            let object = try JSONValue(Array(line.utf8))
            #expect(object["at"] == .text("2026-01-05T15:00:00Z"))
            #expect(object["sequence"] == .number("3"))
            #expect(object["level"] == .text("info"))
            #expect(object["category"] == .text("session"))
            #expect(object["message"] == .text("DU***67 has\n\"***\""))
            #expect(object["account"] == .text("of AC***T1"))
            #expect(object["order"] == .number("7"))
            #expect(line.count { $0 == "\n" } == 1)
        }
    }

    /// LOG-02: what a loss of power has cut is not run into the next line.
    @Test func aCutLineIsEnded() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        try "2026-01-05T14:59:59Z 9 in".write(
            toFile: folder + "/martlet.log", atomically: false, encoding: .utf8)
        try log("{}").write([try entry("next", day: 5)])
        #expect(
            try text("martlet.log")
                == "2026-01-05T14:59:59Z 9 in\n2026-01-05T15:00:00Z 1 info session: next\n")
    }

    /// Two sessions do not write into one log: the second loses its entries, and counts them.
    @Test func aLogHasOneSession() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let (first, second) = (try log("{}"), try log("{}"))
        first.write([try entry("first", day: 5)])
        second.write([try entry("second", day: 5)])
        #expect(second.droppedCount == 1)
        withExtendedLifetime(first) {}
        #expect(try text("martlet.log") == "2026-01-05T15:00:00Z 1 info session: first\n")
    }
}
