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

    private func books() throws -> Books {
        Books(
            instruments: Make.instruments("AAA", "BBB"), strategyCount: 2,
            capital: try Money("10000"))
    }

    @Test func gainsAreToldApart() throws {
        var books = try books()
        let holding = Holding(of: Self.own, in: Self.first)
        // 100 bought at 20.00, 40 sold at 23.00, 60 left at 22.00.
        books.apply(try On.execution(1, .buy, 100, at: "20", on: "2024-06-03"), for: Self.own)
        books.apply(try On.execution(2, .sell, 40, at: "23", on: "2024-06-04"), for: Self.own)
        _ = books.mark(Self.first, at: try Price("22"))
        let isPaid = books.apply(try On.dividend("0.10", exDay: "2024-06-05"))
        #expect(isPaid)
        books.charge(try Money("1.00"), to: holding)
        books.charge(try Money("0.02"), as: .sec, to: holding)
        books.charge(try Money("0.01"), as: .taf, to: holding)
        books.recordInterest(try Money("-0.50"))
        let profit = books.profit(of: holding)
        #expect(try profit.realized == On.dollars("120"))
        #expect(try profit.unrealized == On.dollars("120"))
        #expect(try profit.income == On.dollars("6"))
        #expect(try profit.charges == On.dollars("1.03"))
        #expect(profit.interest == .zero)
        #expect(try profit.net == On.dollars("244.97"))
        // The account has paid interest besides.
        #expect(try books.profit.net == On.dollars("244.47"))
        #expect(try books.equity == On.dollars("10244.47"))
        books.checkIdentity()
    }

    @Test func chargesAreToldByPart() throws {
        var books = try books()
        books.charge(try Money("1.00"))
        books.charge(try Money("-0.35"))
        books.charge(try Money("0.02"), as: .sec)
        books.charge(try Money("0.01"), as: .taf)
        #expect(try books.fees.commission == On.dollars("0.65"))
        #expect(try books.fees.sec == On.dollars("0.02"))
        #expect(try books.fees.taf == On.dollars("0.01"))
        #expect(try books.charges == On.dollars("0.68"))
        #expect(books.profit(of: Self.own).charges == .zero)
        books.checkIdentity()
    }

    @Test func ownersAddUpToTheAccount() throws {
        var books = try books()
        books.apply(try On.execution(1, .buy, 100, at: "20", on: "2024-06-03"), for: Self.own)
        books.apply(Make.execution(2, .sell, 50, cents: 30_00, instrument: 1), for: Self.own)
        books.apply(try On.execution(3, .sell, 10, at: "21", on: "2024-06-03"), for: Self.others)
        _ = books.mark(Self.first, at: try Price("25"))
        _ = books.mark(Self.second, at: try Price("31"))
        // 500.00 less 50.00, and a loss of 40.00.
        #expect(try books.profit(of: Self.own).unrealized == On.dollars("450"))
        #expect(try books.profit(of: Self.others).unrealized == On.dollars("-40"))
        #expect(try books.profit.net == On.dollars("410"))
    }

    @Test func positionWithoutAMarkHasNoProfitYet() throws {
        var books = try books()
        books.apply(try On.execution(1, .buy, 100, at: "20", on: "2024-06-03"), for: Self.own)
        #expect(books.profit.unrealized == .zero)
        #expect(books.profit.net == .zero)
    }

    @Test func correctionKeepsTheCharges() throws {
        var books = try books()
        let old = try On.execution(1, .buy, 100, at: "20", on: "2024-06-03")
        books.apply(old, for: Self.own)
        books.charge(try Money("1"), to: Holding(of: Self.own, in: Self.first))
        let new = Execution(
            id: ExecutionID(base: 1, revision: 2), instrument: Self.first, side: .buy,
            quantity: Quantity(shares: 90), price: old.price, time: old.time)
        books.rebook(new, replacing: old, for: Self.own, history: [new])
        #expect(try books.profit(of: Self.own).charges == On.dollars("1"))
        books.checkIdentity()
    }
}
