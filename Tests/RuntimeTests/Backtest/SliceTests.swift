import Catalog
import MarketState
import Model
import Primitives
import Reporting
import Risk
import Signals
import Simulation
import Strategies
import Testing

@testable import Runtime

/// Does something about one bar in twenty or so and about some instants; what, depends on all it has seen.
private struct Watcher: Strategy {
    static let declaration = StrategyDeclaration(name: "watcher", summary: "looks at everything")
    private var seen = StateHasher()
    private let instruments: [InstrumentID]

    init(_ setup: StrategySetup) { instruments = setup.instruments.map(\.id) }

    mutating func barClosed(_ bar: Bar, _ context: inout StrategyContext) {
        look(bar.instrument, context)
        seen.combine(bar.close)
        act(bar.instrument, at: bar.close, &context)
    }

    mutating func sliceClosed(_ context: inout StrategyContext) {
        seen.combine(context.equity)
        for instrument in instruments where seen.digest % 50 == 1 {
            look(instrument, context)
            act(instrument, at: nil, &context)
        }
    }

    mutating func orderFilled(_ execution: Execution, _ context: inout StrategyContext) {
        seen.combine(execution.price)
    }

    mutating func timerFired(_ number: Int, _ context: inout StrategyContext) {
        seen.combine(context.now)
    }

    /// Also at others' prices and positions: what of a timestamp is known when decides.
    private mutating func look(_ instrument: InstrumentID, _ context: borrowing StrategyContext) {
        seen.combine(context.now)
        seen.combine(context.equity)
        for other in instruments {
            seen.combine(context.market.latestPrice(of: other)?.units ?? 0)
            seen.combine(context.holding(of: other).quantity)
            seen.combine(context.holding(of: other).working)
        }
    }

    private func act(
        _ instrument: InstrumentID, at price: Price?, _ context: inout StrategyContext
    ) {
        switch seen.digest % 120 {
        case 0: context.enter(.buy, instrument, because: "one")
        case 1: context.enter(.sell, instrument, because: "two")
        case 2, 3: context.exit(instrument, because: "three")
        case 4:
            guard let price else { return }
            context.enter(.buy, instrument, using: .limit(price), because: "four")
        case 5: context.setTimer(1, at: context.now + .seconds(90))
        case 6: context.setTarget(Quantity(shares: 30), of: instrument, because: "six")
        default: break
        }
    }
}

/// Buys at once, and tries again much later.
private struct Holder: Strategy {
    static let declaration = StrategyDeclaration(name: "holder", summary: "buys")
    private var bars = 0

    init(_ setup: StrategySetup) {}

    mutating func barClosed(_ bar: Bar, _ context: inout StrategyContext) {
        bars += 1
        if bars < 4 { context.enter(.buy, bar.instrument, because: "first") }
        if bars > 110 {
            context.setTarget(Quantity(shares: 90_001), of: bar.instrument, because: "more")
        }
    }
}

/// A strategy whose average true ranges have to be kept up with every bar, so that it is shown bars one by
/// one.
private struct Stepped<Inner: Strategy>: Strategy {
    static var declaration: StrategyDeclaration { Inner.declaration }
    private var inner: Inner

    init(_ setup: StrategySetup) throws(ParameterError) { inner = try Inner(setup) }

    var warmupBars: Int { inner.warmupBars }
    var averageTrueRangeLengths: [Int] { [3] }

    mutating func barClosed(_ bar: Bar, _ context: inout StrategyContext) {
        inner.barClosed(bar, &context)
    }

    mutating func sliceClosed(_ context: inout StrategyContext) { inner.sliceClosed(&context) }

    mutating func orderFilled(_ execution: Execution, _ context: inout StrategyContext) {
        inner.orderFilled(execution, &context)
    }

    mutating func timerFired(_ number: Int, _ context: inout StrategyContext) {
        inner.timerFired(number, &context)
    }
}

