import Model
import Orders
import Primitives
import Risk
import TestSupport
import Testing

@Suite struct ReconciliationTests {
    private static let first = InstrumentID(index: 0)
    private static let client = BrokerClientID(number: 7)

    /// A ledger with orders to buy 100 each, sent 500 seconds after the open under the numbers 11, 12, ….
    private static func ledger(
        orders count: Int = 1, _ request: OrderRequest = Make.request(.buy, 100)
    ) throws -> OrderLedger {
        var ledger = OrderLedger(instrumentCount: 2, strategyCount: 1)
        ledger.identity = OrderIdentity(
            account: BrokerAccountID(index: 0), client: client, journal: 3,
            mark: BrokerOrderID(number: 10))
        for _ in 0..<count {
            let approved = try #require(request.approvedForTest)
            guard case .submit(let ticket) = ledger.submit(approved, at: Make.time(500)) else {
                continue
            }
            _ = ledger.identity.assign(to: ticket.id)
        }
        return ledger
    }

    private static func key(_ order: Int64, permanent: Int64? = nil) -> BrokerOrderKey {
        BrokerOrderKey(
            account: BrokerAccountID(index: 0), client: client,
            order: BrokerOrderID(number: Int32(10 + order)),
            permanent: PermanentID(number: permanent ?? 900 + order),
            reference: OrderReference(journal: 3, order: OrderID(number: order)))
    }

    private static func listed(
        _ order: Int64, _ status: BrokerStatus = .submitted, shares: Int64? = 100,
        type: OrderType? = .market, side: Side = .buy, permanent: Int64? = nil
    ) -> ListedOrder {
        ListedOrder(
            key: key(order, permanent: permanent), instrument: first, side: side,
            quantity: shares.map(Quantity.init(shares:)), type: type, status: status)
    }

    private static func open(_ order: ListedOrder) -> ListingRecord { .openOrder(order) }
    private static let id = OrderID(number: 1)

    private static func report(
        _ fact: OrderFact, to ledger: inout OrderLedger, second: Int64 = 501
    ) {
        _ = ledger.record(OrderReport(order: id, fact: fact), at: Make.time(second))
    }

    // MARK: Lists

