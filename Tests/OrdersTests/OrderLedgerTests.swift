import Model
import Orders
import Primitives
import Risk
import TestSupport
import Testing

@Suite struct OrderLedgerTests {
    private static let first = InstrumentID(index: 0)
    private static let strategy = StrategyID(index: 0)

    // MARK: Sending

    @Test func numbersRiseFromOneAndAreNeverReused() throws {
        var ledger = OrderLedger(instrumentCount: 1, strategyCount: 1)
        var ids: [Int64] = []
        for round in 0..<6 {
            let id = try ledger.submitForTest(Make.request(.buy, 10))
            ids.append(id.number)
            // Whatever becomes of an order, its number is gone.
            let end: OrderFact = round % 2 == 0 ? .rejected(.notTradable) : .cancelled(.requested)
            _ = ledger.record(OrderReport(order: id, fact: end))
        }
        #expect(ids == [1, 2, 3, 4, 5, 6])
    }

    @Test func commandCarriesTheApprovedRequest() throws {
        var ledger = OrderLedger(instrumentCount: 1, strategyCount: 1)
        let request = Make.request(
            .sell, 7, .limit(Price(cents: 101_00)), timeInForce: .goodTillCancelled)
        let command = ledger.submit(try #require(request.approvedForTest), at: .distantPast)
        #expect(
            command == .submit(OrderTicket(id: OrderID(number: 1), request: request)))
        #expect(ledger.request(of: OrderID(number: 1)) == request)
        #expect(ledger.request(of: OrderID(number: 2)) == nil)
    }

    @Test func cancelIsAskedOnce() throws {
        var ledger = OrderLedger(instrumentCount: 1, strategyCount: 1)
        let id = try ledger.submitForTest(Make.request(.buy, 10))
        #expect(ledger.cancel(id) == .cancel(id))
        #expect(ledger.cancel(id) == nil)
        _ = ledger.record(OrderReport(order: id, fact: .acknowledged))
        #expect(ledger.cancel(id) == nil)
    }

    @Test func orderThatIsNotOursIsNotCancelled() {
        var ledger = OrderLedger(instrumentCount: 1, strategyCount: 1)
        #expect(ledger.cancel(OrderID(number: 1)) == nil)
        #expect(ledger.cancel(OrderID(number: 0)) == nil)
        #expect(ledger.cancel(OrderID(number: -5)) == nil)
    }

    // MARK: Hearing

