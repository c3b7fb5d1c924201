import Model
import Primitives
import TWSClient
import TWSProtocol
import TWSVenue
import Testing

/// The gateway's messages as the engine's events, and the engine's commands as messages.
@Suite struct GatewayVenueTests {
    static let time = Timestamp(seconds: 1_549_895_400)

    static func venue() -> GatewayVenue {
        var contract = Contract.stock("AAPL")
        contract.conId = 265_598
        return GatewayVenue(
            GatewayVenue.Setup(
                account: "DU1234567", client: 7,
                contracts: [TradedContract(InstrumentID(index: 0), contract)]))
    }

    static func key(_ number: Int32 = 12) -> BrokerOrderKey {
        BrokerOrderKey(
            account: GatewayVenue.ownAccount, client: BrokerClientID(number: 7),
            order: BrokerOrderID(number: number),
            reference: OrderReference(journal: 9, order: OrderID(number: 1)))
    }

    static func ticket(
        _ type: OrderType = .market, _ time: TimeInForce = .day, group: OrderGroupID? = nil
    ) -> OrderTicket {
        OrderTicket(
            id: OrderID(number: 1),
            request: OrderRequest(
                strategy: StrategyID(index: 0), instrument: InstrumentID(index: 0), side: .buy,
                quantity: Quantity(units: 100 * Quantity.unitsPerOne), type: type,
                timeInForce: time, purpose: .entry, group: group))
    }

    static func order(_ ticket: OrderTicket) -> GatewayVenue.BrokerOrder {
        GatewayVenue.BrokerOrder(key: key(), quantity: ticket.request.quantity, parent: nil)
    }

    static func kinds(
        _ venue: inout GatewayVenue, _ messages: GatewayMessage...
    ) -> [Event.Kind] {
        var events: [Event] = []
        for message in messages {
            venue.take(.message(message, leftover: 0), at: time, into: &events)
        }
        return events.map(\.kind)
    }

