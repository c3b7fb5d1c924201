import MarketState
import Model
import Primitives
import Testing

@testable import Catalog

/// What is read from one file.
@Suite struct BarFileTests {
    private let header = "timestamp,open,high,low,close,volume\n"

    @Test func rowsAreWhatTheFileStates() throws {
        let series = try series(
            """
            timestamp,open,high,low,close,volume
            2019-02-11T09:30:00-05:00,144.43,144.95,143.8,144.455,6870702
            2019-02-11T09:31:00-05:00,144.46,145.4,144.455,145.37,123.0

            """)
        #expect(series.symbol == "T")
        #expect(series.barSize == .minutes(1))
        #expect(
            try series.rows == [
                row("2019-02-11T14:30:00Z", "144.43", "144.95", "143.8", "144.455", "6870702"),
                row("2019-02-11T14:31:00Z", "144.46", "145.4", "144.455", "145.37", "123"),
            ])
        #expect(series.actions.isEmpty)
    }

    @Test func columnsComeInAnyOrderCaseAndSpacing() throws {
        let series = try series(
            """
            Close , name,HIGH,Low,Open,"Date"
            2,"Company ""A"", Inc",3,1,1.5,2024-01-02
            """)
        #expect(try series.rows == [row("2024-01-02T00:00:00Z", "1.5", "3", "1", "2")])
    }

    @Test(arguments: ["date", "datetime", "timestamp", "time"])
    func timeColumnHasFourNames(name: String) throws {
        let series = try series("\(name),open,high,low,close\n2024-01-02,1,1,1,1\n")
        #expect(series.rows.count == 1)
    }

    @Test func byteOrderMarkWindowsLineEndsQuotesAndLastEmptyLinesAreAccepted() throws {
        let plain = "date,open,high,low,close,volume\n2024-01-02,1,2,1,2,5\n2024-01-03,2,3,2,3,6\n"
        let expected = try series(plain).rows
        #expect(expected.count == 2)
        let variants = [
            "\u{FEFF}" + plain,
            plain.replacing("\n", with: "\r\n"),
            plain + "\n \n\r\n",
            String(plain.dropLast()),
            plain.replacing("2024-01-02,1,2", with: "\"2024-01-02\", 1 ,\"2\""),
        ]
        for variant in variants { #expect(try series(variant).rows == expected) }
    }

    @Test func splitsAndDividendsBecomeActionsAndNothingElseDoes() throws {
        let series = try series(
            """
            date,open,high,low,close,volume,adj_close,dividend,split
            2024-01-02,1,1,1,1,0,0.5,0,1
            2024-01-03,1,1,1,1,0,0.5,0.22,0
            2024-01-04,1,1,1,1,0,0.5,,
            2024-01-05,1,1,1,1,0,0.5,0.0,1.00
            2024-01-08,1,1,1,1,0,0.5,1.5,0.1
            """)
        #expect(
            try series.actions == [
                RowAction(row: 1, line: 3, kind: .dividend(Price("0.22"))),
                RowAction(row: 4, line: 6, kind: .dividend(Price("1.5"))),
                RowAction(row: 4, line: 6, kind: .split(ratio: Quantity("0.1"))),
            ])
    }

    @Test func stockSplitsColumnOfYahooIsKnown() throws {
        let series = try series(
            "Date,Open,High,Low,Close,Volume,Dividends,Stock Splits\n"
                + "2024-01-02,1,1,1,1,0,0.0,4.0\n")
        #expect(
            series.actions == [
                RowAction(row: 0, line: 2, kind: .split(ratio: Quantity(shares: 4)))
            ])
    }

    // MARK: Bar lengths

    @Test func dateIsAWholeSession() throws {
        // New York opens at 14:30 UTC in winter and at 13:30 in summer.
        let text = "date,open,high,low,close\n2024-03-08,1,1,1,1\n2024-03-11,1,1,1,1\n"
        for stamp in BarStamp.allCases {
            let bars = try series(text) {
                $0.calendar = .newYork
                $0.stamp = stamp
            }
            #expect(bars.barSize == .minutes(390))
            #expect(
                try bars.rows.map(\.start)
                    == [timestamp("2024-03-08T14:30:00Z"), timestamp("2024-03-11T13:30:00Z")])
        }
        #expect(try series(text).barSize == .days(1))
    }

    @Test func barSizeOfDatesMayBeCalledADayAndNothingElse() throws {
        let text =
            "date,open,high,low,close\n2024-03-09,1,1,1,1\n2024-03-10,1,1,1,1\n"
            // A day of 23 hours in New York.
            + "2024-03-11,1,1,1,1\n"
        let bars = try series(text) {
            $0.calendar = .newYork
            $0.barSize = .days(1)
        }
        #expect(bars.barSize == .minutes(390))
        #expect(bars.rows.count == 3)
        #expect(
            try fault(text) { $0.barSize = .minutes(1) }
                == "T.csv: has rows of dates alone, but the bar length is 1m. Leave "
                + "backtest.data.bar_size out, or set it to 1d.")
    }

    @Test func barSizeIsTheSmallestStep() throws {
        let bars = try series(
            header + "2024-01-02T14:30:00Z,1,1,1,1,1\n2024-01-02T14:40:00Z,1,1,1,1,1\n"
                + "2024-01-02T14:45:00Z,1,1,1,1,1\n2024-01-03T14:30:00Z,1,1,1,1,1\n")
        #expect(bars.barSize == .minutes(5))
    }

    @Test func singleRowNeedsABarSize() throws {
        let text = header + "2024-01-02T14:30:00Z,1,1,1,1,1\n"
        #expect(
            try fault(text) == "T.csv: has a single row, which does not tell how long its bar "
                + "lasts. Set backtest.data.bar_size.")
        #expect(try series(text) { $0.barSize = .minutes(15) }.barSize == .minutes(15))
    }

    @Test func endStampsAreMovedToTheStart() throws {
        let text = header + "2024-01-02T14:35:00Z,1,1,1,1,1\n2024-01-02T14:40:00Z,1,1,1,1,1\n"
        let bars = try series(text) { $0.stamp = .end }
        #expect(
            try bars.rows.map(\.start)
                == [timestamp("2024-01-02T14:30:00Z"), timestamp("2024-01-02T14:35:00Z")])
    }

    @Test func overlappingBarsAreRefused() throws {
        let text =
            header + "2024-01-02T14:30:00Z,1,1,1,1,1\n2024-01-02T14:45:00Z,1,1,1,1,1\n"
            + "2024-01-02T14:59:00Z,1,1,1,1,1\n"
        #expect(
            try fault(text) { $0.barSize = .minutes(15) }
                == "T.csv:4:1 (timestamp): found '2024-01-02T14:59:00Z', which is only 14m after "
                + "the row before, within its bar of 15m. Correct the row or remove it.")
    }

    @Test func barSizesThatCannotBeAreRefused() throws {
        let text = header + "1899-12-31T00:00:00Z,1,1,1,1,1\n"
        for length in [Duration.zero, .seconds(-60), .days(400)] {
            #expect(throws: DataError.self) { try series(text) { $0.barSize = length } }
        }
        let decades = header + "1950-01-01T00:00:00Z,1,1,1,1,1\n2150-01-01T00:00:00Z,1,1,1,1,1\n"
        #expect(
            try fault(decades) == "T.csv: has no two rows within a year, which does not tell how "
                + "long bars last. Set backtest.data.bar_size.")
    }

    // MARK: Times

    @Test func mixedFormsOfDateTimesAreRead() throws {
        let bars = try series(
            header + "2024-03-08T16:00:00-05:00,1,1,1,1,1\n2024-03-11T09:30:00-04:00,1,1,1,1,1\n"
                + "2024-03-11 13:31Z,1,1,1,1,1\n1710163920,1,1,1,1,1\n1710163980000,1,1,1,1,1\n")
        #expect(
            try bars.rows.map(\.start)
                == [
                    "2024-03-08T21:00:00Z", "2024-03-11T13:30:00Z", "2024-03-11T13:31:00Z",
                    "2024-03-11T13:32:00Z", "2024-03-11T13:33:00Z",
                ].map(timestamp))
    }

    @Test func clockOfDateTimesWithoutOffsetMustBeGiven() throws {
        let text = header + "2024-01-02 09:30:00,1,1,1,1,1\n2024-07-02 09:30:00,1,1,1,1,1\n"
        #expect(
            try fault(text) == "T.csv:2:1 (timestamp): found '2024-01-02 09:30:00', which does not "
                + "say its time zone. Set backtest.data.zone to utc or new_york.")
        #expect(
            try series(text) { $0.zone = .utc }.rows.map(\.start)
                == [timestamp("2024-01-02T09:30:00Z"), timestamp("2024-07-02T09:30:00Z")])
        #expect(
            try series(text) { $0.zone = .newYork }.rows.map(\.start)
                == [timestamp("2024-01-02T14:30:00Z"), timestamp("2024-07-02T13:30:00Z")])
    }

    @Test func clockMayChangeWithinADay() throws {
        let bars = try series(
            header + "2024-01-02T09:30:00,1,1,1,1,1\n2024-01-02T09:31:00,1,1,1,1,1\n"
                + "2024-01-02T14:32:00Z,1,1,1,1,1\n2024-01-02T14:33:00Z,1,1,1,1,1\n"
        ) { $0.zone = .newYork }
        #expect(
            try bars.rows.map(\.start)
                == [
                    "2024-01-02T14:30:00Z", "2024-01-02T14:31:00Z", "2024-01-02T14:32:00Z",
                    "2024-01-02T14:33:00Z",
                ].map(timestamp))
    }

    @Test func newYorkClockIsRightOnTheDayItChanges() throws {
        let bars = try series(
            header + "2024-03-10 01:59:00,1,1,1,1,1\n2024-03-10 03:00:00,1,1,1,1,1\n"
                + "2024-03-10 03:01:00,1,1,1,1,1\n2024-03-11 00:00:00,1,1,1,1,1\n"
        ) { $0.zone = .newYork }
        #expect(
            try bars.rows.map(\.start)
                == [
                    "2024-03-10T06:59:00Z", "2024-03-10T07:00:00Z", "2024-03-10T07:01:00Z",
                    "2024-03-11T04:00:00Z",
                ].map(timestamp))
    }

    @Test func datesAndDateTimesDoNotMix() throws {
        #expect(
            try fault(header + "2024-01-02,1,1,1,1,1\n2024-01-03T00:00:00Z,1,1,1,1,1\n")
                == "T.csv:3:1 (timestamp): found '2024-01-03T00:00:00Z' in a file whose rows so "
                + "far have dates alone. Split the file into one of dates and one of date-times.")
        #expect(
            try fault(header + "2024-01-02T00:00:00Z,1,1,1,1,1\n2024-01-03,1,1,1,1,1\n")
                == "T.csv:3:1 (timestamp): found '2024-01-03' in a file whose rows so far have a "
                + "time of day. Split the file into one of dates and one of date-times.")
    }
}