    @Test func changeNamesTheOrderAndWhereItStands() throws {
        var ledger = OrderLedger(instrumentCount: 1, strategyCount: 1)
        let id = try ledger.submitForTest(Make.request(.buy, 100))
        let execution = Make.execution(1, .buy, 40, cents: 100_00)
        let change = ledger.record(OrderReport(order: id, fact: .executed(execution)))
        #expect(
            change.owner == OrderLedger.Owner(strategy: Self.strategy, instrument: Self.first))
        #expect(change.isAsOrdered)
        #expect(change.change == .executed(.added))
        #expect(change.state == .working)
    }

    @Test func acknowledgementIsTakenInAloneWhileTheOrderMayFill() throws {
        var ledger = OrderLedger(instrumentCount: 1, strategyCount: 1)
        let id = try ledger.submitForTest(Make.request(.buy, 100))
        #expect(ledger.acknowledge(id) == true)
        #expect(ledger.record(of: id)?.facts.acknowledged == true)
        #expect(ledger.acknowledge(id) == true)
        #expect(ledger.open(id) == Quantity(shares: 100))
        _ = ledger.record(OrderReport(order: id, fact: .cancelled(.requested)))
        #expect(ledger.acknowledge(id) == false)
        #expect(ledger.acknowledge(OrderID(number: 77)) == false)
    }

    /// Costs come to the same whether they are told alone or as any other fact.
    @Test func costsAreChargedOnceAndMoveNothingElse() throws {
        var ledger = OrderLedger(instrumentCount: 1, strategyCount: 1)
        let id = try ledger.submitForTest(Make.request(.buy, 100))
        let owner = OrderLedger.Owner(strategy: Self.strategy, instrument: Self.first)
        let costs = Make.commission(1, cents: 35)
        // Before its execution.
        var charge = ledger.charge(costs, of: id)
        #expect(charge.amount == Money(cents: 35) && charge.owner == owner)
        #expect(ledger.open(id) == Quantity(shares: 100))
        let execution = Make.execution(1, .buy, 100, cents: 100_00)
        _ = ledger.record(OrderReport(order: id, fact: .executed(execution)))
        charge = ledger.charge(costs, of: id)
        #expect(charge.amount == .zero && charge.owner == owner)
        charge = ledger.charge(Make.commission(1, cents: 30, revision: 2), of: id)
        #expect(charge.amount == Money(cents: -5))
        #expect(
            ledger.record(OrderReport(order: id, fact: .commission(costs))).change
                == .charged(.zero))
        #expect(ledger.executions(of: Self.strategy, in: Self.first) == [execution])
    }

    @Test func costsOfAnOrderThatIsNotOursAreChargedOnceToNobody() {
        var ledger = OrderLedger(instrumentCount: 1, strategyCount: 1)
        let costs = Make.commission(1, cents: 35)
        var charge = ledger.charge(costs, of: OrderID(number: 77))
        #expect(charge.amount == Money(cents: 35) && charge.owner == nil)
        charge = ledger.charge(costs, of: OrderID(number: 77))
        #expect(charge.amount == .zero && charge.owner == nil)
    }

    @Test func fillAfterCancelIsReportedAndNothingWorks() throws {
        var ledger = OrderLedger(instrumentCount: 1, strategyCount: 1)
        let id = try ledger.submitForTest(Make.request(.buy, 100))
        _ = ledger.record(OrderReport(order: id, fact: .cancelled(.requested)))
        let execution = Make.execution(1, .buy, 40, cents: 100_00)
        let change = ledger.record(OrderReport(order: id, fact: .executed(execution)))
        #expect(change.change == .executed(.added))
        #expect(change.state == .cancelled)
        #expect(ledger.working.account(in: Self.first).buys == .zero)
        #expect(ledger.executions(of: Self.strategy, in: Self.first) == [execution])
    }

    @Test func overfillIsReportedAndNothingWorks() throws {
        var ledger = OrderLedger(instrumentCount: 1, strategyCount: 1)
        let id = try ledger.submitForTest(Make.request(.buy, 100))
        let execution = Make.execution(1, .buy, 130, cents: 100_00)
        let change = ledger.record(OrderReport(order: id, fact: .executed(execution)))
        #expect(change.state == .overfilled)
        #expect(!change.isAsOrdered)
        #expect(change.change == .executed(.added))
        #expect(ledger.working.account(in: Self.first).buys == .zero)
        #expect(ledger.liveOrders(of: Self.strategy, in: Self.first).isEmpty)
    }

    @Test func orderThatIsNotOursIsKeptAndBookedOnce() {
        var ledger = OrderLedger(instrumentCount: 1, strategyCount: 1)
        let execution = Make.execution(1, .buy, 40, cents: 100_00)
        let report = OrderReport(order: OrderID(number: 77), fact: .executed(execution))
        let first = ledger.record(report)
        #expect(first.owner == nil)
        #expect(first.state == nil)
        #expect(first.change == .executed(.added))
        #expect(ledger.record(report).change == .executed(.unchanged))
        #expect(ledger.executions(of: nil, in: Self.first) == [execution])
        #expect(ledger.executions(of: Self.strategy, in: Self.first).isEmpty)
    }

    /// Somebody else's order came under a number we have not given yet: we must not give it then, or its
    /// next report would be taken for ours.
    @Test func numberOfAnOrderThatIsNotOursIsNotGivenAgain() throws {
        var ledger = OrderLedger(instrumentCount: 1, strategyCount: 1)
        let foreign = OrderID(number: 1)
        _ = ledger.record(OrderReport(order: foreign, fact: .acknowledged))
        #expect(try ledger.submitForTest(Make.request(.buy, 10)) != foreign)
    }

    /// An edge may hand on any number; none of them may stop the process.
    @Test(arguments: [Int64.min, -1, 0, 1, .max])
    func anyNumberOfAnOrderThatIsNotOursIsBearable(number: Int64) async {
        await #expect(processExitsWith: .success) { [number] in
            var ledger = OrderLedger(instrumentCount: 1, strategyCount: 1)
            let report = OrderReport(order: OrderID(number: number), fact: .acknowledged)
            precondition(ledger.record(report).owner == nil, "no such order was sent")
        }
    }

    @Test func executionsComeOldestFirstWhateverOrderTheyCameIn() throws {
        var ledger = OrderLedger(instrumentCount: 2, strategyCount: 2)
        let first = try ledger.submitForTest(Make.request(.buy, 100))
        let second = try ledger.submitForTest(Make.request(.buy, 100))
        let other = try ledger.submitForTest(Make.request(.buy, 100, strategy: 1))
        let elsewhere = try ledger.submitForTest(Make.request(.buy, 100, instrument: 1))
        for (order, base, instrument, second) in [
            (second, 4, 0, 9), (first, 3, 0, 5), (first, 2, 0, 5), (other, 5, 0, 1),
            (elsewhere, 6, 1, 2), (first, 1, 0, 7),
        ] as [(OrderID, Int64, Int, Int64)] {
            let execution = Make.execution(
                base, .buy, 10, cents: 100_00, instrument: instrument, second: second)
            _ = ledger.record(OrderReport(order: order, fact: .executed(execution)))
        }
        // By time (5, 5, 7, 9), at one time by base id.
        #expect(
            ledger.executions(of: Self.strategy, in: Self.first).map(\.id.base) == [2, 3, 1, 4])
    }

    // MARK: Digest

    @Test func anyOrderOfFactsGivesTheSameDigest() throws {
        func digest(_ facts: [OrderFact]) throws -> UInt64 {
            var ledger = OrderLedger(instrumentCount: 1, strategyCount: 1)
            let id = try ledger.submitForTest(Make.request(.buy, 100))
            for fact in facts { _ = ledger.record(OrderReport(order: id, fact: fact)) }
            return ledger.digest
        }
        let expected = try digest(OrderFactsTests.samples)
        let others = try OrderFactsTests.samples.permutations.filter { try digest($0) != expected }
        #expect(others.isEmpty)
        #expect(try digest([.acknowledged]) != expected)
    }

    @Test func factsOfTwoOrdersThatAreNotOursGiveTheSameDigestInEitherOrder() {
        func digest(_ bases: [Int64]) -> UInt64 {
            var ledger = OrderLedger(instrumentCount: 1, strategyCount: 1)
            for base in bases {
                let execution = Make.execution(base, .buy, base, cents: 100_00)
                _ = ledger.record(
                    OrderReport(order: OrderID(number: 70 + base), fact: .executed(execution)))
            }
            return ledger.digest
        }
        #expect(digest([1, 2]) == digest([2, 1]))
    }
}

