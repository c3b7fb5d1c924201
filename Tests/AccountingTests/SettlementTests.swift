import Accounting
import Model
import Primitives
import TestSupport
import Testing

/// Settlement days here are counted by hand from NYSE's and the Federal Reserve's calendars.
@Suite struct SettlementTests {
    private static let own = Attribution.strategy(StrategyID(index: 0))

    private func books(capital: String = "10000") throws -> Books {
        Books(
            instruments: Make.instruments("AAA"), strategyCount: 1, capital: try Money(capital))
    }

    @Test func purchaseIsTakenFromSpendableCashAtOnce() throws {
        var books = try books()
        let bought = try On.execution(1, .buy, 100, at: "20", on: "2024-06-03")
        books.apply(bought, for: Self.own, settling: On.day("2024-06-04"))
        #expect(try books.cash == On.dollars("8000"))
        #expect(try books.settledCash == On.dollars("10000"))
        #expect(try books.spendableCash == On.dollars("8000"))
        #expect(books.nextSettlement == On.day("2024-06-04"))
        books.settle(through: On.day("2024-06-04"))
        #expect(try books.settledCash == On.dollars("8000"))
        #expect(try books.spendableCash == On.dollars("8000"))
        #expect(books.nextSettlement == nil)
        books.checkIdentity()
    }

    @Test func proceedsCannotBeSpentBeforeTheirDay() throws {
        var books = try books()
        books.apply(try On.execution(1, .buy, 500, at: "20", on: "2024-05-01"), for: Self.own)
        #expect(books.spendableCash == .zero)
        // Friday 24 May: T+2 over Memorial Day, so Wednesday.
        let sold = try On.execution(2, .sell, 100, at: "21", on: "2024-05-24")
        books.apply(sold, for: Self.own, settling: On.day("2024-05-29"))
        for day in ["2024-05-24", "2024-05-27", "2024-05-28"] {
            books.settle(through: On.day(day))
            #expect(books.spendableCash == .zero)
            #expect(try books.cash == On.dollars("2100"))
        }
        books.settle(through: On.day("2024-05-29"))
        #expect(try books.spendableCash == On.dollars("2100"))
    }

    /// Bought and sold on Monday, wanted again on Monday: buying with those proceeds and selling before
    /// they settle would be a good-faith violation. There is nothing to buy with until Tuesday.
    @Test func buySellBuyInACashAccountWaitsForTheSettlement() throws {
        var books = try books()
        let tuesday = On.day("2024-06-04")
        books.apply(
            try On.execution(1, .buy, 500, at: "20", on: "2024-06-03"), for: Self.own,
            settling: tuesday)
        books.apply(
            try On.execution(2, .sell, 500, at: "20.20", on: "2024-06-03"), for: Self.own,
            settling: tuesday)
        books.charge(try Money("2"))
        #expect(try books.cash == On.dollars("10098"))
        // The purchase has taken all, and the charges too.
        #expect(try books.spendableCash == On.dollars("-2"))
        #expect(books.settlements.due.count == 1)
        #expect(try books.settlements.due.first?.payments == On.dollars("10000"))
        #expect(try books.settlements.due.first?.proceeds == On.dollars("10100"))
        books.settle(through: tuesday)
        #expect(try books.spendableCash == On.dollars("10098"))
        books.checkIdentity()
    }

    /// The last trade of a long cycle and the first of a shorter one fall due together: 1 September 2017
    /// (T+3 over Labor Day) and 5 September (T+2), 24 May 2024 (T+2) and 28 May (T+1).
    @Test(arguments: [
        (["2017-08-31", "2017-09-01", "2017-09-05"], ["2017-09-06", "2017-09-07", "2017-09-07"]),
        (["2024-05-23", "2024-05-24", "2024-05-28"], ["2024-05-28", "2024-05-29", "2024-05-29"]),
    ])
    func shorterCyclesFallDueTogether(trades: [String], settlements: [String]) throws {
        var books = try books()
        for (base, (trade, settlement)) in zip(trades, settlements).enumerated() {
            let sold = try On.execution(Int64(base), .sell, 10, at: "30", on: trade)
            books.apply(sold, for: Self.own, settling: On.day(settlement))
        }
        #expect(books.settlements.due.map(\.day) == [settlements[0], settlements[1]].map(On.day))
        #expect(try books.settlements.due.map(\.net) == [On.dollars("300"), On.dollars("600")])
        #expect(try books.spendableCash == On.dollars("10000"))
        books.settle(through: On.day(settlements[0]))
        #expect(try books.spendableCash == On.dollars("10300"))
        books.settle(through: On.day(settlements[1]))
        #expect(try books.spendableCash == On.dollars("10900"))
        #expect(books.settlements.due.isEmpty)
    }

    @Test func daysMayComeInAnyOrderAndTwice() throws {
        var books = try books()
        for (base, day) in ["2024-06-06", "2024-06-04", "2024-06-05", "2024-06-04"].enumerated() {
            let sold = try On.execution(Int64(base), .sell, 1, at: "10", on: "2024-06-03")
            books.apply(sold, for: Self.own, settling: On.day(day))
        }
        let days = ["2024-06-04", "2024-06-05", "2024-06-06"].map(On.day)
        #expect(books.settlements.due.map(\.day) == days)
        books.settle(through: On.day("2024-06-05"))
        #expect(try books.settledCash == On.dollars("10030"))
        // Neither an earlier day nor the same again moves anything.
        books.settle(through: On.day("2024-06-04"))
        books.settle(through: On.day("2024-06-05"))
        #expect(try books.settledCash == On.dollars("10030"))
        // What comes for a day that is past is settled at once.
        let late = try On.execution(9, .sell, 1, at: "10", on: "2024-06-03")
        books.apply(late, for: Self.own, settling: On.day("2024-06-05"))
        #expect(try books.settledCash == On.dollars("10040"))
        books.checkIdentity()
    }

