import Accounting
import Model
import Primitives
import TestSupport
import Testing

/// Settlement days here are counted by hand from NYSE's and the Federal Reserve's calendars.
@Suite struct SettlementTests {
    private static let own = Attribution.strategy(StrategyID(index: 0))

    private func portfolio(capital: String = "10000") throws -> PortfolioLedger {
        PortfolioLedger(
            instruments: Make.instruments("AAA"), strategyCount: 1, capital: try Money(capital))
    }

    @Test func purchaseIsTakenFromSpendableCashAtOnce() throws {
        var portfolio = try portfolio()
        let bought = try On.execution(1, .buy, 100, at: "20", on: "2024-06-03")
        portfolio.apply(bought, for: Self.own, settling: On.day("2024-06-04"))
        #expect(try portfolio.cash == On.dollars("8000"))
        #expect(try portfolio.settledCash == On.dollars("10000"))
        #expect(try portfolio.spendableCash == On.dollars("8000"))
        #expect(portfolio.nextSettlement == On.day("2024-06-04"))
        portfolio.settle(through: On.day("2024-06-04"))
        #expect(try portfolio.settledCash == On.dollars("8000"))
        #expect(try portfolio.spendableCash == On.dollars("8000"))
        #expect(portfolio.nextSettlement == nil)
        portfolio.checkIdentity()
    }

    @Test func proceedsCannotBeSpentBeforeTheirDay() throws {
        var portfolio = try portfolio()
        portfolio.apply(try On.execution(1, .buy, 500, at: "20", on: "2024-05-01"), for: Self.own)
        #expect(portfolio.spendableCash == .zero)
        // Friday 24 May: T+2 over Memorial Day, so Wednesday.
        let sold = try On.execution(2, .sell, 100, at: "21", on: "2024-05-24")
        portfolio.apply(sold, for: Self.own, settling: On.day("2024-05-29"))
        for day in ["2024-05-24", "2024-05-27", "2024-05-28"] {
            portfolio.settle(through: On.day(day))
            #expect(portfolio.spendableCash == .zero)
            #expect(try portfolio.cash == On.dollars("2100"))
        }
        portfolio.settle(through: On.day("2024-05-29"))
        #expect(try portfolio.spendableCash == On.dollars("2100"))
    }

    /// Bought and sold on Monday, wanted again on Monday: buying with those proceeds and selling before
    /// they settle would be a good-faith violation. There is nothing to buy with until Tuesday.
    @Test func buySellBuyInACashAccountWaitsForTheSettlement() throws {
        var portfolio = try portfolio()
        let tuesday = On.day("2024-06-04")
        portfolio.apply(
            try On.execution(1, .buy, 500, at: "20", on: "2024-06-03"), for: Self.own,
            settling: tuesday)
        portfolio.apply(
            try On.execution(2, .sell, 500, at: "20.20", on: "2024-06-03"), for: Self.own,
            settling: tuesday)
        portfolio.charge(try Money("2"))
        #expect(try portfolio.cash == On.dollars("10098"))
        // The purchase has taken all, and the charges too.
        #expect(try portfolio.spendableCash == On.dollars("-2"))
        #expect(portfolio.settlements.due.count == 1)
        #expect(try portfolio.settlements.due.first?.payments == On.dollars("10000"))
        #expect(try portfolio.settlements.due.first?.proceeds == On.dollars("10100"))
        portfolio.settle(through: tuesday)
        #expect(try portfolio.spendableCash == On.dollars("10098"))
        portfolio.checkIdentity()
    }

