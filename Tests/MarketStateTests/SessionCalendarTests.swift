import MarketState
import Primitives
import Testing

@Suite struct SessionCalendarTests {
    private func day(_ text: String) throws -> Day { try #require(Day(text)) }

    /// `14:30` UTC of a day.
    private func utc(_ day: String, _ hours: Int64, _ minutes: Int64 = 0) throws -> Timestamp {
        Timestamp(day: try self.day(day), sinceMidnight: .minutes(hours * 60 + minutes))
    }

    // MARK: New York

    /// 09:30 in New York is 14:30 UTC in winter and 13:30 in summer; clocks changed on 10 March and
    /// 3 November 2024, both Sundays.
    @Test(
        arguments: [
            ("2024-01-02", 14), ("2024-03-08", 14), ("2024-03-11", 13), ("2024-07-03", 13),
            ("2024-11-01", 13), ("2024-11-04", 14),
            // On the days of change themselves: changed at 02:00, before the bell.
            ("2024-03-10", 13), ("2024-11-03", 14),
            // By the rules before 2007: first Sunday of April to the last of October.
            ("2006-03-31", 14), ("2006-04-03", 13), ("2006-10-27", 13), ("2006-10-30", 14),
        ] as [(String, Int64)])
    func newYorkOpensAtHalfPastNineLocalTime(day: String, hour: Int64) throws {
        let open = SessionCalendar.newYork.open(on: try self.day(day))
        #expect(open == (try utc(day, hour, 30)))
    }

    @Test func newYorkSessionLastsSixHoursAndAHalf() throws {
        let close =
            SessionCalendar.newYork.open(on: try day("2024-01-02"))
            + SessionCalendar.newYork.sessionLength
        // 16:00 is 21:00 UTC in winter.
        #expect(close == (try utc("2024-01-02", 21)))
    }

    @Test func newYorkDayIsTheCivilDayThere() throws {
        let calendar = SessionCalendar.newYork
        // Midnight in New York is 05:00 UTC in winter, 04:00 in summer.
        #expect(calendar.day(of: try utc("2024-01-03", 4, 59)) == (try day("2024-01-02")))
        #expect(calendar.day(of: try utc("2024-01-03", 5)) == (try day("2024-01-03")))
        #expect(calendar.day(of: try utc("2024-07-03", 3, 59)) == (try day("2024-07-02")))
        #expect(calendar.day(of: try utc("2024-07-03", 4)) == (try day("2024-07-03")))
    }

    /// A session and its day agree on every day of two years, at the open, at the last instant and
    /// at the end of the day.
    @Test func sessionsLieInTheirDays() throws {
        let start = try day("2023-01-01")
        for calendar in [SessionCalendar.newYork, .always] {
            for offset in 0..<730 {
                let day = start.advanced(by: offset)
                let open = calendar.open(on: day)
                let last = open + calendar.sessionLength - Duration(nanoseconds: 1)
                let end = calendar.dayEnd(of: day)
                try #require(calendar.day(of: open) == day)
                try #require(calendar.day(of: last) == day)
                try #require(last < end)
                try #require(calendar.day(of: end) == day.advanced(by: 1))
                try #require(calendar.day(of: end - Duration(nanoseconds: 1)) == day)
            }
        }
    }

    /// The day on which clocks go forward has 23 hours, the other 25.
    @Test func newYorkDaysOfChangeAreShorterAndLonger() throws {
        let calendar = SessionCalendar.newYork
        let spring = try day("2024-03-10")
        #expect(
            calendar.dayEnd(of: spring) - calendar.dayEnd(of: spring.advanced(by: -1)) == .hours(23)
        )
        let autumn = try day("2024-11-03")
        #expect(
            calendar.dayEnd(of: autumn) - calendar.dayEnd(of: autumn.advanced(by: -1)) == .hours(25)
        )
    }

    // MARK: Always

    @Test func alwaysIsEveryDayOfUniversalTime() throws {
        let calendar = SessionCalendar.always
        let day = try day("2024-03-10")
        #expect(calendar.open(on: day) == Timestamp(day: day))
        #expect(calendar.sessionLength == .days(1))
        #expect(calendar.dayEnd(of: day) == (try utc("2024-03-11", 0)))
        #expect(calendar.day(of: try utc("2024-03-10", 23, 59)) == day)
        #expect(calendar.day(of: Timestamp(nanoseconds: -1)) == (try self.day("1969-12-31")))
    }
}
