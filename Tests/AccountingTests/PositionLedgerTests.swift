import Accounting
import Model
import Primitives
import TestSupport
import Testing

@Suite struct PositionLedgerTests {
    /// A ledger with these executions, all in dollars and shares.
    private func ledger(_ trades: (Side, Int64, cents: Int64)..., multiplier: Int64 = 1)
        -> PositionLedger
    {
        var ledger = PositionLedger()
        for (base, trade) in trades.enumerated() {
            ledger.apply(
                Make.execution(Int64(base), trade.0, trade.1, cents: trade.cents),
                multiplier: multiplier)
        }
        return ledger
    }

    // MARK: By hand

    @Test func nothingHeldCostsNothing() {
        let ledger = PositionLedger()
        #expect(ledger.quantity == .zero)
        #expect(ledger.cost == .zero)
        #expect(ledger.realized == .zero)
        #expect(ledger.averagePrice(multiplier: 1) == nil)
    }

    @Test func addingToALongAveragesItsPrice() {
        // 100 · 10.00 + 50 · 13.00 = 1,650.00 for 150: 11.00 each.
        let long = ledger((.buy, 100, cents: 10_00), (.buy, 50, cents: 13_00))
        #expect(long.quantity == Quantity(shares: 150))
        #expect(long.cost == ExactMoney(Money(cents: 1_650_00)))
        #expect(long.averagePrice(multiplier: 1) == Price(cents: 11_00))
        #expect(long.realized == .zero)
    }

    @Test func closingPartOfALongRealizesItsShare() {
        // 60 of them sold at 12.00 against 11.00: 60.00. 90 are left at 990.00.
        let remaining = ledger(
            (.buy, 100, cents: 10_00), (.buy, 50, cents: 13_00), (.sell, 60, cents: 12_00))
        #expect(remaining.quantity == Quantity(shares: 90))
        #expect(remaining.cost == ExactMoney(Money(cents: 990_00)))
        #expect(remaining.realized == ExactMoney(Money(cents: 60_00)))
        #expect(remaining.averagePrice(multiplier: 1) == Price(cents: 11_00))
    }

    @Test func addingToAShortAveragesItsPrice() {
        // 100 · 20.00 + 100 · 22.00 = 4,200.00 received for 200: 21.00 each.
        let short = ledger((.sell, 100, cents: 20_00), (.sell, 100, cents: 22_00))
        #expect(short.quantity == Quantity(shares: -200))
        #expect(short.cost == ExactMoney(Money(cents: -4_200_00)))
        #expect(short.averagePrice(multiplier: 1) == Price(cents: 21_00))
    }

    @Test func closingPartOfAShortRealizesItsShare() {
        // 50 bought back at 19.00 against 21.00: 100.00. 150 are left, 3,150.00 received.
        let remaining = ledger(
            (.sell, 100, cents: 20_00), (.sell, 100, cents: 22_00), (.buy, 50, cents: 19_00))
        #expect(remaining.quantity == Quantity(shares: -150))
        #expect(remaining.cost == ExactMoney(Money(cents: -3_150_00)))
        #expect(remaining.realized == ExactMoney(Money(cents: 100_00)))
    }

    @Test func sellingMoreThanIsHeldOpensAShortAtTheNewPrice() {
        // 100 close at 12.00 against 10.00: 200.00. 50 open at 12.00: 600.00 received.
        let crossed = ledger((.buy, 100, cents: 10_00), (.sell, 150, cents: 12_00))
        #expect(crossed.quantity == Quantity(shares: -50))
        #expect(crossed.cost == ExactMoney(Money(cents: -600_00)))
        #expect(crossed.realized == ExactMoney(Money(cents: 200_00)))
        #expect(crossed.averagePrice(multiplier: 1) == Price(cents: 12_00))
    }

    @Test func buyingMoreThanIsShortOpensALongAtTheNewPrice() {
        // 100 close at 12.00 against 10.00: -200.00. 20 open at 12.00: 240.00 paid.
        let crossed = ledger((.sell, 100, cents: 10_00), (.buy, 120, cents: 12_00))
        #expect(crossed.quantity == Quantity(shares: 20))
        #expect(crossed.cost == ExactMoney(Money(cents: 240_00)))
        #expect(crossed.realized == ExactMoney(Money(cents: -200_00)))
    }

    @Test func closingAllLeavesNoCost() {
        let flat = ledger((.buy, 3, cents: 10_01), (.sell, 3, cents: 9_99))
        #expect(flat.quantity == .zero)
        #expect(flat.cost == .zero)
        #expect(flat.realized == ExactMoney(Money(cents: -6)))
        #expect(flat.averagePrice(multiplier: 1) == nil)
    }

    @Test func multiplierCountsInCostAndProfitButNotInThePrice() {
        // Two contracts for 100 shares each: 2 · 100 · 1.50 = 300.00; one sold at 2.00 gains 50.00.
        let contracts = ledger((.buy, 2, cents: 1_50), (.sell, 1, cents: 2_00), multiplier: 100)
        #expect(contracts.cost == ExactMoney(Money(cents: 150_00)))
        #expect(contracts.realized == ExactMoney(Money(cents: 50_00)))
        #expect(contracts.averagePrice(multiplier: 100) == Price(cents: 1_50))
    }

