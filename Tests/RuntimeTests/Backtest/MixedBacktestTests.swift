import Accounting
import Catalog
import Configuration
import MarketState
import Model
import Primitives
import Reporting
import Risk
import Signals
import Simulation
import TestSupport
import Testing
import TradingEngine

@testable import Runtime

/// Wants something about one bar in ten or so; what, depends on all it has seen so far.
private struct Whim: Strategy {
    static let declaration = StrategyDeclaration(name: "whim", summary: "wants anything")
    private var seen = StateHasher()
    private let calm: UInt64

    init(_ setup: StrategySetup) { self.init(calm: 100) }
    init(calm: UInt64) { self.calm = calm }

    mutating func barClosed(_ bar: Bar, _ context: inout StrategyContext) {
        seen.combine(bar.close)
        seen.combine(context.now)
        seen.combine(context.equity)
        seen.combine(context.holding(of: bar.instrument).quantity)
        seen.combine(context.holding(of: bar.instrument).working)
        order(bar.instrument, bar.close, &context)
    }

    mutating func orderFilled(_ execution: Execution, _ context: inout StrategyContext) {
        seen.combine(execution.price)
        order(execution.instrument, execution.price, &context)
    }

    mutating func timerFired(_ number: Int, _ context: inout StrategyContext) {
        seen.combine(context.now)
        guard let price = context.market.latestPrice(of: InstrumentID(index: 0)) else { return }
        order(InstrumentID(index: 0), price, &context)
    }

    private func order(
        _ instrument: InstrumentID, _ price: Price, _ context: inout StrategyContext
    ) {
        let near = Price(units: price.units + price.units / 1_000 * Int64(seen.digest >> 32 % 7))
        let stop = Protection(stop: .away(.percent(Percent(1))))
        switch seen.digest % calm {
        case 0: context.enter(.buy, instrument, because: "buy")
        case 1: context.enter(.sell, instrument, protectedBy: stop, because: "sell")
        case 2: context.exit(instrument, because: "exit")
        case 3: context.enter(.buy, instrument, using: .limit(near), because: "limit")
        case 4: context.setTimer(1, at: context.now + .minutes(7))
        case 5: context.setTarget(Quantity(shares: 30), of: instrument, because: "part")
        case 6: context.exit(instrument, using: .limit(near), because: "limit exit")
        case 7: context.protect(instrument, with: stop, because: "protect")
        case 8: context.cancelEntries(in: instrument, because: "cancel")
        case 9: context.note(score: Double(price.units), of: instrument)
        case 10: context.setWeight(0.3, of: instrument, because: "weight")
        default: break
        }
    }
}

/// Property: over random bars with every setting at random, books add up at the end of every session, two
/// runs are one and the same, one of them verified by a second engine, and so are a run in single steps and one that shows bars in batches.
@Suite struct MixedBacktestTests {
    @Test(arguments: 0..<80 as Range<UInt64>)
    func whateverIsSetBatchesChangeNothing(seed: UInt64) throws {
        var chance = SeededGenerator(seed: seed &+ 5_000)
        var trial = try Self.trial(&chance)
        trial.equityRows = .every
        let stepped = try trial.run()
        trial.equityRows = .session
        let run = try trial.run()
        trial.isVerified = true
        let repeated = try trial.run()
        #expect(repeated.verification?.commands ?? 0 >= run.orders.count)
        #expect(repeated.decisions.isEmpty, "they left the engine to be compared only")
        #expect(!run.orders.isEmpty)
        #expect(run.stateHash == repeated.stateHash)
        #expect(run.fills == stepped.fills)
        #expect(run.orders == stepped.orders)
        #expect(run.scores == stepped.scores)
        #expect(run.breaches == stepped.breaches)
        #expect(run.refusals == stepped.refusals)
        #expect(run.haltCauses == stepped.haltCauses)
        #expect(run.cashFlows == stepped.cashFlows)
        #expect(run.maxDrawdown == stepped.maxDrawdown)
        #expect(run.finalEquity == stepped.finalEquity)
        #expect(run.barCount == stepped.barCount)
        #expect((run.from, run.to) == (stepped.from, stepped.to))
        #expect(run.stateHash == stepped.stateHash)
    }

    // MARK: What is drawn

    private static func trial(_ chance: inout SeededGenerator) throws -> Trial {
        let calm: UInt64 = chance.one(of: [40, 200, 1_000])
        var trial = Trial([], Whim(calm: calm))
        if chance.chance(percent: 15) { trial.strategies.append(Whim(calm: calm)) }
        trial.seed = chance.next()
        trial.sizing = chance.one(of: [
            .fixedShares(Quantity(shares: 100)), .percentOfEquity(Percent(50)),
            .fixedMoney(Money(cents: 5_000_00)),
        ])
        trial.venue = venue(&chance)
        let delays: [LatencyModel] = [
            .fixed(.zero), .fixed(.zero), .fixed(.seconds(1)), .fixed(.minutes(7)),
            .exponential(minimum: .zero, mean: .seconds(90)),
        ]
        trial.latencies = Latencies(
            marketData: chance.chance(percent: 15) ? chance.one(of: delays) : .fixed(.zero),
            order: chance.one(of: delays), acknowledgement: chance.one(of: delays))
        trial.limits =
            chance.chance(percent: 50) ? nil : RiskLimits(allowsShort: chance.chance(percent: 50))
        trial.protection =
            chance.chance(percent: 50)
            ? Protection(
                stop: chance.one(of: [
                    .away(.percent(Percent(1))), .trailing(.amount(Price(cents: 80))),
                ]), target: .away(.amount(Price(cents: 70)))) : nil
        trial.keepsNotes = chance.chance(percent: 50)
        trial.execution = execution(&chance)
        account(&trial, &chance)
        try data(&trial, &chance)
        return trial
    }

