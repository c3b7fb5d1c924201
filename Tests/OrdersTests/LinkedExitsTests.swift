import Model
import Orders
import Primitives
import Risk
import TestSupport
import Testing

/// What counts as being sold already when another exit is asked for.
@Suite struct LinkedExitsTests {
    private func request(
        _ shares: Int64, _ side: Side = .sell, purpose: OrderPurpose = .protection,
        parent: OrderID? = nil, group: Int? = nil
    ) -> OrderRequest {
        OrderRequest(
            strategy: StrategyID(index: 0), instrument: InstrumentID(index: 0), side: side,
            quantity: Quantity(shares: shares), type: .stop(Price(cents: 99_00)),
            timeInForce: .goodTillCancelled, purpose: purpose, parent: parent,
            group: group.map { OrderGroupID(number: $0) })
    }

    /// A stop of 100 and a target of 80 count as 100; two groups, an exit and a lone stop add up.
    @Test func ordersOfOneGroupCountOnce() throws {
        var ledger = OrderLedger(instrumentCount: 1, strategyCount: 1)
        for (shares, group) in [(100, 1), (80, 1), (30, 2)] as [(Int64, Int)] {
            _ = try ledger.submitForTest(request(shares, group: group))
        }
        #expect(ledger.workingExits(besides: request(1)) == Quantity(shares: 130))
        _ = try ledger.submitForTest(request(7))
        _ = try ledger.submitForTest(request(5, purpose: .exit))
        #expect(ledger.workingExits(besides: request(1)) == Quantity(shares: 142))
        // For one more of a group the group itself does not count.
        #expect(ledger.workingExits(besides: request(1, group: 1)) == Quantity(shares: 42))
        #expect(ledger.workingExits(besides: request(1, group: 2)) == Quantity(shares: 112))
    }

    @Test func protectionIsNoExit() throws {
        var ledger = OrderLedger(instrumentCount: 1, strategyCount: 1)
        let id = try ledger.submitForTest(request(100, group: 1))
        let working = ledger.working.account(in: InstrumentID(index: 0))
        #expect(working.exits == .zero)
        #expect(working.protection == Quantity(shares: 100))
        _ = ledger.record(OrderReport(order: id, fact: .cancelled(.linked)))
        #expect(ledger.working.account(in: InstrumentID(index: 0)).protection == .zero)
        #expect(ledger.workingExits(besides: request(1)) == .zero)
    }

    /// The entry of 100 fills 60, the stop sells 20 of those: 40 of it may sell now.
    @Test func childCountsForWhatItsParentHasFilled() throws {
        var ledger = OrderLedger(instrumentCount: 1, strategyCount: 1)
        let entry = try ledger.submitForTest(request(100, .buy, purpose: .entry))
        let child = request(100, parent: entry)
        #expect(ledger.parentOpen(of: child) == Quantity(shares: 100))
        let stop = try ledger.submitForTest(child)
        #expect(ledger.workingExits(besides: request(1)) == .zero)
        _ = ledger.record(
            OrderReport(order: entry, fact: .executed(Make.execution(1, .buy, 60, cents: 100_00))))
        #expect(ledger.workingExits(besides: request(1)) == Quantity(shares: 60))
        #expect(ledger.parentOpen(of: child) == Quantity(shares: 40))
        _ = ledger.record(
            OrderReport(order: stop, fact: .executed(Make.execution(2, .sell, 20, cents: 99_00))))
        #expect(ledger.workingExits(besides: request(1)) == Quantity(shares: 40))
    }

    /// Only an entry of the same strategy, in the same instrument, on the other side brings anything.
    @Test func parentOfAnotherKindBringsNothing() throws {
        var ledger = OrderLedger(instrumentCount: 2, strategyCount: 2)
        let exit = try ledger.submitForTest(request(10, .buy, purpose: .exit))
        let same = try ledger.submitForTest(request(10, .sell, purpose: .entry))
        let elsewhere = try ledger.submitForTest(Make.request(.buy, 10, instrument: 1))
        let other = try ledger.submitForTest(Make.request(.buy, 10, strategy: 1))
        for parent in [exit, same, elsewhere, other, OrderID(number: 99)] {
            #expect(ledger.parentOpen(of: request(10, parent: parent)) == .zero)
        }
        #expect(ledger.parentOpen(of: request(10)) == .zero)
    }
}
