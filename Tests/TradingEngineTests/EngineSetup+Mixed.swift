import Accounting
import MarketState
import Model
import Primitives
import Risk
import Signals
import TestSupport
import TradingEngine

extension EngineSetup {
    /// Two restless strategies, and everything that can be set at random.
    static func mixed(_ seed: UInt64) -> EngineSetup {
        var chance = SeededGenerator(seed: seed &+ 1_000_003)
        let instruments = Make.instruments("AAA", "BBB")
        let rule = chance.chance(percent: 60) ? standard(&chance) : nil
        var setup = EngineSetup(
            instruments: instruments,
            strategies: (0..<2).map { strategy in
                StrategyInstance(
                    RestlessStrategy(seed: seed &* 2 &+ strategy),
                    sizing: .fixedShares(Quantity(shares: 100)), protection: rule,
                    shown: instruments.map(\.id))
            }, capital: Money(cents: 40_000_00), limits: limits(&chance))
        setup.execution = execution(&chance)
        if chance.chance(percent: 40) {
            setup.losses.dailyAmount = chance.one(of: [nil, Money(cents: 30_00)])
            setup.losses.dailyPercent = chance.one(of: [nil, Percent(1)])
            setup.losses.drawdownPercent = chance.one(of: [nil, Percent(2)])
            setup.losses.response = chance.one(of: LossLimits.Response.allCases)
        }
        switch chance.number(in: 0...3) {
        case 0:
            setup.settlement = SettlementCalendar()
            setup.capital = Money(cents: 12_000_00)
        case 1:
            let part = Percent(chance.number(in: 25...600))
            setup.margin = MarginTerms(
                initial: part, maintenanceLong: part, maintenanceShort: part)
        default: break
        }
        return setup
    }

    /// Distances, which go with every price.
    private static func standard(_ chance: inout SeededGenerator) -> Protection {
        let standard = Protection.random(&chance, around: Price(cents: 1_000_00))
        return switch (standard.stop, standard.target) {
        case (.price, _), (_, .price): Protection(stop: .away(.percent(Percent(1))))
        case (.away, _), (.trailing, _), (nil, _): standard
        }
    }

    private static func limits(_ chance: inout SeededGenerator) -> RiskLimits? {
        guard chance.chance(percent: 50) else { return nil }
        var limits = RiskLimits(
            allowsShort: chance.chance(percent: 70), overLimit: chance.one(of: [.reduce, .reject]))
        limits.positionSharesMax = chance.one(of: [nil, Quantity(shares: 150)])
        limits.positionPercentMax = chance.one(of: [nil, Percent(20)])
        limits.positionsMax = chance.one(of: [nil, 1])
        return limits
    }

    private static func execution(_ chance: inout SeededGenerator) -> ExecutionRules {
        var rules = ExecutionRules()
        rules.window = chance.one(of: [.now, .now, .open, .afterOpen(.minutes(45)), .close])
        if chance.chance(percent: 60) {
            rules.timeLimit = WorkingTimeLimit(
                chance.one(of: [.seconds(30), .minutes(10), .minutes(40)]),
                then: chance.one(of: [.cancel, .reprice(timesMax: 2), .escalate]))
        }
        if chance.chance(percent: 20) {
            rules.maintenance = [
                DailyInterval(from: .hours(12), to: .hours(13)),
                DailyInterval(from: .hours(23), to: .hours(1)),
            ]
        }
        return rules
    }
}
