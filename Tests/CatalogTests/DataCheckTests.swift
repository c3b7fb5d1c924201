import Foundation
import MarketState
import Model
import Primitives
import Testing

@testable import Catalog

/// What is found in bar files, and where.
@Suite struct DataCheckTests {
    /// Ten ordinary sessions from Wednesday 2024-01-03 on, Martin Luther King Day left out.
    private static let days = [
        "2024-01-03", "2024-01-04", "2024-01-05", "2024-01-08", "2024-01-09", "2024-01-10",
        "2024-01-11", "2024-01-12", "2024-01-16", "2024-01-17",
    ]
    private static let header = "date,open,high,low,close,volume\n"

    private static func row(_ day: String, _ remainder: String = "10,11,9,10.5,100") -> String {
        "\(day),\(remainder)\n"
    }

    /// The ordinary sessions with some rows replaced, by index.
    private static func daily(_ replaced: [Int: String] = [:]) -> String {
        header + days.enumerated().map { replaced[$0.offset] ?? row($0.element) }.joined()
    }

    @Test func ordinarySessionsHaveNoFindings() throws {
        let report = try checked(Self.daily())
        #expect(report.findings.kept.isEmpty)
        #expect(report.rowCount == 10)
        #expect(report.barSize == "1d")
        #expect(try report.first == timestamp("2024-01-03T14:30:00Z"))
        #expect(try report.last == timestamp("2024-01-17T14:30:00Z"))
        #expect(!report.isFaulty)
    }

    // MARK: Rows

    @Test(arguments: [
        (",11,9,10.5,100", DataFinding.Kind.missingValue),
        ("10,NaN,9,10.5,100", .missingValue), ("10,11,null,10.5,100", .missingValue),
        ("10,11,9,10.5,", .missingValue), ("10,11,9,0,100", .price), ("10,11,-9,10.5,100", .price),
        ("10,8,9,10.5,100", .range), ("10,10.2,9,10.5,100", .range),
        ("10,11,10.2,10.5,100", .range),
        ("10,11,9,abc,100", .format), ("10,11,9,10.5,-1", .format), ("10,11,9,10.5", .format),
        ("10,1.1e1e,9,10.5,100", .format), ("10,11,9,10.5,\"1,000\"", .format),
        ("10,11.000000001,9,10.5,100", .format),
    ])
    func faultyRowIsFoundAtItsLine(remainder: String, kind: DataFinding.Kind) throws {
        let report = try checked(Self.daily([4: Self.row(Self.days[4], remainder)]))
        #expect(report.isFaulty)
        #expect(report.findings.first(kind)?.line == 6)
        #expect(report.findings.findingCount(kind) == 1)
        #expect(report.findings.count(.error) == 1)
    }

    @Test func everyFaultyRowIsFoundAndNotOnlyTheFirst() throws {
        let report = try checked(
            Self.daily([
                2: Self.row(Self.days[2], "10,11,9,,100"), 5: "not a row\n", 7: "\n",
                8: Self.row("16/01/2024"),
            ]))
        let lines = report.findings.kept.filter { $0.kind.severity == .error }.map(\.line)
        #expect(lines == [4, 7, 9, 10])
        // Days of unreadable lines have no bar.
        #expect(report.findings.itemCount(.missingSession) == 3)
    }

    @Test func rowsOutOfOrderAreFoundAndDoNotHideOtherFaults() throws {
        let days = Self.days
        let report = try checked(
            Self.daily([
                3: Self.row(days[4]), 4: Self.row(days[3]), 7: Self.row(days[7], "10,8,9,10.5,100"),
            ]))
        #expect(report.findings.first(.unsorted)?.line == 6)
        #expect(report.findings.first(.range)?.line == 9)
        #expect(report.findings.findingCount(.missingSession) == 0)
    }

    @Test func fileFromNewToOldIsOneFinding() throws {
        let report = try checked(
            Self.header + Self.days.reversed().map { Self.row($0) }.joined())
        #expect(report.findings.kept.map(\.kind) == [.unsorted])
        #expect(report.findings.first(.unsorted)?.line == 3)
        #expect(report.findings.itemCount(.unsorted) == 9)
    }

