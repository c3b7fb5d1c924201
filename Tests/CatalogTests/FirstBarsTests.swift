import MarketState
import Model
import Primitives
import Testing

@testable import Catalog

/// Files whose sessions begin with a shorter bar, as Interactive Brokers' hours do.
@Suite struct FirstBarsTests {
    /// A file of bars that begin at those clock times of New York, on days around a change of clocks.
    private static func text(_ clocks: [String], days: [String] = days) -> String {
        var text = "timestamp,open,high,low,close,volume\n"
        for day in days {
            let offset = day < "2024-03-10" ? "-05:00" : "-04:00"
            for clock in clocks { text += "\(day)T\(clock):00\(offset),10,11,9,10.5,100\n" }
        }
        return text
    }

    private static let days = ["2024-03-07", "2024-03-08", "2024-03-11", "2024-03-12"]

    private static func newYork(_ source: inout DataSource) { source.calendar = .newYork }

    /// Interactive Brokers' bars of a session, by their length: those that do not divide the half hour
    /// that the open is past the hour begin with a shorter one.
    private static let uneven: [(clocks: [String], first: String, others: String)] = [
        (["09:30", "09:40", "10:00", "10:20", "10:40", "11:00"], "10m", "20m"),
        (["09:30", "10:00", "11:00", "12:00", "13:00", "14:00", "15:00"], "30m", "1h"),
        (["09:30", "10:00", "12:00", "14:00"], "30m", "2h"),
        (["09:30", "12:00", "15:00"], "150m", "3h"),
        (["09:30", "12:00"], "150m", "4h"),
    ]

    @Test(arguments: uneven)
    func shorterFirstBarsAreRefused(clocks: [String], first: String, others: String) throws {
        #expect(
            try fault(Self.text(clocks), Self.newYork)
                == "T.csv: found first bars of sessions that last \(first) where the others last "
                + "\(others), but bars of a file have one length. Take bars of a length that divides "
                + "30 minutes, and set trading.bar_size: \(others); or, if each bar does last "
                + "\(first), set backtest.data.bar_size: \(first).")
        let report = try checked(Self.text(clocks))
        #expect(report.findings.itemCount(.firstBars) == 1 && report.isFaulty)
    }

    @Test func aBarThatIsMissingHidesNothing() throws {
        for (clocks, _, _) in Self.uneven where clocks.count > 3 {
            for gap in clocks.indices.dropFirst(2) {
                var lines = Self.text(clocks).split(separator: "\n")
                lines.remove(at: 1 + gap)
                let text = lines.joined(separator: "\n") + "\n"
                #expect(try fault(text, Self.newYork) != nil, "without \(clocks[gap])")
            }
        }
    }

    /// Equal bars from the open, whole hours from before the open, thin minutes, days that begin late.
    @Test(
        arguments: [
            (["09:30", "10:00", "10:30", "11:00"], 30), (["09:30", "10:30", "11:30", "12:30"], 60),
            (["08:00", "09:00", "10:00", "11:00"], 60), (["09:30", "12:45"], 195),
            (["09:30", "12:00", "14:30"], 150), (["09:30", "09:31", "09:33", "09:36"], 1),
            (["10:00", "10:30", "11:30"], 30), (["09:30", "10:00"], 30), (["09:30", "16:00"], 390),
        ] as [([String], Int64)])
    func equalBarsHaveTheMostFrequentStepAsLength(clocks: [String], minutes: Int64) throws {
        #expect(try series(Self.text(clocks), Self.newYork).barSize == .minutes(minutes))
        #expect(try checked(Self.text(clocks)).findings.itemCount(.firstBars) == 0)
    }

    /// Steps that are no multiples of the most frequent one: which length is meant has to be said.
    @Test(arguments: [
        ["09:30", "09:32", "09:36", "09:41"], ["09:45", "10:00", "11:00", "12:00"],
        ["10:30", "11:00", "12:00", "13:00"],
    ])
    func unequalBarsAreRefusedUnlessTheirLengthIsStated(clocks: [String]) throws {
        #expect(try fault(Self.text(clocks), Self.newYork)?.contains("found a row") == true)
        #expect(try checked(Self.text(clocks)).isFaulty)
        let reported = try series(Self.text(clocks)) {
            $0.calendar = .newYork
            $0.barSize = .minutes(1)
        }
        #expect(reported.barSize == .minutes(1))
    }

    @Test func lengthThatIsStatedHolds() throws {
        let halves = try series(Self.text(["09:30", "10:00", "11:00", "12:00"])) {
            $0.calendar = .newYork
            $0.barSize = .minutes(30)
        }
        #expect(halves.barSize == .minutes(30))
    }

    /// Times of ends are an hour apart, the first at 10:00: every bar ends when it says.
    @Test func timesOfEndsNeedNoFirstBar() throws {
        let hours = try series(Self.text(["10:00", "11:00", "12:00"])) {
            $0.calendar = .newYork
            $0.stamp = .end
        }
        #expect(hours.barSize == .hours(1))
        #expect(hours.rows[0].start + hours.barSize == (try timestamp("2024-03-07T15:00:00Z")))
    }

    @Test func withoutSessionsNoBarIsTheFirst() throws {
        #expect(
            try fault(Self.text(["09:30", "10:00", "11:00", "12:00"]))?.hasPrefix(
                "T.csv:3: found a row 30m behind the one before, where bars last 1h") == true)
    }
}
