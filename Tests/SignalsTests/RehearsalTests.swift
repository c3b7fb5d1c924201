import Model
import Primitives
import Signals
import TestSupport
import Testing

/// Asks for something else at every bar, and at the end of a slice for what it has of the other.
private struct Moody: Strategy {
    static let declaration = StrategyDeclaration(name: "moody", summary: "for tests")
    private var bars = 0

    init() {}
    init(_ setup: StrategySetup) {}

    mutating func barClosed(_ bar: Bar, _ context: inout StrategyContext) {
        bars += 1
        switch bars {
        case 1: context.enter(.sell, bar.instrument, because: "first")
        case 2: context.setWeight(0.5, of: bar.instrument, because: "second")
        default: context.exit(bar.instrument, because: "later")
        }
    }

    mutating func sliceClosed(_ context: inout StrategyContext) {
        let has = context.holding(of: InstrumentID(index: 0)).quantity
        context.setTarget(has, of: InstrumentID(index: 1), because: "what it has of the other")
    }
}

@Suite struct RehearsalTests {
    private let instruments = Make.instruments("AAA", "BBB")

    @Test func intentsAreRecordedAndFilledAtOnce() {
        var rehearsal = Rehearsal(Moody(), instruments: instruments)
        for index in 0..<3 { rehearsal.show([Make.bar(index, open: 100, close: 100)]) }
        let goals = rehearsal.intents.map(\.goal)
        let short = Quantity(shares: -100)
        // What is asked for comes true behind the slice. A weight is noted and changes nothing.
        #expect(
            goals == [
                .enter(.sell), .target(.zero), .weight(0.5), .target(short), .exit, .target(short),
            ])
        let times = rehearsal.intents.map(\.at)
        #expect(times == [60, 60, 120, 120, 180, 180].map(Make.time))
    }

    @Test func nothingFollowsFromWarmUp() {
        var rehearsal = Rehearsal(Moody(), instruments: instruments)
        rehearsal.warmUp((0..<5).map { Make.bar($0, open: 100, close: 100) })
        let count = rehearsal.intents.count
        #expect(count == 0)
    }

    @Test func whatIsHeldCanBeSet() {
        var rehearsal = Rehearsal(Moody(), instruments: instruments)
        rehearsal.setHolding(
            StrategyContext.Holding(quantity: Quantity(shares: 7)), of: InstrumentID(index: 0))
        rehearsal.show([])
        let goals = rehearsal.intents.map(\.goal)
        #expect(goals == [.target(Quantity(shares: 7))])
    }
}
