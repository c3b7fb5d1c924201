import Model
import Orders
import Primitives
import Risk
import TestSupport
import Testing

@Suite struct OrderLedgerMoneyTests {
    /// A ledger that was sent these requests.
    private static func ledger(_ requests: OrderRequest...) -> OrderLedger {
        var ledger = OrderLedger(instrumentCount: 1, strategyCount: 1)
        var gate = RiskGate(limits: nil, instrumentCount: 1)
        var facts = RiskFacts()
        facts.price = Price(cents: 50_00)
        facts.held = Quantity(shares: 1_000)
        for request in requests {
            guard case .approved(let approved) = gate.review(request, given: facts) else {
                Issue.record("the gate must allow \(request)")
                continue
            }
            _ = ledger.submit(approved, at: Make.open)
        }
        return ledger
    }

    private static func record(
        _ fact: OrderFact, of order: Int64 = 1, in ledger: inout OrderLedger
    ) {
        let report = OrderReport(order: OrderID(number: order), fact: fact)
        _ = ledger.record(report, at: Make.open)
    }

    @Test func entriesAndPurchasesAreDistinguished() {
        var ledger = Self.ledger(
            Make.request(.buy, 10), Make.request(.sell, 20, purpose: .exit),
            Make.request(.sell, 30), Make.request(.buy, 40))
        let (entries, purchases) = (ledger.liveEntries, ledger.livePurchases)
        #expect(entries.map(\.number) == [1, 3, 4])
        #expect(purchases.map(\.number) == [1, 4])
        Self.record(.cancelled(.requested), in: &ledger)
        let (left, leftToBuy) = (ledger.liveEntries, ledger.livePurchases)
        #expect(left.map(\.number) == [3, 4])
        #expect(leftToBuy.map(\.number) == [4])
    }

    /// Commissions may come before, after or not at all, and executions may be corrected.
    @Test func whatIsNotChargedYetIsKnown() {
        var ledger = Self.ledger(Make.request(.buy, 100))
        let id = OrderID(number: 1)
        func expect(_ shares: Int64, sourceLocation: SourceLocation = #_sourceLocation) {
            let uncharged = ledger.uncharged(id)
            #expect(uncharged == Quantity(shares: shares), sourceLocation: sourceLocation)
        }
        Self.record(.executed(Make.execution(1, .buy, 30, cents: 50_00)), in: &ledger)
        expect(30)
        Self.record(.commission(Make.commission(2, cents: 1_00)), in: &ledger)
        Self.record(.executed(Make.execution(2, .buy, 40, cents: 50_00)), in: &ledger)
        expect(30)
        Self.record(.commission(Make.commission(1, cents: 0)), in: &ledger)
        expect(0)
        Self.record(.executed(Make.execution(3, .buy, 30, cents: 50_00)), in: &ledger)
        expect(30)
        Self.record(.executed(Make.execution(3, .buy, 0, cents: 50_00, revision: 2)), in: &ledger)
        expect(0)
        let foreign = ledger.uncharged(OrderID(number: 9))
        #expect(foreign == .zero)
    }
}
