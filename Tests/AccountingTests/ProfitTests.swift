import Accounting
import Model
import Primitives
import TestSupport
import Testing

@Suite struct ProfitTests {
    private static let first = InstrumentID(index: 0)
    private static let second = InstrumentID(index: 1)
    private static let own = Attribution.strategy(StrategyID(index: 0))
    private static let others = Attribution.strategy(StrategyID(index: 1))

    private func portfolio() throws -> PortfolioLedger {
        PortfolioLedger(
            instruments: Make.instruments("AAA", "BBB"), strategyCount: 2,
            capital: try Money("10000"))
    }

    @Test func gainsAreDistinguished() throws {
        var portfolio = try portfolio()
        let holding = Holding(of: Self.own, in: Self.first)
        // 100 bought at 20.00, 40 sold at 23.00, 60 left at 22.00.
        portfolio.apply(try On.execution(1, .buy, 100, at: "20", on: "2024-06-03"), for: Self.own)
        portfolio.apply(try On.execution(2, .sell, 40, at: "23", on: "2024-06-04"), for: Self.own)
        _ = portfolio.mark(Self.first, at: try Price("22"))
        let isPaid = portfolio.apply(try On.dividend("0.10", exDay: "2024-06-05"))
        #expect(isPaid)
        portfolio.charge(try Money("1.00"), to: holding)
        portfolio.charge(try Money("0.02"), as: .sec, to: holding)
        portfolio.charge(try Money("0.01"), as: .taf, to: holding)
        portfolio.recordInterest(try Money("-0.50"))
        let profit = portfolio.profit(of: holding)
        #expect(try profit.realized == On.dollars("120"))
        #expect(try profit.unrealized == On.dollars("120"))
        #expect(try profit.income == On.dollars("6"))
        #expect(try profit.charges == On.dollars("1.03"))
        #expect(profit.interest == .zero)
        #expect(try profit.net == On.dollars("244.97"))
        // The account has paid interest besides.
        #expect(try portfolio.profit.net == On.dollars("244.47"))
        #expect(try portfolio.equity == On.dollars("10244.47"))
        portfolio.checkIdentity()
    }

    @Test func chargesAreReportedByPart() throws {
        var portfolio = try portfolio()
        portfolio.charge(try Money("1.00"))
        portfolio.charge(try Money("-0.35"))
        portfolio.charge(try Money("0.02"), as: .sec)
        portfolio.charge(try Money("0.01"), as: .taf)
        #expect(try portfolio.fees.commission == On.dollars("0.65"))
        #expect(try portfolio.fees.sec == On.dollars("0.02"))
        #expect(try portfolio.fees.taf == On.dollars("0.01"))
        #expect(try portfolio.charges == On.dollars("0.68"))
        #expect(portfolio.profit(of: Self.own).charges == .zero)
        portfolio.checkIdentity()
    }

    @Test func ownersAddUpToTheAccount() throws {
        var portfolio = try portfolio()
        portfolio.apply(try On.execution(1, .buy, 100, at: "20", on: "2024-06-03"), for: Self.own)
        portfolio.apply(Make.execution(2, .sell, 50, cents: 30_00, instrument: 1), for: Self.own)
        portfolio.apply(
            try On.execution(3, .sell, 10, at: "21", on: "2024-06-03"), for: Self.others)
        _ = portfolio.mark(Self.first, at: try Price("25"))
        _ = portfolio.mark(Self.second, at: try Price("31"))
        // 500.00 less 50.00, and a loss of 40.00.
        #expect(try portfolio.profit(of: Self.own).unrealized == On.dollars("450"))
        #expect(try portfolio.profit(of: Self.others).unrealized == On.dollars("-40"))
        #expect(try portfolio.profit.net == On.dollars("410"))
    }

    @Test func positionWithoutAMarkHasNoProfitYet() throws {
        var portfolio = try portfolio()
        portfolio.apply(try On.execution(1, .buy, 100, at: "20", on: "2024-06-03"), for: Self.own)
        #expect(portfolio.profit.unrealized == .zero)
        #expect(portfolio.profit.net == .zero)
    }

    @Test func correctionKeepsTheCharges() throws {
        var portfolio = try portfolio()
        let old = try On.execution(1, .buy, 100, at: "20", on: "2024-06-03")
        portfolio.apply(old, for: Self.own)
        portfolio.charge(try Money("1"), to: Holding(of: Self.own, in: Self.first))
        let new = Execution(
            id: ExecutionID(base: 1, revision: 2), instrument: Self.first, side: .buy,
            quantity: Quantity(shares: 90), price: old.price, time: old.time)
        portfolio.rebook(new, replacing: old, for: Self.own, history: [new])
        #expect(try portfolio.profit(of: Self.own).charges == On.dollars("1"))
        portfolio.checkIdentity()
    }
}
