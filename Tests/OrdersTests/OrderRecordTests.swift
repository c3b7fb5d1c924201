import Model
import Orders
import Primitives
import Risk
import TestSupport
import Testing

@Suite struct OrderRecordTests {
    /// Property: a ledger that leaves as records and enters anew between random events goes on as one that does
    /// not.
    @Test(arguments: 0..<60 as Range<UInt64>)
    func ledgerFromRecordsGoesOnAsIfNothingHadHappened(seed: UInt64) throws {
        var events = RandomOrders(seed: seed)
        var plain = RandomOrders.ledger()
        var reopened = RandomOrders.ledger()
        for step in 0..<80 {
            let event = events.next()
            try event.happen(to: &plain)
            try event.happen(to: &reopened)
            events.look(at: plain)
            let items = RecordItems { reopened.write(to: &$0) }
            reopened = try RandomOrders.ledger(items)
            #expect(RecordItems { plain.write(to: &$0) } == items, "\(seed), \(step): records")
            RandomOrders.compare(plain, reopened, "\(seed), \(step)")
        }
    }

    /// Property: whatever is changed in records, they are refused, or the ledger that they give can be gone on
    /// with.
    @Test(arguments: 0..<60 as Range<UInt64>)
    func damagedRecordsAreRefusedOrGiveASoundLedger(seed: UInt64) throws {
        var events = RandomOrders(seed: 10_000 + seed)
        var plain = RandomOrders.ledger()
        for _ in 0..<60 {
            try events.next().happen(to: &plain)
            events.look(at: plain)
        }
        let items = RecordItems { plain.write(to: &$0) }
        for _ in 0..<60 {
            let damaged = items.damaged(&events.chance)
            guard var ledger = try? RandomOrders.ledger(damaged) else { continue }
            let repeated = try RandomOrders.ledger(RecordItems { ledger.write(to: &$0) })
            RandomOrders.compare(ledger, repeated, "\(seed)")
            for id in ledger.allLive {
                _ = ledger.record(OrderReport(order: id, fact: .cancelled(.external)))
                _ = ledger.record(
                    OrderReport(order: id, fact: .closed(.init(number: 1, .operatorDecision))))
            }
        }
    }

    /// Numbers of orders and groups rise above all that were used, though the orders themselves are gone.
    @Test func numbersRiseAboveThoseOfDroppedOrders() throws {
        var ledger = RandomOrders.ledger()
        _ = ledger.makeGroup()
        for _ in 0..<5 {
            let id = try ledger.submitForTest(Make.request(.buy, 10))
            _ = ledger.record(
                OrderReport(order: id, fact: .cancelled(.requested)), at: Make.time(1))
        }
        #expect(ledger.dropEnded(before: Make.time(1)).count == 0)
        // The newest stays.
        #expect(ledger.dropEnded(before: Make.time(2)).count == 4)
        var reopened = try RandomOrders.ledger(RecordItems { ledger.write(to: &$0) })
        #expect(try reopened.submitForTest(Make.request(.buy, 10)).number == 6)
        #expect(reopened.makeGroup().number == 2)
        let late = OrderReport(
            order: OrderID(number: 2), fact: .executed(Make.execution(1, .buy, 10, cents: 1)))
        let change = reopened.record(late)
        #expect(change.isOfDropped && change.change == .state)
        #expect(reopened.executions(of: nil, in: InstrumentID(index: 0)) == [])
    }

