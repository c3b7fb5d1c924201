import MarketState
import Model
import Primitives
import Testing

@testable import Catalog

@Suite struct TickCheckTests {
    private func report(
        _ rows: [String], header: String = "time,bid,bid_size,ask,ask_size,price,size",
        _ configure: (inout DataSource) -> Void = { _ in }
    ) throws -> FileReport {
        let sandbox = try Sandbox()
        try sandbox.write(([header] + rows).joined(separator: "\n") + "\n", to: "T.csv")
        let source = sandbox.source {
            $0.calendar = .newYork
            configure(&$0)
        }
        let file = try #require(try DataFolder.files(of: source).first)
        return DataCheck.check(file, source: source)
    }

    private func found(_ report: FileReport) -> [String] {
        report.findings.kept.map { "\($0.kind.rawValue) \($0.line ?? 0): \($0.text)" }
    }

    private let sound = "2024-01-02T14:30:00Z,99.98,300,100.02,1200,,"

    @Test func soundFileHasItsFigures() throws {
        let report = try report([
            sound, "2024-01-02T14:30:00.25Z,,,,,100,5", "2024-01-02T20:59:59Z,99,1,101,1,,",
        ])
        #expect(found(report).isEmpty && !report.isFaulty)
        #expect(report.kind == .ticks && report.barSize == "ticks")
        #expect(report.rowCount == 3 && report.tradeCount == 1)
        #expect(report.span?.first == "2024-01-02 09:30")
        #expect(report.span?.last == "2024-01-02 15:59:59")
    }

    @Test func everyFaultAndDoubtHasItsLine() throws {
        let report = try report([
            sound,
            "2024-01-02T14:30:01Z,100.03,1,100.02,1,,",
            "2024-01-02T14:30:02Z,100.02,1,100.02,1,,",
            "2024-01-02T14:30:02Z,100.02,1,100.02,1,,",
            "2024-01-02T14:30:01Z,99.98,300,100.02,1200,,",
            "2024-01-02T14:30:03Z,0,1,100.02,1,,",
            "2024-01-02T14:30:03Z,99.98,-1,100.02,1,,",
            "2024-01-02T14:30:03Z,,,,,100,0",
            "2024-01-02T14:30:03Z,99.98,0,100.02,1,,",
            "2024-01-02T14:30:03Z,,,,,,",
            "",
            "2024-01-02T14:30:04Z,99.98,1,x,1,,",
            sound + ",",
        ])
        #expect(
            found(report) == [
                "crossed 3: found bid 100.03 and ask 100.02",
                "locked 4: found bid 100.02 and ask 100.02",
                "repeated 5: found the row before again",
                "locked 5: found bid 100.02 and ask 100.02",
                "unsorted 6: found 2024-01-02T14:30:01Z behind 2024-01-02T14:30:02Z",
                "price 7: column 2 (bid): found '0', which is not a positive price",
                "format 8: column 3 (bid_size): found '-1', which is negative",
                "zero_volume 9: found a trade of nothing",
                "zero_volume 10: found a price for nothing",
                "missing_value 11: found neither a quote nor a trade",
                "format 12: found an empty line",
                "format 13: column 4 (ask): found 'x', which is not a decimal number",
                "format 14: found 8 fields where the header has 7",
            ])
        #expect(report.findings.count(.error) == 7 && report.isFaulty)
    }

    @Test func pricesThatJumpAndComeBackAreSpikes() throws {
        func trades(_ prices: [String]) -> [String] {
            prices.enumerated().map { "2024-01-02T14:30:0\($0)Z,,,,,\($1),1" }
        }
        // 1.02 % up and all of it back; 1 % exactly; 2 % up of which half stays.
        #expect(
            found(try report(trades(["98", "99", "100.01", "99.00", "99"]))) == [
                "spike 4: found price 100.01 between 99.00 and 99.00"
            ])
        #expect(found(try report(trades(["100", "101", "100"]))).isEmpty)
        #expect(found(try report(trades(["100", "102", "101", "101"]))).isEmpty)
        let quotes = [
            "2024-01-02T14:30:00Z,100,1,100.1,1,,", "2024-01-02T14:30:01Z,100,1,150,1,,",
            "2024-01-02T14:30:02Z,100,1,100.1,1,,",
        ]
        #expect(
            found(try report(quotes)) == ["spike 3: found ask 150.00 between 100.10 and 100.10"])
    }

    @Test func daysAndHoursAreLookedAt() throws {
        let rows = [
            "2024-01-02T14:29:59Z,,,,,100,1", "2024-01-02T14:30:00Z,,,,,100,1",
            "2024-01-02T21:00:00Z,,,,,100,1", "2024-01-05T15:00:00Z,,,,,100,1",
            "2024-01-06T15:00:00Z,,,,,100,1",
        ]
        #expect(
            found(try report(rows)) == [
                "outside_rth 2: found 2 rows of 2024-01-02 before the open or after the close",
                "missing_session 5: found no row on 2024-01-03 and 1 sessions behind it",
                "closed_day 6: found 1 row on 2024-01-06, which has no session",
            ])
        #expect(
            found(try report(rows) { $0.calendar = .always }).map { $0.prefix(17) } == [
                "missing_session 5"
            ])
    }

    @Test func timesWithoutAZoneAreNotedOnce() throws {
        let rows = ["2024-01-02 09:30:00,,,,,100,1", "2024-01-02 09:30:01,,,,,100,1"]
        #expect(
            found(try report(rows)) == [
                "zone_unstated 2: found times that do not say their zone: taken for New York's"
            ])
        #expect(found(try report(rows) { $0.zone = .newYork }).isEmpty)
    }

    @Test func headersThatLackAColumnAreReported() throws {
        #expect(
            found(try report(["1,2"], header: "bid,ask")).first?.hasPrefix("header 1: found no")
                == true)
    }
}
