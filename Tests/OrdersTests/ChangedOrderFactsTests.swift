import Model
import Orders
import Primitives
import Risk
import TestSupport
import Testing

/// Changes of orders in the ledger: asked for once at a time, answered in any order.
@Suite struct ChangedOrderFactsTests {
    private func request(
        _ shares: Int64, cents: Int64 = 99_00, group: Int? = nil
    ) -> OrderRequest {
        OrderRequest(
            strategy: StrategyID(index: 0), instrument: InstrumentID(index: 0), side: .sell,
            quantity: Quantity(shares: shares), type: .stop(Price(cents: cents)),
            timeInForce: .goodTillCancelled, purpose: .protection,
            group: group.map { OrderGroupID(number: $0) })
    }

    private func fill(_ base: Int64, _ shares: Int64) -> OrderFact {
        .executed(Make.execution(base, .sell, shares, cents: 99_00))
    }

    @Test func oneChangeIsUnderWayAtATime() throws {
        var ledger = OrderLedger(instrumentCount: 1, strategyCount: 1)
        let id = try ledger.submitForTest(request(100))
        #expect(
            try ledger.modifyForTest(id, request(80))
                == .modify(OrderTicket(id: id, request: request(80)), revision: 1))
        #expect(try ledger.modifyForTest(id, request(70)) == nil)
        #expect(ledger.isSettled(id) == false)
        _ = ledger.record(OrderReport(order: id, fact: .modified(1)))
        #expect(ledger.request(of: id) == request(80))
        #expect(
            try ledger.modifyForTest(id, request(70))
                == .modify(OrderTicket(id: id, request: request(70)), revision: 2))
        _ = ledger.record(OrderReport(order: id, fact: .modificationRefused(2)))
        #expect(ledger.request(of: id) == request(80))
        #expect(ledger.refusedChange(of: id) == request(70))
        _ = ledger.cancel(id)
        #expect(try ledger.modifyForTest(id, request(60)) == nil)
    }

    /// What the venue made of them does not matter: each was a message.
    @Test func changesThatWereAskedForAreKeptWithTheirTimes() throws {
        var ledger = OrderLedger(instrumentCount: 1, strategyCount: 1)
        let id = try ledger.submitForTest(request(100))
        for (revision, shares) in [80, 70, 60].enumerated() {
            let approved = try #require(request(Int64(shares)).approvedForTest)
            _ = ledger.modify(id, to: approved, at: Timestamp(seconds: Int64(revision)))
            // While one is under way there is no other.
            _ = ledger.modify(id, to: approved, at: Timestamp(seconds: 9))
            let number = Int32(revision + 1)
            let fact: OrderFact = revision == 1 ? .modificationRefused(number) : .modified(number)
            _ = ledger.record(OrderReport(order: id, fact: fact))
        }
        #expect(ledger.revisions.map(\.order) == [id, id, id])
        #expect(ledger.revisions.map(\.at) == [0, 1, 2].map(Timestamp.init(seconds:)))
    }

    @Test func onlyPriceAndQuantityChange() throws {
        var ledger = OrderLedger(instrumentCount: 1, strategyCount: 1)
        let id = try ledger.submitForTest(request(100))
        #expect(try ledger.modifyForTest(id, request(100, group: 1)) == nil)
        #expect(try ledger.modifyForTest(OrderID(number: 9), request(100)) == nil)
        #expect(try ledger.modifyForTest(id, request(100, cents: 98_00)) != nil)
    }

    /// 100, on the way to 60 or to 150: until that is answered the larger may fill.
    @Test(
        arguments: [(60, 60, 100, 40), (150, 120, 150, 30)] as [(Int64, Int64, Int64, Int64)])
    func largerQuantityCountsWhileAChangeIsUnderWay(
        asked: Int64, filled: Int64, most: Int64, open: Int64
    ) throws {
        for isMade in [true, false] {
            var ledger = OrderLedger(instrumentCount: 1, strategyCount: 1)
            let id = try ledger.submitForTest(request(100))
            _ = try ledger.modifyForTest(id, request(asked))
            #expect(ledger.open(id) == Quantity(shares: most))
            let change = ledger.record(OrderReport(order: id, fact: fill(1, filled)))
            #expect(change.state == .working)
            #expect(ledger.open(id) == Quantity(shares: open))
            let answer: OrderFact = isMade ? .modified(1) : .modificationRefused(1)
            let state = ledger.record(OrderReport(order: id, fact: answer)).state
            switch (isMade, asked) {
            case (true, 60): #expect(state == .filled)
            case (true, _): #expect(state == .working)
            case (false, 60): #expect(state == .working)
            // The venue refused and filled more all the same: a matter for a person.
            case (false, _): #expect(state == .overfilled)
            }
        }
    }

    /// Every order of the facts, with repetitions, gives one state.
    @Test func anyOrderOfAnswersGivesTheSameDigest() throws {
        let facts: [OrderFact] = [
            .acknowledged, .modified(1), fill(1, 30), fill(2, 50), .cancelled(.linked),
            .modificationRefused(1),
        ]
        func digest(_ facts: [OrderFact]) throws -> UInt64 {
            var ledger = OrderLedger(instrumentCount: 1, strategyCount: 1)
            let id = try ledger.submitForTest(request(100, group: 1))
            let other = try ledger.submitForTest(request(100, group: 1))
            _ = try ledger.modifyForTest(id, request(80, group: 1))
            for fact in facts + facts {
                _ = ledger.record(OrderReport(order: id, fact: fact))
            }
            #expect(ledger.open(other) == Quantity(shares: 20))
            #expect(ledger.request(of: id)?.quantity == Quantity(shares: 80))
            return ledger.digest
        }
        let expected = try digest(facts)
        let others = try facts.permutations.filter { try digest($0) != expected }
        #expect(others.isEmpty)
    }

    @Test func answerToWhatWasNeverAskedIsIgnored() throws {
        var ledger = OrderLedger(instrumentCount: 1, strategyCount: 1)
        let id = try ledger.submitForTest(request(100))
        let before = ledger.digest
        for revision in [Int32.min, 0, 1, .max] {
            _ = ledger.record(OrderReport(order: id, fact: .modified(revision)))
            _ = ledger.record(OrderReport(order: id, fact: .modificationRefused(revision)))
        }
        #expect(ledger.digest == before)
    }

    /// What one of a group fills, the others may not; who comes later may not either.
    @Test func groupsFillsAreMissingFromAllItsOrders() throws {
        var ledger = OrderLedger(instrumentCount: 1, strategyCount: 1)
        let group = ledger.makeGroup()
        let number = Int(group.number)
        let stop = try ledger.submitForTest(request(100, group: number))
        let target = try ledger.submitForTest(request(100, group: number))
        _ = ledger.record(OrderReport(order: target, fact: fill(1, 40)))
        #expect(ledger.groupFilled(group) == Quantity(shares: 40))
        #expect(ledger.open(stop) == Quantity(shares: 60))
        let late = try ledger.submitForTest(request(90, group: number))
        #expect(ledger.open(late) == Quantity(shares: 50))
        // A correction of the execution gives back.
        let less = Make.execution(1, .sell, 10, cents: 99_00, revision: 2)
        _ = ledger.record(OrderReport(order: target, fact: .executed(less)))
        #expect(ledger.open(stop) == Quantity(shares: 90))
    }

    @Test func termsAreInTheDigest() throws {
        func digest(_ request: OrderRequest) throws -> UInt64 {
            var ledger = OrderLedger(instrumentCount: 1, strategyCount: 1)
            _ = try ledger.submitForTest(request)
            return ledger.digest
        }
        let digests = try [
            request(100), request(100, cents: 98_00), request(100, group: 1), request(99),
        ].map(digest)
        #expect(Set(digests).count == digests.count)
    }
}

extension OrderLedger {
    /// Has a change approved and asks for it.
    fileprivate mutating func modifyForTest(
        _ id: OrderID, _ request: OrderRequest
    ) throws -> Command? {
        modify(id, to: try #require(request.approvedForTest), at: .distantPast)
    }
}
