import Accounting
import MarketState
import Model
import Orders
import Primitives
import Risk
import TestSupport
import Testing
import TradingEngine

/// Accounts that may spend settled cash only: 10,000 dollars, the first share at 50.00, the second at 20.00,
/// a cash buffer of 1 percent.
@Suite struct EngineCashTests {
    private func account(
        _ overLimit: RiskLimits.OverLimit = .reduce,
        sizing: Sizing = .percentOfEquity(Percent(100)),
        isPriced: Bool = true
    ) -> Rig {
        Rig(sizing: sizing, limits: RiskLimits(overLimit: overLimit), isPriced: isPriced) {
            $0.capital = Money(cents: 10_000_00)
            $0.settlement = SettlementCalendar()
        }
    }

    // MARK: Settlement

    /// A sale, and on which of the days after it the proceeds buy something.
    struct Sale: CustomTestStringConvertible, Sendable {
        let sold: String
        let tries: [(day: String, buys: Bool)]

        init(_ sold: String, then tries: (day: String, buys: Bool)...) {
            self.sold = sold
            self.tries = tries
        }

        var testDescription: String { "sold on \(sold)" }
    }

    static let sales = [
        // Trades of a Thursday settle on Tuesday, on Monday, on Friday: T+3, T+2, T+1.
        Sale(
            "2016-06-09", then: ("2016-06-10", false),
            ("2016-06-13", false), ("2016-06-14", true)),
        Sale(
            "2018-06-07", then: ("2018-06-08", false),
            ("2018-06-11", true)),
        Sale("2024-06-06", then: ("2024-06-07", true)),
        // Columbus Day trades and does not settle: two days after Thursday are Friday and Tuesday.
        Sale(
            "2023-10-05", then: ("2023-10-06", false),
            ("2023-10-09", false), ("2023-10-10", true)),
        // So does Veterans Day: the day after Friday is Tuesday.
        Sale(
            "2024-11-08", then: ("2024-11-11", false),
            ("2024-11-12", true)),
        // Good Friday, when nothing trades: the day after Thursday is Monday.
        Sale("2025-04-17", then: ("2025-04-21", true)),
    ]

    @Test(arguments: sales)
    func proceedsBuyNothingBeforeTheySettle(sale: Sale) {
        var rig = account(.reject, isPriced: false)
        // All the money, with its cash buffer: 198 · 50.50 = 9,999. It was paid long ago.
        rig.open(civil(sale.sold).advanced(by: -30))
        #expect(rig.request(.target(198)).orders == ["buy 198 entry"])
        rig.fillNow(1, 198, cents: 50_00)
        rig.open(civil(sale.sold))
        rig.request(.exit)
        rig.fillNow(2, 198, cents: 50_00)
        #expect(rig.request(.target(100)).isEmpty)
        for attempt in sale.tries {
            rig.open(civil(attempt.day))
            let orders = rig.request(.target(100)).orders
            #expect(orders == (attempt.buys ? ["buy 100 entry"] : []), "\(attempt.day)")
        }
        #expect(rig.count(of: .settledCash) == sale.tries.count { !$0.buys } + 1)
        rig.checkLedger()
    }

    // MARK: Orders that work

    /// 100 at 50.50 leave 4,950 for shares at 20.20.
    @Test func ordersThatWorkHaveTheirMoneySetAside() {
        var rig = account()
        rig.request(.target(100))
        #expect(rig.request(.target(300), in: Rig.second).orders == ["buy 245 entry"])
    }

    @Test func whatAnOrderThatEndedHeldBackIsFree() {
        var rig = account()
        rig.request(.target(100))
        rig.report(1, .cancelled(.external))
        #expect(rig.request(.target(300), in: Rig.second).orders == ["buy 300 entry"])
    }

    /// The order may still fill at what it was approved at: less is not set aside. But the higher price is:
    /// 100 at 60.60 leave 3,940.
    @Test func aMovingPriceOnlyAddsToWhatIsSetAside() {
        var rig = account()
        rig.request(.target(100))
        rig.price(40_00)
        #expect(rig.request(.target(300), in: Rig.second).orders == ["buy 245 entry"])
        rig.report(2, .cancelled(.external))
        rig.price(60_00)
        #expect(rig.request(.target(300), in: Rig.second).orders == ["buy 195 entry"])
    }

    /// A limit cannot cost more than itself: 100 at 40.40 leave 5,960.
    @Test func aLimitHoldsBackNoMoreThanItself() {
        var rig = account(sizing: .fixedShares(Quantity(shares: 100)))
        rig.request(.enterAtLimit(.buy, cents: 40_00))
        rig.price(60_00)
        #expect(rig.request(.target(300), in: Rig.second).orders == ["buy 295 entry"])
    }