    /// A report by the broker's names about a dropped order is neither ours nor somebody else's.
    @Test func nameOfADroppedOrderStaysOurs() throws {
        var ledger = RandomOrders.ledger()
        ledger.identity = OrderIdentity(
            account: BrokerAccountID(index: 0), client: BrokerClientID(number: 1), journal: 3)
        for _ in 0..<3 {
            let id = try ledger.submitForTest(Make.request(.buy, 10))
            _ = ledger.identity.assign(to: id)
            _ = ledger.record(
                OrderReport(order: id, fact: .cancelled(.requested)), at: Make.time(1))
        }
        let key = try #require(ledger.identity.key(of: OrderID(number: 2)))
        #expect(ledger.dropEnded(before: Make.time(2)).count == 2)
        let match = ledger.resolve(key)
        #expect(match.order == OrderID(number: 2) && match.contradiction != nil)
        #expect(
            ledger.record(OrderReport(order: match.order, fact: .acknowledged)).isOfDropped)
    }

    // MARK: What stays

    /// An execution is dropped only with all older ones of its owner in its instrument.
    @Test func youngerExecutionsWaitForOlderOnes() throws {
        var ledger = RandomOrders.ledger()
        let old = try ledger.submitForTest(Make.request(.buy, 10))
        let young = try ledger.submitForTest(Make.request(.buy, 10))
        _ = try ledger.submitForTest(Make.request(.buy, 10))
        for (id, base) in [(old, 1 as Int64), (young, 2)] {
            let fill = Make.execution(base, .buy, 10, cents: 1, second: base)
            _ = ledger.record(OrderReport(order: id, fact: .executed(fill)), at: Make.time(base))
            _ = ledger.charge(Make.commission(base, cents: 1), of: id)
        }
        ledger.setInquired(old, true)
        #expect(ledger.dropEnded(before: Make.time(9)).count == 0)
        ledger.setInquired(old, false)
        let dropped = ledger.dropEnded(before: Make.time(9))
        #expect(dropped.count == 2)
        #expect(dropped.histories.map { $0.executions.map(\.id.base) } == [[1, 2]])
    }

    @Test func orderStaysThatIsReferredToOrUncharged() throws {
        var ledger = RandomOrders.ledger()
        let parent = try ledger.submitForTest(Make.request(.buy, 10))
        let fill = Make.execution(1, .buy, 10, cents: 1, second: 5)
        _ = ledger.record(OrderReport(order: parent, fact: .executed(fill)), at: Make.time(5))
        let child = OrderRequest(
            strategy: StrategyID(index: 0), instrument: InstrumentID(index: 0), side: .sell,
            quantity: Quantity(shares: 10), type: .stop(Price(cents: 1)),
            timeInForce: .goodTillCancelled, purpose: .protection, parent: parent)
        let id = try ledger.submitForTest(child)
        _ = try ledger.submitForTest(Make.request(.buy, 1))
        #expect(ledger.dropEnded(before: Make.time(9)).count == 0)
        _ = ledger.record(OrderReport(order: id, fact: .cancelled(.requested)), at: Make.time(6))
        // Its charge may still come.
        #expect(ledger.dropEnded(before: Make.time(5)).count == 0)
        var references = OrderLedger.References()
        references.orders = [parent, id]
        #expect(ledger.dropEnded(before: Make.time(9), keeping: references).count == 0)
        _ = ledger.charge(Make.commission(1, cents: 1), of: parent)
        #expect(ledger.dropEnded(before: Make.time(9)).count == 2)
    }

    /// Property: whatever was dropped, orders are found by their numbers, and what works is what worked.
    @Test(arguments: 0..<30 as Range<UInt64>)
    func droppingChangesNothingOfWhatStays(seed: UInt64) throws {
        var events = RandomOrders(seed: 20_000 + seed)
        events.isWithoutBroker = true
        var plain = RandomOrders.ledger()
        var dropping = RandomOrders.ledger()
        var dropped: Set<OrderID> = []
        for step in 0..<200 {
            let event = events.next()
            try event.happen(to: &plain)
            try event.happen(to: &dropping)
            if step % 10 == 9 {
                // An order of any group may still come.
                let before = dropping.dropEnded(
                    before: Make.time(Int64(step) - 20), keeping: events.groupReferences)
                for number in 1...max(plain.newestID?.number ?? 1, 1) {
                    let id = OrderID(number: number)
                    if dropping.record(of: id) == nil { dropped.insert(id) }
                }
                #expect(before.histories.allSatisfy { !$0.executions.isEmpty })
            }
            events.look(at: dropping)
            #expect(plain.allLive == dropping.allLive, "\(seed), \(step)")
            RandomOrders.compareSums(plain, dropping, "\(seed), \(step)")
            for number in 1...max(plain.newestID?.number ?? 1, 1) {
                let id = OrderID(number: number)
                guard !dropped.contains(id) else { continue }
                #expect(plain.request(of: id) == dropping.request(of: id))
                #expect(plain.openNow(id) == dropping.openNow(id))
                #expect(plain.filled(id) == dropping.filled(id))
            }
        }
    }
}

/// Random events of orders, each of which can happen to several ledgers.
private struct RandomOrders {
    var chance: SeededGenerator
    /// True if only what a simulated venue says is said.
    var isWithoutBroker = false

    private var ids: [OrderID] = []
    private var requests: [OrderRequest?] = []
    private var groups: Int64 = 0
    private var base: Int64 = 0
    private var time: Int64 = 0

