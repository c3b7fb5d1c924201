import Accounting
import Catalog
import MarketState
import Model
import Primitives
import Reporting
import Risk
import Signals
import Simulation
import Strategies
import TestSupport
import Testing
import TradingEngine

@testable import Runtime

/// Asks for something about one bar in so many; what, depends on all it has seen so far.
private struct Noisy: Strategy {
    static let declaration = StrategyDeclaration(name: "noisy", summary: "now this, now that")
    private var seen = StateHasher()
    private let rarity: UInt64

    init(_ setup: StrategySetup) { rarity = 50 }
    init(seed: UInt64, rarity: UInt64) {
        seen.combine(seed)
        self.rarity = rarity
    }

    mutating func barClosed(_ bar: Bar, _ context: inout StrategyContext) {
        let instrument = bar.instrument
        seen.combine(bar.close)
        seen.combine(context.now)
        seen.combine(context.equity)
        seen.combine(context.holding(of: instrument).quantity)
        context.note(score: Double(seen.digest % 100), of: instrument)
        switch seen.digest % rarity {
        case 0: context.enter(.buy, instrument, because: "long")
        case 1: context.enter(.sell, instrument, because: "short")
        case 2, 3: context.exit(instrument, because: "out")
        case 4: context.enter(.buy, instrument, using: .limit(bar.close), because: "limit")
        case 5: context.setTimer(1, at: context.now + .seconds(90))
        default: break
        }
    }

    mutating func sliceClosed(_ context: inout StrategyContext) {
        seen.combine(context.now)
    }

    mutating func orderFilled(_ execution: Execution, _ context: inout StrategyContext) {
        seen.combine(execution.price)
    }

    mutating func intentRefused(_ refusal: IntentRefusal, _ context: inout StrategyContext) {
        seen.combine(UInt64(refusal.rule.rawValue))
    }

    mutating func orderEnded(_ end: OrderEnd, _ context: inout StrategyContext) {
        seen.combine(end.remaining)
    }
}

/// Batches of several strategies, with protection and breakers on, come to the same in everything as a second run
/// that steps the same bars one by one.
@Suite struct SharedBatchTests {
    @Test(arguments: 0..<120 as Range<UInt64>)
    func batchesOfSeveralStrategiesChangeNothing(seed: UInt64) throws {
        try compare(Self.trial(seed))
    }

    @Test(arguments: 0..<12 as Range<UInt64>)
    func batchesOfBundledStrategiesChangeNothing(seed: UInt64) throws {
        var trial = Self.trial(seed)
        trial.strategies = [
            try crossover(fast: 3, slow: 12),
            try RSIReversion(setup(RSIReversion.self)),
            try ZScoreReversion(setup(ZScoreReversion.self)),
        ]
        try compare(trial)
    }

    private func setup(_ type: any Strategy.Type) -> StrategySetup {
        StrategySetup(
            instruments: Make.instruments("TEST"),
            parameters: Parameters(defaultsOf: type.declaration.parameters))
    }

    private func compare(_ trial: Trial) throws {
        let change = trial.account
        var stepping = trial
        stepping.account = { setup in
            change(&setup)
            setup.usesBatches = false
        }
        var trial = trial
        trial.isVerified = true
        let (run, stepped) = (try trial.run(), try stepping.run())
        #expect(!stepped.fills.isEmpty)
        // The first difference says more than both lists.
        let difference = zip(run.decisions, stepped.decisions).first { $0 != $1 }
        #expect(difference == nil)
        let isSameFills = run.fills == stepped.fills
        let isSameOrders = run.orders == stepped.orders
        let note = zip(run.scores, stepped.scores).first { $0 != $1 }
        #expect(isSameFills && isSameOrders)
        #expect(note == nil)
        #expect(run.scores.count == stepped.scores.count)
        #expect(run.decisions.count == stepped.decisions.count)
        #expect(run.maxDrawdown == stepped.maxDrawdown)
        let isSameEquity = run.equity == stepped.equity
        #expect(isSameEquity)
        #expect(run.barCount == stepped.barCount)
        #expect(run.stateHash == stepped.stateHash)
    }

    private static func trial(_ seed: UInt64) -> Trial {
        var chance = SeededGenerator(seed: seed &+ 9_000)
        let rarity = chance.one(of: [40, 150, 600] as [UInt64])
        var trial = Trial([.walk(seed, 1_500)])
        trial.strategies = (0..<1 + seed % 3).map { Noisy(seed: seed &* 3 &+ $0, rarity: rarity) }
        trial.venue.calendar = chance.one(of: [.always, .newYork])
        trial.venue.limitFill = chance.one(of: [.through, .touch])
        trial.venue.participation = chance.one(of: [nil, Percent(10)])
        trial.venue.barPath = chance.one(of: [.pessimistic, .ohlcPath])
        trial.venue.commission = .ibkrFixed
        trial.protection = chance.one(of: [
            nil, Protection(stop: .away(.percent(Percent(1))), target: .away(.percent(Percent(2)))),
            Protection(stop: .away(.range(RangeDistance(length: 5, times: Percent(300))))),
            Protection(stop: .trailing(.percent(Percent(1)))),
        ])
        trial.keepsNotes = true
        trial.limits = RiskLimits(allowsShort: chance.chance(percent: 60))
        trial.latencies.order = chance.one(of: [.fixed(.zero), .fixed(.zero), .fixed(.seconds(70))])
        let (kind, response) = (
            chance.number(in: 0...3), chance.one(of: LossLimits.Response.allCases)
        )
        trial.account = { setup in
            setup.decisions = .all
            setup.losses.response = response
            switch kind {
            case 0: break
            case 1: setup.losses.dailyAmount = Money(cents: 60_00)
            case 2: setup.losses.drawdownPercent = Percent(units: Percent(1).units / 50)
            default:
                setup.losses.dailyPercent = Percent(units: Percent(1).units / 30)
                setup.margin = MarginTerms(
                    initial: Percent(50), maintenanceLong: Percent(25),
                    maintenanceShort: Percent(30))
            }
        }
        return trial
    }
}
