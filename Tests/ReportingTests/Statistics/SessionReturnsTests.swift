import Model
import Primitives
import Testing

@testable import Reporting

@Suite struct SessionReturnsTests {
    @Test func theFirstSessionCountsFromTheStartingCapital() {
        expect([110_00, 99_00], paid: [], [0.1, -0.1])
    }

    /// 100 paid in before a session that gains 10 percent: 100 + 100 become 220.
    @Test func aDepositAtTheStartWorksThroughTheSession() {
        expect([100_00, 220_00, 110_00], paid: [(1, 100_00, 100_00)], [0, 0.1, -0.5])
    }

    /// 60 of 100 go before a session in which the rest becomes 44.
    @Test func aWithdrawalAtTheStartDoesNotWork() {
        expect([100_00, 44_00, 66_00], paid: [(1, -60_00, 100_00)], [0, 0.1, 0.5])
    }

    /// 100 become 120, 60 of which go; the other 60 become 54: 1.2 · 0.9 = 1.08.
    @Test func intervalsOfASessionMultiply() {
        expect([100_00, 54_00], paid: [(1, -60_00, 120_00)], [0, 0.08])
    }

    /// 100, 50 come, 165 of 150, 65 go, 100 become 90: 1.1 · 0.9.
    @Test func depositsAndWithdrawalsOfADayBothCount() {
        expect([100_00, 90_00], paid: [(1, 50_00, 100_00), (1, -65_00, 165_00)], [0, -0.01])
    }

    /// Days -3 and 1 have no session: their payments belong to 0 and 2. Day 9 is behind the last.
    @Test func aPaymentBetweenSessionsCountsForTheNext() {
        let ends = [(0, 200_00), (2, 330_00)].map { day, cents in
            EquityPoint.sample(session: day, equity: Money(cents: cents))
        }
        let returns = SessionReturns(
            between: ends, startingWith: Money(cents: 100_00),
            cashFlows: [
                .sample(session: -3, cents: 100_00, before: 100_00),
                .sample(session: 1, cents: 100_00, before: 200_00),
                .sample(session: 9, cents: 1_000_00, before: 330_00),
            ])
        #expect(returns.daily.map(\.day) == [day(0), day(2)])
        #expect(zip(returns.daily, [0, 0.1]).allSatisfy { abs($0.value - $1) < 1e-12 })
    }

    @Test func capitalThatIsGoneHasNoReturns() {
        expect([50_00, 0, 10_00], paid: [], [])
        // Unless something is paid in: 0 + 100 become 110.
        expect([50_00, 0, 110_00], paid: [(2, 100_00, 0)], [-0.5, -1, 0.1])
        // What nothing made before a payment is no return either.
        expect([50_00, 0, 110_00], paid: [(2, 100_00, 5_00)], [])
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

    /// Starts with 100.00; payments by session, with equity before them.
    private func expect(
        _ cents: [Int64], paid: [(Int, Int64, Int64)], _ expected: [Double]
    ) {
        let ends = cents.enumerated().map { session, cents in
            EquityPoint.sample(session: session, equity: Money(cents: cents))
        }
        let returns = SessionReturns(
            between: ends, startingWith: Money(cents: 100_00),
            cashFlows: paid.map { .sample(session: $0, cents: $1, before: $2) })
        #expect(returns.daily.count == expected.count)
        #expect(zip(returns.daily, expected).allSatisfy { abs($0.value - $1) < 1e-12 })
    }
}
