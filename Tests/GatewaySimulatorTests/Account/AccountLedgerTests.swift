import GatewaySimulator
import Model
import Primitives
import Testing

@Suite struct AccountLedgerTests {
    /// 100 at 50.00 and 1.00 commission cost 5,001.00; 40 of them sold at 55.00 bring 2,199.00 for a cost
    /// of 2,000.40.
    @Test func averageCostCarriesCommissions() throws {
        var ledger = AccountLedger.fresh()
        #expect(try ledger.book(accountFill("e.01", .buy, 100, cents: 5_000)) == nil)
        #expect(ledger.apple?.averageCost == ExactMoney(cents: 5_001))
        #expect(ledger.figures.cash == ExactMoney(cents: 99_499_900))
        ledger.mark(Holdable.apple, cents: 5_200)
        #expect(ledger.figures.unrealized == ExactMoney(cents: 19_900))

        let profit = try ledger.book(accountFill("f.01", .sell, 40, cents: 5_500))
        #expect(profit == Money(cents: 19_860))
        #expect(ledger.apple?.quantity == Quantity(shares: 60))
        #expect(ledger.apple?.averageCost == ExactMoney(cents: 5_001))
        #expect(ledger.figures.cash == ExactMoney(cents: 99_719_800))
        #expect(ledger.figures.realizedToday == ExactMoney(cents: 19_860))
        // 997,198.00 and 60 at 52.00.
        #expect(ledger.figures.netLiquidation == ExactMoney(cents: 100_031_800))
        // Cash less a million, and what is held.
        #expect(ledger.figures.dailyProfit == ExactMoney(cents: 31_800))
    }

    /// 100 sold short at 20.00 bring 1,999.00; 150 bought at 18.00 for 1.50 close them with 1.00 of it and
    /// open 50 for 900.50.
    @Test func buyingMoreThanWasShortFlipsThePosition() throws {
        var ledger = AccountLedger.fresh()
        try ledger.book(accountFill("e.01", .sell, 100, cents: 2_000))
        #expect(ledger.apple?.cost == ExactMoney(cents: -199_900))
        #expect(ledger.apple?.averageCost == ExactMoney(cents: 1_999))
        let profit = try ledger.book(accountFill("f.01", .buy, 150, cents: 1_800, fee: 150))
        #expect(profit == Money(cents: 19_800))
        #expect(ledger.apple?.quantity == Quantity(shares: 50))
        #expect(ledger.apple?.averageCost == ExactMoney(cents: 1_801))
        #expect(ledger.figures.cash == ExactMoney(cents: 99_929_750))
    }

    /// The trade's days: T+1 over Independence Day, T+2 over Memorial Day, T+3 over Labor Day.
    @Test(arguments: [
        (newYorkNoon(2024, 7, 3), newYorkNoon(2024, 7, 4), newYorkNoon(2024, 7, 5)),
        (newYorkNoon(2024, 5, 24), newYorkNoon(2024, 5, 28), newYorkNoon(2024, 5, 29)),
        (newYorkNoon(2017, 9, 1), newYorkNoon(2017, 9, 6), newYorkNoon(2017, 9, 7)),
    ])
    func proceedsSettleByTheCycleOfTheirDay(
        trade: Timestamp, before: Timestamp, settlement: Timestamp
    ) throws {
        var ledger = AccountLedger.fresh(.cash, at: trade)
        try ledger.book(accountFill("e.01", .buy, 100, cents: 5_000, fee: 0, at: trade))
        try ledger.book(accountFill("f.01", .sell, 100, cents: 6_000, fee: 0, at: trade))
        #expect(ledger.figures.cash == ExactMoney(cents: 100_100_000))
        #expect(ledger.figures.settledCash == ExactMoney(cents: 99_500_000))
        ledger.advance(to: before)
        #expect(ledger.figures.settledCash == ExactMoney(cents: 99_500_000))
        ledger.advance(to: settlement)
        #expect(ledger.figures.settledCash == ExactMoney(cents: 100_100_000))
    }

