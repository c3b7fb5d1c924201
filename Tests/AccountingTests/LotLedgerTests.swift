import Accounting
import Model
import Primitives
import TestSupport
import Testing

@Suite struct LotLedgerTests {
    private func history(
        _ trades: (side: Side, shares: Int64, cents: Int64)...
    ) -> [Execution] {
        trades.enumerated().map { number, trade in
            Make.execution(
                Int64(number), trade.side, trade.shares, cents: trade.cents, second: Int64(number))
        }
    }

    /// 100 at 10.00, 12.00 and 11.00 each; 150 sold at 13.00 bring 1,950.00.
    @Test(
        arguments: [
            // 100 at 10.00 and 50 at 12.00 have cost 1,600.00.
            (LotMethod.firstInFirstOut, 350_00, [50, 100]),
            // 100 at 11.00 and 50 at 12.00: 1,700.00.
            (.lastInFirstOut, 250_00, [100, 50]),
            // 100 at 12.00 and 50 at 11.00: 1,750.00.
            (.highestCost, 200_00, [100, 50]),
        ] as [(LotMethod, Int64, [Int64])])
    func methodDecidesWhatIsRealized(method: LotMethod, cents: Int64, left: [Int64]) {
        let lots = LotLedger(
            method,
            of: history(
                (.buy, 100, 10_00), (.buy, 100, 12_00), (.buy, 100, 11_00), (.sell, 150, 13_00)))
        #expect(lots.realized == ExactMoney(Money(cents: cents)))
        #expect(lots.lots.map(\.quantity) == left.map(Quantity.init(shares:)))
        #expect(lots.quantity == Quantity(shares: 150))
    }

    /// 100 sold at 20.00, 18.00 and 19.00 each; 150 bought back at 15.00 for 2,250.00.
    @Test(
        arguments: [
            (.firstInFirstOut, 650_00),  // 2,000 + 900
            (.lastInFirstOut, 550_00),  // 1,900 + 900
            (.highestCost, 500_00),  // 1,800 + 950
        ] as [(LotMethod, Int64)])
    func shortsAreClosedByTheSameMethods(method: LotMethod, cents: Int64) {
        let lots = LotLedger(
            method,
            of: history(
                (.sell, 100, 20_00), (.sell, 100, 18_00), (.sell, 100, 19_00), (.buy, 150, 15_00)))
        #expect(lots.realized == ExactMoney(Money(cents: cents)))
        #expect(lots.quantity == Quantity(shares: -150))
    }

    @Test(arguments: LotMethod.allCases)
    func sellingMoreThanIsHeldOpensAShortLot(method: LotMethod) {
        let lots = LotLedger(
            method, of: history((.buy, 100, 10_00), (.buy, 20, 11_00), (.sell, 150, 12_00)))
        #expect(lots.lots.count == 1)
        #expect(lots.lots.first?.opened == Make.time(2))
        #expect(lots.lots.first?.quantity == Quantity(shares: -30))
        #expect(lots.cost == ExactMoney(Money(cents: -360_00)))
        #expect(lots.realized == ExactMoney(Money(cents: 220_00)))
    }

    @Test func equalCostsAreClosedOldestFirst() {
        let lots = LotLedger(
            .highestCost, of: history((.buy, 10, 10_00), (.buy, 10, 10_00), (.sell, 10, 10_00)))
        #expect(lots.lots.map(\.opened) == [Make.time(1)])
    }

    @Test func splitAdjustsLotsAndKeepsTheirCosts() throws {
        let trades = [
            try On.execution(1, .buy, 10, at: "640", on: "2014-06-05"),
            try On.execution(2, .buy, 5, at: "645.57", on: "2014-06-06"),
            try On.execution(3, .sell, 70, at: "93.70", on: "2014-06-09"),
        ]
        let split = BookedAction(
            try On.split("7", exDay: "2014-06-09"), price: try Price("645.57"))
        let lots = LotLedger(.firstInFirstOut, of: trades, actions: [split])
        // 70 · 93.70 = 6,559.00 for what has cost 6,400.00.
        #expect(try lots.realized == On.dollars("159"))
        #expect(lots.lots.map(\.quantity) == [Quantity(shares: 35)])
        #expect(try lots.cost == On.dollars("3227.85"))
    }

