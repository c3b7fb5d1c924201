import Model
import Primitives
import Testing

/// A batch as bytes is the batch again, and what is no batch is refused.
@Suite struct RecordBatchTests {
    private static let time = Timestamp(seconds: 1_549_895_400)

    private static func bar(_ start: Int64, _ close: Int64) -> Bar {
        Bar(
            instrument: InstrumentID(index: 3), start: Timestamp(seconds: start),
            barSize: .minutes(1), open: Price(cents: close - 3), high: Price(cents: close + 5),
            low: Price(cents: close - 7), close: Price(cents: close),
            volume: Quantity(units: 12_345 * Quantity.unitsPerOne))
    }

    private static let key = BrokerOrderKey(
        account: BrokerAccountID(index: 0), client: BrokerClientID(number: 1),
        order: BrokerOrderID(number: 77), permanent: PermanentID(number: 1 << 40),
        reference: OrderReference(journal: 9, order: OrderID(number: 5)))

    private static let execution = Execution(
        id: ExecutionID(base: 12, revision: 2), instrument: InstrumentID(index: 1), side: .sell,
        quantity: Quantity(units: 150_000_000), price: Price(units: 1), time: time)

    private static let request = OrderRequest(
        strategy: StrategyID(index: 0), instrument: InstrumentID(index: 1), side: .buy,
        quantity: Quantity(units: Quantity.unitsPerOne), type: .limit(Price(cents: 18_590)),
        timeInForce: .goodTillCancelled, purpose: .entry)

    private static let facts: [OrderFact] = [
        .acknowledged, .executed(execution),
        .commission(CommissionReport(execution: execution.id, amount: Money(cents: -35))),
        .cancelled(.requested), .rejected(.byBroker), .modified(4), .modificationRefused(5),
        .notSent(.noConnection), .sendInterrupted, .status(.preSubmitted), .listedOpen(.submitted),
        .listedCompleted(.filled), .rejectedByBroker(BrokerMessage(code: 201)),
        .rejectedByBroker(BrokerMessage(code: 201, text: NameID(index: 9), cause: .funds)),
        .cancelledByBroker(BrokerMessage(code: 202, text: NameID(index: 8))),
        .heldByBroker(.locate), .message(BrokerMessage(code: 399)), .probeAnswer(.tooLate),
        .acknowledgementOverdue,
        .closed(OrderClosure(number: 1, .notFound(first: time, second: time + .seconds(3)))),
        .closed(OrderClosure(number: 3, .operatorDecision)), .reopened(2),
    ]

    private static let lists: [ListingRecord] = [
        .begin(.openOrders, ConnectionEpoch(number: 3)),
        .openOrder(
            ListedOrder(
                key: key, instrument: nil, side: .buy, quantity: nil,
                type: .trailingStop(.percent(Percent(5))), status: .inactive)),
        .completedOrder(
            ListedOrder(
                key: BrokerOrderKey(), instrument: InstrumentID(index: 0), side: .sell,
                quantity: .zero, type: nil, status: .cancelled)),
        .execution(key, execution),
        .position(
            ListedPosition(
                account: BrokerAccountID(index: 1), instrument: nil, symbol: NameID(index: 4),
                quantity: Quantity(units: -5), averageCost: Price(cents: 100))),
        .end(.positions, ConnectionEpoch(number: 3)),
        .failed(.executions, ConnectionEpoch(number: 4)),
    ]

    private static let requests: [OperatorRequest.Action] = [
        .halt, .resume(.drawdown), .resumeAll, .clearLatch(InstrumentID(index: 2)),
        .stopEntries(StrategyID(index: 1)), .startEntries(StrategyID(index: 1)), .cancel(.all),
        .flatten(.order(OrderID(number: 4))), .resolve(OrderID(number: 4), .working),
        .bookExecution(OrderID(number: 4), execution), .adopt(InstrumentID(index: 2)),
        .disown(InstrumentID(index: 2)), .cash(CashMovement(.dividend, Money(cents: 12))), .kill,
        .cancel(.instrument(InstrumentID(index: 1))), .cancel(.strategy(StrategyID(index: 1))),
    ]

