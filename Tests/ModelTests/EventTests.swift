import Model
import Primitives
import Testing

@Suite struct EventTests {
    private let classes: [EventClass] = [.venueAndRisk, .marketData, .sliceClosed, .timer]

    /// A place among few, so that equal times, classes and sequences are frequent.
    private func random(_ generator: inout SeededGenerator) -> EventOrder {
        EventOrder(
            at: Timestamp(nanoseconds: .random(in: -1...1, using: &generator)),
            eventClass: classes[Int.random(in: 0..<4, using: &generator)],
            sequence: .random(in: 0..<3, using: &generator))
    }

    @Test(arguments: 0..<50 as Range<UInt64>)
    func orderIsStrictAndTotal(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<500 {
            let (a, b, c) = (random(&generator), random(&generator), random(&generator))
            #expect(!(a < a))
            #expect([a < b, b < a, a == b].filter { $0 }.count == 1)
            if a < b && b < c { #expect(a < c) }
            let byParts =
                (a.at, a.eventClass.rawValue, a.sequence)
                < (b.at, b.eventClass.rawValue, b.sequence)
            #expect((a < b) == byParts)
        }
    }

    @Test func timeComesBeforeClassAndClassBeforeArrival() {
        let early = EventOrder(at: Timestamp(seconds: 1), eventClass: .timer, sequence: 9)
        let late = EventOrder(at: Timestamp(seconds: 2), eventClass: .venueAndRisk, sequence: 0)
        #expect(early < late)
        let answer = EventOrder(at: Timestamp(seconds: 2), eventClass: .venueAndRisk, sequence: 5)
        let bar = EventOrder(at: Timestamp(seconds: 2), eventClass: .marketData, sequence: 1)
        #expect(late < answer && answer < bar)
        #expect(classes == classes.sorted())
    }

    @Test func everyKindHasItsClass() {
        let bar = Bar(
            instrument: InstrumentID(index: 0), start: Timestamp(seconds: 0), barSize: .days(1),
            open: .zero, high: .zero, low: .zero, close: .zero, volume: .zero)
        let quote = Quote(
            instrument: InstrumentID(index: 0), at: Timestamp(seconds: 0), bid: nil, ask: nil)
        let trade = Trade(
            instrument: InstrumentID(index: 0), at: Timestamp(seconds: 0), price: .zero,
            size: .zero)
        let report = OrderReport(order: OrderID(number: 1), fact: .acknowledged)
        let timer = TimerID(strategy: StrategyID(index: 0), number: 1)
        #expect(Event.Kind.order(report).eventClass == .venueAndRisk)
        #expect(Event.Kind.cashMovement(CashMovement(.transfer, .zero)).eventClass == .venueAndRisk)
        #expect(Event.Kind.operatorRequest(OperatorRequest(.halt)).eventClass == .venueAndRisk)
        #expect(Event.Kind.bar(bar).eventClass == .marketData)
        #expect(Event.Kind.quote(quote).eventClass == .marketData)
        #expect(Event.Kind.trade(trade).eventClass == .marketData)
        #expect(Event.Kind.history(bar).eventClass == .marketData)
        #expect(
            Event.Kind.historyComplete(HistoryCoverage(have: 0, asked: 0)).eventClass == .marketData
        )
        #expect(Event.Kind.sliceClosed.eventClass == .sliceClosed)
        #expect(Event.Kind.timer(timer).eventClass == .timer)
    }

    /// Batches of events and commands are copied as memory.
    @Test func eventsAndCommandsAreSmallAndPlain() {
        func needsBitwiseCopyable<T: BitwiseCopyable>(_: T.Type) -> Int { MemoryLayout<T>.stride }
        #expect(needsBitwiseCopyable(Event.self) <= 128)
        #expect(needsBitwiseCopyable(Command.self) <= 128)
        #expect(needsBitwiseCopyable(OrderRequest.self) <= 64)
    }
}
