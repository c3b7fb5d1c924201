import MarketState
import Model
import Primitives
import Signals
import Strategies
import TestSupport
import Testing

@testable import Runtime

/// A strategy that was saved and restored goes on as if nothing had been.
@Suite struct StrategyStateTests {
    private static let stockCount = 3

    /// A bundled strategy, quick enough to trade within a few hundred bars.
    struct Case: Sendable, CustomTestStringConvertible {
        let type: any Strategy.Type
        let values: [String: ParameterValue]

        var testDescription: String {
            let parts = values.sorted { $0.key < $1.key }.map { "\($0)=\($1)" }
            return "\(type.declaration.name) \(parts.joined(separator: " "))"
        }

        func make() throws -> any Strategy {
            var parameters = Parameters(defaultsOf: type.declaration.parameters)
            for (name, value) in values.sorted(by: { $0.key < $1.key }) {
                try parameters.set(name, to: value)
            }
            return try type.init(StrategySetup(instruments: stocks, parameters: parameters))
        }
    }

    private static let cases: [Case] = [
        Case(
            type: MovingAverageCrossover.self, values: ["fast": .integer(3), "slow": .integer(9)]),
        Case(
            type: MovingAverageCrossover.self,
            values: ["fast": .integer(3), "slow": .integer(9), "average": .choice("ema")]),
        Case(type: Momentum.self, values: ["lookback": .integer(5), "threshold": .number(0.01)]),
        Case(type: RSIReversion.self, values: ["length": .integer(4)]),
        Case(
            type: ZScoreReversion.self,
            values: ["sma_period": .integer(12), "entry_std": .number(1.5)]),
        Case(
            type: CrossSectionalMomentum.self,
            values: [
                "lookback": .integer(10), "top": .integer(2), "rebalance": .choice("bars"),
                "every": .integer(3),
            ]),
        Case(
            type: CrossSectionalMomentum.self,
            values: [
                "lookback": .integer(10), "top": .integer(2), "rebalance": .choice("weekly"),
                "max_turnover_pct": .number(20),
            ]),
    ]

    private static let stocks = (0..<stockCount).map {
        Instrument(id: InstrumentID(index: $0), symbol: "S\($0)")
    }

    /// Random walks in cents by bar and instrument; six-hour bars, so that weeks pass.
    private static func walks(_ seed: UInt64) -> [[Bar]] {
        var chance = SeededGenerator(seed: seed)
        var prices = Array(repeating: 10_000 as Int64, count: stockCount)
        return (0..<300).map { slot in
            prices.indices.map { index in
                let open = prices[index]
                prices[index] = max(500, open + chance.number(in: -150...150))
                return Make.bar(
                    slot, open: open, close: prices[index], instrument: index, barSize: .hours(6))
            }
        }
    }

    /// Another strategy, which is saved and restored before some of its calls.
    private struct Restarting: Strategy {
        static let declaration = StrategyDeclaration(name: "restarting", summary: "")

        var inner: any Strategy
        var chance: SeededGenerator
        let percent: Int64

        init(_ setup: StrategySetup) { preconditionFailure("made of another strategy") }

        init(_ inner: any Strategy, seed: UInt64, percent: Int64) {
            self.inner = inner
            self.percent = percent
            chance = SeededGenerator(seed: seed)
        }

        private mutating func restart() {
            guard chance.chance(percent: percent) else { return }
            do {
                let saved = try #require(try StrategyState.encode(inner))
                inner = try StrategyState.decode(saved, as: type(of: inner))
                #expect(try StrategyState.encode(inner) == saved)
            } catch {
                Issue.record(error)
            }
        }

        mutating func barClosed(_ bar: Bar, _ context: inout StrategyContext) {
            restart()
            inner.barClosed(bar, &context)
        }

        mutating func sliceClosed(_ context: inout StrategyContext) {
            restart()
            inner.sliceClosed(&context)
        }
    }

    @Test(arguments: cases, 0..<4 as Range<UInt64>)
    func aRestoredStrategyGoesOnAsTheOriginal(trial: Case, seed: UInt64) throws {
        func run(_ strategy: any Strategy) -> ([Rehearsal.RecordedIntent], [Rehearsal.Note]) {
            var rehearsal = Rehearsal(strategy, instruments: Self.stocks)
            for slice in Self.walks(seed) { rehearsal.show(slice) }
            return (rehearsal.intents, rehearsal.notes)
        }
        let (intents, notes) = run(try trial.make())
        #expect(intents.count > 10)
        for percent in [1, 10] as [Int64] {
            let repeated = run(Restarting(try trial.make(), seed: seed, percent: percent))
            #expect(repeated == (intents, notes))
        }
    }