    /// What happens.
    enum Event {
        case submit(Approved, isNumbered: Bool, Timestamp)
        case makeGroup
        case record(OrderReport, Timestamp)
        case named(BrokerOrderKey, OrderFact, Timestamp)
        case modify(OrderID, Approved, Timestamp)
        case cancel(OrderID)
        case inquire(OrderID, Bool)
        case probe(OrderID)
        case split(SplitRatio, Timestamp)
        case list([ListedOrder])
        case nothing
    }

    init(seed: UInt64) { chance = SeededGenerator(seed: seed) }

    /// All groups that were made.
    var groupReferences: OrderLedger.References {
        var references = OrderLedger.References()
        references.groups = (0..<Int(groups)).map { OrderGroupID(number: $0 + 1) }
        return references
    }

    static func ledger() -> OrderLedger { OrderLedger(instrumentCount: 2, strategyCount: 2) }

    static func ledger(_ items: RecordItems) throws -> OrderLedger {
        var ledger = ledger()
        try items.read(RecordReader.Bounds(instruments: 2, strategies: 2)) {
            try ledger.read(&$0)
        }
        try ledger.finishReading()
        return ledger
    }

    static func compare(
        _ left: borrowing OrderLedger, _ right: borrowing OrderLedger, _ what: Comment
    ) {
        #expect(left.digest == right.digest, what)
        #expect(left.allLive == right.allLive, what)
        compareSums(left, right, what)
    }

    static func compareSums(
        _ left: borrowing OrderLedger, _ right: borrowing OrderLedger, _ what: Comment
    ) {
        for instrument in [0, 1].map(InstrumentID.init(index:)) {
            #expect(
                left.working.account(in: instrument) == right.working.account(in: instrument), what)
            #expect(left.isUnknown(in: instrument) == right.isUnknown(in: instrument), what)
            #expect(left.openForeign(in: instrument) == right.openForeign(in: instrument), what)
            for strategy in [0, 1].map(StrategyID.init(index:)) {
                let (one, other) = (
                    left.working.strategy(strategy, in: instrument),
                    right.working.strategy(strategy, in: instrument)
                )
                #expect(one == other, what)
            }
        }
    }

    /// Takes in which orders there are.
    mutating func look(at ledger: borrowing OrderLedger) {
        ids = []
        requests = []
        for number in 1...max(ledger.newestID?.number ?? 1, 1) {
            guard let request = ledger.request(of: OrderID(number: number)) else { continue }
            ids.append(OrderID(number: number))
            requests.append(request)
        }
    }

    mutating func next() -> Event {
        time += 1
        let now = Make.time(time)
        guard !ids.isEmpty, !chance.chance(percent: 20) else { return submission(now) }
        let index = Int(chance.number(in: 0...Int64(ids.count - 1)))
        let id = ids[index]
        switch chance.number(in: 0...(isWithoutBroker ? 60 : 99)) {
        case 0..<3:
            groups += 1
            return .makeGroup
        case 3..<10: return change(id, requests[index], now)
        case 10..<15: return .cancel(id)
        case 15..<35: return .record(OrderReport(order: id, fact: fill(requests[index])), now)
        case 35..<42:
            let report = Make.commission(
                chance.number(in: 1...max(base, 1)), cents: 35,
                revision: Int(chance.number(in: 1...2)))
            return .record(OrderReport(order: id, fact: .commission(report)), now)
        case 42..<45:
            return .record(
                OrderReport(order: id, fact: .modified(Int32(chance.number(in: 1...3)))), now)
        case 45..<47:
            return .record(
                OrderReport(
                    order: id, fact: .modificationRefused(Int32(chance.number(in: 1...3)))), now)
        case 47..<58:
            let end: OrderFact = chance.one(of: [
                .cancelled(.expired), .cancelled(.linked), .rejected(.notTradable), .acknowledged,
            ])
            return .record(OrderReport(order: id, fact: end), now)
        case 58...60:
            guard let ratio = SplitRatio(snapping: Quantity(shares: 2)) else { return .nothing }
            return .split(ratio, now)
        case 61..<66: return .inquire(id, chance.chance(percent: 60))
        case 66..<68: return .probe(id)
        case 68..<82: return .named(key(), BrokerFactsTests.fact(&chance), now)
        case 82..<86: return .list(listing())
        case _: return .record(OrderReport(order: id, fact: BrokerFactsTests.fact(&chance)), now)
        }
    }

    private mutating func submission(_ now: Timestamp) -> Event {
        let purpose: OrderPurpose = chance.one(of: [.entry, .exit, .protection])
        let parent = chance.chance(percent: 20) && !ids.isEmpty ? chance.one(of: ids) : nil
        let group: OrderGroupID? =
            groups > 0 && chance.chance(percent: 30)
            ? OrderGroupID(number: Int(chance.number(in: 1...groups))) : nil
        let type: OrderType = chance.one(of: [
            .market, .limit(Price(cents: 100_00)), .stop(Price(cents: 90_00)),
            .trailingStop(.percent(Percent(3))),
        ])
        let request = OrderRequest(
            strategy: StrategyID(index: Int(chance.number(in: 0...1))),
            instrument: InstrumentID(index: Int(chance.number(in: 0...1))),
            side: chance.one(of: [.buy, .sell]),
            quantity: Quantity(shares: chance.number(in: 1...100)), type: type,
            timeInForce: .goodTillCancelled, purpose: purpose, parent: parent, group: group)
        guard let approved = request.approvedForTest else { return .nothing }
        return .submit(approved, isNumbered: chance.chance(percent: 80), now)
    }

    private mutating func change(
        _ id: OrderID, _ request: OrderRequest?, _ now: Timestamp
    ) -> Event {
        let changed = request?.with(quantity: Quantity(shares: chance.number(in: 1...150)))
        guard let approved = changed?.approvedForTest else { return .nothing }
        return .modify(id, approved, now)
    }

    private mutating func fill(_ request: OrderRequest?) -> OrderFact {
        let isNew = base == 0 || chance.chance(percent: 80)
        if isNew { base += 1 }
        let isUsual = chance.chance(percent: 90)
        return .executed(
            Make.execution(
                isNew ? base : chance.number(in: 1...base),
                isUsual ? request?.side ?? .buy : .buy, chance.number(in: 0...60),
                cents: chance.number(in: 90_00...110_00), revision: isNew ? 1 : 2,
                instrument: isUsual ? Int(request?.instrument.index ?? 0) : 1,
                second: time - chance.number(in: 0...3)))
    }

    private mutating func key() -> BrokerOrderKey {
        BrokerOrderKey(
            account: chance.chance(percent: 80) ? BrokerAccountID(index: 0) : nil,
            client: chance.chance(percent: 60)
                ? BrokerClientID(number: Int32(chance.number(in: 0...1))) : nil,
            order: chance.chance(percent: 60)
                ? BrokerOrderID(number: Int32(chance.number(in: 1...9))) : nil,
            permanent: chance.chance(percent: 60)
                ? PermanentID(number: chance.number(in: 100...107)) : nil,
            reference: chance.chance(percent: 30)
                ? OrderReference(
                    journal: 1, order: OrderID(number: chance.number(in: 1...9))) : nil)
    }

    private mutating func listing() -> [ListedOrder] {
        (0..<chance.number(in: 0...3)).map { _ in
            ListedOrder(
                key: BrokerOrderKey(permanent: PermanentID(number: chance.number(in: 100...109))),
                instrument: chance.chance(percent: 80)
                    ? InstrumentID(index: Int(chance.number(in: 0...1))) : nil,
                side: chance.one(of: [.buy, .sell]),
                quantity: Quantity(shares: chance.number(in: 1...2_000_000_000)), type: nil,
                status: .submitted)
        }
    }
}

