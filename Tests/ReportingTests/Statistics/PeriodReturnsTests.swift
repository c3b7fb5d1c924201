import Primitives
import Reporting
import Testing

@Suite struct PeriodReturnsTests {
    /// 2 January 2024 is day 0: days 0 and 1 in January, 31 in February, 365 in January 2025.
    private let periods = PeriodReturns(
        of: daily([(0, 0.5), (1, -0.5), (31, 0.2), (365, 0.2)]))

    @Test func monthsAndYearsAreCompounded() {
        #expect(periods.months.map(\.name) == ["2024-01", "2024-02", "2025-01"])
        #expect(isClose(periods.months.first?.value, -0.25))
        #expect(periods.years.map(\.name) == ["2024", "2025"])
        #expect(isClose(periods.years.first?.value, 1.5 * 0.5 * 1.2 - 1))
        #expect(isClose(periods.years.last?.value, 0.2))
    }

    @Test func theFirstOfEqualsIsTheBest() {
        #expect(periods.bestDay?.day == day(0))
        #expect(periods.worstDay?.day == day(1))
        #expect(periods.bestMonth?.name == "2024-02")
        #expect(periods.worstMonth?.name == "2024-01")
        #expect(periods.bestYear?.name == "2025")
        #expect(periods.worstYear?.name == "2024")
        let equal = PeriodReturns(of: daily([(0, 0), (1, 0)]))
        #expect(equal.bestDay?.day == day(0))
        #expect(equal.worstDay?.day == day(0))
    }

    @Test func noReturnsHaveNoPeriods() {
        let periods = PeriodReturns(of: [])
        #expect(periods.months.isEmpty && periods.years.isEmpty)
        #expect(periods.bestDay == nil && periods.worstMonth == nil && periods.bestYear == nil)
    }

    @Test func whatIsBeyondNumbersIsLeftOut() {
        let periods = PeriodReturns(of: daily([(0, 1e200), (1, 1e200), (31, 0.5)]))
        #expect(periods.months.map(\.name) == ["2024-02"])
        #expect(periods.years.isEmpty)
    }
}