    private static func venue(_ chance: inout SeededGenerator) -> VenueRules {
        var rules = VenueRules(calendar: chance.one(of: [.always, .newYork]))
        rules.participation = chance.one(of: [nil, Percent(10)])
        rules.limitFill = chance.one(of: [.through, .touch])
        rules.barPath = chance.one(of: VenueRules.BarPath.allCases)
        rules.slippage = chance.one(of: [.none, .fixed(Price(cents: 1))])
        rules.commission = chance.one(of: [.none, .ibkrFixed])
        return rules
    }

    private static func execution(_ chance: inout SeededGenerator) -> ExecutionRules {
        var rules = ExecutionRules()
        rules.window = chance.one(of: [.now, .now, .open, .afterOpen(.minutes(30)), .close])
        rules.outsideRTH = chance.chance(percent: 30)
        if chance.chance(percent: 50) {
            rules.timeLimit = WorkingTimeLimit(
                chance.one(of: [.seconds(30), .minutes(12)]),
                then: chance.one(of: [.cancel, .reprice(timesMax: 2), .escalate]))
        }
        if chance.chance(percent: 30) {
            rules.maintenance = [DailyInterval(from: .hours(23), to: .hours(1))]
        }
        return rules
    }

    private static func account(_ trial: inout Trial, _ chance: inout SeededGenerator) {
        trial.capital = chance.one(of: [Money(cents: 12_000_00), Money(cents: 1_000_000_00)])
        let kind = chance.number(in: 0...3)
        let part = Percent(chance.number(in: 25...200))
        var losses = LossLimits()
        if chance.chance(percent: 40) {
            losses.dailyAmount = chance.one(of: [nil, Money(cents: 40_00)])
            losses.drawdownPercent = chance.one(of: [nil, Percent(2)])
            losses.response = chance.one(of: LossLimits.Response.allCases)
        }
        let interest = chance.chance(percent: 50) ? Percent(6) : .zero
        let calendar = trial.venue.calendar
        trial.account = { setup in
            setup.calendar = calendar
            setup.losses = losses
            setup.debitInterest = interest
            switch kind {
            case 0: setup.settlement = SettlementCalendar()
            case 1:
                setup.margin = MarginTerms(
                    initial: part, maintenanceLong: part, maintenanceShort: part)
            default: break
            }
        }
    }

    /// Five days of five minutes, some missing; a split, a dividend and payments among them.
    private static func data(_ trial: inout Trial, _ chance: inout SeededGenerator) throws {
        let count = chance.chance(percent: 20) ? 2 : 1
        for number in 0..<count {
            var price: Int64 = 100_00
            let closes = (0..<1_500).map { _ in
                price = max(5_00, price + chance.number(in: -30...30))
                return price
            }
            var series = BarSeries.closes(
                closes, symbol: "S\(number)", barSize: .minutes(5),
                volume: chance.one(of: [500, 1_000_000]))
            series.rows = series.rows.filter { _ in !chance.chance(percent: 3) }
            trial.series.append(series)
        }
        let rows = trial.series[0].rows
        let calendar = trial.venue.calendar
        let slot = Int(chance.number(in: 300...1_200))
        let day = calendar.day(of: rows[slot].start)
        switch chance.number(in: 0...3) {
        case 0:
            let ratio = try #require(SplitRatio(snapping: Quantity(shares: 2)))
            for index in slot..<rows.count { trial.series[0].rows[index].halve() }
            trial.actions = [action(.split(ratio), day, at: rows[slot].start)]
        case 1:
            let perShare = Price(cents: 25)
            trial.actions = [action(.dividend(perShare: perShare), day, at: rows[slot].start)]
        default: break
        }
        if chance.chance(percent: 40) {
            trial.cashFlows = [
                CashFlowSettings(day: day, amount: Money(cents: chance.one(of: [500_00, -500_00])))
            ]
        }
        if chance.chance(percent: 30) {
            trial.from = rows[200].start
            trial.warmup = 50
        }
    }

    private static func action(
        _ kind: CorporateAction.Kind, _ day: Day, at time: Timestamp
    ) -> TimedAction {
        TimedAction(
            at: time,
            action: CorporateAction(instrument: InstrumentID(index: 0), exDay: day, kind: kind))
    }
}

extension BarRow {
    /// The bar of half a share.
    fileprivate mutating func halve() {
        func half(_ price: Price) -> Price { Price(units: price.units / 2) }
        self = BarRow(
            start: start, open: half(open), high: half(high), low: half(low), close: half(close),
            volume: volume)
    }
}
