import MarketState
import Model
import Primitives
import Signals
import TestSupport
import Testing

@Suite struct StrategyContextTests {
    private static let first = InstrumentID(index: 0)
    private static let second = InstrumentID(index: 1)

    private func context() -> StrategyContext {
        StrategyContext(instruments: Make.instruments("AAA", "BBB"), strategyCount: 2)
    }

    /// The intents left in a context.
    private func intents(_ context: borrowing StrategyContext) -> [Intent] {
        context.requests.indices.compactMap {
            guard case .intent(let intent, _) = context.requests[$0] else { return nil }
            return intent
        }
    }

    @Test func intentsAreKeptInOrderWithTheirOwner() {
        var context = context()
        context.strategy = StrategyID(index: 1)
        context.enter(.buy, Self.first, because: "up")
        context.exit(Self.second, using: .limit(Price(cents: 10_00)), because: "enough")
        context.setTarget(Quantity(shares: -5), of: Self.first, because: "down")
        context.setWeight(0.25, of: Self.second, because: "share")
        context.cancelEntries(in: Self.first, because: "stale")
        let intents = intents(context)
        #expect(
            intents.map(\.goal) == [
                .enter(.buy), .exit, .target(Quantity(shares: -5)), .weight(0.25), .cancelEntries,
            ])
        #expect(
            intents.map(\.instrument) == [
                Self.first, Self.second, Self.first, Self.second, Self.first,
            ])
        #expect(intents.allSatisfy { $0.strategy == StrategyID(index: 1) })
        // What is not said otherwise is left to the execution window.
        #expect(
            intents.map(\.terms) == [
                .market, .limit(Price(cents: 10_00)), .market, .market, .market,
            ])
    }

    @Test func equalReasonsHaveOneNumber() {
        var context = context()
        let numbers = [
            context.number(of: "enough"), context.number(of: "stop"), context.number(of: "enough"),
        ]
        #expect(numbers == [TextID(index: 1), TextID(index: 2), TextID(index: 1)])
        #expect(context.reasons.map(\.description) == ["", "enough", "stop"])
    }

    @Test func timersCarryTheirOwner() {
        var context = context()
        context.strategy = StrategyID(index: 1)
        context.setTimer(7, at: Make.time(60))
        guard !context.requests.isEmpty, case .timer(let id, let time) = context.requests[0]
        else {
            Issue.record("a timer was set")
            return
        }
        #expect(id == TimerID(strategy: StrategyID(index: 1), number: 7))
        #expect(time == Make.time(60))
    }

    @Test func holdingsAreEachStrategysOwn() {
        var context = context()
        let held = StrategyContext.Holding(
            quantity: Quantity(shares: 10), working: Quantity(shares: -4))
        context.setHolding(held, of: Self.second, for: StrategyID(index: 1))
        context.strategy = StrategyID(index: 1)
        #expect(context.holding(of: Self.second) == held)
        #expect(context.holding(of: Self.first) == StrategyContext.Holding())
        context.strategy = StrategyID(index: 0)
        #expect(context.holding(of: Self.second) == StrategyContext.Holding())
    }

    @Test func notesAreKeptOnlyWhereAskedFor() {
        var context = context()
        context.note(score: 1, rank: 1, of: Self.first)
        #expect(context.notes.isEmpty)
        context.keepsNotes = true
        context.strategy = StrategyID(index: 1)
        context.time = Make.time(5)
        context.setHolding(
            StrategyContext.Holding(quantity: Quantity(shares: 7)), of: Self.second,
            for: StrategyID(index: 1))
        context.note(score: 0.5, of: Self.second)
        #expect(
            context.notes == [
                ScoreNote(
                    at: Make.time(5), strategy: StrategyID(index: 1), instrument: Self.second,
                    score: 0.5, rank: 0, held: Quantity(shares: 7))
            ])
        #expect(context.requests.count == 0)
    }
}
