import Model
import Primitives
import Signals
import TestSupport
import Testing

@testable import Strategies

/// What holds for every bundled strategy, whatever the prices.
@Suite struct StrategyPropertyTests {
    private static let barCount = 400
    private static let stockCount = 4

    /// Every bundled strategy, quick enough to trade within a few hundred bars.
    private static let cases: [Case] = [
        Case(MovingAverageCrossover.self, ["fast": .integer(3), "slow": .integer(9)]),
        Case(
            MovingAverageCrossover.self,
            ["fast": .integer(3), "slow": .integer(9), "average": .choice("ema")],
            forgets: false),
        Case(Momentum.self, ["lookback": .integer(5), "threshold": .number(0.01)]),
        Case(RSIReversion.self, ["length": .integer(4)]),
        Case(ZScoreReversion.self, ["sma_period": .integer(12), "entry_std": .number(1.5)]),
        Case(
            CrossSectionalMomentum.self,
            [
                "lookback": .integer(10), "top": .integer(2), "rebalance": .choice("bars"),
                "every": .integer(3),
            ], comparesInstruments: true),
        Case(
            CrossSectionalMomentum.self,
            ["lookback": .integer(10), "top": .integer(2), "rebalance": .choice("weekly")],
            comparesInstruments: true),
    ]

    struct Case: Sendable, CustomTestStringConvertible {
        let type: any Strategy.Type
        let values: [String: ParameterValue]
        let forgets: Bool
        let comparesInstruments: Bool

        init(
            _ type: any Strategy.Type, _ values: [String: ParameterValue], forgets: Bool = true,
            comparesInstruments: Bool = false
        ) {
            self.type = type
            self.values = values
            self.forgets = forgets
            self.comparesInstruments = comparesInstruments
        }

        var testDescription: String {
            let parts = values.sorted { $0.key < $1.key }.map { "\($0)=\($1)" }
            return "\(type.declaration.name) \(parts.joined(separator: " "))"
        }

        func make() throws -> any Strategy {
            try bundled(type, values, instruments: stockCount)
        }
    }

    /// Random walks in cents by bar and instrument; six-hour bars, so that weeks pass.
    private static func walks(_ seed: UInt64) -> [[Bar]] {
        var chance = SeededGenerator(seed: seed)
        var prices = Array(repeating: 10_000 as Int64, count: stockCount)
        return (0..<barCount).map { slot in
            prices.indices.map { index in
                let open = prices[index]
                prices[index] = max(500, open + chance.number(in: -150...150))
                return Make.bar(
                    slot, open: open, close: prices[index], instrument: index, barSize: .hours(6))
            }
        }
    }

    private func intents(
        _ trial: Case, _ bars: [[Bar]], from start: Int = 0, warmUp: Int = 0
    ) throws -> [Rehearsal.RecordedIntent] {
        var rehearsal = Rehearsal(try trial.make(), instruments: stocks(Self.stockCount))
        rehearsal.warmUp(bars[(start - warmUp)..<start].flatMap(\.self))
        for slice in bars[start...] { rehearsal.show(slice) }
        return rehearsal.intents
    }

    @Test(arguments: cases, 0..<10 as Range<UInt64>)
    func theFutureChangesNoDecisionOfThePast(trial: Case, seed: UInt64) throws {
        let past = Self.walks(seed)
        var chance = SeededGenerator(seed: seed &+ 99)
        let cut = Int(chance.number(in: 100...350))
        let future = past[..<cut] + Self.walks(seed &+ 1_000)[cut...]
        let end = past[cut][0].start
        let before = try intents(trial, past).filter { $0.at <= end }
        #expect(!before.isEmpty)
        #expect(try intents(trial, Array(future)).filter { $0.at <= end } == before)
    }

    @Test(arguments: cases, 0..<10 as Range<UInt64>)
    func aLongerWarmUpChangesNothing(trial: Case, seed: UInt64) throws {
        let bars = Self.walks(seed)
        let warmUp = try trial.make().warmupBars
        // An exponential average never quite forgets: what it has of the bars before is below a
        // millionth.
        let needed = trial.forgets ? warmUp : 10 * warmUp
        let exact = try intents(trial, bars, from: 200, warmUp: needed)
        #expect(!exact.isEmpty)
        #expect(try intents(trial, bars, from: 200, warmUp: needed + 1) == exact)
        #expect(try intents(trial, bars, from: 200, warmUp: 200) == exact)
    }

    @Test(arguments: cases.filter { !$0.comparesInstruments }, 0..<10 as Range<UInt64>)
    func instrumentsDoNotInfluenceEachOther(trial: Case, seed: UInt64) throws {
        let bars = Self.walks(seed)
        let together = try intents(trial, bars)
        for index in 0..<Self.stockCount {
            let alone = try intents(trial, bars.map { [$0[index]] })
            #expect(!alone.isEmpty)
            #expect(together.filter { $0.instrument.index == index } == alone)
        }
    }

    /// The order of instruments within a timestamp is nobody's business.
    @Test(arguments: cases, 0..<10 as Range<UInt64>)
    func theOrderWithinATimeSliceChangesNoDecision(trial: Case, seed: UInt64) throws {
        let bars = Self.walks(seed)
        let forwards = try intents(trial, bars)
        let backwards = try intents(trial, bars.map { $0.reversed() })
        #expect(Set(forwards) == Set(backwards))
    }
}