    @Test func correctionReplacesAndBustTakesBack() throws {
        var ledger = AccountLedger.fresh()
        try ledger.book(accountFill("e.01", .buy, 100, cents: 5_000))
        try ledger.book(accountFill("e.02", .buy, 80, cents: 5_100, fee: nil))
        #expect(ledger.apple?.quantity == Quantity(shares: 80))
        // 80 at 51.00 and the commission of the first version.
        #expect(ledger.figures.cash == ExactMoney(cents: 99_591_900))
        // An older version is no news.
        try ledger.book(accountFill("e.01", .buy, 100, cents: 5_000))
        #expect(ledger.apple?.quantity == Quantity(shares: 80))
        try ledger.bust("e.02")
        #expect(ledger.apple?.quantity == .zero)
        #expect(ledger.figures.cash == ExactMoney(cents: 100_000_000))
        #expect(ledger.figures.netLiquidation == ExactMoney(cents: 100_000_000))
        let execution = ledger.report.executions.first
        #expect(execution?.isBusted == true)
        #expect(execution?.original?.quantity == Quantity(shares: 100))
    }

    @Test func correctingASaleMovesWhatWaitsForSettlement() throws {
        var ledger = AccountLedger.fresh(.cash)
        try ledger.book(accountFill("e.01", .buy, 100, cents: 5_000, fee: 0))
        try ledger.book(accountFill("f.01", .sell, 100, cents: 6_000, fee: 0))
        try ledger.book(accountFill("f.02", .sell, 50, cents: 6_000, fee: 0))
        #expect(ledger.figures.cash == ExactMoney(cents: 99_800_000))
        #expect(ledger.figures.settledCash == ExactMoney(cents: 99_500_000))
        try ledger.bust("f.02")
        #expect(ledger.pots[0].pending.isEmpty)
    }

    @Test func commissionMayComeLater() throws {
        var ledger = AccountLedger.fresh()
        try ledger.book(accountFill("e.01", .buy, 100, cents: 5_000, fee: nil))
        try ledger.book(accountFill("f.01", .sell, 50, cents: 5_500, fee: nil))
        #expect(try ledger.charge(Money(cents: 200), for: "e.01") == nil)
        // 50 at 55.00 less 0.50, less 50 at 50.02.
        #expect(try ledger.charge(Money(cents: 50), for: "f.01") == Money(cents: 24_850))
        #expect(ledger.apple?.averageCost == ExactMoney(cents: 5_002))
    }

    /// 3 for 2 of 101 shares at a mark of 60.00 is 151 shares, and half a share for 20.00.
    @Test func splitPaysOutWhatIsNoWholeShare() throws {
        var ledger = AccountLedger.fresh()
        try ledger.book(accountFill("e.01", .buy, 101, cents: 5_000, fee: 0))
        ledger.mark(Holdable.apple, cents: 6_000)
        let before = ledger.figures.netLiquidation
        try ledger.split(Holdable.apple.id, 3, for: 2)
        #expect(ledger.apple?.quantity == Quantity(shares: 151))
        #expect(ledger.apple?.mark == Price(cents: 4_000))
        #expect(ledger.figures.cash == ExactMoney(cents: 99_497_000))
        #expect(ledger.figures.netLiquidation == before)
        // 5,050.00 × 151 / 151.5 = 5,033.33…, of which the part paid out took 16.66….
        #expect(ledger.report.positions[0].averageCost == Money(units: 33_333_333))
        #expect(ledger.report.positions[0].realized == Money(units: 3_333_333))
    }

    @Test func dividendsAndDepositsAreNoTrades() throws {
        var ledger = AccountLedger.fresh()
        try ledger.book(accountFill("e.01", .sell, 200, cents: 5_000, fee: 0))
        try ledger.payDividend(Price(cents: 25), on: Holdable.apple.id, at: GatewayRig.start)
        try ledger.book(
            CashPotMovement(
                cause: .deposit, amount: Money(cents: 10_000), currency: "USD",
                time: GatewayRig.start))
        #expect(ledger.figures.cash == ExactMoney(cents: 101_005_000))
        #expect(ledger.figures.dailyProfit == .zero)
        #expect(ledger.movements.map(\.amount) == [Money(cents: -5_000), Money(cents: 10_000)])
    }

