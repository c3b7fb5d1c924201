import Primitives

/// A day taken apart once, for rules to look at.
struct CivilDate {
    let year: Int
    let month: Int
    let dayOfMonth: Int
    let weekday: Day.Weekday

    init(_ day: Day) {
        (year, month, dayOfMonth) = day.date
        weekday = day.weekday
    }

    /// The date as tables write it: `2001_09_11`.
    var number: Int { (year * 100 + month) * 100 + dayOfMonth }

    /// Whether it is a Saturday or a Sunday.
    var isWeekend: Bool { weekday == .saturday || weekday == .sunday }
}

/// Days that come once a year: those of a month, on one weekday or on any, in some years.
///
/// The third Monday of a month is the Monday from its 15th to its 21st, and so on.
struct HolidayRule<Meaning: Sendable>: Sendable {
    let meaning: Meaning
    let month: Int
    let days: ClosedRange<Int>
    /// `nil` for any weekday.
    let weekday: Day.Weekday?
    let years: ClosedRange<Int>

    init(
        _ meaning: Meaning, _ month: Int, _ days: ClosedRange<Int>, _ weekday: Day.Weekday? = nil,
        years: ClosedRange<Int> = 0...9_999
    ) {
        self.meaning = meaning
        self.month = month
        self.days = days
        self.weekday = weekday
        self.years = years
    }

    /// Whether `date` is one of its days.
    func covers(_ date: CivilDate) -> Bool {
        date.month == month && days.contains(date.dayOfMonth)
            && (weekday == nil || weekday == date.weekday) && years.contains(date.year)
    }
}
