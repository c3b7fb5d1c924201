import GatewaySimulator
import Model
import Primitives
import TWSProtocol
import Testing

@Suite struct AccountMarginTests {
    private func order(
        _ side: Side, _ shares: Int64, _ instrument: AccountInstrument = Holdable.apple,
        cents: Int64
    ) -> AccountOrder {
        AccountOrder(side, Quantity(shares: shares), of: instrument, at: Price(cents: cents))
    }

    /// 10,000 dollars carry 20,000 dollars of stocks at 50 %.
    @Test func marginAccountBuysUpToTwiceItsEquity() {
        let ledger = AccountLedger.fresh(cash: 1_000_000)
        #expect(ledger.figures.buyingPower == ExactMoney(cents: 2_000_000))
        #expect(ledger.refusal(of: order(.buy, 200, cents: 10_000)) == nil)
        #expect(
            ledger.refusal(of: order(.buy, 201, cents: 10_000))
                == "Order rejected - reason:YOUR ORDER IS NOT ACCEPTED. IN ORDER TO OBTAIN THE "
                + "DESIRED POSITION YOUR EQUITY WITH LOAN VALUE [10000.00 USD] MUST EXCEED THE "
                + "INITIAL MARGIN [10050.00 USD]")
    }

    @Test func workingOrdersCountAgainstTheEquity() {
        let ledger = AccountLedger.fresh(cash: 1_000_000)
        let half = order(.buy, 100, cents: 10_000)
        #expect(ledger.refusal(of: half, besides: [half]) == nil)
        #expect(ledger.refusal(of: half, besides: [half, half]) != nil)
    }

    /// 150 at 100.00 need 7,500.00 to open; at 60.00 the account has 4,000.00 and needs 2,250.00 to keep.
    @Test func longPositionNeedsAHalfToOpenAndAQuarterToKeep() throws {
        var ledger = AccountLedger.fresh(cash: 1_000_000)
        try ledger.book(accountFill("e.01", .buy, 150, cents: 10_000, fee: 0))
        #expect(ledger.figures.initialMargin == ExactMoney(cents: 750_000))
        #expect(ledger.figures.availableFunds == ExactMoney(cents: 250_000))
        #expect(ledger.figures.maintenanceMargin == ExactMoney(cents: 375_000))
        ledger.mark(Holdable.apple, cents: 6_000)
        #expect(ledger.figures.equityWithLoan == ExactMoney(cents: 400_000))
        #expect(ledger.figures.excessLiquidity == ExactMoney(cents: 175_000))
        #expect(ledger.figures.buyingPower == .zero)
        // Closing is always possible, opening is not.
        #expect(ledger.refusal(of: order(.sell, 150, cents: 6_000)) == nil)
        #expect(ledger.refusal(of: order(.buy, 1, cents: 6_000)) != nil)
    }

    /// 100 short at 50.00: 30 % to keep.
    @Test func shortPositionNeedsThirtyPercentToKeep() throws {
        var ledger = AccountLedger.fresh()
        try ledger.book(accountFill("e.01", .sell, 100, cents: 5_000, fee: 0))
        #expect(ledger.figures.initialMargin == ExactMoney(cents: 250_000))
        #expect(ledger.figures.maintenanceMargin == ExactMoney(cents: 150_000))
        #expect(ledger.figures.equityWithLoan == ExactMoney(cents: 100_000_000))
        #expect(ledger.figures.grossPositionValue == ExactMoney(cents: 500_000))
    }

    /// A call at 200 written for 3.00 with the stock at 190: 300 and 20 % of 19,000 less 1,000.
    @Test func writtenOptionNeedsItsValueAndAPartOfTheUnderlying() throws {
        var ledger = AccountLedger.fresh()
        try ledger.book(accountFill("e.01", .sell, 1, Holdable.call, cents: 300, fee: 0))
        ledger.mark(price: { $0 == Holdable.apple.id ? Price(cents: 19_000) : nil })
        #expect(ledger.figures.initialMargin == ExactMoney(cents: 310_000))
        #expect(ledger.figures.netLiquidation == ExactMoney(cents: 100_000_000))
        // Far out of the money: 10 % of 10,000 and the value.
        ledger.mark(price: { $0 == Holdable.apple.id ? Price(cents: 10_000) : nil })
        #expect(ledger.figures.initialMargin == ExactMoney(cents: 130_000))
    }

    @Test func cashAccountSpendsOnlyWhatIsSettled() throws {
        var ledger = AccountLedger.fresh(.cash, cash: 1_000_000)
        #expect(
            ledger.refusal(of: order(.sell, 1, cents: 10_000))
                == "Order rejected - reason:SHORT STOCK POSITIONS CAN ONLY BE HELD IN A MARGIN "
                + "ACCOUNT.")
        #expect(ledger.refusal(of: order(.buy, 100, cents: 10_000)) == nil)
        #expect(ledger.refusal(of: order(.buy, 101, cents: 10_000)) != nil)
        try ledger.book(accountFill("e.01", .buy, 90, cents: 10_000, fee: 0))
        try ledger.book(accountFill("f.01", .sell, 90, cents: 10_000, fee: 0))
        #expect(ledger.figures.buyingPower == ExactMoney(cents: 100_000))
        #expect(
            ledger.refusal(of: order(.buy, 11, cents: 10_000))
                == "Order rejected - reason:CASH AVAILABLE: 1000.00; CASH NEEDED FOR THIS ORDER "
                + "AND OTHER PENDING ORDERS: 1100.00")
        // Two settlement days later.
        ledger.advance(to: GatewayRig.start + .days(2))
        #expect(ledger.refusal(of: order(.buy, 11, cents: 10_000)) == nil)
    }

    @Test func smallAccountsBorrowNothing() {
        let ledger = AccountLedger.fresh(cash: 199_900)
        #expect(ledger.refusal(of: order(.buy, 19, cents: 10_000)) == nil)
        for refused in [order(.buy, 20, cents: 10_000), order(.sell, 1, cents: 10_000)] {
            #expect(ledger.refusal(of: refused)?.contains("MINIMUM OF 2000 USD") == true)
        }
    }

    @Test func previewFillsAWhatIfAnswer() {
        let ledger = AccountLedger.fresh(cash: 1_000_000)
        var preview = order(.buy, 100, cents: 10_000)
        preview.commission = Money(cents: 100)
        var state = WireOrderState()
        ledger.preview(preview).fill(&state)
        #expect(state.initMarginBefore == 0)
        #expect(state.initMarginChange == 5_000)
        #expect(state.maintMarginAfter == 2_500)
        #expect(state.equityWithLoanBefore == 10_000)
        #expect(state.equityWithLoanChange == -1)
        #expect(state.equityWithLoanAfter == 9_999)
    }

    /// Three day trades within five sessions; the first is forgotten on the sixth.
    @Test func dayTradesAreCountedInSmallAccounts() throws {
        var ledger = AccountLedger.fresh(cash: 1_000_000, at: newYorkNoon(2024, 3, 4))
        #expect(ledger.dayTradesRemaining() == 3)
        for (day, name) in [(4, "a"), (5, "b")] {
            let time = newYorkNoon(2024, 3, day)
            ledger.advance(to: time)
            try ledger.book(accountFill("\(name)b.01", .buy, 10, cents: 1_000, fee: 0, at: time))
            try ledger.book(accountFill("\(name)s.01", .sell, 5, cents: 1_000, fee: 0, at: time))
            try ledger.book(accountFill("\(name)t.01", .sell, 5, cents: 1_000, fee: 0, at: time))
        }
        #expect(ledger.dayTradesRemaining() == 1)
        #expect((0...4).map { ledger.dayTradesRemaining(ahead: $0) } == [1, 1, 1, 1, 2])
        #expect(AccountLedger.fresh(.cash).dayTradesRemaining() == nil)
        #expect(AccountLedger.fresh().dayTradesRemaining() == nil)
    }
}
