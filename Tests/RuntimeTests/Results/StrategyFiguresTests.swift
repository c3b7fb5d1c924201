import Catalog
import Model
import Primitives
import Reporting
import Signals
import Simulation
import Strategies
import Testing

@testable import Runtime

/// Enters at one bar of an instrument and exits at another.
private struct Visitor: Strategy {
    static let declaration = StrategyDeclaration(name: "visitor", summary: "comes and goes")
    private let side: Side
    private let entry: Int
    private let exit: Int
    private var bars = 0

    init(_ setup: StrategySetup) { self.init(.buy, from: 1, to: 2) }
    init(_ side: Side, from entry: Int, to exit: Int) {
        self.side = side
        self.entry = entry
        self.exit = exit
    }

    mutating func barClosed(_ bar: Bar, _ context: inout StrategyContext) {
        bars += 1
        if bars == entry { context.enter(side, bar.instrument, because: "came") }
        if bars == exit { context.exit(bar.instrument, because: "went") }
    }
}

@Suite struct StrategyFiguresTests {
    /// A bar a day: 100, 100, 110, 120, 115. The first buys 100 at 100 and sells at 110; the second buys
    /// 100 at 100 a bar later and keeps them. Each order costs 1.00.
    @Test func eachStrategyHasItsOwnFiguresOnSharedSymbols() throws {
        var trial = Trial(
            [.closes([100_00, 100_00, 110_00, 120_00, 115_00], barSize: .days(1))],
            Visitor(.buy, from: 1, to: 3), Visitor(.buy, from: 2, to: 99))
        trial.venue.commission = .perOrder(Money(cents: 1_00))
        let record = try trial.run()
        let summary = PerformanceSummary(of: record, trades: RoundTrips(of: record))
        #expect(summary.strategies.map(\.strategy.index) == [0, 1])
        let (first, second) = (summary.strategies[0], summary.strategies[1])
        #expect(first.record.realized == Money(cents: 1_000_00))
        #expect(first.record.netProfit == Money(cents: 998_00))
        #expect(first.trades.count == 1 && first.trades.winRate == 1)
        #expect(second.record.unrealized == Money(cents: 1_500_00))
        #expect(second.record.netProfit == Money(cents: 1_499_00))
        #expect(second.trades.winRate == nil && second.fillCount == 1)
        // Held at the ends of sessions 2 and 3, and of 3 to 5.
        #expect(first.exposure == 0.4 && second.exposure == 0.6)
        let profit = first.record.netProfit + second.record.netProfit
        #expect(record.finalEquity - record.startingCapital == profit)
    }

    @Test func aSingleStrategyIsTheRunItself() throws {
        let record = try Trial([.walk(1, 50)], Visitor(.buy, from: 1, to: 3)).run()
        #expect(record.strategyRecords.isEmpty)
    }

    /// Property: what strategies made is what the account made, whoever holds what against whom.
    @Test(arguments: 0..<20 as Range<UInt64>)
    func profitsOfStrategiesAddUpToTheAccounts(seed: UInt64) throws {
        var trial = Trial(
            [.walk(seed, 400, symbol: "A"), .walk(seed + 50, 400, symbol: "B")],
            try crossover(fast: 3, slow: 9, instruments: 2),
            try crossover(fast: 5, slow: 14, instruments: 2),
            Visitor(.sell, from: 5, to: 300))
        trial.venue.commission = .ibkrFixed
        let record = try trial.run()
        let sum = record.strategyRecords.reduce(Money.zero) { $0 + $1.netProfit }
        // Each of four figures of three strategies is rounded for itself.
        let difference = record.finalEquity - record.startingCapital - sum
        #expect(difference.magnitude <= Money(units: 12))
    }
}

@Suite struct ScoreTests {
    private func ranker(_ count: Int) throws -> CrossSectionalMomentum {
        var parameters = Parameters(defaultsOf: CrossSectionalMomentum.declaration.parameters)
        try parameters.set("lookback", to: .integer(10))
        try parameters.set("top", to: .integer(2))
        try parameters.set("rebalance", to: .choice("bars"))
        try parameters.set("every", to: .integer(25))
        let instruments = (0..<count).map {
            Instrument(id: InstrumentID(index: $0), symbol: "S\($0)")
        }
        return try CrossSectionalMomentum(
            StrategySetup(instruments: instruments, parameters: parameters))
    }

    private func trial() throws -> Trial {
        Trial((0..<4).map { .walk(UInt64($0), 300, symbol: "S\($0)") }, try ranker(4))
    }

    /// The first time with the eleventh bar, then every 25 bars: 12 times among 300.
    @Test func everyRebalanceLeavesScoresAndRanks() throws {
        var trial = try trial()
        trial.keepsNotes = true
        let record = try trial.run()
        #expect(record.scores.count == 12 * 4)
        let closes = trial.series.map { series in series.rows.map(\.close) }
        for start in stride(from: 0, to: record.scores.count, by: 4) {
            let scores = record.scores[start..<start + 4]
            #expect(scores.map(\.rank) == [1, 2, 3, 4])
            #expect(Set(scores.map(\.instrument.index)) == [0, 1, 2, 3])
            // Over ten bars, from closes.
            let index = 10 + 25 * (start / 4)
            for score in scores {
                let prices = closes[Int(score.instrument.index)]
                let change =
                    Double(prices[index].units) / Double(prices[index - 10].units) - 1
                #expect(abs(score.score - change) < 1e-12)
            }
            #expect(scores.map(\.score) == scores.map(\.score).sorted(by: >))
        }
        // The best two of the first time are held at the second.
        let (first, second) = (record.scores[..<2], record.scores[4..<8])
        let held = second.filter { $0.held > .zero }.map(\.instrument)
        #expect(Set(held) == Set(first.map(\.instrument)))
    }

    @Test func keepingScoresChangesNoResult() throws {
        var trial = try trial()
        let without = try trial.run()
        trial.keepsNotes = true
        let with = try trial.run()
        #expect(without.scores.isEmpty && !with.scores.isEmpty)
        #expect(without.stateHash == with.stateHash)
        #expect(without.fills == with.fills)
    }

    /// Warm-up is of the past: what is noted there is no decision.
    @Test func warmUpLeavesNoScores() throws {
        let walk = BarSeries.walk(2, 200)
        var parameters = Parameters(defaultsOf: Momentum.declaration.parameters)
        try parameters.set("lookback", to: .integer(5))
        try parameters.set("threshold", to: .number(0))
        let instruments = [Instrument(id: InstrumentID(index: 0), symbol: "TEST")]
        var trial = Trial(
            [walk], try Momentum(StrategySetup(instruments: instruments, parameters: parameters)))
        trial.keepsNotes = true
        let whole = try trial.run()
        trial.from = walk.rows[100].start
        trial.warmup = 100
        let later = try trial.run()
        #expect(whole.scores.contains { $0.at < walk.rows[100].start })
        #expect(!later.scores.isEmpty)
        #expect(later.scores.allSatisfy { $0.at > walk.rows[100].start && $0.rank == nil })
    }
}