    @Test func negativePricesAreBooked() {
        // A spread bought at -1.00 (one is paid for it) and sold at 0.50: 10 · 1.50 gained.
        let spread = ledger((.buy, 10, cents: -1_00), (.sell, 10, cents: 50))
        #expect(spread.realized == ExactMoney(Money(cents: 15_00)))
        #expect(spread.cost == .zero)
    }

    @Test func executionOfNothingChangesNothing() {
        let held = ledger((.buy, 100, cents: 10_00))
        var after = held
        after.apply(Make.execution(9, .sell, 0, cents: 99_00), multiplier: 1)
        #expect(after.quantity == held.quantity)
        #expect(after.cost == held.cost)
        #expect(after.realized == held.realized)
    }

    // MARK: Rounding

    /// The average of one share at `first` units of 10^-8 and one at `second`.
    @Test(
        arguments: [
            (1, 2, 2),  // 1.5 to the even 2
            (2, 3, 2),  // 2.5 to the even 2
            (3, 4, 4),  // 3.5 to the even 4
            (-1, -2, -2), (-2, -3, -2), (1, 1, 1), (0, 1, 0),
        ] as [(Int64, Int64, Int64)])
    func averagePriceIsRoundedHalfToEven(first: Int64, second: Int64, average: Int64) {
        for side in [Side.buy, .sell] {
            var ledger = PositionLedger()
            for (base, units) in [first, second].enumerated() {
                ledger.apply(
                    Execution(
                        id: ExecutionID(base: Int64(base)), instrument: InstrumentID(index: 0),
                        side: side, quantity: Quantity(shares: 1), price: Price(units: units),
                        time: Make.open),
                    multiplier: 1)
            }
            #expect(ledger.averagePrice(multiplier: 1) == Price(units: average))
        }
    }

    @Test func thirdsOfACostAddUpAgain() {
        // 10.00 for 3 shares at 3.33, 3.33 and 3.34, sold one by one at 3.00: -1.00 in all, exactly.
        let sold = ledger(
            (.buy, 1, cents: 3_33), (.buy, 1, cents: 3_33), (.buy, 1, cents: 3_34),
            (.sell, 1, cents: 3_00), (.sell, 1, cents: 3_00), (.sell, 1, cents: 3_00))
        #expect(sold.realized == ExactMoney(Money(cents: -1_00)))
        #expect(sold.cost == .zero)
    }

    // MARK: Properties

    /// Property: profit made less cost held is what was received less what was paid, to the last unit;
    /// and average and profit are those of a plain calculation in floating point.
    @Test(arguments: 0..<100 as Range<UInt64>)
    func profitAndCostExplainTheCash(seed: UInt64) {
        var chance = SeededGenerator(seed: seed)
        let multiplier = chance.one(of: [1, 50, 100] as [Int64])
        var ledger = PositionLedger()
        var received: Int128 = 0
        var plain = PlainLedger()
        for base in 0..<60 as Range<Int64> {
            let execution = Execution(
                id: ExecutionID(base: base), instrument: InstrumentID(index: 0),
                side: chance.one(of: [.buy, .sell]),
                quantity: Quantity(units: chance.number(in: 1...500_00000000)),
                price: Price(units: chance.number(in: 1_00000000...900_00000000)), time: Make.open)
            ledger.apply(execution, multiplier: multiplier)
            let worth = Int128(execution.price.units) * Int128(execution.quantity.units)
            received += (execution.side == .sell ? worth : -worth) * Int128(multiplier)
            plain.apply(execution, multiplier: Double(multiplier))
            #expect((ledger.realized - ledger.cost).units == received)
            #expect(abs(ledger.realized.asDouble - plain.realized) < 1e-3)
            let average = ledger.averagePrice(multiplier: multiplier).map { Double($0.units) / 1e8 }
            #expect(abs((average ?? 0) - (plain.quantity == 0 ? 0 : plain.average)) < 1e-6)
        }
    }

    /// Average cost in floating point, written from its definition.
    private struct PlainLedger {
        var quantity = 0.0
        var average = 0.0
        var realized = 0.0

        mutating func apply(_ execution: Execution, multiplier: Double) {
            let size = Double(execution.quantity.units) / 1e8
            let price = Double(execution.price.units) / 1e8
            let change = execution.side == .buy ? size : -size
            if quantity * change >= 0 {
                average = (average * abs(quantity) + price * size) / (abs(quantity) + size)
                quantity += change
                return
            }
            let closed = min(size, abs(quantity))
            realized += (quantity > 0 ? price - average : average - price) * closed * multiplier
            let crosses = size > abs(quantity)
            quantity += change
            if crosses { average = price }
            if abs(quantity) < 1e-9 { quantity = 0 }
        }
    }
}
