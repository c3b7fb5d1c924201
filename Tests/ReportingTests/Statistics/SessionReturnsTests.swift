import Model
import Primitives
import Testing

@testable import Reporting

@Suite struct SessionReturnsTests {
    @Test func theFirstSessionCountsFromTheStartingCapital() {
        expect([110_00, 99_00], paid: [], [0.1, -0.1])
    }

    /// 100 paid in before a session that gains 10 percent: 100 + 100 become 220.
    @Test func aDepositWorksFromTheStartOfItsSession() {
        expect([100_00, 220_00, 110_00], paid: [(1, 100_00)], [0, 0.1, -0.5])
    }

    /// 100 become 120 before 60 of them go.
    @Test func aWithdrawalWorksUntilTheEndOfItsSession() {
        expect([100_00, 60_00, 66_00], paid: [(1, -60_00)], [0, 0.2, 0.1])
    }

    /// All that is paid in and out of one session: 100 + 50 become 165, of which 65 go.
    @Test func depositsAndWithdrawalsOfADayBothCount() {
        expect([100_00, 100_00], paid: [(1, -65_00), (1, 50_00)], [0, 0.1])
    }

    /// Days -3 and 1 have no session: their payments belong to 0 and 2. Day 9 is behind the last.
    @Test func aPaymentBetweenSessionsCountsForTheNext() {
        let ends = [(0, 200_00), (2, 330_00)].map { day, cents in
            EquityPoint.sample(session: day, equity: Money(cents: cents))
        }
        let flows = [(-3, 100_00), (1, 100_00), (9, 1_000_00)].map { number, cents in
            CashFlow(day: day(number), amount: Money(cents: Int64(cents)))
        }
        let returns = SessionReturns(
            between: ends, startingWith: Money(cents: 100_00), cashFlows: flows)
        #expect(returns.daily.map(\.day) == [day(0), day(2)])
        #expect(zip(returns.daily, [0, 0.1]).allSatisfy { abs($0.value - $1) < 1e-12 })
    }

    @Test func capitalThatIsGoneHasNoReturns() {
        expect([50_00, 0, 10_00], paid: [], [])
        // Unless something is paid in: 0 + 100 become 110.
        expect([50_00, 0, 110_00], paid: [(2, 100_00)], [-0.5, -1, 0.1])
    }

    /// With a row for every bar, the last of each day counts.
    @Test func aSessionEndsWithItsLastRow() {
        var record = RunRecord.uneventful
        record.equity = [100, 90, 110].enumerated().map { minute, cents in
            EquityPoint(
                day: day(0), at: opening + .minutes(Int64(minute)), equity: Money(cents: cents),
                cash: .zero, grossExposure: .zero)
        }
        record.equity.append(.sample(session: 1, equity: Money(cents: 121)))
        #expect(record.sessionEnds.map(\.equity) == [Money(cents: 110), Money(cents: 121)])
        #expect(RunRecord.uneventful.sessionEnds.isEmpty)
    }

    /// Starts with 100.00; payments by session.
    private func expect(_ cents: [Int64], paid: [(Int, Int64)], _ expected: [Double]) {
        let ends = cents.enumerated().map { session, cents in
            EquityPoint.sample(session: session, equity: Money(cents: cents))
        }
        let returns = SessionReturns(
            between: ends, startingWith: Money(cents: 100_00),
            cashFlows: paid.map { CashFlow(day: day($0), amount: Money(cents: $1)) })
        #expect(returns.daily.count == expected.count)
        #expect(zip(returns.daily, expected).allSatisfy { abs($0.value - $1) < 1e-12 })
    }
}
