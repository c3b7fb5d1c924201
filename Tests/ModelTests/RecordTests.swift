import Model
import Primitives
import TestSupport
import Testing

@Suite struct RecordTests {
    private static let bounds = RecordReader.Bounds(instruments: 3, strategies: 2)

    /// Items of any number of words come back whole, one after the other.
    @Test func itemsComeBackFromTheirRecords() throws {
        var writer = RecordWriter()
        let counts = [0, 1, 11, 12, 13, 24, 25, 100]
        for count in counts {
            writer.item(.order) { writer in
                for word in 0..<count { writer.write(Int64(word)) }
            }
        }
        var assembler = RecordAssembler()
        var found: [Int] = []
        for record in writer.records {
            guard var item = try assembler.add(record, Self.bounds) else { continue }
            var count = 0
            while (try? item.finish()) == nil {
                #expect(try item.word() == Int64(count))
                count += 1
            }
            found.append(count)
        }
        #expect(found == counts)
        #expect(assembler.isBetweenItems)
    }

    /// A record that does not continue the one before it is refused, and what follows is read again.
    @Test func recordOutOfOrderIsRefused() throws {
        var writer = RecordWriter()
        for topic in [OpeningRecord.Topic.order, .fact] {
            writer.item(topic) { writer in for word in 0..<30 { writer.write(Int64(word)) } }
        }
        let records = writer.records
        for (first, second) in [(1, 2), (0, 2), (0, 4), (0, 0)] {
            var assembler = RecordAssembler()
            #expect(throws: RecordError.self) {
                _ = try assembler.add(records[first], Self.bounds)
                _ = try assembler.add(records[second], Self.bounds)
            }
            #expect(assembler.isBetweenItems)
        }
    }

    // MARK: Ids of another run

    /// Ids in the records of another run are those of this run.
    @Test func idsOfAnotherRunAreExchanged() throws {
        let ids = RecordIDs(
            instruments: [2, nil, 0].map { $0.map { InstrumentID(index: $0) } },
            strategies: [1, 0].map { StrategyID(index: $0) })
        let bounds = RecordReader.Bounds(instruments: 3, strategies: 2, ids: ids)
        var reader = RecordReader(.plan, [0, 2, 0, 1], bounds)
        #expect(try reader.instrument() == InstrumentID(index: 2))
        #expect(try reader.instrument() == InstrumentID(index: 0))
        #expect(try reader.strategy() == StrategyID(index: 1))
        #expect(try reader.strategy() == StrategyID(index: 0))
    }

    /// An id that the run has left out is told from one that the other run never had.
    @Test(arguments: [(1, true), (3, false), (-1, false)])
    func idWithoutACounterpartIsRefused(index: Int64, isLeftOut: Bool) {
        let ids = RecordIDs(
            instruments: [InstrumentID(index: 0), nil, InstrumentID(index: 7)],
            strategies: [StrategyID(index: 0), nil, StrategyID(index: 7)])
        let bounds = RecordReader.Bounds(instruments: 3, strategies: 3, ids: ids)
        let expected = RecordError(topic: .plan, namesLeftOut: isLeftOut)
        #expect(throws: expected) {
            var reader = RecordReader(.plan, [index], bounds)
            _ = try reader.instrument()
        }
        #expect(throws: expected) {
            var reader = RecordReader(.plan, [index], bounds)
            _ = try reader.strategy()
        }
        // A counterpart that the run does not have either.
        #expect(throws: RecordError(topic: .plan)) {
            var reader = RecordReader(.plan, [2], bounds)
            _ = try reader.instrument()
        }
    }

    /// Prices alone keep no instrument in a run; money and orders do.
    @Test func idsInUseAreThoseOfMoneyAndOrders() {
        var writer = RecordWriter()
        writer.item(.market) { $0.write(InstrumentID(index: 4)) }
        writer.item(.ledger) { $0.write(InstrumentID(index: 1)) }
        writer.item(.timer) { $0.write(StrategyID(index: 0)) }
        writer.item(.plan) { $0.write(StrategyID(index: 2)) }
        #expect(writer.usedInstruments == [false, true])
        #expect(writer.usedStrategies == [false, false, true])
    }

    // MARK: Values

    /// Property: whatever words are read as a value, either they are refused or the value writes the same words
    /// that were read.
    @Test(arguments: 0..<100 as Range<UInt64>)
    func anyWordsAreRefusedOrWrittenAgain(seed: UInt64) {
        var chance = SeededGenerator(seed: seed)
        for _ in 0..<100 {
            let words = (0..<48).map { _ in RecordItems.word(&chance) }
            check(words, OrderType.self)
            check(words, OrderTerms.self)
            check(words, OrderRequest.self)
            check(words, OrderTicket.self)
            check(words, Execution.self)
            check(words, CommissionReport.self)
            check(words, BrokerOrderKey.self)
            check(words, ListedOrder.self)
            check(words, Quote.self)
            check(words, Trade.self)
            check(words, Bar.self)
            check(words, CorporateAction.self)
            check(words, SplitRatio.self)
            check(words, Protection.self)
            check(words, Intent.self)
            check(words, Figures.self)
            check(words, TimeInForce.self)
            check(words, ExactMoney.self)
            check(words, Day.self)
        }
    }

    private func check<Value: RecordValue & Equatable>(_ words: [Int64], _ type: Value.Type) {
        var reader = RecordReader(.order, words, Self.bounds)
        guard let value = try? Value(from: &reader) else { return }
        let items = RecordItems { writer in writer.item(.order) { $0.write(value) } }
        let written = items.all[0].words
        var repeated = RecordReader(.order, written, Self.bounds)
        // By words: a number that is none is not equal to itself.
        let copy = try? Value(from: &repeated)
        let copied = RecordItems { writer in
            writer.item(.order) { $0.write(optional: copy) }
        }
        #expect(copied.all[0].words == [1] + written)
    }

    @Test func requestsAndIntentsComeBack() throws {
        let types: [OrderType] = [
            .market, .limit(Price(cents: 1)), .stop(Price(cents: 2)),
            .stopLimit(stop: Price(cents: 3), limit: Price(cents: 4)),
            .trailingStop(.amount(Price(cents: 5))), .trailingStop(.percent(Percent(6))),
            .marketOnOpen, .limitOnOpen(Price(cents: 7)), .marketOnClose,
            .limitOnClose(Price(cents: 8)),
        ]
        for type in types {
            let request = OrderRequest(
                strategy: StrategyID(index: 1), instrument: InstrumentID(index: 2), side: .sell,
                quantity: Quantity(shares: 9), type: type, timeInForce: .day, purpose: .protection,
                reason: TextID(index: 10), parent: OrderID(number: 11),
                group: OrderGroupID(number: 12))
            try expectBack(OrderTicket(id: OrderID(number: 13), request: request))
        }
        let range = RangeDistance(length: 14, times: Percent(200))
        let protections = [
            Protection(stop: .price(Price(cents: 1))),
            Protection(stop: .trailing(.percent(Percent(2))), target: .away(.range(range))),
            Protection(target: .price(Price(cents: 3))),
        ]
        let goals: [Intent.Goal] = [
            .enter(.sell), .exit, .target(Quantity(shares: -4)), .weight(-0.5), .cancelEntries,
            .withdraw, .protect,
        ]
        for goal in goals {
            for protection in protections {
                let intent = Intent(
                    strategy: StrategyID(index: 0), instrument: InstrumentID(index: 1), goal: goal,
                    terms: .limit(Price(cents: 5), for: .goodTillDate(Make.open), in: .extended),
                    reason: TextID(index: 6), protection: protection)
                try expectBack(intent.received(as: 7, because: TextID(index: 8), group: 9))
            }
        }
    }

    private func expectBack<Value: RecordValue & Equatable>(_ value: Value) throws {
        let items = RecordItems { writer in writer.item(.order) { $0.write(value) } }
        try items.read(Self.bounds) { reader in
            #expect(try Value(from: &reader) == value)
            try reader.finish()
        }
    }

    /// What the gate never approves, and what could stop the process later, is refused.
    @Test func valuesThatCannotBeAreRefused() {
        #expect(throws: RecordError.self) { try read(SplitRatio.self, [2, 4]) }
        #expect(throws: RecordError.self) { try read(SplitRatio.self, [0, 1]) }
        #expect(throws: RecordError.self) { try read(InstrumentID.self, [3]) }
        #expect(throws: RecordError.self) { try read(StrategyID.self, [2]) }
        #expect(throws: RecordError.self) { try read(Day.self, [.max]) }
        #expect(throws: RecordError.self) { try read(Price.self, [.max]) }
        #expect(throws: RecordError.self) { try read(Protection.self, [0, 0]) }
        // An order on the open that works till cancelled.
        #expect(throws: RecordError.self) {
            try read(OrderRequest.self, [0, 0, 0, 100, 5, 1, 0, 0, 0, 0, 0])
        }
    }

    private func read<Value: RecordValue>(_ type: Value.Type, _ words: [Int64]) throws -> Value {
        var reader = RecordReader(.order, words, Self.bounds)
        return try Value(from: &reader)
    }
}