    /// 7, 8 and 9 shares for 1 for 10 are 0.7, 0.8 and 0.9: two whole ones, and 0.4 · 30.00 = 12.00.
    @Test(
        arguments: [
            (.firstInFirstOut, -800, [3_000_0000, 8_000_0000, 9_000_0000]),  // 4 that cost 5.00
            (.lastInFirstOut, -1600, [7_000_0000, 8_000_0000, 5_000_0000]),  // 4 that cost 7.00
            (.highestCost, -1600, [7_000_0000, 8_000_0000, 5_000_0000]),
        ] as [(LotMethod, Int64, [Int64])])
    func fractionOfASplitIsClosedByTheMethod(
        method: LotMethod, cents: Int64, left: [Int64]
    ) throws {
        let trades = [
            try On.execution(1, .buy, 7, at: "5", on: "2024-06-03"),
            try On.execution(2, .buy, 8, at: "6", on: "2024-06-03"),
            try On.execution(3, .buy, 9, at: "7", on: "2024-06-03"),
        ]
        let split = BookedAction(try On.split("0.1", exDay: "2024-06-04"), price: try Price("3"))
        let lots = LotLedger(method, of: trades, actions: [split])
        #expect(lots.realized == ExactMoney(Money(cents: cents)))
        #expect(lots.lots.map(\.quantity) == left.map(Quantity.init(units:)))
        // Of the 12.00, each closed lot has its part.
        let midnight = NewYork.timestamp(on: split.action.exDay, at: .zero)
        #expect(lots.closed.allSatisfy { $0.closed == midnight })
        #expect(
            lots.closed.reduce(ExactMoney.zero) { $0 + $1.received }
                == ExactMoney(Money(cents: 12_00)))
        #expect(lots.closed.reduce(ExactMoney.zero) { $0 + $1.profit } == lots.realized)
    }

    /// 30 bought for 1.00, 10 for 0.50; 35 sold for 0.70: of the first all, of the second half.
    @Test func chargesGoWithTheirLots() {
        let lots = LotLedger(
            .firstInFirstOut, of: history((.buy, 30, 10_00), (.buy, 10, 12_00), (.sell, 35, 13_00)),
            charges: [Money(cents: 1_00), Money(cents: 50), Money(cents: 70)])
        #expect(lots.closed.map(\.quantity) == [30, 5].map(Quantity.init(shares:)))
        #expect(lots.closed.map(\.opened) == [Make.time(0), Make.time(1)])
        #expect(lots.closed.map(\.closed) == [Make.time(2), Make.time(2)])
        // 1.00 + 0.70 · 30/35 and 0.25 + 0.70 · 5/35.
        #expect(
            lots.closed.map(\.charge) == [1_60, 35].map { ExactMoney(Money(cents: $0)) })
        #expect(lots.closed.map(\.profit) == [90_00, 5_00].map { ExactMoney(Money(cents: $0)) })
        #expect(lots.lots.map(\.charge) == [ExactMoney(Money(cents: 25))])
    }

    /// The smallest quantity, bought at 1,000.00, and 10 shares: of 1 for 10 nothing is left of the first.
    @Test(arguments: LotMethod.allCases)
    func lotThatASplitLeavesNothingOfIsLost(method: LotMethod) throws {
        let tiny = Execution(
            id: ExecutionID(base: 1), instrument: InstrumentID(index: 0), side: .buy,
            quantity: Quantity(units: 1), price: try Price("1000"), time: On.noon("2024-06-03"))
        let trades = [tiny, try On.execution(2, .buy, 10, at: "5", on: "2024-06-03")]
        let split = BookedAction(try On.split("0.1", exDay: "2024-06-04"), price: try Price("5"))
        let lots = LotLedger(method, of: trades, actions: [split])
        #expect(lots.lots.map(\.quantity) == [Quantity(shares: 1)])
        #expect(try lots.cost == On.dollars("50"))
        // 0.00001 paid for it, and 0.00000005 received for 10^-9 of a new share.
        #expect(lots.realized.units == -99_500_000_000)
        var ledger = PositionLedger()
        for trade in trades { ledger.apply(trade, multiplier: 1) }
        let isBooked = ledger.apply(split, multiplier: 1)
        #expect(isBooked)
        #expect(lots.agrees(with: ledger))
    }

    /// Property: for whole shares, equal to keeping every single share with its price.
    @Test(arguments: 0..<100 as Range<UInt64>)
    func equalsKeepingEveryShare(seed: UInt64) {
        var chance = SeededGenerator(seed: seed)
        var trades: [Execution] = []
        for base in 0..<60 as Range<Int64> {
            trades.append(
                Make.execution(
                    base, chance.one(of: [.buy, .sell]), chance.number(in: 0...12),
                    cents: chance.number(in: -50...500), second: base))
        }
        for method in LotMethod.allCases {
            var plain = SingleShares(method: method)
            for trade in trades { plain.apply(trade) }
            let lots = LotLedger(method, of: trades)
            #expect(lots.realized == ExactMoney(Money(cents: plain.realizedCents)))
            #expect(lots.closed.reduce(ExactMoney.zero) { $0 + $1.profit } == lots.realized)
            #expect(lots.quantity == Quantity(shares: plain.sign * Int64(plain.cents.count)))
            #expect(
                lots.cost == ExactMoney(Money(cents: plain.sign * plain.cents.reduce(0, +))))
        }
    }

    /// Shares one by one, each with what it was opened at.
    private struct SingleShares {
        let method: LotMethod
        var cents: [Int64] = []
        var sign: Int64 = 1
        var realizedCents: Int64 = 0

        mutating func apply(_ trade: Execution) {
            let direction: Int64 = trade.side == .buy ? 1 : -1
            let price = trade.price.units / 1_000_000
            for _ in 0..<trade.quantity.units / 100_000_000 {
                if cents.isEmpty { sign = direction }
                if sign == direction {
                    cents.append(price)
                } else {
                    realizedCents += sign * (price - cents.remove(at: nextToClose))
                }
            }
        }

        private var nextToClose: Int {
            switch method {
            case .firstInFirstOut: return 0
            case .lastInFirstOut: return cents.count - 1
            case .highestCost:
                let dearest = cents.map { sign * $0 }.max() ?? 0
                return cents.firstIndex { sign * $0 == dearest } ?? 0
            }
        }
    }
}
