import Catalog
import MarketState
import Model
import Primitives
import Reporting
import Risk
import Signals
import Simulation
import Testing

@testable import Runtime

/// Does something about one bar in twenty or so; what, depends on all it has seen so far.
private struct Watcher: Strategy {
    static let declaration = StrategyDeclaration(name: "watcher", summary: "looks at everything")
    private var seen = StateHasher()

    init(_ setup: StrategySetup) {}
    init() {}

    mutating func barClosed(_ bar: Bar, _ context: inout StrategyContext) {
        let instrument = bar.instrument
        seen.combine(bar.close)
        seen.combine(context.now)
        seen.combine(context.equity)
        seen.combine(context.market.latestPrice(of: instrument) == bar.close)
        seen.combine(context.holding(of: instrument).quantity)
        switch seen.digest % 100 {
        case 0: context.enter(.buy, instrument, because: "one")
        case 1: context.enter(.sell, instrument, because: "two")
        case 2, 3: context.exit(instrument, because: "three")
        case 4:
            context.enter(.buy, instrument, using: .limit(bar.close), because: "four")
        case 5: context.setTimer(1, at: context.now + .seconds(90))
        case 6: context.setTarget(Quantity(shares: 30), of: instrument, because: "six")
        default: break
        }
    }

    mutating func timerFired(_ number: Int, _ context: inout StrategyContext) {
        seen.combine(context.now)
    }
}

/// A run that writes down equity at every bar takes every step; one that does not shows the strategy most
/// bars in batches. They must come to the same in everything.
@Suite struct BatchTests {
    @Test(arguments: 0..<40 as Range<UInt64>)
    func batchesChangeNothing(seed: UInt64) throws {
        var trial = Trial([Self.series(seed)], Watcher())
        trial.seed = seed
        trial.venue.calendar = seed % 2 == 0 ? .always : .newYork
        if seed % 5 == 1 { trial.latencies.order = .fixed(.seconds(70)) }
        if seed % 5 == 2 { trial.latencies.acknowledgement = .fixed(.milliseconds(5)) }
        if seed % 5 == 3 { trial.limits = RiskLimits(allowsShort: true) }
        if seed % 7 == 3 {
            trial.from = trial.series[0].rows[400].start
            trial.warmup = 50
        }
        trial.equityRows = .every
        let stepped = try trial.run()
        trial.equityRows = .session
        let run = try trial.run()
        #expect(!stepped.fills.isEmpty)
        #expect(run.fills == stepped.fills)
        #expect(run.orders == stepped.orders)
        #expect(run.maxDrawdown == stepped.maxDrawdown)
        #expect(run.barCount == stepped.barCount)
        #expect((run.from, run.to) == (stepped.from, stepped.to))
        #expect(run.stateHash == stepped.stateHash)
        // The last row is that of the run's end, which answers under way may put behind the last bar.
        let known = Set(stepped.equity.map(\.at))
        #expect(run.equity.dropLast().allSatisfy { known.contains($0.at) })
    }

    /// The crossover in batches.
    @Test(arguments: 0..<20 as Range<UInt64>)
    func crossoverDoesTheSameInBatches(seed: UInt64) throws {
        var trial = Trial([Self.series(seed)], try crossover(fast: 3, slow: 9 + Int(seed)))
        trial.limits = RiskLimits()
        trial.sizing = .percentOfEquity(Percent(90))
        if seed % 3 == 1 { trial.latencies.order = .fixed(.seconds(70)) }
        trial.equityRows = .every
        let stepped = try trial.run()
        trial.equityRows = .session
        let run = try trial.run()
        #expect(stepped.fills.count > 50)
        #expect(run.fills == stepped.fills)
        #expect(run.orders == stepped.orders)
        #expect(run.maxDrawdown == stepped.maxDrawdown)
        #expect(run.stateHash == stepped.stateHash)
    }

    /// A position that grows beyond what the ledger can bear halts entries in a batch as in a step.
    @Test func aValueTheBooksCannotBearIsNoticed() throws {
        let rise = (0..<60).map { Int64(100_00) << min($0 / 2, 24) }
        var trial = Trial([.closes(rise)], Holder())
        trial.sizing = .fixedShares(Quantity(shares: 90_000))
        let run = try trial.run()
        trial.equityRows = .every
        #expect(try trial.run().stateHash == run.stateHash)
        #expect(run.refusals.contains { $0.reason == "entries are halted" })
    }

    /// Bars of a random walk over three days, some missing, some nights among them.
    private static func series(_ seed: UInt64) -> BarSeries {
        var series = BarSeries.walk(seed, 3_000)
        var chance = SeededGenerator(seed: seed &+ 77)
        series.rows = series.rows.filter { _ in chance.nextUniform() > 0.02 }
        return series
    }
}

/// Buys at once, and tries again and again much later.
private struct Holder: Strategy {
    static let declaration = StrategyDeclaration(name: "holder", summary: "buys")
    private var bars = 0

    init(_ setup: StrategySetup) {}
    init() {}

    mutating func barClosed(_ bar: Bar, _ context: inout StrategyContext) {
        bars += 1
        if bars == 1 { context.enter(.buy, bar.instrument, because: "first") }
        if bars > 55 {
            context.setTarget(Quantity(shares: 90_001), of: bar.instrument, because: "more")
        }
    }
}