    @Test func withoutADayCashIsSettledAtOnce() throws {
        var books = try books()
        books.apply(try On.execution(1, .buy, 100, at: "20", on: "2024-06-03"), for: Self.own)
        #expect(try books.settledCash == On.dollars("8000"))
        #expect(books.settlements.due.isEmpty)
    }

    @Test func correctionMovesTheQueue() throws {
        var books = try books()
        let old = try On.execution(1, .buy, 100, at: "20", on: "2024-06-03")
        books.apply(old, for: Self.own, settling: On.day("2024-06-04"))
        // 90 at 19.00, and a day later than first told.
        let new = Execution(
            id: ExecutionID(base: 1, revision: 2), instrument: old.instrument, side: .buy,
            quantity: Quantity(shares: 90), price: try Price("19"), time: On.noon("2024-06-04"))
        let days = [On.day("2024-06-04"), On.day("2024-06-05")]
        books.rebook(new, replacing: old, for: Self.own, history: [new]) { execution in
            days[Int(execution.id.revision) - 1]
        }
        #expect(books.settlements.due.map(\.day) == [days[1]])
        #expect(try books.settlements.payments == On.dollars("1710"))
        #expect(try books.spendableCash == On.dollars("8290"))
        books.checkIdentity()
    }

    @Test func bustLeavesNothingInTheQueue() throws {
        var books = try books()
        _ = books.mark(InstrumentID(index: 0), at: try Price("20"))
        let untouched = books.digest
        let old = try On.execution(1, .sell, 100, at: "20", on: "2024-06-03")
        books.apply(old, for: Self.own, settling: On.day("2024-06-04"))
        #expect(books.digest != untouched)
        let bust = Execution(
            id: ExecutionID(base: 1, revision: 2), instrument: old.instrument, side: .sell,
            quantity: .zero, price: old.price, time: old.time)
        books.rebook(bust, replacing: old, for: Self.own, history: [bust]) { _ in
            On.day("2024-06-04")
        }
        #expect(books.settlements.due.isEmpty)
        #expect(books.digest == untouched)
    }

    @Test func correctionAfterTheSettlementMovesSettledCash() throws {
        var books = try books()
        let old = try On.execution(1, .buy, 100, at: "20", on: "2024-06-03")
        let day = On.day("2024-06-04")
        books.apply(old, for: Self.own, settling: day)
        books.settle(through: day)
        let new = Execution(
            id: ExecutionID(base: 1, revision: 2), instrument: old.instrument, side: .buy,
            quantity: old.quantity, price: try Price("19.50"), time: old.time)
        books.rebook(new, replacing: old, for: Self.own, history: [new]) { _ in day }
        #expect(try books.settledCash == On.dollars("8050"))
        #expect(books.settlements.due.isEmpty)
        books.checkIdentity()
    }

    @Test func cashFlowsInterestAndChargesAreSettledAtOnce() throws {
        var books = try books()
        books.recordCashFlow(try Money("500"))
        books.recordInterest(try Money("-1.25"))
        books.charge(try Money("0.75"), as: .sec)
        #expect(try books.settledCash == On.dollars("10498"))
        #expect(try books.spendableCash == On.dollars("10498"))
        #expect(try books.interest == On.dollars("-1.25"))
        books.checkIdentity()
    }

    /// Whatever happens, memory grows with days that wait, not with executions.
    @Test func queueHasOneEntryADay() throws {
        var books = try books()
        var countMax = 0
        for number in 0..<1_000 as Range<Int32> {
            let today = Day(number: 19_000 + number / 10)
            books.settle(through: today)
            books.apply(
                Make.execution(Int64(number), .sell, 1, cents: 10_00), for: Self.own,
                settling: today.advanced(by: 5))
            countMax = max(countMax, books.settlements.due.count)
        }
        #expect(countMax == 5)
        books.checkIdentity()
    }

    /// Property: spendable cash is sales on their settlement day less purchases at once, and who spends no
    /// more than that never lacks settled cash, whatever is sold meanwhile and whichever cycle holds.
    @Test(arguments: 0..<100 as Range<UInt64>)
    func whoSpendsNoMoreNeverLacksSettledCash(seed: UInt64) throws {
        var chance = SeededGenerator(seed: seed)
        var books = try books()
        var held: Int64 = 0
        // In cents: what can be spent, and what sales will bring on which day.
        var pool: Int64 = 10_000_00
        var coming: [(day: Int32, cents: Int64)] = []
        for number in 19_000..<19_060 as Range<Int32> {
            pool += coming.filter { $0.day == number }.reduce(0) { $0 + $1.cents }
            books.settle(through: Day(number: number))
            #expect(books.settledCash >= .zero)
            let cycle = chance.number(in: 1...3)
            for _ in 0..<chance.number(in: 0...4) {
                let cents = chance.number(in: 50...150) * 100
                let buys = chance.chance(percent: 60)
                let shares = chance.number(in: 0...(buys ? pool / cents : held))
                let trade = Make.execution(0, buys ? .buy : .sell, shares, cents: cents)
                books.apply(
                    trade, for: Self.own, settling: Day(number: number + Int32(cycle)))
                held += buys ? shares : -shares
                if buys { pool -= shares * cents }
                if !buys { coming.append((number + Int32(cycle), shares * cents)) }
                #expect(books.spendableCash == ExactMoney(Money(cents: pool)))
            }
        }
    }
}