    @Test func missingListsAreAskedFor() throws {
        let ledger = try Self.ledger()
        var rig = ListingRig()
        #expect(
            rig.review(ledger).commands == [
                .query(.openOrders), .query(.completedOrders), .query(.executions),
                .query(.positions),
            ])
        rig.list(.openOrders, [])
        _ = rig.lists.record(.begin(.executions, rig.epoch), at: rig.now)
        // One is complete, one is under way.
        #expect(rig.review(ledger).commands == [.query(.completedOrders), .query(.positions)])
    }

    @Test func listCountsOnlyWithItsEndInTheSameConnection() {
        var lists = Listings()
        let (one, two) = (ConnectionEpoch(number: 1), ConnectionEpoch(number: 2))
        let order = ListingRecord.openOrder(Self.listed(1))
        #expect(lists.record(.end(.openOrders, one), at: Make.time(0)) == false)
        _ = lists.record(.begin(.openOrders, one), at: Make.time(1))
        _ = lists.record(order, at: Make.time(1))
        #expect(!lists.isComplete(.openOrders))
        #expect(lists.record(.end(.openOrders, two), at: Make.time(1)) == false)
        #expect(!lists.isComplete(.openOrders))
        #expect(lists.record(.end(.openOrders, one), at: Make.time(2)) == true)
        #expect(lists.began(.openOrders) == Make.time(1))
        // A second end says nothing, and what comes behind it is of no list.
        #expect(lists.record(.end(.openOrders, one), at: Make.time(3)) == false)
        _ = lists.record(order, at: Make.time(3))
        #expect(lists.openOrders.count == 1)
        lists.connectionChanged(to: two)
        #expect(!lists.isComplete(.openOrders) && lists.openOrders.isEmpty)
        _ = lists.record(.begin(.openOrders, one), at: Make.time(4))
        #expect(!lists.isUnderWay(.openOrders))
    }

    @Test func failedListIsNoEmptyList() {
        var lists = Listings()
        let epoch = ConnectionEpoch(number: 1)
        _ = lists.record(.begin(.positions, epoch), at: Make.time(1))
        _ = lists.record(.failed(.positions, epoch), at: Make.time(1))
        #expect(lists.record(.end(.positions, epoch), at: Make.time(1)) == false)
        #expect(!lists.isComplete(.positions) && !lists.isUnderWay(.positions))
        // Executions happened, whatever became of their list.
        _ = lists.record(.begin(.executions, epoch), at: Make.time(1))
        let fill = Make.execution(1, .buy, 10, cents: 1)
        _ = lists.record(.execution(Self.key(1), fill), at: Make.time(1))
        _ = lists.record(.failed(.executions, epoch), at: Make.time(1))
        #expect(lists.executions.map(\.execution) == [fill])
    }

    @Test func endlessListFails() {
        var lists = Listings()
        let epoch = ConnectionEpoch(number: 1)
        _ = lists.record(.begin(.openOrders, epoch), at: Make.time(1))
        let order = ListingRecord.openOrder(Self.listed(1))
        for _ in 0...Listings.recordsMax { _ = lists.record(order, at: Make.time(1)) }
        #expect(!lists.isUnderWay(.openOrders) && lists.openOrders.isEmpty)
        #expect(lists.record(.end(.openOrders, epoch), at: Make.time(1)) == false)
    }

    // MARK: Our orders

    @Test func unknownOrderThatIsOpenIsAdopted() throws {
        var ledger = try Self.ledger()
        Self.report(.sendInterrupted, to: &ledger)
        var rig = ListingRig()
        rig.listNothing()
        rig.list(.openOrders, [Self.open(Self.listed(1))])
        let review = rig.review(ledger)
        #expect(review.findings == [.adopted(Self.id)])
        #expect(review.facts == [OrderReport(order: Self.id, fact: .listedOpen(.submitted))])
        #expect(review.inquiries.isEmpty && review.commands.isEmpty)
        ledger.learn(from: review)
        #expect(ledger.identity.key(of: Self.id)?.permanent == PermanentID(number: 901))
    }

    @Test func unknownOrderInNoListIsInquired() throws {
        var ledger = try Self.ledger()
        Self.report(.sendInterrupted, to: &ledger)
        var rig = ListingRig()
        rig.listNothing()
        // An id that was not taken proves nothing.
        let review = rig.review(ledger, nextID: BrokerOrderID(number: 11))
        #expect(review.inquiries == [Self.id])
        #expect(
            review.findings == [
                .nextIDBelowMark(
                    next: BrokerOrderID(number: 11), mark: BrokerOrderID(number: 11))
            ])
        #expect(review.facts.isEmpty)
    }

    @Test func workingOrderInNoListIsMissing() throws {
        var ledger = try Self.ledger()
        Self.report(.acknowledged, to: &ledger)
        var rig = ListingRig()
        rig.listNothing()
        #expect(rig.review(ledger).findings == [.missing(Self.id)])
        #expect(rig.review(ledger).inquiries == [Self.id])
        // Sent while the list came: it need not be in it.
        rig.now = Make.time(500)
        rig.listNothing()
        #expect(rig.review(ledger).findings.isEmpty)
    }

    @Test func nothingIsMissingFromListsThatAreNotComplete() throws {
        var ledger = try Self.ledger()
        Self.report(.acknowledged, to: &ledger)
        var rig = ListingRig()
        rig.list(.openOrders, [])
        rig.list(.executions, [])
        #expect(rig.review(ledger).findings.isEmpty)
    }

    @Test func cancelByOthersIsFound() throws {
        var ledger = try Self.ledger(orders: 2)
        _ = ledger.cancel(OrderID(number: 2))
        var rig = ListingRig()
        rig.listNothing()
        rig.list(
            .completedOrders,
            [1, 2].map { .completedOrder(Self.listed($0, .cancelled, shares: nil)) })
        let review = rig.review(ledger)
        // We asked for the end of the second.
        #expect(review.findings == [.cancelledOutside(Self.id)])
        for report in review.facts { _ = ledger.record(report) }
        #expect(ledger.record(of: Self.id)?.state == .cancelled)
        #expect(rig.review(ledger).findings.isEmpty)
    }

    @Test func filledByStatusAsksForExecutions() throws {
        var ledger = try Self.ledger()
        Self.report(.status(.filled), to: &ledger)
        Self.report(.executed(Make.execution(1, .buy, 40, cents: 1)), to: &ledger)
        var rig = ListingRig()
        for kind in [ListingKind.openOrders, .completedOrders, .positions] { rig.list(kind, []) }
        let missing = Finding.executionsMissing(Self.id, quantity: Quantity(shares: 60))
        #expect(rig.review(ledger).findings == [missing])
        #expect(rig.review(ledger).commands == [.query(.executions)])
        rig.list(.executions, [])
        #expect(rig.review(ledger).findings == [missing])
        #expect(rig.review(ledger).inquiries == [Self.id])
        rig.list(
            .executions, [.execution(Self.key(1), Make.execution(2, .buy, 60, cents: 1))])
        let found = rig.review(ledger)
        #expect(found.inquiries.isEmpty && found.bookings.count == 1)
    }

    @Test func changesByOthersAreFound() throws {
        let ledger = try Self.ledger(
            orders: 3, Make.request(.buy, 100, .limit(Price(cents: 90_00))))
        let price = OrderType.limit(Price(cents: 90_00))
        var rig = ListingRig()
        rig.listNothing()
        rig.list(
            .openOrders,
            [
                Self.open(Self.listed(1, shares: 80, type: price)),
                Self.open(Self.listed(2, type: .limit(Price(cents: 95_00)))),
                Self.open(Self.listed(3, type: price, side: .sell)),
            ])
        #expect(
            rig.review(ledger).findings == [
                .quantityChanged(
                    Self.id, ours: Quantity(shares: 100), brokers: Quantity(shares: 80)),
                .termsChanged(OrderID(number: 2)), .notAsOrdered(OrderID(number: 3)),
            ])
    }

    /// Prices and quantities that others have changed are the orders' own from then on; another type is not.
    @Test func changesByOthersAreTaken() throws {
        let ours = OrderType.limit(Price(cents: 90_00))
        let other = OrderType.limit(Price(cents: 95_00))
        var ledger = try Self.ledger(orders: 3, Make.request(.buy, 100, ours))
        var rig = ListingRig()
        rig.listNothing()
        rig.list(
            .openOrders,
            [
                Self.open(Self.listed(1, shares: 80, type: ours)),
                Self.open(Self.listed(2, type: other)),
                Self.open(Self.listed(3, type: .stop(Price(cents: 95_00)))),
            ])
        let terms = rig.review(ledger).otherTerms
        var third = Reconciliation.OtherTerms(of: OrderID(number: 3))
        third.isOfOtherType = true
        #expect(
            terms == [
                Reconciliation.OtherTerms(of: Self.id, quantity: Quantity(shares: 80)),
                Reconciliation.OtherTerms(of: OrderID(number: 2), type: other), third,
            ])
        let taken = terms.map { ledger.adopt($0, at: Make.time(700)) }
        #expect(taken == [true, true, false])
        #expect(ledger.request(of: Self.id)?.quantity == Quantity(shares: 80))
        #expect(ledger.request(of: OrderID(number: 2))?.type == other)
        #expect(ledger.request(of: OrderID(number: 3))?.type == ours)
        #expect(ledger.open(Self.id) == Quantity(shares: 80))
        let left = rig.review(ledger).findings
        #expect(left == [.termsChanged(OrderID(number: 3))])
    }

    @Test func changeOfOursUnderWayIsNoChangeByOthers() throws {
        let request = Make.request(.buy, 100, .limit(Price(cents: 90_00)))
        var ledger = try Self.ledger(request)
        let other = Make.request(.buy, 80, .limit(Price(cents: 90_00)))
        let approved = try #require(other.approvedForTest)
        _ = ledger.modify(Self.id, to: approved, at: Make.time(600))
        var rig = ListingRig()
        rig.listNothing()
        rig.list(.openOrders, [Self.open(Self.listed(1, shares: 80, type: request.type))])
        #expect(rig.review(ledger).findings.isEmpty)
    }

    @Test func orderThatWasNotSentAndIsOpenIsAdoptedLoudly() throws {
        for fact in [
            OrderFact.notSent(.noConnection),
            .closed(OrderClosure(number: 1, .operatorDecision)),
        ] {
            var ledger = try Self.ledger()
            Self.report(fact, to: &ledger)
            #expect(ledger.record(of: Self.id)?.state.isLive == false)
            var rig = ListingRig()
            rig.listNothing()
            rig.list(.openOrders, [Self.open(Self.listed(1))])
            let review = rig.review(ledger)
            #expect(review.findings == [.resubmitted(Self.id)])
            for report in review.facts { _ = ledger.record(report) }
            #expect(ledger.record(of: Self.id)?.state == .working)
            #expect(ledger.open(Self.id) == Quantity(shares: 100))
            #expect(rig.review(ledger).findings.isEmpty)
        }
    }

    @Test func cancelledOrderThatIsOpenIsLiveAgain() throws {
        var ledger = try Self.ledger()
        Self.report(.status(.cancelled), to: &ledger, second: 600)
        var rig = ListingRig()
        rig.listNothing()
        rig.list(.openOrders, [Self.open(Self.listed(1))])
        let review = rig.review(ledger)
        #expect(review.findings == [.liveAgain(Self.id)])
        for report in review.facts { _ = ledger.record(report) }
        #expect(ledger.record(of: Self.id)?.state == .working)
    }

    /// What was rejected may stay in the broker's list as inactive: that is no life.
    @Test func rejectedOrderThatIsListedAsInactiveStaysRejected() throws {
        var ledger = try Self.ledger()
        Self.report(.rejectedByBroker(BrokerMessage(code: 201)), to: &ledger, second: 600)
        var rig = ListingRig()
        rig.listNothing()
        rig.list(.openOrders, [Self.open(Self.listed(1, .inactive))])
        let review = rig.review(ledger)
        #expect(review.findings.isEmpty)
        for report in review.facts { _ = ledger.record(report) }
        #expect(ledger.record(of: Self.id)?.state == .rejected)
    }

    /// An order that came back to life and is then listed among the completed ones is asked about: the end that was
    /// reported before it came back does not say which.
    @Test func orderThatCameBackAndHasEndedIsMissing() throws {
        var ledger = try Self.ledger()
        Self.report(.status(.cancelled), to: &ledger, second: 600)
        var rig = ListingRig()
        rig.listNothing()
        rig.list(.openOrders, [Self.open(Self.listed(1))])
        for report in rig.review(ledger).facts { _ = ledger.record(report) }
        rig.list(.openOrders, [])
        rig.list(.completedOrders, [.completedOrder(Self.listed(1, .cancelled, shares: nil))])
        #expect(rig.review(ledger).findings == [.cancelledOutside(Self.id), .missing(Self.id)])
    }

    @Test func whatEndsWhileTheListComesMayBeInIt() throws {
        var ledger = try Self.ledger()
        Self.report(.status(.cancelled), to: &ledger, second: 1_000)
        var rig = ListingRig()
        rig.listNothing()
        rig.list(.openOrders, [Self.open(Self.listed(1))])
        #expect(rig.review(ledger).findings.isEmpty)
    }

    @Test func twoLiveOrdersForOneReferenceAreFoundAndCounted() throws {
        var ledger = try Self.ledger()
        var rig = ListingRig()
        rig.listNothing()
        rig.list(
            .openOrders,
            [Self.open(Self.listed(1, permanent: 902)), Self.open(Self.listed(1, permanent: 901))])
        let review = rig.review(ledger)
        #expect(
            review.findings.contains(
                .secondOrder(
                    of: Self.id, known: PermanentID(number: 901), other: PermanentID(number: 902))))
        ledger.learn(from: review)
        // Ours and its twin.
        #expect(ledger.working.account(in: Self.first).buys == Quantity(shares: 200))
    }

    // MARK: Fills and positions

    @Test func correctionOfAKnownFillIsBooked() throws {
        var ledger = try Self.ledger()
        Self.report(.executed(Make.execution(5, .buy, 40, cents: 1)), to: &ledger)
        let corrected = Make.execution(5, .buy, 30, cents: 1, revision: 2)
        var rig = ListingRig()
        rig.listNothing()
        rig.list(
            .executions,
            [
                .execution(Self.key(1), corrected),
                .execution(Self.key(1), Make.execution(5, .buy, 40, cents: 1)),
            ])
        rig.list(.openOrders, [Self.open(Self.listed(1))])
        rig.positions = [.init(Self.first, Quantity(shares: 40), changed: Make.time(501))]
        rig.list(
            .positions,
            [
                .position(
                    ListedPosition(
                        account: BrokerAccountID(index: 0), instrument: Self.first,
                        quantity: Quantity(shares: 30)))
            ])
        let review = rig.review(ledger)
        #expect(review.bookings == [OrderReport(order: Self.id, fact: .executed(corrected))])
        // With it the positions agree.
        #expect(review.unexplained == [])
    }

    @Test func fillClaimedForTwoOrdersIsBookedOnceForOurs() throws {
        let ledger = try Self.ledger()
        let fill = Make.execution(5, .buy, 40, cents: 1)
        let other = BrokerOrderKey(permanent: PermanentID(number: 5))
        var rig = ListingRig()
        rig.listNothing()
        rig.list(.executions, [.execution(other, fill), .execution(Self.key(1), fill)])
        let review = rig.review(ledger)
        #expect(review.bookings == [OrderReport(order: Self.id, fact: .executed(fill))])
        #expect(
            review.findings.contains(
                .fillOfOtherOrder(base: 5, known: Self.id, reported: OrderID(number: -5))))
    }

    @Test func otherAccountsDoNotConcernUs() throws {
        let ledger = try Self.ledger()
        let key = BrokerOrderKey(
            account: BrokerAccountID(index: 1), client: Self.client,
            order: BrokerOrderID(number: 11), permanent: PermanentID(number: 4))
        var rig = ListingRig()
        rig.listNothing()
        rig.list(
            .openOrders,
            [
                Self.open(
                    ListedOrder(
                        key: key, instrument: Self.first, side: .buy,
                        quantity: Quantity(shares: 5), type: .market, status: .submitted))
            ])
        rig.list(.executions, [.execution(key, Make.execution(5, .buy, 40, cents: 1))])
        let review = rig.review(ledger)
        #expect(review.findings.isEmpty && review.bookings.isEmpty)
        #expect(review.foreign == [])
    }

    @Test func positionsThatDifferAreFoundWhenQuiet() throws {
        let ledger = try Self.ledger()
        var rig = ListingRig()
        rig.listNothing()
        rig.positions = [.init(Self.first, Quantity(shares: 40), changed: Make.time(985))]
        let differs = Finding.positionDiffers(
            Self.first, ours: Quantity(shares: 40), brokers: .zero)
        #expect(rig.review(ledger).findings == [differs])
        #expect(
            rig.review(ledger).unexplained == [
                .init(instrument: Self.first, quantity: Quantity(shares: -40))
            ])
        // Nine seconds ago it has moved: the list is asked for again.
        rig.positions = [.init(Self.first, Quantity(shares: 40), changed: Make.time(991))]
        #expect(rig.review(ledger).findings.isEmpty)
        #expect(rig.review(ledger).commands == [.query(.positions)])
    }

    @Test func positionsOfOthersAreReported() throws {
        let ledger = try Self.ledger()
        var rig = ListingRig()
        rig.listNothing()
        rig.list(
            .positions,
            [
                .position(
                    ListedPosition(
                        account: BrokerAccountID(index: 0), instrument: nil,
                        symbol: NameID(index: 4), quantity: Quantity(shares: 7))),
                // Of another account.
                .position(
                    ListedPosition(
                        account: BrokerAccountID(index: 1), instrument: Self.first,
                        quantity: Quantity(shares: 7))),
            ])
        #expect(
            rig.review(ledger).findings == [
                .foreignPosition(symbol: NameID(index: 4), quantity: Quantity(shares: 7))
            ])
    }

    // MARK: Whatever is listed

    /// Property, 100,000 lists: nothing is sent, every unknown fill comes out exactly once, the order of
    /// records within a list changes nothing, and a second look at the same lists books nothing.
    @Test(arguments: 0..<100 as Range<UInt64>)
    func randomListsLeadToQueriesAndBookingsOnly(seed: UInt64) throws {
        var chance = SeededGenerator(seed: seed)
        for _ in 0..<40 {
            var ledger = try Self.ledger(orders: Int(chance.number(in: 0...4)))
            for _ in 0..<chance.number(in: 0...10) { Self.disturb(&ledger, &chance) }
            for _ in 0..<25 {
                var rig = Self.lists(&chance)
                let review = rig.review(ledger)
                if let complaint = Self.complaint(about: review, rig, ledger) {
                    Issue.record("\(complaint)")
                    return
                }
                if chance.chance(percent: 20) {
                    rig.lists = Self.lists(like: rig.lists, &chance)
                    let differences = rig.review(ledger).differences(to: review)
                    #expect(differences.isEmpty)
                }
                guard chance.chance(percent: 10) else { continue }
                for report in review.bookings + review.facts {
                    _ = ledger.record(report, at: rig.now)
                }
                ledger.learn(from: review)
                try #require(rig.review(ledger).bookings.isEmpty)
            }
        }
    }

    /// What is wrong with what follows from lists; `nil` if nothing is.
    private static func complaint(
        about review: Reconciliation, _ rig: ListingRig, _ ledger: borrowing OrderLedger
    ) -> String? {
        for command in review.commands {
            guard case .query = command else { return "\(command)" }
        }
        // By hand: the newest version of each execution that is listed and newer than what is known.
        var expected: [Int64: Execution] = [:]
        for listed in rig.lists.executions.map(\.execution) {
            let known = expected[listed.id.base]
            if known.map({ $0.id.revision < listed.id.revision }) ?? true {
                expected[listed.id.base] = listed
            }
        }
        for owner in [nil, StrategyID(index: 0)] {
            for known in ledger.executions(of: owner, in: first) {
                guard let listed = expected[known.id.base] else { continue }
                if listed.id.revision <= known.id.revision { expected[known.id.base] = nil }
            }
        }
        for booking in review.bookings {
            guard case .executed(let execution) = booking.fact else { return "\(booking)" }
            // A second time it is expected no more.
            guard expected.removeValue(forKey: execution.id.base) == execution else {
                return "booked \(execution)"
            }
        }
        return expected.isEmpty ? nil : "not booked \(expected.values)"
    }

    /// Something is heard of an order, ours or not.
    private static func disturb(_ ledger: inout OrderLedger, _ chance: inout SeededGenerator) {
        let order = chance.one(of: [1, 2, 3, 4, -905, -7] as [Int64])
        var fact = BrokerFactsTests.fact(&chance)
        // Bases are of one order each, and versions differ by their number alone.
        if case .executed = fact { fact = .executed(execution(10 * abs(order), &chance)) }
        if case .commission = fact { fact = .acknowledged }
        _ = ledger.record(
            OrderReport(order: OrderID(number: order), fact: fact),
            at: Make.time(chance.number(in: 501...1_100)))
    }

    private static func execution(
        _ tens: Int64, _ chance: inout SeededGenerator
    ) -> Execution {
        let (base, revision) = (tens + chance.number(in: 0...2), chance.number(in: 1...3))
        return Make.execution(
            base, .buy, 10 * revision, cents: 100_00 + revision, revision: Int(revision))
    }

    private static func randomKey(_ chance: inout SeededGenerator) -> (Int64, BrokerOrderKey) {
        let order = chance.number(in: 1...5)
        switch chance.number(in: 0...9) {
        case 0: return (905, BrokerOrderKey(permanent: PermanentID(number: 905)))
        case 1: return (7, BrokerOrderKey(permanent: PermanentID(number: 7)))
        case 2: return (order, key(order, permanent: chance.number(in: 900...906)))
        case 3:
            return (
                order,
                BrokerOrderKey(
                    client: client, order: BrokerOrderID(number: Int32(chance.number(in: 9...16))),
                    reference: OrderReference(journal: 3, order: OrderID(number: order)))
            )
        default: return (order, key(order))
        }
    }

    private static func randomOrder(_ chance: inout SeededGenerator) -> ListedOrder {
        ListedOrder(
            key: randomKey(&chance).1, instrument: chance.one(of: [first, first, nil]),
            side: chance.one(of: [.buy, .buy, .sell]),
            quantity: chance.one(of: [Quantity(shares: 100), Quantity(shares: 80), nil]),
            type: chance.one(of: [.market, nil, .limit(Price(cents: 1))]),
            status: chance.one(of: BrokerStatus.allCases))
    }

    /// Random lists, some of them not complete.
    private static func lists(_ chance: inout SeededGenerator) -> ListingRig {
        var rig = ListingRig()
        var records: [ListingKind: [ListingRecord]] = [:]
        for _ in 0..<chance.number(in: 0...12) {
            switch chance.number(in: 0...4) {
            case 0: records[.openOrders, default: []].append(.openOrder(randomOrder(&chance)))
            case 1:
                records[.completedOrders, default: []].append(
                    .completedOrder(randomOrder(&chance)))
            case 2, 3:
                let (order, key) = randomKey(&chance)
                records[.executions, default: []].append(
                    .execution(key, execution(10 * order, &chance)))
            default:
                records[.positions, default: []].append(
                    .position(
                        ListedPosition(
                            account: BrokerAccountID(index: 0),
                            instrument: chance.one(of: [first, nil]),
                            quantity: Quantity(shares: chance.number(in: -50...50)))))
            }
        }
        for kind in Listings.needed where chance.chance(percent: 85) {
            rig.list(kind, records[kind] ?? [])
        }
        return rig
    }

    /// The same lists with their records in another order.
    private static func lists(like lists: Listings, _ chance: inout SeededGenerator) -> Listings {
        var rig = ListingRig()
        for kind in Listings.needed where lists.isComplete(kind) {
            let records: [ListingRecord] =
                switch kind {
                case .openOrders: lists.openOrders.map { .openOrder($0) }
                case .completedOrders: lists.completedOrders.map { .completedOrder($0) }
                case .executions: lists.executions.map { .execution($0.key, $0.execution) }
                case .positions: lists.positions.map { .position($0) }
                case .accountValues: []
                }
            rig.list(kind, records.shuffled(using: &chance))
        }
        return rig.lists
    }
}

extension Reconciliation {
    /// What differs of all that follows.
    fileprivate func differences(to other: Reconciliation) -> [String] {
        [
            findings == other.findings ? nil : "\(findings) \(other.findings)",
            commands == other.commands ? nil : "\(commands) \(other.commands)",
            bookings == other.bookings ? nil : "\(bookings) \(other.bookings)",
            facts == other.facts ? nil : "\(facts) \(other.facts)",
            foreign == other.foreign
                ? nil : "\(String(describing: foreign)) \(String(describing: other.foreign))",
            inquiries == other.inquiries ? nil : "\(inquiries) \(other.inquiries)",
            unexplained == other.unexplained ? nil : "unexplained",
        ].compactMap(\.self)
    }
}
