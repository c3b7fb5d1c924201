import Model
import Orders
import Primitives
import Risk
import TestSupport
import Testing

@Suite struct UnknownOutcomeTests {
    private static let first = InstrumentID(index: 0)

    private static func listed(
        _ permanent: Int64, _ side: Side, _ shares: Int64?, status: BrokerStatus = .submitted,
        instrument: Int? = 0
    ) -> ListedOrder {
        ListedOrder(
            key: BrokerOrderKey(permanent: PermanentID(number: permanent)),
            instrument: instrument.map(InstrumentID.init(index:)), side: side,
            quantity: shares.map(Quantity.init(shares:)), type: nil, status: status)
    }

    // MARK: Unknown outcomes

    /// Property: the count by instrument is what a look at every order says.
    @Test(arguments: 0..<200 as Range<UInt64>)
    func instrumentIsUnknownWhileOneOfItsOrdersIs(seed: UInt64) throws {
        var chance = SeededGenerator(seed: seed)
        var ledger = OrderLedger(instrumentCount: 2, strategyCount: 1)
        var ids: [OrderID] = []
        for _ in 0..<80 {
            switch chance.number(in: 0...9) {
            case 0, 1:
                let request = Make.request(
                    .buy, 100, instrument: Int(chance.number(in: 0...1)))
                ids.append(try ledger.submitForTest(request))
            case 2 where !ids.isEmpty:
                ledger.setInquired(chance.one(of: ids), chance.chance(percent: 50))
            case 3 where !ids.isEmpty: _ = ledger.acknowledge(chance.one(of: ids))
            case 4 where !ids.isEmpty:
                _ = ledger.charge(Make.commission(1, cents: 1), of: chance.one(of: ids))
            default:
                guard !ids.isEmpty else { continue }
                _ = ledger.record(
                    OrderReport(order: chance.one(of: ids), fact: BrokerFactsTests.fact(&chance)))
            }
            for instrument in [0, 1].map(InstrumentID.init(index:)) {
                let isAnyUnknown = ids.contains { id in
                    guard let record = ledger.record(of: id) else { return false }
                    return record.ticket.request.instrument == instrument
                        && (record.state == .unknown || record.isInquired && record.state.isLive)
                }
                let isUnknown = ledger.isUnknown(in: instrument)
                #expect(isUnknown == isAnyUnknown)
            }
        }
    }

    @Test func unknownOrderCountsAsWorking() throws {
        var ledger = OrderLedger(instrumentCount: 1, strategyCount: 1)
        let id = try ledger.submitForTest(Make.request(.buy, 100))
        _ = ledger.record(OrderReport(order: id, fact: .sendInterrupted))
        #expect(ledger.isUnknown(in: Self.first) == true)
        #expect(ledger.open(id) == Quantity(shares: 100))
        #expect(ledger.working.account(in: Self.first).buys == Quantity(shares: 100))
        _ = ledger.record(OrderReport(order: id, fact: .notSent(.noConnection)))
        // Bytes may have left, whatever is said later.
        #expect(ledger.isUnknown(in: Self.first) == true)
        _ = ledger.record(
            OrderReport(order: id, fact: .cancelledByBroker(BrokerMessage(code: 202))))
        #expect(ledger.isUnknown(in: Self.first) == false)
        #expect(ledger.working.account(in: Self.first).buys == .zero)
    }

    /// The quick way for an acknowledgement is not for an order in doubt.
    @Test func acknowledgementEndsDoubt() throws {
        var ledger = OrderLedger(instrumentCount: 1, strategyCount: 1)
        let id = try ledger.submitForTest(Make.request(.buy, 100))
        _ = ledger.record(OrderReport(order: id, fact: .acknowledgementOverdue))
        #expect(ledger.isUnknown(in: Self.first) == true)
        #expect(ledger.acknowledge(id) == false)
        #expect(ledger.record(OrderReport(order: id, fact: .acknowledged)).state == .working)
        #expect(ledger.isUnknown(in: Self.first) == false)
    }