    @Test(arguments: 0..<8 as Range<UInt64>)
    func aRestoredStrategyOfQuotesGoesOnAsTheOriginal(seed: UInt64) throws {
        let trial = Case(
            type: BidAskTurns.self, values: ["every": .integer(4), "shares": .integer(7)])
        func intents(restarting: Bool) throws -> [Intent] {
            var strategy = try trial.make()
            var chance = SeededGenerator(seed: seed)
            var restarts = SeededGenerator(seed: seed &+ 1)
            var context = StrategyContext(instruments: Self.stocks, strategyCount: 1)
            var intents: [Intent] = []
            for second in 0..<300 as Range<Int64> {
                let instrument = chance.one(of: Self.stocks).id
                let bid = chance.number(in: 100_00...101_00)
                let quote = Quote(
                    instrument: instrument, at: Make.time(second), bid: Price(cents: bid),
                    ask: Price(cents: bid + 1))
                context.time = quote.at
                context.state.record(quote)
                // Orders come and go.
                let working = Quantity(shares: chance.number(in: 0...1))
                context.setHolding(
                    StrategyContext.Holding(working: working), of: instrument,
                    for: context.strategy)
                if restarting && restarts.chance(percent: 15) {
                    let saved = try #require(try StrategyState.encode(strategy))
                    strategy = try StrategyState.decode(saved, as: trial.type)
                }
                strategy.quoteChanged(quote, &context)
                for index in context.requests.indices {
                    guard case .intent(let intent, _) = context.requests[index] else { continue }
                    intents.append(intent)
                }
                context.requests.removeAll()
            }
            return intents
        }
        let original = try intents(restarting: false)
        #expect(original.count > 20)
        #expect(try intents(restarting: true) == original)
    }

    @Test func everyBundledStrategyIsSaved() {
        for type in BundledStrategies.all {
            #expect(StrategyState.saving(of: type) == .saved, "\(type.declaration.name)")
        }
    }

    /// A state in the middle of a run, with a bit of each byte flipped.
    @Test(arguments: cases)
    func noDamageStopsTheProcess(trial: Case) throws {
        var strategy = try trial.make()
        var context = StrategyContext(instruments: Self.stocks, strategyCount: 1)
        for bar in Self.walks(1).prefix(40).joined() {
            context.time = bar.end
            context.state.record(bar)
            strategy.barClosed(bar, &context)
            strategy.sliceClosed(&context)
        }
        let bytes = try #require(try StrategyState.encode(strategy))
        for index in bytes.indices {
            #expect(throws: SavedStateError.self) {
                try StrategyState.decode(Array(bytes[..<index]), as: trial.type)
            }
            var damaged = bytes
            damaged[index] ^= 1 << UInt8(index * 5 % 8)
            guard let other = try? StrategyState.decode(damaged, as: trial.type) else { continue }
            #expect(try StrategyState.encode(other) == damaged)
        }
    }

    // MARK: What is not saved

    private struct Forgetful: Strategy {
        static let declaration = StrategyDeclaration(name: "forgetful", summary: "")
        init(_ setup: StrategySetup) {}
    }

    private struct Collector: Strategy, Codable {
        static let declaration = StrategyDeclaration(name: "collector", summary: "")
        private var seen: [Seen]

        private struct Seen: Codable {
            var days: Set<Day> = []
        }

        init(_ setup: StrategySetup) { seen = setup.instruments.map { _ in Seen() } }
    }

    private struct Counter: Strategy, Codable {
        static let declaration = StrategyDeclaration(name: "counter", summary: "")
        var count = 0
        var entries: [String: Price] = [:]
        init(_ setup: StrategySetup) {}
    }

    private static func fresh<Value: Strategy>(_ type: Value.Type) throws -> Value {
        try type.init(
            StrategySetup(instruments: stocks, parameters: Parameters(defaultsOf: [])))
    }

    @Test func aStrategyThatIsNotCodableIsNotSaved() throws {
        #expect(StrategyState.saving(of: Forgetful.self) == .notCodable)
        #expect(try StrategyState.encode(Self.fresh(Forgetful.self)) == nil)
        #expect(throws: SavedStateError.self) {
            try StrategyState.decode([1, 9, 0, 0], as: Forgetful.self)
        }
    }

    @Test func aSetInAStrategyIsFoundBeforeItRuns() throws {
        let refusal = SavedStateError.unordered(type: "Set<Day>", at: "seen[0].days")
        #expect(StrategyState.saving(of: Collector.self) == .refused(refusal))
        #expect(throws: refusal) { try StrategyState.encode(Self.fresh(Collector.self)) }
    }

    @Test func aStrategyOfOnesOwnIsSaved() throws {
        #expect(StrategyState.saving(of: Counter.self) == .saved)
        var counter = try Self.fresh(Counter.self)
        counter.count = 7
        counter.entries = ["AAPL": Price(cents: 1), "MSFT": Price(cents: -2)]
        let saved = try #require(try StrategyState.encode(counter))
        let back = try #require(try StrategyState.decode(saved, as: Counter.self) as? Counter)
        #expect((back.count, back.entries) == (7, counter.entries))
        // The state of another strategy is no state of this one.
        #expect(throws: SavedStateError.self) {
            try StrategyState.decode(saved, as: RSIReversion.self)
        }
    }
}
