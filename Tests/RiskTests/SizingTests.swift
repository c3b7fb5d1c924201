import Primitives
import Risk
import Testing

@Suite struct SizingTests {
    private func dollars(_ cents: Int64) -> ExactMoney { ExactMoney(Money(cents: cents)) }

    @Test func fixedSharesNeedNeitherPriceNorEquity() {
        let sizing = Sizing.fixedShares(Quantity(shares: 100))
        #expect(
            sizing.quantity(equity: dollars(-1), price: .zero, multiplier: 1)
                == Quantity(shares: 100))
    }

    @Test func percentOfEquityBuysWholeShares() {
        let sizing = Sizing.percentOfEquity(Percent(10))
        // 10 % of 962,333.00 = 96,233.30; / 99.37 = 968.43.
        #expect(
            sizing.quantity(equity: dollars(962_333_00), price: Price(cents: 99_37), multiplier: 1)
                == Quantity(shares: 968))
        // 10 % of 10,000.00 = 1,000.00: exactly 20 at 50.00, 19 at a hundredth of a cent more.
        #expect(
            sizing.quantity(equity: dollars(10_000_00), price: Price(cents: 50_00), multiplier: 1)
                == Quantity(shares: 20))
        #expect(
            sizing.quantity(
                equity: dollars(10_000_00), price: Price(units: 50_00010000), multiplier: 1)
                == Quantity(shares: 19))
        // A contract for 100 at 1.50 costs 150.00: 6 of them.
        #expect(
            sizing.quantity(equity: dollars(10_000_00), price: Price(cents: 1_50), multiplier: 100)
                == Quantity(shares: 6))
    }

    @Test func tooLittleEquityBuysNothing() {
        let sizing = Sizing.percentOfEquity(Percent(10))
        #expect(
            sizing.quantity(equity: dollars(499_99), price: Price(cents: 50_00), multiplier: 1)
                == .zero)
        #expect(sizing.quantity(equity: .zero, price: Price(cents: 50_00), multiplier: 1) == .zero)
    }

    @Test func whatCannotBeComputedHasNoSize() {
        let sizing = Sizing.percentOfEquity(Percent(100))
        #expect(sizing.quantity(equity: dollars(1_00), price: .zero, multiplier: 1) == nil)
        #expect(
            sizing.quantity(equity: dollars(1_00), price: Price(cents: -1), multiplier: 1) == nil)
        #expect(
            sizing.quantity(equity: dollars(1_00), price: Price(cents: 1), multiplier: 0) == nil)
        // More shares than a quantity can say: 10^15 / 10^-8.
        #expect(
            sizing.quantity(
                equity: ExactMoney(units: 10_000_000_000_000_000_000_000_000_000_000),
                price: Price(units: 1), multiplier: 1) == nil)
        #expect(
            sizing.quantity(equity: ExactMoney(units: .max), price: Price(units: 1), multiplier: 1)
                == nil)
    }

    @Test func negativeAmountsAreNegativeQuantitiesTowardsZero() {
        // -120.00 / 50.00 = -2.4.
        #expect(
            Sizing.wholeShares(worth: dollars(-120_00), price: Price(cents: 50_00), multiplier: 1)
                == Quantity(shares: -2))
    }
}
