import MarketState
import Primitives
import Testing

@Suite struct SettlementCalendarTests {
    private let calendar = SettlementCalendar()

    private func day(_ text: String) throws -> Day { try #require(Day(text)) }

    private func expect(_ trade: String, settles: String) throws {
        let day = calendar.settlementDay(ofTradeOn: try self.day(trade))
        #expect(day == (try self.day(settles)), "trade of \(trade)")
    }

    // MARK: Cycles

    /// Friday 1 September 2017 is the last of three days, Tuesday the 5th the first of two; Monday
    /// was Labor Day. Friday 24 May 2024 is the last of two, Tuesday the 28th the first of one;
    /// Monday was Memorial Day. June 1995 went from five days to three in two steps, with two
    /// double settlement days (NASD Notice to Members 95-26).
    @Test(
        arguments: [
            ("2017-08-31", "2017-09-06"), ("2017-09-01", "2017-09-07"),
            ("2017-09-05", "2017-09-07"), ("2017-09-06", "2017-09-08"),
            ("2024-05-23", "2024-05-28"), ("2024-05-24", "2024-05-29"),
            ("2024-05-28", "2024-05-29"), ("2024-05-29", "2024-05-30"),
            ("1995-06-02", "1995-06-09"), ("1995-06-05", "1995-06-09"),
            ("1995-06-06", "1995-06-12"), ("1995-06-07", "1995-06-12"),
        ])
    func cyclesShortenOnTheirDays(trade: String, settles: String) throws {
        try expect(trade, settles: settles)
    }

    // MARK: Published schedules

    /// Banks closed, exchanges open: NASD Notices to Members 92-54 (Veterans Day 1992), 95-77,
    /// 96-63 and 99-83 (Columbus Day).
    @Test(
        arguments: [
            ("1992-11-02", "1992-11-09"), ("1992-11-03", "1992-11-10"),
            ("1992-11-04", "1992-11-12"), ("1992-11-05", "1992-11-13"),
            ("1992-11-10", "1992-11-18"), ("1992-11-11", "1992-11-18"),
            ("1992-11-12", "1992-11-19"), ("1992-11-19", "1992-11-27"),
            ("1992-11-25", "1992-12-03"), ("1992-11-27", "1992-12-04"),
            ("1995-10-04", "1995-10-10"), ("1995-10-06", "1995-10-12"),
            ("1995-10-09", "1995-10-12"), ("1995-10-10", "1995-10-13"),
            ("1996-10-09", "1996-10-15"), ("1996-10-14", "1996-10-17"),
            ("1999-10-05", "1999-10-08"), ("1999-10-06", "1999-10-12"),
            ("1999-10-08", "1999-10-14"), ("1999-10-11", "1999-10-14"),
        ])
    func bankHolidaysDoNotSettle(trade: String, settles: String) throws {
        try expect(trade, settles: settles)
    }

    /// Exchanges closed, some with open banks: NASD Notices to Members 94-49, 97-93 (Martin Luther
    /// King Day, Good Friday), 99-94 (Christmas kept on a Friday) and 00-82.
    @Test(
        arguments: [
            ("1994-06-24", "1994-07-01"), ("1994-06-27", "1994-07-05"),
            ("1994-07-01", "1994-07-11"), ("1994-07-05", "1994-07-12"),
            ("1998-01-13", "1998-01-16"), ("1998-01-14", "1998-01-20"),
            ("1998-04-06", "1998-04-09"), ("1998-04-07", "1998-04-13"),
            ("1998-04-09", "1998-04-15"), ("1998-04-13", "1998-04-16"),
            ("1999-12-20", "1999-12-23"), ("1999-12-21", "1999-12-27"),
            ("1999-12-23", "1999-12-29"), ("1999-12-27", "1999-12-30"),
            ("2000-12-20", "2000-12-26"), ("2000-12-22", "2000-12-28"),
            ("2000-12-27", "2001-01-02"), ("2000-12-29", "2001-01-04"),
        ])
    func exchangeHolidaysDoNotSettle(trade: String, settles: String) throws {
        try expect(trade, settles: settles)
    }

    /// Before 1998 exchanges traded on Martin Luther King Day and banks did not pay (Notice 96-90).
    @Test func martinLutherKingDaySettledNeverAndTradedOnce() throws {
        let day = try day("1997-01-20")
        #expect(SessionCalendar.newYork.hasSession(on: day))
        #expect(!calendar.isSettlementDay(day))
        try expect("1997-01-15", settles: "1997-01-21")
        try expect("1997-01-20", settles: "1997-01-23")
    }

    // MARK: One day

    @Test(
        arguments: [
            // Columbus Day 14 October 2024: traded, not settled.
            ("2024-10-11", "2024-10-15"), ("2024-10-14", "2024-10-15"),
            ("2024-10-15", "2024-10-16"),
            // Veterans Day: Monday 11 November 2024; of Sunday 11 November 2018 kept on Monday (two
            // days); of Saturday 11 November 2023 not made up for (two days).
            ("2024-11-08", "2024-11-12"), ("2024-11-11", "2024-11-12"),
            ("2018-11-08", "2018-11-13"), ("2018-11-09", "2018-11-14"),
            ("2023-11-09", "2023-11-13"),
            // Thanksgiving and the short day after it, which settles; the day after Christmas Eve.
            ("2024-11-27", "2024-11-29"), ("2024-11-29", "2024-12-02"),
            ("2024-12-24", "2024-12-26"),
            // Year ends.
            ("2024-12-30", "2024-12-31"), ("2024-12-31", "2025-01-02"),
            ("2021-12-30", "2022-01-03"),
            // Good Friday 29 March 2024 (two days), 18 April 2025.
            ("2024-03-27", "2024-04-01"), ("2024-03-28", "2024-04-02"),
            ("2025-04-17", "2025-04-21"),
            // Independence Day and Juneteenth kept on a Friday.
            ("2026-07-02", "2026-07-06"), ("2027-06-17", "2027-06-21"),
            // Closed for mourning on 9 January 2025; clearing went on.
            ("2025-01-08", "2025-01-09"),
        ])
    func settlesAsCountedByHand(trade: String, settles: String) throws {
        try expect(trade, settles: settles)
    }

    // MARK: Cycles of one's own

    @Test func aFixedCycleHoldsInEveryEra() throws {
        let two = SettlementCalendar(cycle: .fixed(2))
        #expect(two.settlementDay(ofTradeOn: try day("2024-06-03")) == (try day("2024-06-05")))
        #expect(two.settlementDay(ofTradeOn: try day("1994-06-06")) == (try day("1994-06-08")))
        let none = SettlementCalendar(cycle: .fixed(0))
        #expect(none.settlementDay(ofTradeOn: try day("2024-06-03")) == (try day("2024-06-03")))
        // Columbus Day pays nothing, whatever the cycle.
        #expect(none.settlementDay(ofTradeOn: try day("2024-10-14")) == (try day("2024-10-15")))
    }

    /// For every day of 46 years: settlement is on a settlement day, after the trade, with the
    /// cycle's number of settlement days in between, and never goes back from one trade day to the
    /// next.
    @Test(arguments: [1, 2, 3, 5] as [UInt8])
    func settlementIsTheCyclesNumberOfDaysAway(count: UInt8) throws {
        let fixed = SettlementCalendar(cycle: .fixed(count))
        var (day, last) = (try day("1990-01-01"), try day("1990-01-01"))
        let end = try self.day("2036-01-01")
        while day < end {
            let settlement = fixed.settlementDay(ofTradeOn: day)
            let between = (day.number + 1...settlement.number).filter {
                fixed.isSettlementDay(Day(number: $0))
            }
            #expect(between.count == Int(count))
            #expect(between.last == settlement.number)
            #expect(settlement >= last)
            last = settlement
            day = day.advanced(by: 1)
        }
    }
}
