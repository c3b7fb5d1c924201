import Accounting
import Model
import Primitives
import TestSupport
import Testing

@Suite struct MarginTests {
    private static let first = InstrumentID(index: 0)
    private static let own = Attribution.strategy(StrategyID(index: 0))

    /// Books of 10,000.00 after one trade, marked at its price.
    private func portfolio(_ side: Side, _ shares: Int64, at price: String) throws
        -> PortfolioLedger
    {
        var portfolio = PortfolioLedger(
            instruments: Make.instruments("AAA", "BBB"), strategyCount: 1,
            capital: try Money("10000"))
        portfolio.apply(
            try On.execution(1, side, shares, at: price, on: "2024-06-03"), for: Self.own)
        _ = portfolio.mark(Self.first, at: try Price(price))
        return portfolio
    }

    @Test func cashAloneNeedsNothing() throws {
        let portfolio = PortfolioLedger(
            instruments: Make.instruments("AAA"), strategyCount: 1, capital: try Money("10000"))
        let margin = portfolio.margin(under: .unitedStates)
        #expect(margin.initial == .zero)
        #expect(margin.maintenance == .zero)
        #expect(try margin.availableFunds == On.dollars("10000"))
        #expect(!margin.needsLiquidation)
    }

    /// 300 at 50.00 with 10,000.00: 5,000.00 are borrowed.
    @Test func longNeedsHalfToOpenAndAQuarterToKeep() throws {
        let margin = try portfolio(.buy, 300, at: "50").margin(under: .unitedStates)
        #expect(try margin.equity == On.dollars("10000"))
        #expect(try margin.initial == On.dollars("7500"))
        #expect(try margin.maintenance == On.dollars("3750"))
        #expect(try margin.availableFunds == On.dollars("2500"))
        #expect(try margin.excessLiquidity == On.dollars("6250"))
    }

    /// Equity 300 P - 5,000 is a quarter of 300 P at P = 22.22…
    @Test func longIsLiquidatedBelowAQuarter() throws {
        var portfolio = try portfolio(.buy, 300, at: "50")
        _ = portfolio.mark(Self.first, at: try Price("22.23"))
        let above = portfolio.margin(under: .unitedStates)
        #expect(!above.needsLiquidation)
        _ = portfolio.mark(Self.first, at: try Price("22.22"))
        let below = portfolio.margin(under: .unitedStates)
        #expect(try below.excessLiquidity == On.dollars("-0.50"))
        #expect(below.needsLiquidation)
    }

    /// 200 sold at 60.00: 12,000.00 received. Equity 22,000 - 200 P is 30 % of 200 P at P = 84.615…
    @Test func shortNeedsHalfToOpenAndThirtyPercentToKeep() throws {
        var portfolio = try portfolio(.sell, 200, at: "60")
        let opened = portfolio.margin(under: .unitedStates)
        #expect(try opened.initial == On.dollars("6000"))
        #expect(try opened.maintenance == On.dollars("3600"))
        _ = portfolio.mark(Self.first, at: try Price("84.61"))
        let above = portfolio.margin(under: .unitedStates)
        #expect(try above.excessLiquidity == On.dollars("1.40"))
        #expect(!above.needsLiquidation)
        _ = portfolio.mark(Self.first, at: try Price("84.62"))
        let below = portfolio.margin(under: .unitedStates)
        #expect(below.needsLiquidation)
    }

    @Test func longsAndShortsNeedTheirOwn() throws {
        var portfolio = try portfolio(.buy, 100, at: "50")
        portfolio.apply(Make.execution(2, .sell, 10, cents: 100_00, instrument: 1), for: Self.own)
        let margin = portfolio.margin(under: .unitedStates)
        // 25 % of 5,000.00 and 30 % of 1,000.00.
        #expect(try margin.maintenance == On.dollars("1550"))
        #expect(try margin.initial == On.dollars("3000"))
    }

    @Test func termsAreConfigurableWithinReason() throws {
        let house = try #require(
            MarginTerms(
                initial: Percent(100), maintenanceLong: Percent(100),
                maintenanceShort: Percent(150)))
        #expect(try house.initialRequirement(for: On.dollars("-12.50")) == On.dollars("12.50"))
        #expect(try house.maintenanceRequirement(for: On.dollars("-12")) == On.dollars("18"))
        #expect(
            MarginTerms(
                initial: Percent(-1), maintenanceLong: .zero, maintenanceShort: .zero) == nil)
        #expect(
            MarginTerms(
                initial: Percent(1_001), maintenanceLong: .zero, maintenanceShort: .zero) == nil)
    }

    // MARK: Interest

    /// 5,000.00 · 6.83 % / 360 = 0.9486111…, for three days 2.8458333….
    @Test func debitCostsTheYearlyRateOver360() throws {
        let portfolio = try portfolio(.buy, 300, at: "50")
        let rate = try Percent("6.83")
        #expect(try portfolio.debitInterest(atYearly: rate, days: 1) == Money("0.948611"))
        #expect(try portfolio.debitInterest(atYearly: rate, days: 3) == Money("2.845833"))
        #expect(portfolio.debitInterest(atYearly: rate, days: 0) == .zero)
        #expect(portfolio.debitInterest(atYearly: Percent(units: .max), days: .max) == nil)
    }

    @Test func creditCostsNothing() throws {
        let portfolio = try portfolio(.buy, 100, at: "50")
        #expect(portfolio.debitInterest(atYearly: Percent(7), days: 30) == .zero)
    }

    @Test func debitBeginsWithTheSettlement() throws {
        var portfolio = PortfolioLedger(
            instruments: Make.instruments("AAA"), strategyCount: 1, capital: try Money("10000"))
        portfolio.apply(
            try On.execution(1, .buy, 300, at: "50", on: "2024-06-03"), for: Self.own,
            settling: On.day("2024-06-04"))
        #expect(portfolio.debitInterest(atYearly: Percent(36), days: 1) == .zero)
        portfolio.settle(through: On.day("2024-06-04"))
        // 36 % over 360 days is a thousandth a day.
        let due = portfolio.debitInterest(atYearly: Percent(36), days: 1) ?? .zero
        #expect(try due == Money("5"))
        portfolio.recordInterest(-due)
        #expect(try portfolio.equity == On.dollars("9995"))
        #expect(try portfolio.profit.interest == On.dollars("-5"))
        portfolio.checkIdentity()
    }
}
