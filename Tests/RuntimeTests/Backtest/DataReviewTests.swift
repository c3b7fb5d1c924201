import Catalog
import MarketState
import Model
import Primitives
import Testing

@testable import Runtime

/// What a backtest says about the data it used.
@Suite struct DataReviewTests {
    /// Sessions from Wednesday 2024-01-03 on, without Martin Luther King Day.
    private static let days = [
        "2024-01-03", "2024-01-04", "2024-01-05", "2024-01-08", "2024-01-09", "2024-01-10",
        "2024-01-11", "2024-01-12", "2024-01-16", "2024-01-17",
    ]

    /// Daily bars of those prices, in whole dollars.
    private static func daily(
        _ closes: [Int64], volume: Int64 = 1_000, days: [String] = days
    ) throws -> [BarRow] {
        try zip(days, closes).enumerated().map { index, pair in
            let day = try #require(Day(pair.0))
            let close = Price(cents: pair.1 * 100)
            return BarRow(
                start: SessionCalendar.newYork.open(on: day), open: close,
                high: close + Price(cents: 100), low: close - Price(cents: 50), close: close,
                volume: Quantity(shares: volume == 0 ? 0 : volume + Int64(index)))
        }
    }

    private static func doubts(
        _ rows: [BarRow], basis: PriceBasis = .raw, actions: [RowAction] = [],
        barSize: Duration = SessionCalendar.newYork.sessionLength,
        calendar: SessionCalendar = .newYork, from: Timestamp = .distantPast
    ) -> [String] {
        let series = BarSeries(
            symbol: "AAA", barSize: barSize, rows: rows,
            file: SourceFile(path: "AAA.csv", bytes: 0, modified: 0, inode: 0), actions: actions)
        let data = DataSet(series: [series], basis: basis, stamp: .start, calendar: calendar)
        return DataReview(data, period: from..<Timestamp.distantFuture, warmup: 0).doubts
    }

    @Test func soundDataIsNotDoubted() throws {
        #expect(
            Self.doubts(try Self.daily([100, 101, 102, 101, 100, 99, 100, 101, 102, 103])) == [])
    }

    @Test func aJumpOfASplitsRatioIsDoubtedUnlessItIsNamed() throws {
        let rows = try Self.daily([100, 100, 100, 100, 50, 50, 51, 50, 50, 50])
        #expect(
            Self.doubts(rows) == [
                "AAA jumps: 2024-01-09: like a split 2:1, from 100.00 to 50.00, which its split column "
                    + "does not bear out"
            ])
        let named = [RowAction(row: 4, line: 6, kind: .split(ratio: Quantity(shares: 2)))]
        #expect(Self.doubts(rows, actions: named) == [])
        // On adjusted prices a split should not show at all.
        #expect(
            Self.doubts(rows, basis: .split, actions: named) == [
                "AAA jumps: 2024-01-09: like a split 2:1, from 100.00 to 50.00"
            ])
        let paid = [RowAction(row: 4, line: 6, kind: .dividend(Price(cents: 50_00)))]
        #expect(Self.doubts(rows, actions: paid) == [])
        // Only what is used.
        #expect(Self.doubts(rows, from: rows[4].start) == [])
    }

    @Test func aSplitThatIsInThePricesAlreadyIsDoubted() throws {
        let rows = try Self.daily([100, 101, 102, 101, 100, 99, 100, 101, 102, 103])
        let named = [RowAction(row: 4, line: 6, kind: .split(ratio: Quantity(shares: 4)))]
        #expect(
            Self.doubts(rows, actions: named) == [
                "AAA jumps: 2024-01-09: a split of 4 by which no price changed, which its split column "
                    + "does not bear out"
            ])
        #expect(Self.doubts(rows, basis: .split, actions: named) == [])
    }

    @Test func anotherUnitIsDoubted() throws {
        let rows = try Self.daily([100, 100, 100, 10_000, 10_000, 100, 100, 100, 100, 100])
        #expect(
            Self.doubts(rows)[0].hasPrefix(
                "AAA jumps: 2024-01-08: 100 times as high as before, from 100.00 to 10000.00; "
                    + "2024-01-10: a 100th as before"))
    }

    @Test func missingAndStaleSessionsAreCounted() throws {
        var days = Self.days
        days.removeSubrange(3...4)
        var rows = try Self.daily([100, 101, 102, 101, 100, 99, 100, 101], days: days)
        #expect(
            Self.doubts(rows) == [
                "missing sessions between others: AAA (2, first 2024-01-08)"
            ])
        let start = rows[6].start
        rows[6] = rows[5]
        rows[6].start = start
        #expect(
            Self.doubts(rows).first
                == "stale sessions, which repeat the one before: AAA (1, first 2024-01-16)")
    }

    @Test func noVolumeAtAllIsReported() throws {
        let rows = try Self.daily([100, 101, 102, 101, 100, 99, 100, 101, 102, 103], volume: 0)
        #expect(
            Self.doubts(rows) == [
                "no volume in any bar, of which orders fill nothing unless participation_pct is 0: AAA"
            ])
    }

    /// Days of half hours: the first and last bar of each are found by search, whatever their number.
    @Test func daysOfShorterBarsAreFoundAlike() throws {
        var rows: [BarRow] = []
        for (index, name) in Self.days.enumerated() where index != 6 {
            let day = try #require(Day(name))
            let price: Int64 = index < 5 ? 100_00 : 50_00
            // An hour before the open and half an hour behind the close, where there is no session.
            for half in -2..<14 where half >= 0 && half < 13 || index == 2 {
                rows.append(
                    BarRow(
                        start: SessionCalendar.newYork.open(on: day)
                            + Duration(nanoseconds: Duration.minutes(30).nanoseconds * Int64(half)),
                        open: Price(cents: price), high: Price(cents: price + 10 + Int64(half)),
                        low: Price(cents: price - 10), close: Price(cents: price),
                        volume: Quantity(shares: 100 + Int64(index * 20 + half))))
            }
        }
        #expect(
            Self.doubts(rows, barSize: .minutes(30)) == [
                "3 bars begin outside regular hours in New York: wrong zone, extended hours, or a "
                    + "market that wants calendar: always",
                "AAA jumps: 2024-01-10: like a split 2:1, from 100.00 to 50.00, which its split column "
                    + "does not bear out",
                "missing sessions between others: AAA (1, first 2024-01-11)",
            ])
        #expect(
            Self.doubts(rows, barSize: .minutes(30), calendar: .always) == [
                "AAA jumps: 2024-01-10: like a split 2:1, from 100.00 to 50.00, which its split column "
                    + "does not bear out"
            ])
    }
}
