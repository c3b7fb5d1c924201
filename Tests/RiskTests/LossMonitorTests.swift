import Model
import Primitives
import Risk
import TestSupport
import Testing

@Suite struct LossMonitorTests {
    private static func dollars(_ amount: Int64) -> ExactMoney {
        ExactMoney(Money(cents: amount * 100))
    }

    private func monitor(
        daily: Percent? = nil, amount: Money? = nil, drawdown: Percent? = nil, equity: Int64
    ) -> LossMonitor {
        var limits = LossLimits()
        limits.dailyPercent = daily
        limits.dailyAmount = amount
        limits.drawdownPercent = drawdown
        return LossMonitor(limits, equity: Self.dollars(equity))
    }

    /// 2 % of 10,000 are 200: a loss of 199.99 is allowed, one of 200 is not.
    @Test func theLimitItselfIsReached() {
        let monitor = monitor(daily: Percent(2), equity: 10_000)
        let above = ExactMoney(Money(cents: 9_800_01))
        #expect(monitor.dailyBreach(with: above, at: Make.open) == nil)
        let breach = monitor.dailyBreach(with: Self.dollars(9_800), at: Make.open)
        #expect(
            breach
                == LimitBreach(
                    .dailyLoss, at: Make.open, .percent(limit: Percent(2), value: Percent(2))))
    }

    /// 9,750 is 2.5 % below 10,000.
    @Test func aBreachStatesHowMuchWasLost() {
        let monitor = monitor(daily: Percent(2), equity: 10_000)
        let breach = monitor.dailyBreach(with: Self.dollars(9_750), at: Make.open)
        #expect(
            breach?.figures == .percent(limit: Percent(2), value: Percent(units: 2_500_000)))
    }

    /// 150 dollars are reached before 2 % of 10,000.
    @Test func ofTwoDailyLimitsTheFirstReachedCounts() {
        let amount = Money(cents: 150_00)
        let monitor = monitor(daily: Percent(2), amount: amount, equity: 10_000)
        #expect(monitor.dailyBreach(with: Self.dollars(9_851), at: Make.open) == nil)
        #expect(
            monitor.dailyBreach(with: Self.dollars(9_840), at: Make.open)?.figures
                == .amount(limit: amount, value: Money(cents: 160_00)))
        let both = monitor.dailyBreach(with: Self.dollars(9_700), at: Make.open)
        #expect(both?.figures == .percent(limit: Percent(2), value: Percent(3)))
    }

    @Test func aDayIsMeasuredFromItsStart() {
        var monitor = monitor(daily: Percent(2), equity: 10_000)
        monitor.beginDay(with: Self.dollars(9_000))
        #expect(monitor.dailyBreach(with: Self.dollars(8_821), at: Make.open) == nil)
        #expect(monitor.dailyBreach(with: Self.dollars(8_820), at: Make.open) != nil)
    }

    /// From the highest 12,000, 10 % are 1,200.
    @Test func aDrawdownIsMeasuredFromTheHighestEquity() {
        var monitor = monitor(drawdown: Percent(10), equity: 10_000)
        monitor.observe(Self.dollars(12_000))
        monitor.observe(Self.dollars(11_000))
        #expect(monitor.drawdownBreach(with: Self.dollars(10_801), at: Make.open) == nil)
        #expect(
            monitor.drawdownBreach(with: Self.dollars(10_800), at: Make.open)
                == LimitBreach(
                    .drawdown, at: Make.open, .percent(limit: Percent(10), value: Percent(10))))
        // The day is none of its business.
        #expect(monitor.dailyBreach(with: .zero, at: Make.open) == nil)
    }

    /// A withdrawal of 5,000 from 10,000 is no loss; 2 % and 10 % are of 5,000 then.
    @Test func moneyPaidOutIsNoLoss() {
        var monitor = monitor(daily: Percent(2), drawdown: Percent(10), equity: 10_000)
        monitor.shift(by: Self.dollars(-5_000))
        #expect(monitor.dailyBreach(with: Self.dollars(4_901), at: Make.open) == nil)
        #expect(monitor.dailyBreach(with: Self.dollars(4_900), at: Make.open) != nil)
        #expect(monitor.drawdownBreach(with: Self.dollars(4_501), at: Make.open) == nil)
        #expect(monitor.drawdownBreach(with: Self.dollars(4_500), at: Make.open) != nil)
    }

    @Test func moneyPaidInHidesNoLoss() {
        var monitor = monitor(daily: Percent(2), equity: 10_000)
        monitor.shift(by: Self.dollars(10_000))
        // 2 % of 20,000 are 400.
        #expect(monitor.dailyBreach(with: Self.dollars(19_601), at: Make.open) == nil)
        #expect(monitor.dailyBreach(with: Self.dollars(19_600), at: Make.open) != nil)
    }

    @Test func afterAResumeADrawdownIsMeasuredAnew() {
        var monitor = monitor(drawdown: Percent(10), equity: 10_000)
        monitor.resume(with: Self.dollars(9_000))
        #expect(monitor.drawdownBreach(with: Self.dollars(8_101), at: Make.open) == nil)
        #expect(monitor.drawdownBreach(with: Self.dollars(8_100), at: Make.open) != nil)
    }

    /// Nothing is left to lose a part of: no loss is fine, any is too much.
    @Test(arguments: [0, -100] as [Int64])
    func withoutEquityAnyLossIsTooMuch(equity: Int64) {
        let monitor = monitor(daily: Percent(2), drawdown: Percent(10), equity: equity)
        #expect(monitor.dailyBreach(with: Self.dollars(equity), at: Make.open) == nil)
        #expect(monitor.drawdownBreach(with: Self.dollars(equity), at: Make.open) == nil)
        #expect(monitor.dailyBreach(with: Self.dollars(equity - 1), at: Make.open) != nil)
        #expect(monitor.drawdownBreach(with: Self.dollars(equity - 1), at: Make.open) != nil)
    }

    @Test func withoutLimitsNothingIsABreach() {
        #expect(LossLimits().areNone)
        let monitor = monitor(equity: 10_000)
        #expect(monitor.dailyBreach(with: .zero, at: Make.open) == nil)
        #expect(monitor.drawdownBreach(with: .zero, at: Make.open) == nil)
    }

    /// Property: against the definition without any division: loss · 100 % ≥ limit · start.
    @Test(arguments: 0..<20 as Range<UInt64>)
    func breachesFollowTheDefinition(seed: UInt64) {
        var chance = SeededGenerator(seed: seed)
        for _ in 0..<500 {
            let start = Int128(chance.number(in: 1...1_000_000_00))
            let equity = Int128(chance.number(in: -100_00...1_100_000_00))
            let limit = Percent(units: chance.number(in: 1...100_000000))
            let amount = chance.number(in: 1...50_000_00)
            let loss = start - equity
            let isPercentReached =
                loss > 0 && loss * 100_000_000 >= start * Int128(limit.units)
            let isAmountReached = loss >= Int128(amount)
            func monitor(_ percent: Percent?, _ amount: Money?) -> LossMonitor {
                var limits = LossLimits()
                limits.dailyPercent = percent
                limits.dailyAmount = amount
                limits.drawdownPercent = percent
                return LossMonitor(limits, equity: ExactMoney(Money(cents: Int64(start))))
            }
            let now = ExactMoney(Money(cents: Int64(equity)))
            let byPercent = monitor(limit, nil)
            #expect((byPercent.dailyBreach(with: now, at: Make.open) != nil) == isPercentReached)
            #expect((byPercent.drawdownBreach(with: now, at: Make.open) != nil) == isPercentReached)
            let both = monitor(limit, Money(cents: amount))
            #expect(
                (both.dailyBreach(with: now, at: Make.open) != nil)
                    == (isPercentReached || isAmountReached))
        }
    }

    @Test func baselinesAreInTheDigest() {
        func digest(_ change: (inout LossMonitor) -> Void) -> UInt64 {
            var monitor = monitor(daily: Percent(2), drawdown: Percent(10), equity: 10_000)
            change(&monitor)
            var hasher = StateHasher()
            monitor.hash(into: &hasher)
            return hasher.digest
        }
        let digests = [
            digest { _ in }, digest { $0.beginDay(with: Self.dollars(9_000)) },
            digest { $0.resume(with: Self.dollars(9_000)) },
            digest { $0.shift(by: Self.dollars(1)) },
        ]
        #expect(Set(digests).count == digests.count)
    }
}
