import MarketState
import Primitives
import Testing

/// The calendar of New York against exchange_calendars, day by day.
@Suite struct NewYorkSessionTests {
    private let calendar = SessionCalendar.newYork
    private let reference: NewYorkReference

    init() throws { reference = try NewYorkReference() }

    private func day(_ text: String) throws -> Day { try #require(Day(text)) }

    /// 11,577 sessions, 98 of them short, of which one is disputed; 424 weekdays closed.
    @Test func everySessionFrom1990To2035IsTheReferences() throws {
        var (sessions, short, closed, disputed) = (0, 0, 0, 0)
        for row in reference.weekdays {
            guard row.closure == nil else {
                closed += 1
                #expect(calendar.session(on: row.day) == nil, "\(row.day)")
                continue
            }
            sessions += 1
            let session = try #require(calendar.session(on: row.day), "\(row.day)")
            #expect(session.day == row.day)
            guard !row.isDisputed else {
                disputed += 1
                continue
            }
            if row.close - row.open < calendar.sessionLength { short += 1 }
            #expect(session.open == row.open, "\(row.day)")
            #expect(session.close == row.close, "\(row.day)")
        }
        #expect(sessions == 11_577)
        #expect(short == 97)
        #expect(closed == 424)
        #expect(disputed == 15)
    }

    @Test func weekendsHaveNoSessions() throws {
        let first = try day("1990-01-06")
        for week in 0..<2_400 {
            let saturday = first.advanced(by: 7 * week)
            #expect(USMarketHolidays.closure(on: saturday) == .weekend)
            #expect(USMarketHolidays.closure(on: saturday.advanced(by: 1)) == .weekend)
        }
    }

    @Test func closuresHaveTheReferencesReasons() throws {
        let reasons: [(prefix: String, reason: USMarketHolidays.Reason)] = [
            ("New Year", .newYearsDay), ("Dr. Martin Luther King", .martinLutherKingDay),
            ("President's Day", .washingtonsBirthday), ("Good Friday", .goodFriday),
            ("Memorial Day", .memorialDay), ("Juneteenth", .juneteenth),
            ("July 4th", .independenceDay), ("Labor Day", .laborDay),
            ("Thanksgiving", .thanksgiving), ("Christmas", .christmas),
            ("Day of mourning", .mourning), ("Funeral", .mourning), ("September 11", .attack),
            ("Hurricane", .storm),
        ]
        for row in reference.weekdays {
            let expected = row.closure.map { name in
                reasons.filter { name.hasPrefix($0.prefix) }.map(\.reason)
            }
            let reason = USMarketHolidays.closure(on: row.day)
            #expect(expected ?? [] == (reason.map { [$0] } ?? []), "\(row.day)")
        }
    }

    // MARK: One after the other

    /// Steps forward, back and over many are those of the reference's list.
    @Test func sessionsFollowEachOtherAsInTheReference() throws {
        let days = reference.weekdays.filter { $0.closure == nil }.map(\.day)
        var generator = SeededGenerator(seed: 1)
        for index in days.indices.dropFirst().dropLast() {
            #expect(calendar.nextSession(after: days[index]).day == days[index + 1])
            #expect(calendar.previousSession(before: days[index]).day == days[index - 1])
            let count = Int.random(in: 1...30, using: &generator)
            guard index + count < days.count else { continue }
            #expect(calendar.session(count, after: days[index]).day == days[index + count])
        }
    }

    @Test func sessionsOfARangeAreThoseInIt() throws {
        let days = reference.weekdays.filter { $0.closure == nil }.map(\.day)
        let all = calendar.sessions(in: try day("1990-01-01")...(try day("2035-12-31")))
        #expect(all.map(\.day) == days)
        // 11 September 2001, a Tuesday, to Sunday the 16th.
        #expect(calendar.sessions(in: try day("2001-09-11")...(try day("2001-09-16"))).isEmpty)
        let christmas = calendar.sessions(in: try day("2024-12-23")...(try day("2024-12-27")))
        #expect(
            christmas.map(\.length) == [.minutes(390), .minutes(210), .minutes(390), .minutes(390)])
    }

    @Test(
        arguments: [
            // A week, a weekend, a holiday; five days of September 2001; Sandy.
            ("2024-06-28", "2024-07-01"), ("2024-07-03", "2024-07-05"),
            ("2024-07-04", "2024-07-05"),
            ("2001-09-10", "2001-09-17"), ("2012-10-26", "2012-10-31"),
            ("2025-01-08", "2025-01-10"),
        ])
    func nextSessionSkipsWhatIsClosed(day: String, next: String) throws {
        #expect(calendar.nextSession(after: try self.day(day)).day == (try self.day(next)))
    }

    // MARK: Weeks and months