    /// 60 are done for 3,000 and may cost 30 more; 40 work for 2,020: 4,950 are left, and 4,979 after a
    /// commission of 1.
    @Test func costsThatAreNotReportedYetAreSetAside() {
        var rig = account()
        rig.request(.target(100))
        rig.fill(1, 60)
        #expect(rig.request(.target(300), in: Rig.second).orders == ["buy 245 entry"])
        rig.report(2, .cancelled(.external))
        rig.report(1, .commission(Make.commission(1, cents: 1_00)))
        #expect(rig.request(.target(300), in: Rig.second).orders == ["buy 246 entry"])
    }

    /// A commission that never comes holds nothing back on the day after.
    @Test func costsAreNotWaitedForBeyondTheDay() {
        var rig = account()
        rig.request(.target(100))
        rig.fillNow(1, 100, cents: 50_00)
        let wednesday = civil("2024-01-03")
        rig.publish(.sliceClosed, at: SessionCalendar.newYork.open(on: wednesday))
        // 5,000 / 20.20; with 50 set aside it would be 245.
        #expect(rig.request(.target(300), in: Rig.second).orders == ["buy 247 entry"])
    }

    /// 1 % of 10,000 are lost by 100 shares that fall by 1.00; of the 4,950 that are left, by 49.
    @Test func sizesFollowTheCashThatIsFree() {
        let distance = RangeDistance(length: 1, times: .hundred)
        var rig = account(sizing: .riskPerTrade(Percent(1), distance), isPriced: false)
        for _ in 0..<2 {
            rig.publish(.bar(Make.bar(-1, open: 50_00, high: 50_50, low: 49_50, close: 50_00)))
            rig.publish(
                .bar(
                    Make.bar(-1, open: 20_00, high: 20_50, low: 19_50, close: 20_00, instrument: 1))
            )
        }
        #expect(rig.request(.enter(.buy)).orders == ["buy 100 entry"])
        #expect(rig.request(.enter(.buy), in: Rig.second).orders == ["buy 49 entry"])
    }

    // MARK: What a cash account is not

    @Test func nothingIsSoldShort() {
        var rig = account()
        #expect(rig.request(.target(-10)).isEmpty)
        #expect(rig.count(of: .shortNotAllowed) == 1)
    }

    @Test func aMarginAccountSpendsProceedsAtOnce() {
        var rig = Rig(limits: RiskLimits(overLimit: .reject)) {
            $0.capital = Money(cents: 10_000_00)
        }
        rig.request(.target(200))
        rig.fill(1, 200)
        rig.request(.exit)
        rig.fill(2, 200)
        #expect(rig.request(.target(200)).orders == ["buy 200 entry"])
    }

    // MARK: Overdrafts

    /// 198 shares have 9,999 set aside and cost 52.00 each: it is booked, and counted once.
    @Test func aFillBeyondTheCashBufferIsBookedAndCounted() {
        var rig = account()
        rig.request(.target(198))
        rig.fill(1, 190, cents: 52_00)
        var overdrafts = rig.engine.decisionCounts[.overdrawn]
        #expect(overdrafts == 0)
        rig.fill(1, 8, cents: 52_00)
        rig.report(1, .commission(Make.commission(1, cents: 1_00)))
        rig.report(1, .commission(Make.commission(2, cents: 1_00)))
        overdrafts = rig.engine.decisionCounts[.overdrawn]
        #expect(overdrafts == 1)
        // 10,000 - 198 · 52 - 2.
        let cash = rig.engine.portfolio.spendableCash
        #expect(cash == ExactMoney(Money(cents: -298_00)))
        #expect(rig.request(.target(1), in: Rig.second).isEmpty)
        // It is paid back, and happens again.
        rig.publish(.cashMovement(CashMovement(.transfer, Money(cents: 1_000_00))))
        rig.request(.target(10), in: Rig.second)
        rig.fill(2, 10, cents: 30_00)
        rig.request(.target(29), in: Rig.second)
        rig.fill(3, 19, cents: 30_00)
        overdrafts = rig.engine.decisionCounts[.overdrawn]
        #expect(overdrafts == 2)
        rig.checkLedger()
    }
}

/// A day as text.
func civil(_ text: String) -> Day {
    guard let day = Day(text) else { preconditionFailure("'\(text)' is no day") }
    return day
}

extension Rig {
    /// A session opens: the first share at 50.00, the second at 20.00.
    mutating func open(_ day: Day) {
        let time = SessionCalendar.newYork.open(on: day)
        let first = Make.bar(-1, open: 50_00, close: 50_00)
        let second = Make.bar(-1, open: 20_00, close: 20_00, instrument: 1)
        publish(.bar(first), at: time)
        publish(.bar(second), at: time)
    }

    /// An order trades now, once.
    mutating func fillNow(_ order: Int64, _ shares: Int64, cents: Int64) {
        guard let request = engine.orders.request(of: OrderID(number: order)) else {
            Issue.record("there is no order \(order)")
            return
        }
        report(
            order,
            .executed(
                Execution(
                    id: ExecutionID(base: 1_000 + order), instrument: request.instrument,
                    side: request.side, quantity: Quantity(shares: shares),
                    price: Price(cents: cents), time: now)))
    }
}
