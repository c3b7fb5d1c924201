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
                + "backtest.data.bar_size.")
        let report = try checked(text)
        #expect(report.barDuration == .minutes(15))
        #expect(report.findings.first(.barSize)?.line == 5)
        #expect(report.findings.findingCount(.barSize) == 2)
        #expect(report.isFaulty)
    }

    @Test func theMostFrequentStepIsTheLength() throws {
        // 10:15, 10:45 and 14:00 are missing.
        let text = Self.text(step: 15, without: [615, 645, 840])
        #expect(try series(text, Self.newYork).barSize == .minutes(15))
        #expect(try checked(text).barDuration == .minutes(15))
    }

    @Test func aDayBeginsItsOwnBars() throws {
        // 65 minutes divide a session, and not the 18 hours and 35 minutes to the next.
        #expect(try series(Self.text(step: 65), Self.newYork).barSize == .minutes(65))
        #expect(!(try checked(Self.text(step: 65)).isFaulty))
    }

    /// A thin symbol: of its bars of five minutes, mostly each second is there.
    @Test func theDeclaredLengthCountsFirst() throws {
        let thin = Self.text(step: 10, extra: [575, 605])
        #expect(try fault(thin, Self.newYork)?.hasPrefix("T.csv:3: found a row 5m behind") == true)
        let named = Self.text(step: 10, header: "timestamp_5m", extra: [575, 605])
        #expect(try series(named, Self.newYork).barSize == .minutes(5))
        #expect(try checked(named).barDuration == .minutes(5))
        #expect(!(try checked(named).isFaulty))
        let reported = try series(thin) {
            Self.newYork(&$0)
            $0.barSize = .minutes(5)
        }
        #expect(reported.barSize == .minutes(5))
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
            $0.barSize = .minutes(1)
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
        #expect(try DataLoader.load(written).series[0].barSize == .minutes(15))
    }
}