    /// For rules such as "on the first session of the month", by hand from printed calendars.
    @Test(
        arguments: [
            // The first of the month is a holiday; the last weekday is one (Memorial Day 2021).
            (SessionPeriod.month, "2024-01-17", "2024-01-02", "2024-01-31"),
            (.month, "2021-05-15", "2021-05-03", "2021-05-28"),
            // Good Friday ended March 2024; the 31st was Easter.
            (.month, "2024-03-31", "2024-03-01", "2024-03-28"),
            (.month, "2023-12-31", "2023-12-01", "2023-12-29"),
            (.month, "2024-02-29", "2024-02-01", "2024-02-29"),
            (.month, "2023-02-01", "2023-02-01", "2023-02-28"),
            // Monday was Labor Day; Friday was Good Friday; a Sunday belongs to the Monday before
            // it.
            (.week, "2024-09-04", "2024-09-03", "2024-09-06"),
            (.week, "2024-03-25", "2024-03-25", "2024-03-28"),
            (.week, "2024-07-07", "2024-07-01", "2024-07-05"),
            (.week, "2001-09-13", "2001-09-10", "2001-09-10"),
            // A week in two years.
            (.week, "2025-01-01", "2024-12-30", "2025-01-03"),
        ])
    func periodsBeginAndEndWithSessions(
        period: SessionPeriod, day: String, first: String, last: String
    ) throws {
        let day = try self.day(day)
        let firstSession = calendar.firstSession(of: period, containing: day)
        let lastSession = calendar.lastSession(of: period, containing: day)
        #expect(firstSession.day == (try self.day(first)))
        #expect(lastSession.day == (try self.day(last)))
    }

    /// Also a proof that every week has a session.
    @Test func weeksBeginAndEndWithTheirOwnSessions() throws {
        let monday = try day("1990-01-01")
        for week in 0..<2_400 {
            let days = monday.advanced(by: 7 * week)...monday.advanced(by: 7 * week + 6)
            let sessions = calendar.sessions(in: days)
            for offset in 0..<7 {
                let day = days.lowerBound.advanced(by: offset)
                #expect(calendar.firstSession(of: .week, containing: day) == sessions.first)
                #expect(calendar.lastSession(of: .week, containing: day) == sessions.last)
            }
        }
    }

    /// Each month's sessions by filtering the list.
    @Test func monthsAreThoseOfTheReference() throws {
        let days = reference.weekdays.filter { $0.closure == nil }.map(\.day)
        var months: [[Day]] = []
        for day in days {
            if let month = months.last?.first?.date, month.month == day.date.month {
                months[months.count - 1].append(day)
            } else {
                months.append([day])
            }
        }
        #expect(months.count == 46 * 12)
        for month in months {
            for day in month {
                #expect(calendar.firstSession(of: .month, containing: day).day == month.first)
                #expect(calendar.lastSession(of: .month, containing: day).day == month.last)
            }
        }
    }

    // MARK: Instants

    @Test func regularHoursIncludeTheOpenAndNotTheClose() throws {
        // 3 July 2024: 09:30 to 13:00 New York summer time.
        let session = try #require(calendar.session(on: try day("2024-07-03")))
        let nanosecond = Duration(nanoseconds: 1)
        #expect(session.open == Timestamp(day: session.day, sinceMidnight: .minutes(13 * 60 + 30)))
        #expect(session.close == Timestamp(day: session.day, sinceMidnight: .hours(17)))
        #expect(calendar.session(containing: session.open) == session)
        #expect(calendar.session(containing: session.close - nanosecond) == session)
        #expect(calendar.session(containing: session.close) == nil)
        #expect(calendar.session(containing: session.open - nanosecond) == nil)
    }

    @Test func noTimeOfAClosedDayIsInASession() throws {
        for text in ["2024-07-04", "2024-07-06", "2012-10-29"] {
            let day = try self.day(text)
            let noon = Timestamp(day: day, sinceMidnight: .hours(16))
            #expect(calendar.session(containing: noon) == nil)
            // It belongs to its day all the same, and the day has hours that are not held.
            #expect(calendar.day(of: noon) == day)
            #expect(!calendar.hasSession(on: day))
            #expect(calendar.close(on: day) - calendar.open(on: day) == .minutes(390))
        }
    }

    /// 1999-12-31 closed at 13:00 by decision of June 1999; announced hours count, not the halts
    /// within them.
    @Test func disputedDaysHaveTheHoursThatWereAnnounced() throws {
        for row in reference.weekdays where row.isDisputed {
            let session = try #require(calendar.session(on: row.day))
            let isMillennium = row.day == (try day("1999-12-31"))
            #expect(session.length == .minutes(isMillennium ? 210 : 390), "\(row.day)")
            #expect(session.open == row.open)
        }
    }

    // MARK: Beyond the reference

    /// Dates of Easter as almanacs print them, the latest possible among them.
    @Test(
        arguments: [
            "2038-04-25", "2049-04-18", "2076-04-19", "2100-03-28", "2000-04-23", "1981-04-19",
        ])
    func goodFridayComesTwoDaysBeforeEaster(easter: String) throws {
        let friday = try day(easter).advanced(by: -2)
        #expect(USMarketHolidays.closure(on: friday) == .goodFriday)
        for week in [-2, -1, 1, 2] {
            #expect(USMarketHolidays.closure(on: friday.advanced(by: 7 * week)) == nil)
        }
    }

    @Test func rulesGoOnAfterTheReference() throws {
        // 4 July 2037 is a Saturday, 19 June 2039 a Sunday, Thanksgiving 2040 the 22nd of November.
        #expect(USMarketHolidays.closure(on: try day("2037-07-03")) == .independenceDay)
        #expect(USMarketHolidays.closure(on: try day("2039-06-20")) == .juneteenth)
        #expect(USMarketHolidays.closure(on: try day("2040-11-22")) == .thanksgiving)
        #expect(USMarketHolidays.closingTime(on: try day("2040-11-23")) == .hours(13))
    }
}
