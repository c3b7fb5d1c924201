import MarketState
import Model
import Primitives
import TestSupport
import Testing

@Suite struct BarAggregatorTests {
    private func aggregator(
        _ barSize: Duration, _ calendar: SessionCalendar = .newYork
    ) throws -> BarAggregator {
        try #require(
            BarAggregator(InstrumentID(index: 0), barSize: barSize, calendar: calendar))
    }

    /// What comes out of parts, one after the other.
    private func bars(
        _ parts: [Bar], _ barSize: Duration, _ calendar: SessionCalendar = .newYork
    ) throws -> [Bar] {
        var aggregator = try aggregator(barSize, calendar)
        var bars: [Bar] = []
        for part in parts { aggregator.add(part, into: &bars) }
        return bars
    }

    /// A bar of one price that begins at `HH:MM` UTC.
    private func part(
        _ day: String, _ hour: Int64, _ minute: Int64, barSize: Duration, cents: Int64 = 10_00
    ) throws -> Bar {
        let start = Timestamp(
            day: try #require(Day(day)), sinceMidnight: .minutes(hour * 60 + minute))
        return Bar(
            instrument: InstrumentID(index: 0), start: start, barSize: barSize,
            open: Price(cents: cents), high: Price(cents: cents), low: Price(cents: cents),
            close: Price(cents: cents), volume: Quantity(shares: 100))
    }

    /// When bars begin and how long they last: `14:30 30m`.
    private func times(_ bars: [Bar]) -> [String] {
        bars.map { "\($0.start.description.dropFirst(11).prefix(5)) \($0.barSize)" }
    }

    // MARK: Values

    @Test func aBarHasTheFirstOpenTheLastCloseAndTheExtremes() throws {
        let parts = [
            Make.bar(0, open: 10_00, high: 10_05, low: 9_99, close: 10_02, volume: 100),
            Make.bar(1, open: 10_03, high: 10_20, low: 10_01, close: 10_10, volume: 50),
            Make.bar(2, open: 10_10, high: 10_11, low: 9_50, close: 9_60, volume: 25),
        ]
        var aggregator = try aggregator(.minutes(5))
        var bars: [Bar] = []
        for part in parts { aggregator.add(part, into: &bars) }
        #expect(bars.isEmpty)
        aggregator.advance(to: Make.time(299), into: &bars)
        #expect(bars.isEmpty)
        aggregator.advance(to: Make.time(300), into: &bars)
        let expected = Make.bar(
            0, open: 10_00, high: 10_20, low: 9_50, close: 9_60, volume: 175, barSize: .minutes(5))
        #expect(bars == [expected])
        aggregator.advance(to: Make.time(600), into: &bars)
        #expect(bars.count == 1)
    }

    @Test func aBarIsOutWithItsLastPart() throws {
        var aggregator = try aggregator(.minutes(1))
        var bars: [Bar] = []
        for index in 0..<12 {
            #expect(bars.isEmpty)
            aggregator.add(
                Make.bar(index, open: 10_00, close: 10_00, volume: 1, barSize: .seconds(5)),
                into: &bars)
        }
        #expect(
            bars == [Make.bar(0, open: 10_00, close: 10_00, volume: 12, barSize: .minutes(1))])
    }

    @Test func aLaterPartEndsTheBarBeforeAndMayCompleteItsOwn() throws {
        // The first minute lacks its end, the second is missing, the third comes whole at once.
        let first = Make.bar(0, open: 10_00, close: 10_01, barSize: .seconds(5))
        let third = Make.bar(2, open: 10_05, close: 10_06, barSize: .minutes(1))
        let bars = try bars([first, third], .minutes(1))
        #expect(
            bars == [Make.bar(0, open: 10_00, close: 10_01, barSize: .minutes(1)), third])
    }

    @Test func volumeBeyondTheLargestQuantityStaysThere() throws {
        var aggregator = try aggregator(.minutes(5))
        var bars: [Bar] = []
        for minute in 0..<5 {
            let shares: Int64 = minute == 0 ? 1 : 90_000_000_000
            aggregator.add(
                Make.bar(minute, open: 10_00, close: 10_00, volume: shares), into: &bars)
        }
        #expect(bars.map(\.volume) == [.magnitudeMax])
        #expect(aggregator.cappedVolumeCount == 4)
    }

    // MARK: Times

    /// 2 January 2024, 09:30 to 16:00 New York, is 14:30 to 21:00 UTC.
    @Test func hoursAreCountedByTheClock() throws {
        let parts = (0..<390).map { Make.bar($0, open: 10_00, close: 10_00) }
        #expect(
            times(try bars(parts, .hours(1))) == [
                "14:30 30m", "15:00 1h", "16:00 1h", "17:00 1h", "18:00 1h", "19:00 1h", "20:00 1h",
            ])
        #expect(times(try bars(parts, .hours(4))) == ["14:30 150m", "17:00 4h"])
        #expect(times(try bars(parts, .minutes(30))).first == "14:30 30m")
        #expect(times(try bars(parts, .minutes(30))).count == 13)
        #expect(times(try bars(parts, .days(1))) == ["14:30 390m"])
    }

    /// 3 July 2024: 13:30 to 17:00 UTC.
    @Test func lastBarsEndWithAnEarlyClose() throws {
        let parts = try (0..<210).map {
            try part("2024-07-03", 13, 30 + $0, barSize: .minutes(1))
        }
        #expect(
            times(try bars(parts, .hours(1))) == [
                "13:30 30m", "14:00 1h", "15:00 1h", "16:00 1h",
            ])
        #expect(times(try bars(parts, .hours(4))) == ["13:30 150m", "16:00 1h"])
        #expect(times(try bars(parts, .days(1))) == ["13:30 210m"])
    }

    /// The Friday before clocks changed opens at 14:30 UTC, the Monday after at 13:30.
    @Test func barsFollowNewYorksClockOverTheChange() throws {
        let parts = try [
            part("2024-03-08", 14, 30, barSize: .minutes(30)),
            part("2024-03-08", 15, 0, barSize: .hours(1)),
            part("2024-03-11", 13, 30, barSize: .minutes(30)),
            part("2024-03-11", 14, 0, barSize: .hours(1)),
        ]
        #expect(
            times(try bars(parts, .hours(1))) == ["14:30 30m", "15:00 1h", "13:30 30m", "14:00 1h"])
    }

    @Test func alwaysCountsFromMidnightUTC() throws {
        let parts = try (0..<24).map { try part("2024-03-10", $0, 0, barSize: .hours(1)) }
        #expect(times(try bars(parts, .days(1), .always)) == ["00:00 1d"])
        #expect(
            times(try bars(parts, .hours(6), .always)) == [
                "00:00 6h", "06:00 6h", "12:00 6h", "18:00 6h",
            ])
    }

    @Test func lengthDividesADay() {
        for barSize in [
            Duration.zero, .seconds(-60), .minutes(7), .hours(5), .days(2), .minutes(390),
        ] {
            #expect(
                BarAggregator(InstrumentID(index: 0), barSize: barSize, calendar: .newYork) == nil)
        }
    }

    // MARK: What is dropped

    @Test func repeatedAndLatePartsAreCountedAndDropped() throws {
        var aggregator = try aggregator(.minutes(5))
        var bars: [Bar] = []
        let parts = (0..<5).map { Make.bar($0, open: 10_00, close: 10_00, volume: 1) }
        for index in [0, 2, 2, 1, 0, 3, 4, 4, 3] { aggregator.add(parts[index], into: &bars) }
        #expect(bars.map(\.volume) == [Quantity(shares: 4)])
        #expect(aggregator.dropped.duplicate == 2)
        #expect(aggregator.dropped.late == 3)
        #expect(aggregator.dropped.outside == 0)
        #expect(aggregator.dropped.overlong == 0)
    }

    @Test func aPartOfABarThatIsOutIsLate() throws {
        var aggregator = try aggregator(.minutes(5))
        var bars: [Bar] = []
        aggregator.add(Make.bar(0, open: 10_00, close: 10_00), into: &bars)
        aggregator.advance(to: Make.time(300), into: &bars)
        aggregator.add(Make.bar(4, open: 11_00, close: 11_00), into: &bars)
        // Of the next five minutes nothing came before their time was over.
        aggregator.advance(to: Make.time(600), into: &bars)
        aggregator.add(Make.bar(7, open: 12_00, close: 12_00), into: &bars)
        aggregator.advance(to: Make.time(900), into: &bars)
        #expect(bars.map(\.close) == [Price(cents: 10_00)])
        #expect(aggregator.dropped.late == 2)
    }

    @Test func partsOutsideRegularHoursAreDropped() throws {
        var aggregator = try aggregator(.days(1))
        var bars: [Bar] = []
        // Before the open, at the close, on Thanksgiving, on a Saturday, after an early close.
        for (day, hour, minute) in [
            ("2024-11-27", 14, 29), ("2024-11-27", 21, 0), ("2024-11-28", 16, 0),
            ("2024-11-29", 18, 0), ("2024-11-30", 16, 0),
        ] as [(String, Int64, Int64)] {
            aggregator.add(
                try part(day, hour, minute, barSize: .minutes(1)), into: &bars)
        }
        #expect(bars.isEmpty)
        #expect(aggregator.dropped.outside == 5)
    }

    @Test func aPartOutsideRegularHoursEndsTheBarBefore() throws {
        var aggregator = try aggregator(.days(1))
        var bars: [Bar] = []
        aggregator.add(try part("2024-11-27", 14, 30, barSize: .minutes(1)), into: &bars)
        aggregator.add(try part("2024-11-27", 21, 0, barSize: .minutes(1)), into: &bars)
        #expect(times(bars) == ["14:30 390m"])
        // The day is out: there is no second bar of it.
        aggregator.add(try part("2024-11-27", 20, 59, barSize: .minutes(1)), into: &bars)
        aggregator.advance(to: .distantFuture, into: &bars)
        #expect(bars.count == 1)
        #expect(aggregator.dropped.late == 1)
    }

    @Test func aPartThatEndsAfterItsBarIsDropped() throws {
        var aggregator = try aggregator(.minutes(5))
        var bars: [Bar] = []
        aggregator.add(Make.bar(0, open: 10_00, close: 10_00, barSize: .minutes(10)), into: &bars)
        aggregator.add(try part("2024-01-02", 14, 34, barSize: .minutes(2)), into: &bars)
        aggregator.advance(to: Make.time(900), into: &bars)
        #expect(bars.isEmpty)
        #expect(aggregator.dropped.overlong == 2)
    }
}