    /// One future of 50 at 5,000.00, then at 5,010.00: 500.00 less 4.00.
    @Test func futuresMoveProfitsOnly() throws {
        var ledger = AccountLedger.fresh()
        try ledger.book(accountFill("e.01", .buy, 1, Holdable.future, cents: 500_000, fee: 200))
        #expect(ledger.pots[0].total == ExactMoney(cents: 100_000_000))
        #expect(ledger.figures.cash == ExactMoney(cents: 99_999_800))
        // 10 % of 250,000.00.
        #expect(ledger.figures.initialMargin == ExactMoney(cents: 2_500_000))
        let profit = try ledger.book(
            accountFill("f.01", .sell, 1, Holdable.future, cents: 501_000, fee: 200))
        #expect(profit == Money(cents: 49_600))
        #expect(ledger.figures.netLiquidation == ExactMoney(cents: 100_049_600))
        #expect(ledger.figures.settledCash == ExactMoney(cents: 100_049_600))
    }

    /// 10,000 euros for 11,000 dollars, then worth 1.20 each.
    @Test func currencyPairsExchangeMoney() throws {
        var ledger = AccountLedger.fresh()
        try ledger.book(accountFill("e.01", .buy, 10_000, Holdable.euro, cents: 110, fee: 200))
        ledger.mark(price: { _ in nil }, rate: { $0 == "EUR" ? Price(cents: 120) : nil })
        #expect(ledger.pots.map(\.currency) == ["USD", "EUR"])
        #expect(ledger.pots[0].total == ExactMoney(cents: 98_899_800))
        #expect(ledger.pots[1].total == ExactMoney(cents: 1_000_000))
        #expect(ledger.figures.netLiquidation == ExactMoney(cents: 100_099_800))
    }

    @Test func dailyProfitBeginsAnewWithTheDay() throws {
        var ledger = AccountLedger.fresh()
        try ledger.book(accountFill("e.01", .buy, 100, cents: 5_000, fee: 0))
        ledger.mark(Holdable.apple, cents: 5_100)
        try ledger.book(accountFill("f.01", .sell, 10, cents: 5_100, fee: 0))
        ledger.advance(to: GatewayRig.start + .days(1))
        #expect(ledger.figures.dailyProfit == .zero)
        #expect(ledger.figures.realizedToday == .zero)
        ledger.mark(Holdable.apple, cents: 5_000)
        try ledger.book(accountFill("g.01", .buy, 10, cents: 4_900, fee: 0))
        // 90 lost 1.00 each, 10 won 1.00 each.
        #expect(ledger.figures.dailyProfit == ExactMoney(cents: -8_000))
        #expect(ledger.report.positions[0].realized == Money(cents: 1_000))
    }

    @Test func whatItCannotHoldIsRefusedAndChangesNothing() throws {
        var ledger = AccountLedger.fresh()
        try ledger.book(accountFill("e.01", .buy, 1, cents: 100, fee: 0))
        let before = ledger.report
        let huge = Quantity(units: .max)
        let price = Price.magnitudeMax
        let large = AccountFill(
            "x.01", .buy, huge, of: Holdable.fund, at: price, time: GatewayRig.start)
        #expect(throws: AccountFault.self) { try ledger.book(large) }
        var correction = large
        correction.execution = "e.02"
        correction.instrument = Holdable.apple
        #expect(throws: AccountFault.self) { try ledger.book(correction) }
        correction.instrument = Holdable.fund
        #expect(throws: AccountFault.otherInstrument("e.02")) { try ledger.book(correction) }
        #expect(throws: AccountFault.emptyFill("y.01")) {
            try ledger.book(accountFill("y.01", .buy, 0, cents: 100))
        }
        #expect(throws: AccountFault.malformedExecution("y")) {
            try ledger.book(accountFill("y", .buy, 1, cents: 100))
        }
        #expect(throws: AccountFault.notTradable("VIX")) {
            try ledger.book(accountFill("y.01", .buy, 1, Holdable.index, cents: 100))
        }
        #expect(throws: AccountFault.unknownExecution("z.01")) { try ledger.bust("z.01") }
        #expect(throws: AccountFault.invalidRatio(0, 1)) {
            try ledger.split(Holdable.apple.id, 0, for: 1)
        }
        #expect(throws: AccountFault.self) { try ledger.split(Holdable.fund.id, 2, for: 1) }
        #expect(ledger.report == before)
        // What was refused can still be booked rightly.
        try ledger.book(accountFill("e.02", .buy, 2, cents: 100, fee: 0))
        #expect(ledger.apple?.quantity == Quantity(shares: 2))
    }
}