    /// The last trade of a long cycle and the first of a shorter one fall due together: 1 September 2017
    /// (T+3 over Labor Day) and 5 September (T+2), 24 May 2024 (T+2) and 28 May (T+1).
    @Test(arguments: [
        (["2017-08-31", "2017-09-01", "2017-09-05"], ["2017-09-06", "2017-09-07", "2017-09-07"]),
        (["2024-05-23", "2024-05-24", "2024-05-28"], ["2024-05-28", "2024-05-29", "2024-05-29"]),
    ])
    func shorterCyclesFallDueTogether(trades: [String], settlements: [String]) throws {
        var portfolio = try portfolio()
        for (base, (trade, settlement)) in zip(trades, settlements).enumerated() {
            let sold = try On.execution(Int64(base), .sell, 10, at: "30", on: trade)
            portfolio.apply(sold, for: Self.own, settling: On.day(settlement))
        }
        #expect(
            portfolio.settlements.due.map(\.day) == [settlements[0], settlements[1]].map(On.day))
        #expect(try portfolio.settlements.due.map(\.net) == [On.dollars("300"), On.dollars("600")])
        #expect(try portfolio.spendableCash == On.dollars("10000"))
        portfolio.settle(through: On.day(settlements[0]))
        #expect(try portfolio.spendableCash == On.dollars("10300"))
        portfolio.settle(through: On.day(settlements[1]))
        #expect(try portfolio.spendableCash == On.dollars("10900"))
        #expect(portfolio.settlements.due.isEmpty)
    }

    @Test func daysMayComeInAnyOrderAndTwice() throws {
        var portfolio = try portfolio()
        for (base, day) in ["2024-06-06", "2024-06-04", "2024-06-05", "2024-06-04"].enumerated() {
            let sold = try On.execution(Int64(base), .sell, 1, at: "10", on: "2024-06-03")
            portfolio.apply(sold, for: Self.own, settling: On.day(day))
        }
        let days = ["2024-06-04", "2024-06-05", "2024-06-06"].map(On.day)
        #expect(portfolio.settlements.due.map(\.day) == days)
        portfolio.settle(through: On.day("2024-06-05"))
        #expect(try portfolio.settledCash == On.dollars("10030"))
        // Neither an earlier day nor the same again moves anything.
        portfolio.settle(through: On.day("2024-06-04"))
        portfolio.settle(through: On.day("2024-06-05"))
        #expect(try portfolio.settledCash == On.dollars("10030"))
        // What comes for a day that is past is settled at once.
        let late = try On.execution(9, .sell, 1, at: "10", on: "2024-06-03")
        portfolio.apply(late, for: Self.own, settling: On.day("2024-06-05"))
        #expect(try portfolio.settledCash == On.dollars("10040"))
        portfolio.checkIdentity()
    }

    @Test func withoutADayCashIsSettledAtOnce() throws {
        var portfolio = try portfolio()
        portfolio.apply(try On.execution(1, .buy, 100, at: "20", on: "2024-06-03"), for: Self.own)
        #expect(try portfolio.settledCash == On.dollars("8000"))
        #expect(portfolio.settlements.due.isEmpty)
    }

    @Test func correctionMovesTheQueue() throws {
        var portfolio = try portfolio()
        let old = try On.execution(1, .buy, 100, at: "20", on: "2024-06-03")
        portfolio.apply(old, for: Self.own, settling: On.day("2024-06-04"))
        // 90 at 19.00, and a day later than first told.
        let new = Execution(
            id: ExecutionID(base: 1, revision: 2), instrument: old.instrument, side: .buy,
            quantity: Quantity(shares: 90), price: try Price("19"), time: On.noon("2024-06-04"))
        let days = [On.day("2024-06-04"), On.day("2024-06-05")]
        portfolio.rebook(new, replacing: old, for: Self.own, history: [new]) { execution in
            days[Int(execution.id.revision) - 1]
        }
        #expect(portfolio.settlements.due.map(\.day) == [days[1]])
        #expect(try portfolio.settlements.payments == On.dollars("1710"))
        #expect(try portfolio.spendableCash == On.dollars("8290"))
        portfolio.checkIdentity()
    }

    @Test func bustLeavesNothingInTheQueue() throws {
        var portfolio = try portfolio()
        _ = portfolio.mark(InstrumentID(index: 0), at: try Price("20"))
        let untouched = portfolio.digest
        let old = try On.execution(1, .sell, 100, at: "20", on: "2024-06-03")
        portfolio.apply(old, for: Self.own, settling: On.day("2024-06-04"))
        #expect(portfolio.digest != untouched)
        let bust = Execution(
            id: ExecutionID(base: 1, revision: 2), instrument: old.instrument, side: .sell,
            quantity: .zero, price: old.price, time: old.time)
        portfolio.rebook(bust, replacing: old, for: Self.own, history: [bust]) { _ in
            On.day("2024-06-04")
        }
        #expect(portfolio.settlements.due.isEmpty)
        #expect(portfolio.digest == untouched)
    }

    @Test func correctionAfterTheSettlementMovesSettledCash() throws {
        var portfolio = try portfolio()
        let old = try On.execution(1, .buy, 100, at: "20", on: "2024-06-03")
        let day = On.day("2024-06-04")
        portfolio.apply(old, for: Self.own, settling: day)
        portfolio.settle(through: day)
        let new = Execution(
            id: ExecutionID(base: 1, revision: 2), instrument: old.instrument, side: .buy,
            quantity: old.quantity, price: try Price("19.50"), time: old.time)
        portfolio.rebook(new, replacing: old, for: Self.own, history: [new]) { _ in day }
        #expect(try portfolio.settledCash == On.dollars("8050"))
        #expect(portfolio.settlements.due.isEmpty)
        portfolio.checkIdentity()
    }

    @Test func cashFlowsInterestAndChargesAreSettledAtOnce() throws {
        var portfolio = try portfolio()
        portfolio.recordCashFlow(try Money("500"))
        portfolio.recordInterest(try Money("-1.25"))
        portfolio.charge(try Money("0.75"), as: .sec)
        #expect(try portfolio.settledCash == On.dollars("10498"))
        #expect(try portfolio.spendableCash == On.dollars("10498"))
        #expect(try portfolio.interest == On.dollars("-1.25"))
        portfolio.checkIdentity()
    }

    /// Whatever happens, memory grows with days that wait, not with executions.
    @Test func queueHasOneEntryADay() throws {
        var portfolio = try portfolio()
        var countMax = 0
        for number in 0..<1_000 as Range<Int32> {
            let today = Day(number: 19_000 + number / 10)
            portfolio.settle(through: today)
            portfolio.apply(
                Make.execution(Int64(number), .sell, 1, cents: 10_00), for: Self.own,
                settling: today.advanced(by: 5))
            countMax = max(countMax, portfolio.settlements.due.count)
        }
        #expect(countMax == 5)
        portfolio.checkIdentity()
    }

    /// Property: spendable cash is sales on their settlement day less purchases at once, and who spends no
    /// more than that never lacks settled cash, whatever is sold meanwhile and whichever cycle holds.
    @Test(arguments: 0..<100 as Range<UInt64>)
    func whoSpendsNoMoreNeverLacksSettledCash(seed: UInt64) throws {
        var chance = SeededGenerator(seed: seed)
        var portfolio = try portfolio()
        var held: Int64 = 0
        // In cents: what can be spent, and what sales will bring on which day.
        var pool: Int64 = 10_000_00
        var coming: [(day: Int32, cents: Int64)] = []
        for number in 19_000..<19_060 as Range<Int32> {
            pool += coming.filter { $0.day == number }.reduce(0) { $0 + $1.cents }
            portfolio.settle(through: Day(number: number))
            #expect(portfolio.settledCash >= .zero)
            let cycle = chance.number(in: 1...3)
            for _ in 0..<chance.number(in: 0...4) {
                let cents = chance.number(in: 50...150) * 100
                let buys = chance.chance(percent: 60)
                let shares = chance.number(in: 0...(buys ? pool / cents : held))
                let trade = Make.execution(0, buys ? .buy : .sell, shares, cents: cents)
                portfolio.apply(
                    trade, for: Self.own, settling: Day(number: number + Int32(cycle)))
                held += buys ? shares : -shares
                if buys { pool -= shares * cents }
                if !buys { coming.append((number + Int32(cycle), shares * cents)) }
                #expect(portfolio.spendableCash == ExactMoney(Money(cents: pool)))
            }
        }
    }
}
