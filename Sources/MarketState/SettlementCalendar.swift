public import Primitives

/// When trades in the United States are paid for: some settlement days after the trade.
///
/// A settlement day is neither a scheduled holiday of the exchanges nor one of the banks. So
/// Columbus Day and Veterans Day, when exchanges trade and banks are closed, do not settle, and
/// Good Friday and holidays kept on a Friday, when banks are open and exchanges closed, do not
/// either (NASD Notices to Members 95-77, 97-93 and 99-94; FINRA's schedule of holidays). Closures
/// at short notice settle: the clearing houses went on working (DTCC, "Unscheduled Exchanges and
/// Markets Close Guide", 2017). Early closes are settlement days like others.
///
/// Good from 1990, as `USMarketHolidays`.
public struct SettlementCalendar: Hashable, Sendable {
    /// How many settlement days lie between trade and settlement.
    public enum Cycle: Hashable, Sendable {
        /// What United States' stocks had on the day of the trade.
        case unitedStatesStocks
        /// The same number on every day; 0 settles on the day of the trade.
        case fixed(UInt8)
    }

    /// How many settlement days lie between trade and settlement.
    public let cycle: Cycle

    /// A calendar with a cycle.
    public init(cycle: Cycle = .unitedStatesStocks) { self.cycle = cycle }

    /// The day on which a trade of `day` is settled.
    ///
    /// Settlement days are counted after the day of the trade. So trades of Columbus Day fall due
    /// with those of the settlement day before it, unless the cycle is 0 days: then on the next.
    public func settlementDay(ofTradeOn day: Day) -> Day {
        var (settlement, left) = (day, daysToSettle(day))
        while left > 0 || !isSettlementDay(settlement) {
            settlement = settlement.advanced(by: 1)
            if left > 0, isSettlementDay(settlement) { left -= 1 }
        }
        return settlement
    }

    /// Whether trades can be settled on a day.
    public func isSettlementDay(_ day: Day) -> Bool {
        let date = CivilDate(day)
        guard USMarketHolidays.scheduledClosure(on: date) == nil else { return false }
        return !Self.bankHolidays.contains { $0.covers(date) }
    }

    private func daysToSettle(_ day: Day) -> Int {
        switch cycle {
        case .fixed(let count): return Int(count)
        case .unitedStatesStocks:
            let number = CivilDate(day).number
            return Self.eras.last { $0.first <= number }?.days ?? Self.daysBefore1995
        }
    }

    private static let daysBefore1995 = 5

    /// The first trade day of each cycle: Rule 15c6-1 of the Securities Exchange Act as of 1995,
    /// 2017 and 2024.
    private static let eras: [(first: Int, days: Int)] = [
        // Two days between five and three, so that two days' trades fell due together twice (NASD
        // Notice to Members 95-26).
        (1995_06_05, 4),
        (1995_06_07, 3),
        (2017_09_05, 2),
        (2024_05_28, 1),
    ]

    /// Holidays of the Federal Reserve Banks on which exchanges trade. One on a Saturday is not
    /// made up for.
    private static let bankHolidays: [HolidayRule<Void>] = [
        // Martin Luther King Day, before the exchanges kept it.
        HolidayRule((), 1, 15...21, .monday, years: 1986...1997),
        // Columbus Day.
        HolidayRule((), 10, 8...14, .monday),
        // Veterans Day.
        HolidayRule((), 11, 11...11),
        HolidayRule((), 11, 12...12, .monday),
    ]
}