/// A strategy is shown the bars of a timestamp at once where nobody else is concerned. That must come to the
/// same as one after the other, in everything.
@Suite struct SliceTests {
    @Test(arguments: 0..<40 as Range<UInt64>)
    func slicesChangeNothing(seed: UInt64) throws {
        try compare(Watcher.self, [:], Self.trial(seed))
    }

    @Test(arguments: 0..<10 as Range<UInt64>)
    func slicesChangeNothingForMomentum(seed: UInt64) throws {
        let values: [String: ParameterValue] = [
            "lookback": .integer(5), "top": .integer(2), "rebalance": .choice("bars"),
            "every": .integer(7), "band_pct": .number(0), "min_trade_usd": .integer(0),
        ]
        try compare(CrossSectionalMomentum.self, values, Self.trial(seed))
    }

    /// A position that grows beyond what the ledger can bear halts entries in a slice as in a step.
    @Test func aValueTheBooksCannotBearIsNoticed() throws {
        let rise = (0..<60).map { Int64(100_00) << min($0 / 2, 24) }
        let calm = (0..<60).map { _ in Int64(100_00) }
        var trial = Trial([
            .closes(calm, symbol: "A"), .closes(rise, symbol: "B"), .closes(calm, symbol: "C"),
        ])
        trial.sizing = .fixedShares(Quantity(shares: 90_000))
        let run = try compare(Holder.self, [:], trial)
        #expect(run.refusals.contains { $0.reason == "entries are halted" })
    }

    @discardableResult
    private func compare<Kind: Strategy>(
        _ kind: Kind.Type, _ values: [String: ParameterValue], _ trial: Trial
    ) throws -> RunRecord {
        var parameters = Parameters(defaultsOf: Kind.declaration.parameters)
        for (name, value) in values { try parameters.set(name, to: value) }
        let instruments = trial.series.indices.map {
            Instrument(id: InstrumentID(index: $0), symbol: trial.series[$0].symbol)
        }
        let setup = StrategySetup(instruments: instruments, parameters: parameters)
        var trial = trial
        trial.keepsNotes = true
        trial.strategies = [try Kind(setup)]
        let run = try trial.run()
        trial.strategies = [try Stepped<Kind>(setup)]
        let stepped = try trial.run()
        #expect(trial.limits != nil || !stepped.fills.isEmpty)
        #expect(run.fills == stepped.fills)
        #expect(run.orders == stepped.orders)
        #expect(run.equity == stepped.equity)
        #expect(run.scores == stepped.scores)
        #expect(run.maxDrawdown == stepped.maxDrawdown)
        #expect(run.barCount == stepped.barCount)
        #expect(run.stateHash == stepped.stateHash)
        return run
    }

    /// Random walks of a few instruments; bars are missing at some instants, or for some of them.
    private static func trial(_ seed: UInt64) -> Trial {
        var chance = SeededGenerator(seed: seed &+ 77)
        let isPatchy = seed % 2 == 0
        let common = (0..<800).map { _ in chance.nextUniform() > 0.05 }
        let series = (0..<Int(2 + seed % 4)).map { index in
            var series = BarSeries.walk(seed &* 10 &+ UInt64(index), 800, symbol: "S\(index)")
            series.rows = zip(series.rows, common).compactMap { row, isThere in
                let isMissing = isPatchy && chance.nextUniform() < 0.02
                return isThere && !isMissing ? row : nil
            }
            return series
        }
        var trial = Trial(series)
        trial.seed = seed
        trial.venue.calendar = seed % 3 == 0 ? .newYork : .always
        if seed % 5 == 1 { trial.latencies.order = .fixed(.seconds(70)) }
        if seed % 5 == 2 { trial.latencies.acknowledgement = .fixed(.milliseconds(5)) }
        if seed % 5 == 3 { trial.limits = RiskLimits(allowsShort: true) }
        if seed % 7 == 3 {
            trial.from = series[0].rows[400].start
            trial.warmup = 50
            // What is left of the rows is after New York's hours.
            trial.venue.calendar = .always
        }
        return trial
    }
}
