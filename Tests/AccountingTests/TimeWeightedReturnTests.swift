import Accounting
import Model
import Primitives
import TestSupport
import Testing

@Suite struct TimeWeightedReturnTests {
    private static let first = InstrumentID(index: 0)
    private static let own = Attribution.strategy(StrategyID(index: 0))

    /// Books of one share at 100.00 and nothing else.
    private func portfolio() throws -> PortfolioLedger {
        var portfolio = PortfolioLedger(
            instruments: Make.instruments("AAA"), strategyCount: 1, capital: try Money("100"))
        portfolio.apply(try On.execution(1, .buy, 1, at: "100", on: "2024-06-03"), for: Self.own)
        return portfolio
    }

    private func growth(_ portfolio: borrowing PortfolioLedger) -> ExactMoney? {
        portfolio.timeWeightedReturn.growth(to: portfolio.equity)
    }

    /// 100 grow to 110; 90 come in; 200 fall to 180: 1.1 · 0.9 = 0.99, though money was made by the size.
    @Test func flowsAreNoReturn() throws {
        var portfolio = try portfolio()
        _ = portfolio.mark(Self.first, at: try Price("110"))
        portfolio.recordCashFlow(try Money("90"))
        #expect(try growth(portfolio) == On.dollars("1.1"))
        _ = portfolio.mark(Self.first, at: try Price("90"))
        #expect(try growth(portfolio) == On.dollars("0.99"))
        // 80 go out of 180; 100 rise to 125.
        portfolio.recordCashFlow(try Money("-80"))
        _ = portfolio.mark(Self.first, at: try Price("115"))
        #expect(try growth(portfolio) == On.dollars("1.2375"))
        portfolio.checkIdentity()
    }

    @Test func emptyAccountBeginsWithItsFirstDeposit() throws {
        var portfolio = PortfolioLedger(
            instruments: Make.instruments("AAA"), strategyCount: 1, capital: .zero)
        portfolio.recordCashFlow(try Money("50"))
        portfolio.recordInterest(try Money("5"))
        #expect(try growth(portfolio) == On.dollars("1.1"))
    }

    @Test func profitOfNothingHasNoReturn() throws {
        var portfolio = PortfolioLedger(
            instruments: Make.instruments("AAA"), strategyCount: 1, capital: .zero)
        portfolio.recordInterest(try Money("5"))
        #expect(growth(portfolio) == nil)
        // Nor has anything that follows.
        portfolio.recordCashFlow(try Money("50"))
        #expect(growth(portfolio) == nil)
    }

    @Test func lossOfMoreThanEverythingIsTheLossOfEverything() throws {
        var portfolio = try portfolio()
        portfolio.charge(try Money("150"))
        #expect(growth(portfolio) == .zero)
        portfolio.recordCashFlow(try Money("1000"))
        portfolio.recordInterest(try Money("100"))
        #expect(growth(portfolio) == .zero)
    }

    @Test func growthBeyondItsRangeIsNone() throws {
        var portfolio = try portfolio()
        // All but a millionth is taken out, four times, and a million comes each time.
        for _ in 0..<4 {
            portfolio.recordCashFlow(Money(units: 1 - portfolio.equity.rounded().units))
            portfolio.recordInterest(try Money("1000000"))
        }
        #expect(growth(portfolio) == nil)
    }

    /// Property: equals the product of the batches in floating point, whatever comes and goes.
    @Test(arguments: 0..<100 as Range<UInt64>)
    func equalsTheProductOfItsIntervals(seed: UInt64) throws {
        var chance = SeededGenerator(seed: seed)
        var portfolio = PortfolioLedger(
            instruments: Make.instruments("AAA"), strategyCount: 1, capital: try Money("10000"))
        var equity = 10_000.0
        var product = 1.0
        for _ in 0..<50 {
            let gain = chance.number(in: -100_00...110_00)
            portfolio.recordInterest(Money(cents: gain))
            product *= (equity + Double(gain) / 100) / equity
            equity += Double(gain) / 100
            if chance.chance(percent: 30) {
                let flow = chance.number(in: -10_00...2_000_00)
                portfolio.recordCashFlow(Money(cents: flow))
                equity += Double(flow) / 100
            }
        }
        let growth = self.growth(portfolio)?.asDouble
        #expect(abs((growth ?? 0) - product) < 1e-11)
    }
}