    /// One of each case: a case that is added does not compile here until it has an example.
    private static func examples(like kind: Event.Kind) -> [Event.Kind] {
        switch kind {
        case .bar: [.bar(bar(1_549_895_400, 18_590))]
        case .quote:
            [
                .quote(
                    Quote(
                        instrument: InstrumentID(index: 0), at: time, bid: Price(cents: 1),
                        ask: nil, bidSize: nil, askSize: .zero))
            ]
        case .trade:
            [
                .trade(
                    Trade(
                        instrument: InstrumentID(index: 0), at: time, price: Price(cents: 1),
                        size: .zero))
            ]
        case .history: [.history(bar(1_549_895_460, 1))]
        case .historyComplete:
            [
                .historyComplete(HistoryCoverage(have: 3, asked: 9)),
                .historyComplete(
                    HistoryCoverage(have: 0, asked: 9, of: InstrumentID(index: 2))),
            ]
        case .sliceClosed: [.sliceClosed]
        case .order:
            facts.map { .order(OrderReport(order: OrderID(number: 5), fact: $0)) }
        case .brokerOrder: facts.map { .brokerOrder(BrokerReport(key: key, fact: $0)) }
        case .listing: lists.map { .listing($0) }
        case .link:
            [
                .link(
                    LinkReport(
                        .sync, epoch: ConnectionEpoch(number: 2), farm: NameID(index: 7),
                        nextID: BrokerOrderID(number: 12))),
                .link(LinkReport(.down, epoch: ConnectionEpoch(number: 2))),
            ]
        case .accountValue:
            AccountValue.Key.allCases.map {
                .accountValue(
                    AccountValue(account: BrokerAccountID(index: 0), $0, Money(cents: -1)))
            }
        case .sessionOpened:
            [
                .sessionOpened(
                    SessionOpening(
                        day: Day(number: 18_000), program: .max, configuration: 0, strategies: 7))
            ]
        case .opening: openings
        case .openingComplete: [.openingComplete]
        case .name:
            NameChunk.chunks(
                of: String(repeating: "déjà vu ", count: 40), as: NameID(index: 6)
            ).map { .name($0) }
        case .corporateAction:
            [
                .corporateAction(
                    CorporateAction(
                        instrument: InstrumentID(index: 0), exDay: Day(number: 18_000),
                        kind: .dividend(perShare: Price(cents: 77))))
            ]
        case .timer:
            [
                .timer(TimerID(strategy: StrategyID(index: 2), number: -4)),
                .timer(TimerID(engine: 3)),
            ]
        case .cashMovement:
            CashMovement.Cause.allCases.map {
                .cashMovement(CashMovement($0, Money(cents: 5), of: InstrumentID(index: 1)))
            }
        case .signal:
            [
                .signal(
                    ExternalSignal(
                        strategy: StrategyID(index: 0), row: .max,
                        instrument: InstrumentID(index: 0), target: .weight(-0.125),
                        limit: Price(cents: 4))),
                .signal(
                    ExternalSignal(
                        strategy: StrategyID(index: 0), row: -1,
                        instrument: InstrumentID(index: 0), target: .quantity(Quantity(units: 3)),
                        stop: Price(cents: 4))),
            ]
        case .shadowResult:
            [
                .shadowResult(
                    ShadowResult(
                        instrument: InstrumentID(index: 0), equity: Money(cents: 1),
                        capital: Money(cents: 2), turnover: Money(cents: 3)))
            ]
        case .operatorRequest:
            requests.map { .operatorRequest(OperatorRequest($0, because: NameID(index: 1))) }
        case .condition:
            SessionCondition.allCases.map { .condition(ConditionReport($0, isPresent: true)) } + [
                .condition(
                    ConditionReport(
                        .dataMissing, isPresent: false, of: InstrumentID(index: 3), value: 10_197))
            ]
        case .dailyClose:
            [
                .dailyClose(
                    DailyClose(
                        instrument: InstrumentID(index: 3), day: Day(number: 18_000),
                        close: Price(cents: 12_345)))
            ]
        case .clock: [.clock]
        }
    }

    private static var openings: [Event.Kind] {
        var writer = RecordWriter()
        for topic in OpeningRecord.Topic.allCases {
            writer.item(topic) { item in
                for word in 0..<Int(topic.rawValue) { item.write(Int64.max - Int64(word)) }
            }
        }
        return writer.records.map { .opening($0) }
    }