    @Test func aConnectionIsListedToItsEnd() {
        var venue = Self.venue()
        var events: [Event] = []
        var next = NextValidId()
        next.orderId = 41
        let inputs: [SessionEvent] = [
            .link(.handshake, cause: .connection), .message(.nextValidId(next), leftover: 0),
            .link(.sync, cause: .connection), .asked([.openOrders, .positions]),
            .answered(.openOrders), .syncStalled(missing: [.positions]),
        ]
        for input in inputs { venue.take(input, at: Self.time, into: &events) }
        let epoch = ConnectionEpoch(number: 1)
        #expect(
            events.map(\.kind) == [
                .link(LinkReport(.handshake, epoch: epoch)),
                .link(
                    LinkReport(.sync, epoch: epoch, nextID: BrokerOrderID(number: 41))),
                .listing(.begin(.openOrders, epoch)), .listing(.begin(.positions, epoch)),
                .listing(.end(.openOrders, epoch)), .listing(.failed(.positions, epoch)),
            ])
    }

    /// A position that was closed while the link was down is in no message: it is gone with the next list.
    @Test func whatIsNoLongerListedIsNotHeld() {
        var venue = Self.venue()
        var held = Position()
        held.account = "DU1234567"
        held.contract.symbol = "AAPL"
        held.contract.conId = 265_598
        held.position = 300
        var events: [Event] = []
        let first: [SessionEvent] = [
            .link(.sync, cause: .connection), .asked([.positions]),
            .message(.position(held), leftover: 0), .answered(.positions),
        ]
        for input in first { venue.take(input, at: Self.time, into: &events) }
        func listed() -> Int {
            var events: [Event] = []
            venue.listPositions(at: Self.time, into: &events)
            return events.count {
                if case .listing(.position) = $0.kind { true } else { false }
            }
        }
        #expect(listed() == 1)
        let second: [SessionEvent] = [
            .link(.down, cause: .connection), .link(.sync, cause: .connection),
            .asked([.positions]), .syncStalled(missing: [.positions]),
        ]
        for input in second { venue.take(input, at: Self.time, into: &events) }
        // A list without an end says nothing.
        #expect(listed() == 1)
        venue.take(.asked([.positions]), at: Self.time, into: &events)
        venue.take(.answered(.positions), at: Self.time, into: &events)
        #expect(listed() == 0)
    }

    /// Over months texts are forgotten, the oldest first, but not what is in use; no number is given twice.
    @Test func theOldestTextsAreForgotten() {
        let texts = (1...20_007).map { (name: NameID(index: $0), text: "execution \($0)") }
        var use = NamesInUse()
        use.others = [NameID(index: 2)]
        let kept = GatewayVenue.keptTexts(texts, for: use)
        #expect(kept.count == 20_001 && kept.first?.name == NameID(index: 2))
        var setup = GatewayVenue.Setup(account: "DU1234567", client: 7, contracts: [])
        setup.names = kept
        var venue = GatewayVenue(setup)
        var held = Position()
        held.account = "DU1234567"
        held.contract.symbol = "NEW"
        held.position = 1
        _ = Self.kinds(&venue, .position(held))
        // Of executions those of orders that are kept, and what is newer.
        use.oldestExecution = NameID(index: 19_999)
        venue.forget(allBut: [], use)
        #expect(venue.knownTexts.map(\.name.index) == [2] + Array(19_999...20_008))
        #expect(venue.knownTexts.last?.text == "NEW")
    }

    /// C-30: values come by currency, for all together and for segments: only those of the account's own currency count,
    /// each by a name on a list.
    @Test func accountValuesOfOtherCurrenciesAreNotMixedIn() throws {
        var venue = Self.venue()
        let rows = [
            ("TotalCashBalance", "BASE", "1000000.00"), ("TotalCashBalance", "EUR", "5000.25"),
            ("TotalCashBalance", "USD", "90000.50"), ("CashBalance", "USD", "80000.00"),
            ("TotalCashValue", "USD", "95000.75"), ("TotalCashValue-S", "USD", "1.00"),
            ("AccruedCash", "EUR", "-3.00"), ("AccruedCash", "USD", "12.34"),
            ("NetLiquidation", "USD", "123456.78"), ("NetLiquidation", "BASE", "1.00"),
            ("UnrealizedPnL", "BASE", "7.00"), ("UnrealizedPnL", "USD", "-8.15"),
        ]
        var events: [Event.Kind] = []
        for (key, currency, value) in rows {
            var message = WireAccountValue()
            message.key = key
            message.currency = currency
            message.value = value
            message.accountName = "DU1234567"
            events += Self.kinds(&venue, .accountValue(message))
        }
        let expected: [(AccountValue.Key, Int64)] = [
            (.ownCurrencyCash, 90_000_500_000), (.totalCash, 95_000_750_000),
            (.accruedInterest, 12_340_000), (.netLiquidation, 123_456_780_000),
            (.unrealizedProfit, -8_150_000),
        ]
        #expect(
            events
                == expected.map {
                    .accountValue(
                        AccountValue(
                            account: GatewayVenue.ownAccount, $0.0, Money(units: $0.1)))
                })
    }

    @Test func aFillIsExactAndItsChargeFindsIt() throws {
        var venue = Self.venue()
        var fill = ExecDetails()
        fill.contract.conId = 265_598
        fill.orderId = 12
        fill.clientId = 7
        fill.account = "DU1234567"
        fill.permId = 99
        fill.orderRef = "mt:9:1"
        fill.execId = "0000e0d5.65b1.01.01"
        fill.side = .bought
        fill.shares = 100
        fill.price = 185.905
        fill.time = .epoch(1_549_895_400)
        var charge = CommissionAndFeesReport()
        charge.execId = fill.execId
        charge.commission = 1.0035
        // The charge comes first, and waits.
        let early = Self.kinds(&venue, .commissionAndFeesReport(charge)).filter { !$0.isName }
        #expect(early.isEmpty)
        let kinds = Self.kinds(&venue, .execDetails(fill)).filter { !$0.isName }
        let id = ExecutionID(base: 1, revision: 1)
        let key = Self.key().with(permanent: PermanentID(number: 99))
        let execution = Execution(
            id: id, instrument: InstrumentID(index: 0), side: .buy,
            quantity: Quantity(units: 100 * Quantity.unitsPerOne),
            price: Price(units: 18_590_500_000), time: Self.time)
        #expect(
            kinds == [
                .brokerOrder(BrokerReport(key: key, fact: .executed(execution))),
                .brokerOrder(
                    BrokerReport(
                        key: key,
                        fact: .commission(
                            CommissionReport(
                                execution: id, amount: Money(units: 1_003_500))))),
            ])
        // A correction is the same execution in its next version.
        fill.execId = "0000e0d5.65b1.01.02"
        fill.price = 185.91
        guard case .brokerOrder(let report)? = Self.kinds(&venue, .execDetails(fill)).last,
            case .executed(let corrected) = report.fact
        else {
            Issue.record("a correction is an execution")
            return
        }
        #expect(corrected.id == ExecutionID(base: 1, revision: 2))
    }

    /// AIS-13, C-16: what is not known yet is reported as -1; a rebate is below zero, too.
    @Test func aChargeThatIsNotKnownYetIsNone() {
        var venue = Self.venue()
        var fill = ExecDetails()
        fill.contract.conId = 265_598
        fill.orderId = 12
        fill.clientId = 7
        fill.account = "DU1234567"
        fill.execId = "0000e0d5.65b1.01.01"
        fill.side = .bought
        fill.shares = 100
        fill.price = 185.905
        fill.time = .epoch(1_549_895_400)
        _ = Self.kinds(&venue, .execDetails(fill))
        var charge = CommissionAndFeesReport()
        charge.execId = fill.execId
        charge.commission = -1
        #expect(Self.kinds(&venue, .commissionAndFeesReport(charge)).isEmpty)
        charge.commission = -0.21
        guard
            case .brokerOrder(let report)? = Self.kinds(&venue, .commissionAndFeesReport(charge))
                .last,
            case .commission(let rebate) = report.fact
        else {
            Issue.record("a rebate is a charge")
            return
        }
        #expect(rebate.amount == Money(units: -210_000))
    }

    /// AIS-10, O18: a liquidation is reported once, before its execution.
    @Test func aLiquidationIsReportedOnce() {
        var venue = Self.venue()
        var fill = ExecDetails()
        fill.contract.conId = 265_598
        fill.account = "DU1234567"
        fill.permId = 99
        fill.execId = "0000e0d5.65b1.01.01"
        fill.side = .sold
        fill.shares = 100
        fill.price = 185.905
        fill.time = .epoch(1_549_895_400)
        fill.liquidation = 1
        let kinds = Self.kinds(&venue, .execDetails(fill)).filter { !$0.isName }
        let instrument = InstrumentID(index: 0)
        #expect(
            kinds.prefix(2) == [
                .condition(ConditionReport(.liquidated, isPresent: true, of: instrument)),
                .condition(ConditionReport(.liquidated, isPresent: false, of: instrument)),
            ])
        guard case .brokerOrder(let report)? = kinds.last, case .executed = report.fact else {
            Issue.record("a liquidation is an execution")
            return
        }
        let repeated = Self.kinds(&venue, .execDetails(fill))
        #expect(!repeated.contains { if case .condition = $0 { true } else { false } })
    }

    @Test(arguments: [
        (10_147, ProbeAnswer.notFound), (135, .notFound), (202, .cancelled), (104, .filled),
    ])
    func theAnswerToAProbeIsNoEndOfTheOrder(code: Int, answer: ProbeAnswer) {
        var venue = Self.venue()
        let ticket = Self.ticket()
        _ = venue.place(ticket, as: Self.order(ticket), transmits: true)
        _ = venue.cancel(ticket, Self.key(), isProbe: true)
        var error = ErrorMessage()
        error.id = 12
        error.errorCode = Int32(code)
        let facts = Self.kinds(&venue, .error(error)).facts
        #expect(facts == [.probeAnswer(answer)])
    }

    /// What was asked of an order is kept for as long as the order lives.
    @Test func whatWasAskedOfAnOrderThatHasEndedIsForgotten() {
        let ticket = Self.ticket()
        for live in [[ticket.id], []] {
            var venue = Self.venue()
            _ = venue.place(ticket, as: Self.order(ticket), transmits: true)
            _ = venue.cancel(ticket, Self.key(), isProbe: true)
            venue.forget(allBut: live, NamesInUse())
            var error = ErrorMessage()
            error.id = 12
            error.errorCode = 10_147
            let facts = Self.kinds(&venue, .error(error)).facts
            #expect((facts == [.probeAnswer(.notFound)]) == !live.isEmpty)
        }
    }

    @Test func aRefusedChangeLeavesTheOrder() {
        var venue = Self.venue()
        let ticket = Self.ticket(.limit(Price(cents: 18_500)))
        _ = venue.place(ticket, as: Self.order(ticket), transmits: true)
        let changed = Self.ticket(.limit(Price(cents: 18_600)))
        _ = venue.modify(changed, as: Self.order(changed), revision: 1)
        var error = ErrorMessage()
        error.id = 12
        error.errorCode = 201
        error.errorString = "Order rejected - reason:too large"
        let facts = Self.kinds(&venue, .error(error)).facts
        #expect(facts.first == .modificationRefused(1))
        #expect(!facts.contains { if case .rejectedByBroker = $0 { true } else { false } })
    }

    @Test func aMadeChangeIsSeenInTheOpenOrder() throws {
        var venue = Self.venue()
        let ticket = Self.ticket(.limit(Price(cents: 18_500)))
        _ = venue.place(ticket, as: Self.order(ticket), transmits: true)
        let changed = Self.ticket(.limit(Price(cents: 18_600)))
        let change = venue.modify(changed, as: Self.order(changed), revision: 1)
        let message = try #require(change)
        var open = OpenOrder(of: message)
        open.clientId = 7
        open.orderState.status = .submitted
        let facts = Self.kinds(&venue, .openOrder(open)).facts
        #expect(facts == [.status(.submitted), .modified(1)])
    }

    /// X3: an open order under other terms than ours is noted once, and not while a change of ours is under way.
    @Test func termsChangedByOthersAreNoted() throws {
        var venue = Self.venue()
        let ticket = Self.ticket(.limit(Price(cents: 18_500)))
        let placed = venue.place(ticket, as: Self.order(ticket), transmits: true)
        var open = OpenOrder(of: try #require(placed))
        open.clientId = 7
        open.orderState.status = .submitted
        _ = Self.kinds(&venue, .openOrder(open))
        #expect(venue.takeChangedTerms() == false)
        open.order.lmtPrice = 186
        _ = Self.kinds(&venue, .openOrder(open))
        #expect(venue.takeChangedTerms() == true)
        _ = Self.kinds(&venue, .openOrder(open))
        #expect(venue.takeChangedTerms() == false)
        let changed = Self.ticket(.limit(Price(cents: 18_700)))
        let change = venue.modify(changed, as: Self.order(changed), revision: 1)
        _ = Self.kinds(&venue, .openOrder(open))
        open.order = try #require(change).order
        _ = Self.kinds(&venue, .openOrder(open))
        #expect(venue.takeChangedTerms() == false)
    }

    /// O8: a number in use has the next one asked for, and its answer goes to the engine.
    @Test func aNumberInUseAsksForTheNext() {
        var venue = Self.venue()
        let ticket = Self.ticket()
        _ = venue.place(ticket, as: Self.order(ticket), transmits: true)
        #expect(venue.takeNumberQuestion() == nil)
        var error = ErrorMessage()
        error.id = 12
        error.errorCode = 103
        error.errorString = "Duplicate order id"
        let facts = Self.kinds(&venue, .error(error)).facts
        guard case .rejectedByBroker(let words)? = facts.first else {
            Issue.record("a number in use is a rejection")
            return
        }
        #expect(words.code == 103 && words.cause == .numberInUse)
        #expect(venue.takeNumberQuestion()?.kind == .reqIds)
        #expect(venue.takeNumberQuestion() == nil)
        var next = NextValidId()
        next.orderId = 40
        let reports = Self.kinds(&venue, .nextValidId(next)).compactMap { kind -> LinkReport? in
            if case .link(let report) = kind { report } else { nil }
        }
        #expect(reports.map(\.nextID) == [BrokerOrderID(number: 40)])
    }

    @Test(arguments: [399, 10_349, 2_109, 404, 2_137, 99_999])
    func aNoteEndsNothing(code: Int) {
        var venue = Self.venue()
        let ticket = Self.ticket()
        _ = venue.place(ticket, as: Self.order(ticket), transmits: true)
        var error = ErrorMessage()
        error.id = 12
        error.errorCode = Int32(code)
        for fact in Self.kinds(&venue, .error(error)).facts {
            switch fact {
            case .message, .heldByBroker: break
            default: Issue.record("\(code) became \(fact)")
            }
        }
    }

    @Test(arguments: [
        (OrderType.market, TimeInForce.day, WireOrderType.market, WireTimeInForce.day),
        (.marketOnOpen, .day, .market, .atTheOpening),
        (.marketOnClose, .day, .marketOnClose, .day),
        (.stop(Price(cents: 100)), .goodTillCancelled, .stop, .goodTillCancelled),
        (.limit(Price(cents: 100)), .immediateOrCancel, .limit, .immediateOrCancel),
        (
            .trailingStop(.percent(Percent(5))), .goodTillCancelled, .trailingStop,
            .goodTillCancelled
        ),
    ])
    func anOrderStatesAllOfItsTerms(
        type: OrderType, time: TimeInForce, wire: WireOrderType, tif: WireTimeInForce
    ) throws {
        var venue = Self.venue()
        let ticket = Self.ticket(type, time, group: OrderGroupID(number: 3))
        let placed = venue.place(ticket, as: Self.order(ticket), transmits: false)
        let message = try #require(placed)
        #expect(message.orderId == 12 && message.contract.conId == 265_598)
        #expect(message.order.orderType == wire && message.order.tif == tif)
        #expect(message.order.account == "DU1234567" && message.order.orderRef == "mt:9:1")
        #expect(message.order.totalQuantity == 100 && message.order.transmit == false)
        #expect(message.order.ocaGroup == "mt:9:g3" && message.order.ocaType == .reduceWithBlock)
        // What was sent is what a list of open orders would be compared with.
        var open = OpenOrder(of: message)
        open.clientId = 7
        open.orderState.status = .submitted
        var events: [Event] = []
        venue.take(.asked([.openOrders]), at: Self.time, into: &events)
        let listed = Self.kinds(&venue, .openOrder(open)).compactMap { kind -> ListedOrder? in
            if case .listing(.openOrder(let order)) = kind { order } else { nil }
        }
        #expect(listed.map(\.type) == [type])
        #expect(listed.map(\.quantity) == [ticket.request.quantity])
    }

    @Test func whatDoesNotLeaveIsNotSent() {
        var venue = Self.venue()
        let ticket = Self.ticket()
        _ = venue.place(ticket, as: Self.order(ticket), transmits: true)
        var events: [Event] = []
        let unsent = Outgoing(token: 1, priority: .order, subject: .order(12))
        venue.take(.unsent([unsent]), at: Self.time, into: &events)
        #expect(
            events.map(\.kind) == [
                .order(OrderReport(order: ticket.id, fact: .notSent(.noConnection)))
            ])
    }
}

extension Event.Kind {
    var isName: Bool { if case .name = self { true } else { false } }
}

extension [Event.Kind] {
    /// The facts about orders.
    var facts: [OrderFact] {
        compactMap { if case .brokerOrder(let report) = $0 { report.fact } else { nil } }
    }
}
