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

/// Buys at its first bar and sells at its second.
private struct InAndOut: Strategy {
    static let declaration = StrategyDeclaration(name: "in_and_out", summary: "one bar long")
    private var bars = 0

    init(_ setup: StrategySetup) {}
    init() {}

    mutating func barClosed(_ bar: Bar, _ context: inout StrategyContext) {
        bars += 1
        if bars == 1 { context.enter(.buy, bar.instrument, because: "first bar") }
        if bars == 2 { context.exit(bar.instrument, because: "second bar") }
    }
}

/// Counts what it is shown, and keeps setting a timer.
private struct Ticker: Strategy {
    static let declaration = StrategyDeclaration(name: "ticker", summary: "sets timers")
    private var isFirst = true

    init(_ setup: StrategySetup) {}
    init() {}

    mutating func barClosed(_ bar: Bar, _ context: inout StrategyContext) {
        if isFirst { context.setTimer(1, at: context.now + .seconds(10)) }
        isFirst = false
    }

    mutating func timerFired(_ number: Int, _ context: inout StrategyContext) {
        context.setTimer(1, at: context.now + .seconds(50))
        if context.holding(of: InstrumentID(index: 0)).quantity == .zero {
            context.enter(.buy, InstrumentID(index: 0), because: "timer")
        }
    }
}

@Suite struct BacktestTests {
    private let start = Timestamp(seconds: 1_704_205_800)

    @Test func decisionAtACloseFillsAtTheNextOpen() throws {
        let record = try Trial([.closes([100_00, 101_00, 102_00, 103_00])], InAndOut()).run()
        #expect(
            record.fills.map(\.execution.price) == [Price(cents: 100_00), Price(cents: 101_00)])
        #expect(record.fills.map(\.execution.time) == [start + .minutes(1), start + .minutes(2)])
        #expect(record.orders.map(\.submitted) == [start + .minutes(1), start + .minutes(2)])
        // 100 shares gained 1.00 each.
        #expect(record.finalEquity == Money(cents: 100_010_000))
    }

    @Test func anOrderUnderWayAtAnOpenWaitsForTheNextOne() throws {
        var trial = Trial([.closes([100_00, 101_00, 102_00, 103_00, 104_00])], InAndOut())
        trial.latencies.order = .fixed(.milliseconds(1))
        let record = try trial.run()
        #expect(record.fills.map(\.execution.time) == [start + .minutes(2), start + .minutes(3)])
    }

    @Test func lateMarketDataDelaysTheDecision() throws {
        var trial = Trial([.closes([100_00, 101_00, 102_00, 103_00, 104_00])], InAndOut())
        trial.latencies.marketData = .fixed(.seconds(5))
        let record = try trial.run()
        #expect(record.orders.first?.submitted == start + .seconds(65))
        #expect(record.fills.first?.execution.time == start + .minutes(2))
    }

    @Test func acknowledgementsThatTravelChangeNoBook() throws {
        var trial = Trial([.walk(3, 2_000)], try crossover(fast: 3, slow: 9))
        let prompt = try trial.run()
        trial.latencies.acknowledgement = .exponential(
            minimum: .milliseconds(1), mean: .milliseconds(500))
        let delayed = try trial.run()
        #expect(delayed.fills.map(\.execution) == prompt.fills.map(\.execution))
        #expect(delayed.finalEquity == prompt.finalEquity)
    }

    @Test func timersFireBetweenBarsAndEndWithTheData() throws {
        let record = try Trial([.closes([100_00, 101_00, 102_00, 103_00])], Ticker()).run()
        #expect(record.orders.first?.submitted == start + .seconds(70))
        #expect(record.fills.first?.execution.time == start + .minutes(2))
    }

    @Test func equityIsKeptOncePerSessionOrAtEveryTimeSlice() throws {
        var trial = Trial(
            [.closes(Array(repeating: 100_00, count: 60), barSize: .hours(1))], InAndOut())
        // 14:30 to midnight is 9.5 hours; the bar that crosses midnight belongs to its start.
        let sessions = try trial.run().equity
        #expect(
            sessions.map(\.day.description) == [
                "2024-01-02", "2024-01-03", "2024-01-04", "2024-01-05",
            ])
        trial.equityRows = .every
        #expect(try trial.run().equity.count == 60)
    }

    @Test func warmUpShowsBarsButTradesOnlyAfterwards() throws {
        let walk = BarSeries.walk(11, 400)
        let from = walk.rows[200].start
        var trial = Trial([walk], try crossover(fast: 5, slow: 20))
        trial.from = from
        trial.warmup = 20
        let warm = try trial.run()
        trial.warmup = 150
        let longer = try trial.run()
        trial.warmup = 0
        let cold = try trial.run()
        #expect(warm.fills.allSatisfy { $0.execution.time >= from })
        // With a full window from the start, a longer warm-up changes nothing.
        #expect(warm.orders == longer.orders)
        #expect(cold.orders.first?.submitted != warm.orders.first?.submitted)
    }

    /// Whatever happens after a timestamp, decisions up to it are the same.
    @Test(arguments: 0..<20 as Range<UInt64>)
    func theFutureChangesNoDecisionOfThePast(seed: UInt64) throws {
        let count = 300
        let past = BarSeries.walk(seed, count)
        var chance = SeededGenerator(seed: seed &+ 1_000)
        let cut = 40 + Int(chance.nextUniform() * Double(count - 50))
        var future = past
        for index in cut..<count {
            let close = Price(cents: 100 + Int64(chance.nextUniform() * 100_000))
            future.rows[index].open = close
            future.rows[index].high = close
            future.rows[index].low = close
            future.rows[index].close = close
            future.rows[index].volume = Quantity(shares: Int64(chance.nextUniform() * 1_000))
        }
        let decided = past.rows[cut].start
        func decisions(_ series: BarSeries) throws -> [OrderTicket] {
            var trial = Trial([series], try crossover(fast: 4, slow: 12))
            trial.sizing = .percentOfEquity(Percent(10))
            trial.venue.slippage = .basisPoints(Percent(units: 50_000))
            return try trial.run().orders.filter { $0.submitted <= decided }.map(\.ticket)
        }
        let before = try decisions(past)
        #expect(!before.isEmpty)
        #expect(try decisions(future) == before)
    }

    @Test func theSameSeedGivesTheSameStateAndAnotherAnother() throws {
        var trial = Trial(
            [.walk(5, 3_000, symbol: "A"), .walk(6, 3_000, symbol: "B")],
            try crossover(fast: 3, slow: 10, instruments: 2))
        trial.latencies = Latencies(
            marketData: .exponential(minimum: .zero, mean: .seconds(20)),
            order: .exponential(minimum: .zero, mean: .seconds(20)),
            acknowledgement: .exponential(minimum: .zero, mean: .seconds(20)))
        let first = try trial.run()
        #expect(try trial.run().stateHash == first.stateHash)
        trial.seed = 2
        #expect(try trial.run().stateHash != first.stateHash)
    }
}
