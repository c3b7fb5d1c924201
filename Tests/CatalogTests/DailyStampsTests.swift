import Foundation
import MarketState
import Model
import Primitives
import Testing

@testable import Catalog

/// Daily bars whose times are no dates.
@Suite struct DailyStampsTests {
    private static let days = ["2024-03-07", "2024-03-08", "2024-03-11", "2024-03-12"]

    /// The days around a change of clocks, as some sources stamp them.
    static let stamps: [[String]] = [
        days.map { $0 + "T00:00:00Z" },
        days.map { $0 + "T00:00:00" + ($0 < "2024-03-10" ? "-05:00" : "-04:00") },
        days.map { $0 + "T09:30:00" + ($0 < "2024-03-10" ? "-05:00" : "-04:00") },
        days.map { $0 + ($0 < "2024-03-10" ? "T14:30:00Z" : "T13:30:00Z") },
        ["1709769600", "1709856000", "1710115200", "1710201600"],
    ]

    private static func text(_ stamps: [String]) -> String {
        "timestamp,open,high,low,close,volume\n"
            + stamps.enumerated().map { "\($0.element),10,11,9,10.5,10\($0.offset)\n" }.joined()
    }

    @Test(arguments: stamps) func midnightsAndOpensAreDates(stamps: [String]) throws {
        let dated = try series(Self.text(Self.days)) { $0.calendar = .newYork }
        let stamped = try series(Self.text(stamps)) { $0.calendar = .newYork }
        #expect(stamped.rows == dated.rows)
        #expect(stamped.barSize == SessionCalendar.newYork.sessionLength)
        let report = try checked(Self.text(stamps))
        #expect(report.findings.kept.map(\.kind) == [.dates])
        #expect(report.span?.first == "2024-03-07" && report.span?.last == "2024-03-12")
        #expect(report.barSize == "1d")
        #expect(!report.isFaulty)
    }

    @Test(arguments: stamps) func importsWriteTheDates(stamps: [String]) throws {
        let sandbox = try Sandbox()
        try sandbox.write(Self.text(stamps), to: "T.csv")
        let source = DataSource(path: sandbox.path, calendar: .newYork)
        let file = try #require(try DataFolder.files(of: source).first)
        try sandbox.makeFolder("out")
        let report = try DataImport(source).run(file, into: sandbox.path + "/out")
        #expect(report.findings.kept.isEmpty)
        let text = try String(contentsOfFile: sandbox.path + "/out/T.csv", encoding: .utf8)
        let first = text.split(separator: "\n").map { String($0.prefix(10)) }
        let expected: [String] = ["date,open,"] + Self.days
        #expect(first == expected)
    }

    @Test func closesAreDatesWhereTimesMarkTheEnd() throws {
        let text = Self.text(["2024-03-05T16:00:00-05:00", "2024-03-06T16:00:00-05:00"])
        #expect(
            try fault(text) { $0.calendar = .newYork }
                == "T.csv:2: found a row a day, the first at 2024-03-05 16:00: neither midnight nor the "
                + "open. \(DailyStamps.remedy)")
        #expect(try checked(text).findings.first(.barSize)?.line == 2)
        let ends = try series(text) {
            $0.calendar = .newYork
            $0.stamp = .end
        }
        #expect(try ends.rows[0].start == timestamp("2024-03-05T14:30:00Z"))
        #expect(ends.barSize == SessionCalendar.newYork.sessionLength)
    }

    @Test func dailyBarsOfAMarketWithoutSessionsKeepTheirTimes() throws {
        let text = Self.text(["2024-03-05T08:00:00Z", "2024-03-06T08:00:00Z"])
        let bars = try series(text)
        #expect(bars.barSize == .days(1))
        #expect(try bars.rows[0].start == timestamp("2024-03-05T08:00:00Z"))
    }
}
