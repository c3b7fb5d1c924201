import MarketState
import Primitives

/// The last day of a future or option, from its month.
enum FutureExpiry: String {
    /// The third Friday of the month, or the session before where there is none: index futures, and
    /// monthly options on stocks.
    case thirdFriday
    /// Three sessions before the 25th of the month before: crude oil.
    case beforeThe25th
    /// The third session from the end of the month: gold.
    case thirdLastDay

    /// The last day.
    func lastDay(of month: ContractMonth) -> Day {
        let calendar = SessionCalendar.newYork
        switch self {
        case .thirdFriday:
            let first = month.firstDay
            let friday = Day.Weekday.friday.rawValue
            let offset = (friday - first.weekday.rawValue + 7) % 7 + 14
            return calendar.previousSession(before: first.advanced(by: offset + 1)).day
        case .beforeThe25th:
            var day = month.previous.firstDay.advanced(by: 24)
            if !calendar.hasSession(on: day) { day = calendar.previousSession(before: day).day }
            return sessions(3, before: day, calendar)
        case .thirdLastDay: return sessions(3, before: month.next.firstDay, calendar)
        }
    }

    private func sessions(_ count: Int, before day: Day, _ calendar: SessionCalendar) -> Day {
        (0..<count).reduce(day) { day, _ in calendar.previousSession(before: day).day }
    }
}

/// A month of a year.
struct ContractMonth: Hashable {
    /// The year.
    let year: Int
    /// 1 to 12.
    let month: Int

    /// The months from a year before a day to a year and a half after it, in order.
    static func around(_ day: Day) -> [ContractMonth] {
        let (year, month, _) = day.date
        return (-12...18).map { offset in
            let index = year * 12 + month - 1 + offset
            return ContractMonth(year: index / 12, month: index % 12 + 1)
        }
    }

    /// The letter and digit that exchanges have for it: `Z6` for December 2026.
    var code: String {
        let letters = Array("FGHJKMNQUVXZ")
        return "\(letters[month - 1])\(year % 10)"
    }

    /// `202612`.
    var compact: String { "\(year)\(month < 10 ? "0" : "")\(month)" }

    /// The month before.
    var previous: ContractMonth {
        month == 1
            ? ContractMonth(year: year - 1, month: 12) : ContractMonth(year: year, month: month - 1)
    }

    /// The month after.
    var next: ContractMonth {
        month == 12
            ? ContractMonth(year: year + 1, month: 1) : ContractMonth(year: year, month: month + 1)
    }

    /// The first day.
    var firstDay: Day { .first(ofMonth: month, year: year) }
}