    @Test func repeatedTimesAreDistinguishedByTheirValues() throws {
        let days = Self.days
        let report = try checked(
            Self.header + Self.row(days[0]) + Self.row(days[0], "10.0,11.00,9,10.5,100")
                + Self.row(days[1]) + Self.row(days[1], "10,11,9,10.6,100") + Self.row(days[2]))
        #expect(report.findings.kept.map(\.kind) == [.duplicate, .conflict])
        #expect(report.findings.kept.map(\.line) == [3, 5])
    }

    @Test func headerThatNamesNoColumnsIsFound() throws {
        let report = try checked("2024-01-03,10,11,9,10.5,100\n")
        #expect(report.findings.kept.map(\.kind) == [.header])
    }

    @Test func damagedFileIsReadAsFarAsItGoes() throws {
        let sandbox = try Sandbox()
        var packed = Sandbox.packed(Array(Self.daily().utf8))
        packed.removeLast(20)
        try sandbox.write(packed, to: "T.csv.gz")
        let report = try sandbox.check()
        #expect(report.findings.findingCount(.damaged) == 1)
    }

    // MARK: Prices

    @Test func priceThatJumpsAndComesBackIsASpike() throws {
        let report = try checked(Self.daily([4: Self.row(Self.days[4], "15,15,15,15,100")]))
        #expect(report.findings.kept.map(\.kind) == [.spike])
        #expect(report.findings.first(.spike)?.line == 6)
    }

    @Test func priceThatJumpsAndStaysIsNoSpike() throws {
        let rows = Self.days.enumerated().map { index, day in
            Self.row(day, index < 5 ? "10,11,9,10.5,100" : "13,14,12,13.5,100")
        }
        #expect(try checked(Self.header + rows.joined()).findings.kept.isEmpty)
    }

    @Test func halvedPriceIsASplitUnlessAColumnStatesSo() throws {
        func text(_ split: String) -> String {
            "date,open,high,low,close,volume,split\n"
                + Self.days.enumerated().map { index, day in
                    let prices = index < 5 ? "10,11,9,10,100" : "5,5.5,4.5,5,100"
                    return "\(day),\(prices),\(index == 5 ? split : "1")\n"
                }.joined()
        }
        let report = try checked(text("1"))
        #expect(report.findings.kept.map(\.kind) == [.split])
        #expect(report.findings.first(.split)?.line == 7)
        #expect(report.findings.first(.split)?.text.contains("2:1") == true)
        #expect(try checked(text("2")).findings.kept.isEmpty)
    }

    @Test func splitWithoutItsJumpReportsThatPricesAreAdjusted() throws {
        let rows = Self.days.enumerated().map { index, day in
            "\(day),10,11,9,10,100,\(index == 5 ? 2 : 1)\n"
        }
        let report = try checked("date,open,high,low,close,volume,split\n" + rows.joined())
        #expect(report.findings.kept.map(\.kind) == [.split])
        #expect(report.findings.first(.split)?.text.contains("adjusted for splits") == true)
    }

    // MARK: Sessions

    @Test func sessionsThatAreMissingAreNamedWithoutHolidays() throws {
        let report = try checked(Self.daily([3: "", 4: "", 7: ""]))
        let missing = report.findings.kept.filter { $0.kind == .missingSession }
        #expect(missing.map(\.count) == [2, 1])
        #expect(missing[0].text == "found no bar on 2024-01-08 to 2024-01-09, 2 sessions")
        #expect(missing[1].text == "found no bar on 2024-01-12")
    }

    @Test func barsOnClosedDaysAreNamedWithTheReason() throws {
        let days = Self.days
        let report = try checked(
            Self.daily([
                2: Self.row(days[2]) + Self.row("2024-01-06"),
                7: Self.row(days[7]) + Self.row("2024-01-15"),
            ]))
        #expect(report.findings.kept.map(\.kind) == [.closedDay, .closedDay])
        #expect(report.findings.kept[0].text.contains("2024-01-06, which has no session (weekend)"))
        #expect(report.findings.kept[1].text.contains("Martin Luther King Day"))
        #expect(try checked(Self.daily(), calendar: .always).findings.kept.isEmpty)
    }

    @Test func weeklyRowsAreNoSessions() throws {
        let rows = (0..<8).map { Self.row(Day(number: 19_730 + 7 * $0).description) }
        let report = try checked(Self.header + rows.joined())
        #expect(report.findings.findingCount(.mixedBarSizes) == 1)
        #expect(report.findings.findingCount(.missingSession) == 0)
    }

