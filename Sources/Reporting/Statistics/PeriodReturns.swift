import Primitives

/// What a month or year brought, its sessions' returns compounded.
package struct PeriodReturn: Hashable, Sendable {
    /// The year.
    package let year: Int
    /// The month, from 1; `nil` for a whole year.
    package let month: Int?
    /// The return of the sessions it has: 0.01 is one percent.
    package fileprivate(set) var value: Double

    /// `2019` or `2019-02`.
    package var name: String {
        guard let month else { return String(year) }
        return "\(year)-\(month < 10 ? "0" : "")\(month)"
    }
}

/// Returns by month and year, and the best and worst of each.
package struct PeriodReturns: Hashable, Sendable {
    /// Every month that has a session, in order of time.
    package let months: [PeriodReturn]
    /// Every year that has a session, in order of time.
    package let years: [PeriodReturn]
    /// The session with the highest return; the first of several.
    package let bestDay: DailyReturn?
    /// The session with the lowest return; the first of several.
    package let worstDay: DailyReturn?

    /// The month with the highest return; the first of several.
    package var bestMonth: PeriodReturn? { months.max { $0.value < $1.value } }
    /// The month with the lowest return; the first of several.
    package var worstMonth: PeriodReturn? { months.min { $0.value < $1.value } }
    /// The year with the highest return; the first of several.
    package var bestYear: PeriodReturn? { years.max { $0.value < $1.value } }
    /// The year with the lowest return; the first of several.
    package var worstYear: PeriodReturn? { years.min { $0.value < $1.value } }

    /// The periods of `returns`, in order of days. A period beyond floating point is left out.
    package init(of returns: [DailyReturn]) {
        var months: [PeriodReturn] = []
        var years: [PeriodReturn] = []
        for daily in returns {
            let (year, month, _) = daily.day.date
            Self.compound(daily.value, into: &months, year: year, month: month)
            Self.compound(daily.value, into: &years, year: year, month: nil)
        }
        self.months = months.filter(\.value.isFinite)
        self.years = years.filter(\.value.isFinite)
        bestDay = returns.max { $0.value < $1.value }
        worstDay = returns.min { $0.value < $1.value }
    }

    private static func compound(
        _ value: Double, into periods: inout [PeriodReturn], year: Int, month: Int?
    ) {
        let last = periods.count - 1
        if last >= 0, periods[last].year == year, periods[last].month == month {
            periods[last].value = (1 + periods[last].value) * (1 + value) - 1
        } else {
            periods.append(PeriodReturn(year: year, month: month, value: value))
        }
    }
}