    @Test func unknownOutcomeStopsEntriesAndNothingElse() {
        var gate = RiskGate(limits: nil, instrumentCount: 1)
        var facts = RiskFacts()
        facts.price = Price(cents: 100_00)
        facts.held = Quantity(shares: 10)
        facts.hasUnknownOrder = true
        #expect(
            gate.review(Make.request(.buy, 10), given: facts) == .refused(.outcomeUnknown))
        let exit = gate.review(Make.request(.sell, 10, purpose: .exit), given: facts)
        guard case .approved = exit else {
            Issue.record("an exit was refused")
            return
        }
        // What works of an unknown exit is no longer there to reduce.
        facts.workingExits = Quantity(shares: 10)
        #expect(
            gate.review(Make.request(.sell, 10, purpose: .exit), given: facts)
                == .refused(.nothingToReduce))
    }

    @Test func cancelWithoutCauseIsOursIfWeAskedForIt() throws {
        var ledger = OrderLedger(instrumentCount: 1, strategyCount: 1)
        let asked = try ledger.submitForTest(Make.request(.buy, 100))
        let other = try ledger.submitForTest(Make.request(.buy, 100))
        _ = ledger.cancel(asked)
        for id in [asked, other] {
            #expect(ledger.record(of: id)?.cancelCause == nil)
            _ = ledger.record(OrderReport(order: id, fact: .status(.cancelled)))
        }
        #expect(ledger.record(of: asked)?.cancelCause == .requested)
        #expect(ledger.record(of: other)?.cancelCause == .external)
        // A cancel that was sent as a question is ours too, and does not stand in the way of another.
        let probed = try ledger.submitForTest(Make.request(.buy, 100))
        ledger.noteProbe(of: probed)
        _ = ledger.record(OrderReport(order: probed, fact: .status(.cancelled)))
        #expect(ledger.record(of: probed)?.cancelCause == .requested)
        #expect(ledger.cancel(probed) == .cancel(probed))
        _ = ledger.record(OrderReport(order: other, fact: .cancelled(.expired)))
        #expect(ledger.record(of: other)?.cancelCause == .expired)
    }

    @Test func digestSeesWhatABrokerReports() throws {
        var ledger = OrderLedger(instrumentCount: 1, strategyCount: 1)
        let id = try ledger.submitForTest(Make.request(.buy, 100))
        var digests = [ledger.digest]
        let facts: [OrderFact] = [
            .sendInterrupted, .status(.submitted), .listedOpen(.submitted),
            .listedCompleted(.cancelled), .reopened(2),
        ]
        for fact in facts {
            _ = ledger.record(OrderReport(order: id, fact: fact))
            digests.append(ledger.digest)
            // Told again it changes nothing.
            _ = ledger.record(OrderReport(order: id, fact: fact))
            #expect(ledger.digest == digests.last)
        }
        _ = ledger.identity.assign(to: id)
        digests.append(ledger.digest)
        _ = ledger.resolve(
            BrokerOrderKey(
                order: BrokerOrderID(number: 1), permanent: PermanentID(number: 5)))
        digests.append(ledger.digest)
        ledger.setInquired(id, true)
        digests.append(ledger.digest)
        #expect(Set(digests).count == digests.count)
    }

    // MARK: Orders of earlier runs

    @Test func restoredOrderWorksAndIsFollowed() {
        var ledger = OrderLedger(instrumentCount: 1, strategyCount: 1)
        let ticket = OrderTicket(id: OrderID(number: 9), request: Make.request(.buy, 100))
        ledger.restore(ticket, submitted: Make.time(1))
        #expect(ledger.open(ticket.id) == Quantity(shares: 100))
        let fill = Make.execution(1, .buy, 40, cents: 100_00)
        #expect(ledger.record(OrderReport(order: ticket.id, fact: .executed(fill))).isAsOrdered)
        #expect(ledger.open(ticket.id) == Quantity(shares: 60))
        #expect(ledger.newestID == ticket.id)
    }

    // MARK: Orders that are not ours

    @Test func foreignOrdersAreKnownByKeyAndNeverTouched() {
        var ledger = OrderLedger(instrumentCount: 1, strategyCount: 1)
        let match = ledger.resolve(BrokerOrderKey(permanent: PermanentID(number: 77)))
        let fill = Make.execution(1, .sell, 40, cents: 100_00)
        let report = OrderReport(order: match.order, fact: .executed(fill))
        let change = ledger.record(report)
        #expect(change.owner == nil && change.change == .executed(.added))
        // Told again it is booked once.
        #expect(ledger.record(report).change == .executed(.unchanged))
        #expect(ledger.executions(of: nil, in: Self.first) == [fill])
        #expect(ledger.cancel(match.order) == nil)
        #expect(ledger.record(of: match.order) == nil)
        // Our numbers go on from where they were.
        #expect(ledger.newestID == nil)
    }

    @Test func openForeignOrdersCountAsWorkingInTheAccount() throws {
        var ledger = OrderLedger(instrumentCount: 2, strategyCount: 1)
        var lists = ListingRig()
        lists.list(
            .openOrders,
            [.openOrder(Self.listed(7, .buy, 100)), .openOrder(Self.listed(8, .sell, 30))])
        let review = lists.review(ledger)
        #expect(
            review.findings
                == [
                    .foreignOrder(
                        OrderID(number: -7), PermanentID(number: 7), quantity: Quantity(shares: 100)
                    ),
                    .foreignOrder(
                        OrderID(number: -8), PermanentID(number: 8), quantity: Quantity(shares: 30)),
                ].reversed())
        ledger.learn(from: review)
        #expect(ledger.working.account(in: Self.first).buys == Quantity(shares: 100))
        #expect(ledger.working.account(in: Self.first).sells == Quantity(shares: 30))
        #expect(ledger.working.strategy(StrategyID(index: 0), in: Self.first).buys == .zero)
        // A fill takes from it, and so does the end.
        _ = ledger.record(
            OrderReport(
                order: OrderID(number: -7), fact: .executed(Make.execution(1, .buy, 60, cents: 1))))
        _ = ledger.record(OrderReport(order: OrderID(number: -8), fact: .status(.cancelled)))
        #expect(ledger.working.account(in: Self.first).buys == Quantity(shares: 40))
        #expect(ledger.working.account(in: Self.first).sells == .zero)
        // In the next list there is none of them; nothing is said again of what is known.
        lists.list(.openOrders, [])
        let next = lists.review(ledger)
        #expect(next.findings.isEmpty)
        ledger.learn(from: next)
        #expect(ledger.working.account(in: Self.first).buys == .zero)
    }

    @Test func absurdForeignQuantitiesDoNotTrap() {
        var ledger = OrderLedger(instrumentCount: 1, strategyCount: 1)
        var lists = ListingRig()
        let most = Quantity(units: .max)
        let orders = (1...3 as ClosedRange<Int64>).map { number in
            ListingRecord.openOrder(
                ListedOrder(
                    key: BrokerOrderKey(permanent: PermanentID(number: number)),
                    instrument: Self.first, side: .buy,
                    quantity: number == 3 ? Quantity(units: .min) : most, type: nil,
                    status: .submitted))
        }
        lists.list(.openOrders, orders)
        ledger.learn(from: lists.review(ledger))
        #expect(ledger.working.account(in: Self.first).buys == Quantity(shares: 1_000_000_000))
    }
}

/// Lists as they come in one connection, and their reconciliation.
struct ListingRig {
    var lists = Listings()
    var epoch = ConnectionEpoch(number: 1)
    var now = Make.time(1_000)
    var positions: [Reconciliation.BookedPosition] = []

    /// A whole list.
    mutating func list(_ kind: ListingKind, _ records: [ListingRecord]) {
        _ = lists.record(.begin(kind, epoch), at: now)
        for record in records { _ = lists.record(record, at: now) }
        _ = lists.record(.end(kind, epoch), at: now)
    }

    /// All lists that are needed, empty.
    mutating func listNothing() {
        for kind in Listings.needed { list(kind, []) }
    }

    func review(
        _ ledger: borrowing OrderLedger, nextID: BrokerOrderID? = nil
    ) -> Reconciliation {
        Reconciliation(of: ledger, with: lists, positions: positions, nextID: nextID, at: now)
    }
}
