public import Primitives

/// When the stock exchanges of the United States have no session or a short one: NYSE and Nasdaq,
/// which keep the same days.
///
/// Good from 1990. Later years follow the rules known in 2026; what is closed at short notice
/// (mourning, storms) cannot be foreseen and is known up to 2026. Before 1990 today's rules are
/// applied with what is known of their beginnings, but election days and short-notice closures are
/// missing. Delays of the open and halts within a session are no part of it: the hours are those
/// announced beforehand.
///
/// Sources: NYSE Rule 7.2 (holidays), the exchange's announcements of early closes, and the
/// calendar XNYS of exchange_calendars 4.13.2 for 1990 to 2035.
public enum USMarketHolidays {
    /// Why a day has no session.
    public enum Reason: Hashable, Sendable, BitwiseCopyable {
        /// A Saturday or a Sunday.
        case weekend
        /// 1 January, or the Monday after when it is a Sunday. On a Saturday it is not made up for.
        case newYearsDay
        /// The third Monday of January, from 1998.
        case martinLutherKingDay
        /// The third Monday of February.
        case washingtonsBirthday
        /// The Friday before Easter.
        case goodFriday
        /// The last Monday of May.
        case memorialDay
        /// 19 June, from 2022, or the nearest weekday.
        case juneteenth
        /// 4 July, or the nearest weekday.
        case independenceDay
        /// The first Monday of September.
        case laborDay
        /// The fourth Thursday of November.
        case thanksgiving
        /// 25 December, or the nearest weekday.
        case christmas
        /// A president's funeral, or a day of mourning for one.
        case mourning
        /// The attacks of 11 September 2001.
        case attack
        /// A storm.
        case storm
    }

    /// Why a day has no session; `nil` when it has one.
    public static func closure(on day: Day) -> Reason? {
        let date = CivilDate(day)
        return scheduledClosure(on: date) ?? unscheduledClosure(on: date)
    }

    /// True for days up to the last year of which the exchanges had published their holidays when these rules were
    /// written: beyond, a rule may have changed.
    public static func isPublished(_ day: Day) -> Bool { CivilDate(day).number < 2029_01_01 }

    /// The time of day in New York at which a session of `day` closes: 16:00 unless earlier was
    /// announced. Also 16:00 on days without a session, which have no other.
    public static func closingTime(on day: Day) -> Duration {
        let date = CivilDate(day)
        for rule in earlyCloses where rule.covers(date) { return .hours(rule.meaning) }
        return .hours(16)
    }

    /// The closures known long before.
    static func scheduledClosure(on date: CivilDate) -> Reason? {
        if date.isWeekend { return .weekend }
        for rule in holidays where rule.covers(date) { return rule.meaning }
        return isGoodFriday(date) ? .goodFriday : nil
    }

    private static func unscheduledClosure(on date: CivilDate) -> Reason? {
        let number = date.number
        for closure in unscheduled where closure.days.contains(number) { return closure.reason }
        return nil
    }

    private static let holidays: [HolidayRule<Reason>] = [
        HolidayRule(.newYearsDay, 1, 1...1),
        HolidayRule(.newYearsDay, 1, 2...2, .monday),
        HolidayRule(.martinLutherKingDay, 1, 15...21, .monday, years: 1998...9_999),
        HolidayRule(.washingtonsBirthday, 2, 15...21, .monday),
        HolidayRule(.memorialDay, 5, 25...31, .monday),
        HolidayRule(.juneteenth, 6, 18...18, .friday, years: 2022...9_999),
        HolidayRule(.juneteenth, 6, 19...19, years: 2022...9_999),
        HolidayRule(.juneteenth, 6, 20...20, .monday, years: 2022...9_999),
        HolidayRule(.independenceDay, 7, 3...3, .friday),
        HolidayRule(.independenceDay, 7, 4...4),
        HolidayRule(.independenceDay, 7, 5...5, .monday),
        HolidayRule(.laborDay, 9, 1...7, .monday),
        HolidayRule(.thanksgiving, 11, 22...28, .thursday),
        HolidayRule(.christmas, 12, 24...24, .friday),
        HolidayRule(.christmas, 12, 25...25),
        HolidayRule(.christmas, 12, 26...26, .monday),
    ]

    private static let unscheduled: [(reason: Reason, days: ClosedRange<Int>)] = [
        (.mourning, 1994_04_27...1994_04_27),  // Nixon
        (.attack, 2001_09_11...2001_09_14),
        (.mourning, 2004_06_11...2004_06_11),  // Reagan
        (.mourning, 2007_01_02...2007_01_02),  // Ford
        (.storm, 2012_10_29...2012_10_30),  // Sandy
        (.mourning, 2018_12_05...2018_12_05),  // G. H. W. Bush
        (.mourning, 2025_01_09...2025_01_09),  // Carter
    ]

    /// The hour of the close. Rows may name days that are holidays in some years.
    private static let earlyCloses: [HolidayRule<Int64>] = [
        // The day before Independence Day, or after it when it was a Thursday and the day before
        // not short.
        HolidayRule(13, 7, 3...3, .monday, years: 1995...2012),
        HolidayRule(13, 7, 3...3, .tuesday, years: 1995...2012),
        HolidayRule(13, 7, 3...3, .thursday, years: 1995...2012),
        HolidayRule(13, 7, 5...5, .friday, years: 1995...2012),
        HolidayRule(13, 7, 3...3, years: 2013...9_999),
        // The day after Thanksgiving.
        HolidayRule(14, 11, 23...29, .friday, years: 1992...1992),
        HolidayRule(13, 11, 23...29, .friday, years: 1993...9_999),
        // Christmas Eve.
        HolidayRule(14, 12, 24...24, years: 1990...1992),
        HolidayRule(13, 12, 24...24, years: 1993...9_999),
        // Twice the day after Christmas, and once the last day of the year: decided by the
        // exchange's board on 3 June 1999 so that systems could be readied. Some calendars have a
        // whole session there.
        HolidayRule(13, 12, 26...26, years: 1997...1997),
        HolidayRule(13, 12, 26...26, years: 2003...2003),
        HolidayRule(13, 12, 31...31, years: 1999...1999),
    ]

    /// Gregorian Easter after Meeus, Jones and Butcher: Good Friday is two days before it.
    private static func isGoodFriday(_ date: CivilDate) -> Bool {
        guard date.weekday == .friday, date.month == 3 || date.month == 4 else { return false }
        let golden = date.year % 19
        let (century, yearOfCentury) = date.year.quotientAndRemainder(dividingBy: 100)
        let leapCorrection = century - century / 4 - (8 * century + 13) / 25
        let epact = (leapCorrection + 19 * golden + 15) % 30
        let toSunday =
            (32 + 2 * (century % 4) + 2 * (yearOfCentury / 4) - epact - yearOfCentury % 4) % 7
        let shift = (golden + 11 * epact + 22 * toSunday) / 451
        // Days after 22 March.
        let easter = epact + toSunday - 7 * shift
        return (date.month - 3) * 31 + date.dayOfMonth + 2 == 22 + easter
    }
}