    /// One kind of each case, for `examples`.
    private static let kinds: [Event.Kind] = [
        .bar(bar(0, 10)), .sliceClosed, .openingComplete, .clock, .timer(TimerID(engine: 0)),
        .quote(
            Quote(
                instrument: InstrumentID(index: 0), at: time, bid: nil, ask: nil, bidSize: nil,
                askSize: nil)),
        .trade(
            Trade(
                instrument: InstrumentID(index: 0), at: time, price: Price(cents: 1), size: .zero)),
        .history(bar(0, 10)), .historyComplete(HistoryCoverage(have: 0, asked: 0)),
        .order(OrderReport(order: OrderID(number: 1), fact: .acknowledged)),
        .brokerOrder(BrokerReport(key: key, fact: .acknowledged)), .listing(lists[0]),
        .link(LinkReport(.down, epoch: ConnectionEpoch(number: 0))),
        .accountValue(AccountValue(account: BrokerAccountID(index: 0), .totalCash, .zero)),
        .sessionOpened(
            SessionOpening(day: Day(number: 0), program: 0, configuration: 0, strategies: 0)),
        openings[0], .name(NameChunk.chunks(of: "", as: NameID(index: 1))[0]),
        .corporateAction(
            CorporateAction(
                instrument: InstrumentID(index: 0), exDay: Day(number: 0),
                kind: .dividend(perShare: .zero))),
        .cashMovement(CashMovement(.fee, .zero)),
        .signal(
            ExternalSignal(
                strategy: StrategyID(index: 0), row: 0, instrument: InstrumentID(index: 0),
                target: .weight(0))),
        .shadowResult(
            ShadowResult(
                instrument: InstrumentID(index: 0), equity: .zero, capital: .zero, turnover: .zero)),
        .operatorRequest(OperatorRequest(.halt)),
        .dailyClose(
            DailyClose(
                instrument: InstrumentID(index: 0), day: Day(number: 0), close: Price(cents: 1))),
    ]

    private static var whole: RecordBatch {
        var batch = RecordBatch()
        for kind in kinds {
            for example in examples(like: kind) {
                let step = Duration(nanoseconds: Int64(batch.events.count) * 17)
                batch.events.append(Event(at: time + step, kind: example))
            }
        }
        let ticket = OrderTicket(id: OrderID(number: 1 << 50), request: request)
        let commands: [Command] = [
            .submit(ticket), .modify(ticket, revision: 3), .cancel(ticket.id), .probe(ticket.id),
            .query(.executions), .setTimer(TimerID(engine: 1), at: time),
        ]
        batch.commands = commands.enumerated().map { RecordedCommand($1, to: $0 * 5) }
        batch.digest = 0xFEDC_BA98_7654_3210
        return batch
    }

    @Test func everyCaseComesBackAsItWas() throws {
        let batch = Self.whole
        #expect(Set(Self.kinds.map { "\($0)".prefix { $0 != "(" } }).count == Self.kinds.count)
        let read = try RecordBatch(decoding: batch.encoded())
        #expect(read.events == batch.events)
        #expect(read.commands == batch.commands)
        #expect(read.digest == batch.digest)
        #expect(read.decisions == nil)
    }

    @Test func extremesComeBackAsTheyWere() throws {
        var batch = RecordBatch()
        for nanoseconds in [Int64.min, -1, 0, 1, 9, 10, 100, .max] {
            batch.events.append(Event(at: Timestamp(nanoseconds: nanoseconds), kind: .clock))
        }
        let read = try RecordBatch(decoding: batch.encoded())
        #expect(read == batch)
    }

    @Test func aMinuteBarTakesFewBytes() {
        var batch = RecordBatch()
        for index in 0..<390 {
            let start = 1_549_895_400 + Int64(index) * 60
            batch.events.append(
                Event(
                    at: Timestamp(seconds: start + 61) + Duration(nanoseconds: 123_456_789),
                    kind: .bar(Self.bar(start, 18_500 + Int64(index)))))
        }
        #expect(batch.encoded().count / batch.events.count <= 32)
    }

    @Test func whatIsCutOffIsRefused() {
        let bytes = Self.whole.encoded()
        for count in 0..<bytes.count {
            #expect(throws: RecordError.self) {
                _ = try RecordBatch(decoding: Array(bytes[..<count]))
            }
        }
    }

    @Test func whateverBytesComeNothingTraps() {
        let bytes = Self.whole.encoded()
        var generator = SeededGenerator(seed: 11)
        var read = 0
        for _ in 0..<20_000 {
            var damaged = bytes
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                let index = Int.random(in: damaged.indices, using: &generator)
                damaged[index] = UInt8.random(in: 0...255, using: &generator)
            }
            if (try? RecordBatch(decoding: damaged)) != nil { read += 1 }
        }
        // Some changes only make another batch of it.
        #expect(read < 20_000)
    }
}