@Suite struct OrderTimesTests {
    /// An order ends when it is heard that it no longer works; a bust brings it back.
    @Test func timesFollowTheFacts() throws {
        var ledger = OrderLedger(instrumentCount: 1, strategyCount: 1)
        let sent = Timestamp(seconds: 10)
        let approved = try #require(Make.request(.buy, 100).approvedForTest)
        _ = ledger.submit(approved, at: sent)
        let id = OrderID(number: 1)
        let fill = Make.execution(1, .buy, 100, cents: 10_00)
        _ = ledger.record(OrderReport(order: id, fact: .acknowledged), at: Timestamp(seconds: 11))
        #expect(ledger.records.indices.map { ledger.records[$0].submitted } == [sent])
        #expect(ledger.records.indices.map { ledger.records[$0].endedAt } == [nil])
        _ = ledger.record(OrderReport(order: id, fact: .executed(fill)), at: Timestamp(seconds: 12))
        #expect(
            ledger.records.indices.map { ledger.records[$0].endedAt } == [Timestamp(seconds: 12)])
        let bust = Make.execution(1, .buy, 0, cents: 10_00, revision: 2)
        _ = ledger.record(OrderReport(order: id, fact: .executed(bust)), at: Timestamp(seconds: 13))
        #expect(ledger.records.indices.map { ledger.records[$0].endedAt } == [nil])
    }
}

extension OrderLedger {
    /// The state as one number.
    var digest: UInt64 {
        var hasher = StateHasher()
        hash(into: &hasher)
        return hasher.digest
    }

    /// Has a request approved and sends it.
    mutating func submitForTest(_ request: OrderRequest) throws -> OrderID {
        let approved = try #require(request.approvedForTest)
        guard case .submit(let ticket) = submit(approved, at: .distantPast) else {
            throw NotASubmission()
        }
        return ticket.id
    }

    /// Records where the time does not matter.
    mutating func record(_ report: OrderReport) -> Change { record(report, at: .distantPast) }

    private struct NotASubmission: Error {}
}

extension OrderRequest {
    /// The request with the gate's approval, in a world in which there is something to say yes to.
    var approvedForTest: Approved? {
        var facts = RiskFacts()
        facts.price = Price(cents: 100_00)
        facts.held = side == .sell ? Quantity(shares: 1_000_000) : Quantity(shares: -1_000_000)
        var gate = RiskGate(limits: nil, instrumentCount: Int(instrument.index) + 1)
        guard case .approved(let approved) = gate.review(self, given: facts) else { return nil }
        return approved
    }
}
