import Foundation
import MarketState
import Model
import Primitives
import Testing

@testable import Catalog

/// One rule for a bar's length, in loader, check and import.
@Suite struct BarSizeTests {
    /// Bars of two sessions, every `step` minutes from the open to before `end`, and those at `extra`.
    private static func text(
        step: Int, end: Int = 960, header: String = "timestamp", extra: Set<Int> = [],
        without: Set<Int> = []
    ) -> String {
        var text = "\(header),open,high,low,close,volume\n"
        for day in ["2024-01-03", "2024-01-04"] {
            let minutes = Set(stride(from: 570, to: end, by: step)).union(extra)
            for minute in minutes.subtracting(without).sorted() {
                let clock = String(format: "%02d:%02d:00", minute / 60, minute % 60)
                text += "\(day)T\(clock)-05:00,10,11,9,10.5,100\n"
            }
        }
        return text
    }

    private static func newYork(_ source: inout DataSource) { source.calendar = .newYork }

    /// With the smallest step for the length, each bar of 15 minutes was complete after one.
    @Test func aStrayRowIsRefusedWithItsLine() throws {
        let text = Self.text(step: 15, extra: [601])
        // The header, 09:30, 09:45, 10:00, and the row of 10:01.
        #expect(
            try fault(text, Self.newYork)
                == "T.csv:5: found a row 1m behind the one before, where bars last 15m, the most "
                + "frequent step. Remove the row, or say how long bars last with "
                + "backtest.data.bar_length.")
        let report = try checked(text)
        #expect(report.length == .minutes(15))
        #expect(report.findings.first(.barSize)?.line == 5)
        #expect(report.findings.findingCount(.barSize) == 2)
        #expect(report.isFaulty)
    }

    @Test func theMostFrequentStepIsTheLength() throws {
        // 10:15, 10:45 and 14:00 are missing.
        let text = Self.text(step: 15, without: [615, 645, 840])
        #expect(try series(text, Self.newYork).length == .minutes(15))
        #expect(try checked(text).length == .minutes(15))
    }

    @Test func aDayBeginsItsOwnBars() throws {
        // 65 minutes divide a session, and not the 18 hours and 35 minutes to the next.
        #expect(try series(Self.text(step: 65), Self.newYork).length == .minutes(65))
        #expect(!(try checked(Self.text(step: 65)).isFaulty))
    }

    /// A thin symbol: of its bars of five minutes, mostly each second is there.
    @Test func theDeclaredLengthCountsFirst() throws {
        let thin = Self.text(step: 10, extra: [575, 605])
        #expect(try fault(thin, Self.newYork)?.hasPrefix("T.csv:3: found a row 5m behind") == true)
        let named = Self.text(step: 10, header: "timestamp_5m", extra: [575, 605])
        #expect(try series(named, Self.newYork).length == .minutes(5))
        #expect(try checked(named).length == .minutes(5))
        #expect(!(try checked(named).isFaulty))
        let told = try series(thin) {
            Self.newYork(&$0)
            $0.barLength = .minutes(5)
        }
        #expect(told.length == .minutes(5))
    }

    @Test func aRowThatDoesNotFitTheDeclaredLengthIsRefused() throws {
        let text = Self.text(step: 15, header: "timestamp_15m", extra: [622])
        #expect(
            try fault(text, Self.newYork)?.contains("only 7m after the row before") == true)
        let late = Self.text(step: 15, header: "timestamp_15m", extra: [622], without: [630, 615])
        #expect(
            try fault(late, Self.newYork)?.hasPrefix(
                "T.csv:5: found a row 22m behind the one before, where bars last 15m, as declared")
                == true)
    }

    @Test func twoDeclarationsHaveToAgree() throws {
        let message = try fault(Self.text(step: 15, header: "time_15m")) {
            Self.newYork(&$0)
            $0.barLength = .minutes(1)
        }
        #expect(message?.hasPrefix("T.csv:1: found bars of 15m by the name of the time") == true)
    }

    @Test func anImportDeclaresTheLength() throws {
        let sandbox = try Sandbox()
        try sandbox.write(Self.text(step: 15, without: [615]), to: "T.csv")
        let source = DataSource(path: sandbox.path, calendar: .newYork)
        let file = try #require(try DataFolder.files(of: source).first)
        try sandbox.makeFolder("out")
        _ = try DataImport(source).run(file, into: sandbox.path + "/out")
        let text = try String(contentsOfFile: sandbox.path + "/out/T.csv", encoding: .utf8)
        #expect(text.hasPrefix("timestamp_15m,open,high,low,close,volume\n2024-01-03T09:30"))
        let written = DataSource(path: sandbox.path + "/out", calendar: .newYork)
        #expect(try DataLoader.load(written).series[0].length == .minutes(15))
    }
}

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
        #expect(stamped.length == SessionCalendar.newYork.sessionLength)
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
        #expect(try ends.rows[0].start == instant("2024-03-05T14:30:00Z"))
        #expect(ends.length == SessionCalendar.newYork.sessionLength)
    }

    @Test func dailyBarsOfAMarketWithoutSessionsKeepTheirTimes() throws {
        let text = Self.text(["2024-03-05T08:00:00Z", "2024-03-06T08:00:00Z"])
        let bars = try series(text)
        #expect(bars.length == .days(1))
        #expect(try bars.rows[0].start == instant("2024-03-05T08:00:00Z"))
    }
}