    // MARK: Within a session

    /// One-minute bars of 2024-01-03 to 2024-01-05 in New York, each moved by `shift` minutes, without
    /// those at `missing` minutes after midnight.
    private static func minutes(
        shift: Int = 0, missing: Set<Int> = [], step: Int = 1, zone: String = "-05:00"
    ) -> String {
        var text = "timestamp,open,high,low,close,volume\n"
        for day in ["2024-01-03", "2024-01-04", "2024-01-05"] {
            for minute in stride(from: 570, to: 960, by: step) where !missing.contains(minute) {
                let at = minute + shift
                let clock = String(format: "%02d:%02d:00", at / 60, at % 60)
                text += "\(day)T\(clock)\(zone),10,11,9,10.5,100\n"
            }
        }
        return text
    }

    @Test func wholeSessionsOfMinutesHaveNoFindings() throws {
        for step in [1, 5, 15, 30, 60] {
            let report = try checked(Self.minutes(step: step))
            #expect(report.findings.kept.isEmpty, "\(step)")
            #expect(report.barDuration == .minutes(Int64(step)))
        }
    }

    @Test func missingMinutesAreReportedAsRanges() throws {
        let report = try checked(Self.minutes(missing: [600, 601, 602, 700, 959]))
        let missing = report.findings.kept.filter { $0.kind == .missingBars }
        // The file's last bar is that of 15:58: what lies behind it is not known to be missing.
        #expect(missing.map(\.count) == [3, 1, 1, 3, 1, 1, 3, 1])
        #expect(
            missing[0].text == "found no bar at 2024-01-03 10:00 to 10:02, 3 bars")
        #expect(missing[2].text == "found no bar at 2024-01-03 15:59")
        // The bar behind the first gap: 30 rows and the header before it.
        #expect(missing[0].line == 32)
    }

    @Test func hoursThatBeginAtTheOpenAndThenAtWholeHoursAreInPlace() throws {
        var text = "timestamp,open,high,low,close,volume\n"
        for day in ["2024-01-03", "2024-01-04", "2024-01-05"] {
            for clock in ["09:30", "10:00", "11:00", "12:00", "13:00", "14:00", "15:00"] {
                text += "\(day)T\(clock):00-05:00,10,11,9,10.5,100\n"
            }
        }
        let report = try checked(text)
        // Nothing is missing; but a backtest would not know how long a bar lasts.
        #expect(report.findings.kept.map(\.kind) == [.firstBars])
        #expect(report.barDuration == .hours(1))
    }

    @Test func timesInTheWrongZoneAreFound() throws {
        // New York's wall clock with the offset left out and taken for UTC: five hours early.
        let early = try checked(Self.minutes(zone: "Z"))
        #expect(early.findings.kept.map(\.kind) == [.zone])
        #expect(early.findings.first(.zone)?.text.contains("5 hours before the open") == true)
        // UTC taken for New York's clock.
        let late = try checked(Self.minutes(shift: 300, zone: ""))
        #expect(late.findings.kept.map(\.kind) == [.zoneUnstated, .zone])
        #expect(late.findings.first(.zone)?.text.contains("5 hours behind the open") == true)
        let right = try checked(Self.minutes(shift: 300, zone: "")) { $0.zone = .utc }
        #expect(right.findings.kept.isEmpty)
    }

    @Test func timesAtTheEndOfBarsAreFound() throws {
        let text = Self.minutes(shift: 1, missing: [700])
        let report = try checked(text)
        // Gaps are told as if the setting were right.
        #expect(Set(report.findings.kept.map(\.kind)) == [.stamp, .missingBars])
        #expect(report.findings.itemCount(.missingBars) == 3)
        #expect(try checked(text) { $0.stamp = .end }.isFaulty == false)
        let taken = try checked(Self.minutes()) { $0.stamp = .end }
        #expect(taken.findings.kept.map(\.kind) == [.stamp])
    }

    @Test func earlyCloseEndsTheDay() throws {
        // 2023-11-24, the day after Thanksgiving, closes at 13:00: 210 minutes, and one too many.
        var text = "timestamp,open,high,low,close,volume\n"
        for (day, end) in [("2023-11-22", 960), ("2023-11-24", 781), ("2023-11-27", 960)] {
            for minute in 570..<end {
                let clock = String(format: "%02d:%02d:00", minute / 60, minute % 60)
                text += "\(day)T\(clock)-05:00,10,11,9,10.5,100\n"
            }
        }
        let report = try checked(text)
        #expect(report.findings.kept.map(\.kind) == [.outsideRTH])
        #expect(report.findings.itemCount(.outsideRTH) == 1)
        #expect(report.findings.first(.outsideRTH)?.line == 602)
    }

    @Test func barsOfOtherLengthsAreFound() throws {
        let fives = Self.minutes(step: 5).split(separator: "\n").dropFirst()
        let other = fives.map { $0.replacing("2024-01-0", with: "2024-01-1") }
        let text =
            Self.minutes() + other.filter { $0.hasPrefix("2024-01-1") }.joined(separator: "\n")
        let report = try checked(text.replacing("2024-01-13", with: "2024-01-16"))
        #expect(report.findings.findingCount(.mixedBarSizes) == 1)
        #expect(report.findings.itemCount(.missingBars) == 0)
    }

    @Test func volumeOfNothingIsFound() throws {
        let report = try checked(
            Self.daily([
                2: Self.row(Self.days[2], "10,11,9,10.5,0"),
                3: Self.row(Self.days[3], "10,11,9,10.5,0"),
                6: Self.row(Self.days[6], "10,11,9,10.5,1"),
            ]))
        #expect(report.findings.kept.map(\.kind) == [.zeroVolume, .lowVolume])
        #expect(report.findings.itemCount(.zeroVolume) == 2)
        #expect(report.findings.first(.lowVolume)?.line == 8)
    }

    // MARK: Real files

    @Test func dayOnAnotherBasisIsASpike() throws {
        let report = try checkedFixture("CMCSA")
        #expect(report.findings.kept.map(\.kind) == [.spike])
        #expect(report.findings.first(.spike)?.text.contains("2004-08-02") == true)
        #expect(report.basisHints.first == "adj_close beside close")
    }

    @Test func daysWithoutVolumeAreFoundAndClosuresAreNoGaps() throws {
        let report = try checkedFixture("GILD")
        #expect(report.findings.kept.map(\.kind) == [.zeroVolume])
        #expect(report.findings.itemCount(.zeroVolume) == 2)
        #expect(report.findings.first(.zeroVolume)?.text.contains("2001-10-02") == true)
    }

    @Test func splitThatNoColumnNamesIsFound() throws {
        let report = try checkedFixture("VTI")
        #expect(report.findings.kept.map(\.kind) == [.split])
        #expect(report.findings.first(.split)?.text.contains("2008-06-18") == true)
    }

    @Test func minutesThatAreMissingAreFound() throws {
        let report = try checkedFixture("AAPL")
        #expect(report.findings.kept.map(\.kind) == [.missingBars, .missingBars])
        #expect(
            report.findings.kept.map(\.text) == [
                "found no bar at 2019-02-14 14:31", "found no bar at 2019-02-14 14:36",
            ])
    }

    @Test func extendedHoursAreFound() throws {
        let report = try checkedFixture("SPY")
        #expect(report.findings.itemCount(.outsideRTH) == 10)
        #expect(!report.isFaulty)
    }

    // MARK: Properties

    /// The check reads on where the loader stops, and otherwise agrees with it.
    @Test(arguments: 0..<200 as Range<UInt64>)
    func whatTheLoaderRefusesHasAnErrorAndWhatItReadsHasNone(seed: UInt64) throws {
        var random = RandomBars(seed: seed)
        let rows = random.rows(20, step: .minutes(1))
        var bytes = Array(random.text(rows).utf8)
        for _ in 0..<random.int(0...2) {
            let index = Int(random.int(0...Int64(bytes.count - 1)))
            bytes[index] = random.element(Array("0123456789.,-:TZ\n\"a \r".utf8))
        }
        let loads: Bool
        do {
            _ = try series(bytes)
            loads = true
        } catch is DataError {
            loads = false
        }
        let report = try checked(String(decoding: bytes, as: UTF8.self), calendar: .always)
        // A single row has no length, which the check does not ask for.
        guard report.rowCount > 1 || !loads else { return }
        #expect(report.isFaulty != loads, "\(String(decoding: bytes, as: UTF8.self))")
    }
}
