import Model
import Primitives
import Risk
import Testing

@Suite struct SizingTests {
    private func dollars(_ cents: Int64) -> ExactMoney { ExactMoney(Money(cents: cents)) }

    /// The size for an account whose equity is all in settled cash.
    private func size(
        _ sizing: Sizing, _ equity: ExactMoney, at price: Price, multiplier: Int64 = 1,
        range: Price? = nil
    ) -> Quantity? {
        var facts = Sizing.Facts(
            equity: equity, settledCash: equity, price: price, multiplier: multiplier)
        facts.averageTrueRange = range
        return sizing.quantity(given: facts)
    }

    @Test func fixedSharesNeedNeitherPriceNorEquity() {
        let sizing = Sizing.fixedShares(Quantity(shares: 100))
        #expect(
            size(sizing, dollars(-1), at: .zero, multiplier: 1)
                == Quantity(shares: 100))
    }

    @Test func percentOfEquityBuysWholeShares() {
        let sizing = Sizing.percentOfEquity(Percent(10))
        // 10 % of 962,333.00 = 96,233.30; / 99.37 = 968.43.
        #expect(
            size(sizing, dollars(962_333_00), at: Price(cents: 99_37), multiplier: 1)
                == Quantity(shares: 968))
        // 10 % of 10,000.00 = 1,000.00: exactly 20 at 50.00, 19 at a hundredth of a cent more.
        #expect(
            size(sizing, dollars(10_000_00), at: Price(cents: 50_00), multiplier: 1)
                == Quantity(shares: 20))
        #expect(
            size(sizing, dollars(10_000_00), at: Price(units: 50_00010000), multiplier: 1)
                == Quantity(shares: 19))
        // A contract for 100 at 1.50 costs 150.00: 6 of them.
        #expect(
            size(sizing, dollars(10_000_00), at: Price(cents: 1_50), multiplier: 100)
                == Quantity(shares: 6))
    }

    @Test func tooLittleEquityBuysNothing() {
        let sizing = Sizing.percentOfEquity(Percent(10))
        #expect(
            size(sizing, dollars(499_99), at: Price(cents: 50_00), multiplier: 1)
                == .zero)
        #expect(size(sizing, .zero, at: Price(cents: 50_00), multiplier: 1) == .zero)
    }

    @Test func whatCannotBeComputedHasNoSize() {
        let sizing = Sizing.percentOfEquity(Percent(100))
        #expect(size(sizing, dollars(1_00), at: .zero, multiplier: 1) == nil)
        #expect(
            size(sizing, dollars(1_00), at: Price(cents: -1), multiplier: 1) == nil)
        #expect(
            size(sizing, dollars(1_00), at: Price(cents: 1), multiplier: 0) == nil)
        // More shares than a quantity can say: 10^15 / 10^-8.
        #expect(
            size(
                sizing, ExactMoney(units: 10_000_000_000_000_000_000_000_000_000_000),
                at: Price(units: 1)) == nil)
        #expect(size(sizing, ExactMoney(units: .max), at: Price(units: 1)) == nil)
    }

    @Test func fixedMoneyBuysWholeShares() {
        // 10,000.00 / 99.37 = 100.63.
        #expect(
            size(.fixedMoney(Money(cents: 10_000_00)), dollars(0), at: Price(cents: 99_37))
                == Quantity(shares: 100))
    }

    @Test func riskPerTradeLosesThatPartAtTheStop() {
        // 1 % of 50,000.00 is 500.00; 2 × 1.25 a share: 200 shares.
        let twice = Sizing.riskPerTrade(
            Percent(1), RangeDistance(length: 14, times: Percent(200)))
        #expect(
            size(twice, dollars(50_000_00), at: Price(cents: 80_00), range: Price(cents: 1_25))
                == Quantity(shares: 200))
        // Half as much when the range is twice as wide.
        #expect(
            size(twice, dollars(50_000_00), at: Price(cents: 80_00), range: Price(cents: 2_50))
                == Quantity(shares: 100))
    }

    @Test func riskPerTradeGoesBySettledCash() {
        var facts = Sizing.Facts(
            equity: dollars(50_000_00), settledCash: dollars(10_000_00), price: Price(cents: 80_00),
            multiplier: 1)
        facts.averageTrueRange = Price(cents: 2_00)
        let sizing = Sizing.riskPerTrade(
            Percent(1), RangeDistance(length: 14, times: Percent(200)))
        #expect(sizing.quantity(given: facts) == Quantity(shares: 25))
        facts.settledCash = dollars(-1)
        #expect(sizing.quantity(given: facts) == .zero)
    }

    @Test func withoutDistanceThereIsNoSize() {
        let range = Sizing.riskPerTrade(
            Percent(1), RangeDistance(length: 14, times: Percent(200)))
        #expect(size(range, dollars(50_000_00), at: Price(cents: 80_00)) == nil)
        #expect(size(range, dollars(50_000_00), at: Price(cents: 80_00), range: .zero) == nil)
    }

    @Test func negativeAmountsAreNegativeQuantitiesTowardsZero() {
        // -120.00 / 50.00 = -2.4.
        #expect(
            Sizing.wholeShares(worth: dollars(-120_00), price: Price(cents: 50_00), multiplier: 1)
                == Quantity(shares: -2))
    }
}
