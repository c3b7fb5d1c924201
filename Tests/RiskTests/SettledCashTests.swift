import Model
import Primitives
import Risk
import TestSupport
import Testing

/// The gate of an account that may spend settled cash only: a share at 50.00, a cash buffer of 1 percent.
@Suite struct SettledCashTests {
    private static func gate(_ limits: RiskLimits? = nil) -> RiskGate {
        RiskGate(limits: limits, instrumentCount: 1, cashBuffer: CashBuffer(Percent(1)))
    }

    private static func facts(cash: Int64?) -> RiskFacts {
        var facts = RiskFacts()
        facts.price = Price(cents: 50_00)
        facts.equity = ExactMoney(Money(cents: 1_000_000_00))
        facts.spendableCash = cash.map { ExactMoney(Money(cents: $0)) }
        return facts
    }

    private func quantity(_ review: RiskGate.Review) -> Int64? {
        guard case .approved(let approved) = review else { return nil }
        return approved.request.quantity.units / Quantity.unitsPerOne
    }

    /// 100 shares at 50.00 with 1 % are 5,050.00.
    @Test func aPurchaseIsCoveredWithItsCashBuffer() {
        let request = Make.request(.buy, 100)
        let enough = Self.gate().review(on: request, given: Self.facts(cash: 5_050_00))
        #expect(quantity(enough) == 100)
        let oneCentLess = Self.gate().review(on: request, given: Self.facts(cash: 5_049_99))
        #expect(quantity(oneCentLess) == 99)
    }

    @Test func whatIsNotCoveredIsRefusedWhereLimitsRefuse() {
        let gate = Self.gate(RiskLimits(overLimit: .reject))
        let review = gate.review(on: Make.request(.buy, 100), given: Self.facts(cash: 5_049_99))
        #expect(review == .refused(.settledCash))
    }

    @Test(arguments: [0, -1, -1_000_000_00, 50_49] as [Int64])
    func withoutCashForOneShareNothingIsBought(cents: Int64) {
        let review = Self.gate().review(
            on:
                Make.request(.buy, 100), given: Self.facts(cash: cents))
        #expect(review == .refused(.settledCash))
    }

    @Test func cashThatCannotBeComputedBuysNothing() {
        let review = Self.gate().review(on: Make.request(.buy, 1), given: Self.facts(cash: nil))
        #expect(review == .refused(.cannotEvaluate))
    }

    /// A limit of 40.00 costs at most 40.40 a share, wherever the market is; a stop of 60.00 costs 60.60.
    @Test func aLimitCostsNoMoreThanItself() {
        let facts = Self.facts(cash: 4_040_00)
        let limited = Self.gate().review(
            on:
                Make.request(.buy, 200, .limit(Price(cents: 40_00))), given: facts)
        #expect(quantity(limited) == 100)
        let stopped = Self.gate().review(
            on:
                Make.request(.buy, 200, .stop(Price(cents: 60_00))), given: facts)
        #expect(quantity(stopped) == 66)
    }

    @Test(arguments: [nil, RiskLimits(allowsShort: true)] as [RiskLimits?])
    func nothingIsSoldShort(limits: RiskLimits?) {
        let review = Self.gate(limits).review(
            on:
                Make.request(.sell, 1), given: Self.facts(cash: 1_000_000_00))
        #expect(review == .refused(.shortNotAllowed))
    }

    @Test func exitsNeedNoCash() {
        var facts = Self.facts(cash: -1_000_00)
        facts.held = Quantity(shares: 100)
        facts.position = facts.held
        let review = Self.gate().review(
            on:
                Make.request(.sell, 100, purpose: .exit), given: facts)
        #expect(quantity(review) == 100)
    }

    @Test func reservesKeepThePriceOfTheApproval() {
        var reserves = PurchaseReserves()
        reserves.add(OrderID(number: 1), at: Price(cents: 50_00))
        reserves.add(OrderID(number: 3), at: Price(cents: 20_00))
        #expect(reserves.price(of: OrderID(number: 3)) == Price(cents: 20_00))
        #expect(reserves.price(of: OrderID(number: 2)) == nil)
        reserves.keep { $0.number == 1 }
        #expect(reserves.entries.map(\.order.number) == [1])
    }

    /// 100 · 50.00 · 100 · 2 % = 10,000.00 of 500,000.00.
    @Test func cashBuffersAreOfTheWholeContract() {
        let cashBuffer = CashBuffer(Percent(2))
        let (quantity, price) = (Quantity(shares: 100), Price(cents: 50_00))
        let cost = cashBuffer.cost(of: quantity, at: price, multiplier: 100)
        #expect(cost == ExactMoney(Money(cents: 510_000_00)))
        let part = cashBuffer.part(of: quantity, at: price, multiplier: 100)
        #expect(part == ExactMoney(Money(cents: 10_000_00)))
        #expect(cashBuffer.cost(of: .magnitudeMax, at: .magnitudeMax, multiplier: .max) == nil)
        #expect(CashBuffer(Percent(-1)).percent == .zero)
    }
}