extension RandomOrders.Event {
    func happen(to ledger: inout OrderLedger) throws {
        switch self {
        case .submit(let approved, let isNumbered, let time):
            if ledger.newestID == nil {
                ledger.identity = OrderIdentity(
                    account: BrokerAccountID(index: 0), client: BrokerClientID(number: 1),
                    journal: 1)
            }
            _ = ledger.submit(approved, at: time)
            if isNumbered, let id = ledger.newestID { _ = ledger.identity.assign(to: id) }
        case .makeGroup: _ = ledger.makeGroup()
        case .record(let report, let time):
            if case .commission(let commission) = report.fact {
                _ = ledger.charge(commission, of: report.order)
            } else {
                _ = ledger.record(report, at: time)
            }
        case .named(let key, let fact, let time):
            let match = ledger.resolve(key)
            _ = ledger.record(OrderReport(order: match.order, fact: fact), at: time)
        case .modify(let id, let approved, let time):
            _ = ledger.modify(id, to: approved, at: time)
        case .cancel(let id): _ = ledger.cancel(id)
        case .inquire(let id, let isInquired): ledger.setInquired(id, isInquired)
        case .probe(let id): ledger.noteProbe(of: id)
        case .split(let ratio, let time):
            ledger.split(InstrumentID(index: 0), by: ratio, .usShares, at: time)
        case .list(let orders):
            var lists = ListingRig()
            lists.list(.openOrders, orders.map(ListingRecord.openOrder))
            ledger.learn(from: lists.review(ledger))
        case .nothing: break
        }
    }
}
