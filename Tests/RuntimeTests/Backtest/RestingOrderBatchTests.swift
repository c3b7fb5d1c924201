import Catalog
import MarketState
import Model
import Primitives
import Reporting
import Signals
import Simulation
import Synchronization
import Testing

@testable import Runtime

/// Leaves orders of all kinds about the market; which and when, depends on all it has seen so far.
private struct Rester: Strategy {
    static let declaration = StrategyDeclaration(name: "rester", summary: "leaves orders")
    private var seen = StateHasher()

    init(_ setup: StrategySetup) {}
    init() {}

    mutating func quoteChanged(_ quote: Quote, _ context: inout StrategyContext) {
        seen.combine(quote.bid?.units ?? 0)
        decide(quote.instrument, &context)
    }

    mutating func tradeHappened(_ trade: Trade, _ context: inout StrategyContext) {
        seen.combine(trade.price)
        decide(trade.instrument, &context)
    }

    mutating func orderFilled(_ execution: Execution, _ context: inout StrategyContext) {
        seen.combine(execution.price)
        seen.combine(execution.time)
    }

    private mutating func decide(_ instrument: InstrumentID, _ context: inout StrategyContext) {
        seen.combine(context.now)
        seen.combine(context.equity)
        seen.combine(context.holding(of: instrument).quantity)
        seen.combine(context.holding(of: instrument).working)
        let number = seen.digest
        guard number % 25 == 0, let quote = context.market.latestQuote(of: instrument),
            let bid = quote.bid, let ask = quote.ask
        else { return }
        let away = Price(cents: Int64(number / 25 % 30))
        let change = Quantity(shares: Int64(number / 1_000 % 150) + 1)
        let held = context.holding(of: instrument).quantity
        switch number / 1_000_000 % 10 {
        case 0, 1:
            context.setTarget(
                held + change, of: instrument, using: .limit(bid - away), because: "buy")
        case 2, 3:
            let terms = OrderTerms.limit(ask + away, for: .goodTillCancelled, in: .extended)
            context.setTarget(held - change, of: instrument, using: terms, because: "sell")
        case 4:
            let terms = OrderTerms.limit(bid - away, for: .goodTillDate(context.now + .seconds(9)))
            context.setTarget(held + change, of: instrument, using: terms, because: "soon")
        case 5:
            let terms = OrderTerms.limit(ask, for: .immediateOrCancel)
            context.setTarget(held + change, of: instrument, using: terms, because: "now")
        case 6:
            let terms = OrderTerms.stopLimit(stop: ask + away, limit: ask + away, for: .day)
            context.setTarget(held + change, of: instrument, using: terms, because: "above")
        case 7:
            let stop = Protection.Stop.away(.amount(away + Price(cents: 5)))
            context.enter(
                .sell, instrument,
                protectedBy: Protection(stop: stop, target: .away(.amount(Price(cents: 20)))),
                because: "protected")
        case 8: context.exit(instrument, because: "out")
        default: context.cancelEntries(in: instrument, because: "away")
        }
    }
}

/// Buys 150 with a limit at the first quote, and counts how often it was offered ticks in a batch, each of
/// which it leaves to be told by itself.
private struct Counter: Strategy {
    static let declaration = StrategyDeclaration(name: "counter", summary: "counts")
    private var isDone = false
    private let tally: Tally

    final class Tally: Sendable {
        let offered = Mutex<[Timestamp]>([])
    }

    init(_ setup: StrategySetup) { tally = Tally() }
    init(_ tally: Tally) { self.tally = tally }

    mutating func quoteChanged(_ quote: Quote, _ context: inout StrategyContext) {
        guard !isDone, let bid = quote.bid else { return }
        isDone = true
        context.setTarget(
            Quantity(shares: 150), of: quote.instrument, using: .limit(bid), because: "first")
    }

    mutating func _runTicks(
        _ rows: Span<TickRow>, _ batch: inout TickBatch, _ context: inout StrategyContext
    ) {
        let now = context.now
        tally.offered.withLock { $0.append(now) }
    }
}

/// Places, moves and cancels limits at given ticks, counted from 1.
private struct Planner: Strategy {
    static let declaration = StrategyDeclaration(name: "planner", summary: "follows a plan")
    private let plan: [Int: Step]
    private var count = 0

    enum Step {
        case target(Int64, cents: Int64)
        case cancel
    }

    init(_ setup: StrategySetup) { plan = [:] }
    init(_ plan: [Int: Step]) { self.plan = plan }

    mutating func quoteChanged(_ quote: Quote, _ context: inout StrategyContext) {
        act(quote.instrument, &context)
    }

    mutating func tradeHappened(_ trade: Trade, _ context: inout StrategyContext) {
        act(trade.instrument, &context)
    }

    private mutating func act(_ instrument: InstrumentID, _ context: inout StrategyContext) {
        count += 1
        switch plan[count] {
        case .target(let shares, let cents):
            context.setTarget(
                Quantity(shares: shares), of: instrument, using: .limit(Price(cents: cents)),
                because: "planned")
        case .cancel: context.withdraw(instrument, because: "planned")
        case nil: break
        }
    }
}

/// Batches go on while orders rest, up to what reaches one: with each tick told by itself the run must come
/// to the same in everything.
@Suite struct RestingOrderBatchTests {
    @Test(arguments: 0..<80 as Range<UInt64>)
    func restingOrdersFareTheSameInBatches(seed: UInt64) throws {
        var trial = TickTrial([.walk(seed, 6_000)], Rester())
        trial.venue.calendar = seed % 2 == 0 ? .always : .newYork
        trial.venue.limitFill = seed % 3 == 0 ? .touch : .through
        trial.venue.stopTrigger = seed % 4 < 3 ? .last : .bidAsk
        if seed % 5 == 1 { trial.latencies.order = .fixed(.seconds(3)) }
        if seed % 5 == 2 { trial.latencies.acknowledgement = .fixed(.milliseconds(500)) }
        if seed % 5 == 3 { trial.venue.participation = Percent(5) }
        if seed % 7 == 3 { trial.venue.commission = .perOrder(Money(cents: 100)) }
        try trial.expectBatchesChangeNothing()
    }

    /// From an hour before the open on 2 January to half past ten on the 3rd, a tick every ten seconds:
    /// orders for the day end between them, those for all hours work on.
    @Test(arguments: 0..<6 as Range<UInt64>)
    func sessionsBeginAndEndWhileOrdersRest(seed: UInt64) throws {
        var chance = SeededGenerator(seed: seed)
        let ticks = (-360..<9_000).map { number -> Tick in
            let second = Double(number) * 10
            let cents = 100_00 + Int64(chance.next() % 40)
            return number % 3 == 0
                ? .trade(second, cents) : .quote(second, bid: cents, ask: cents + 2)
        }
        var trial = TickTrial([.ticks(ticks)], Rester())
        trial.venue.calendar = .newYork
        try trial.expectBatchesChangeNothing()
    }

    @Test(arguments: 0..<10 as Range<UInt64>)
    func ordersInTwoInstrumentsFareTheSame(seed: UInt64) throws {
        try TickTrial([.walk(seed, 3_000), .walk(seed &+ 50, 3_000, symbol: "OTHER")], Rester())
            .expectBatchesChangeNothing()
    }

    /// A buy at 100.00: the ask of second 5 goes through it with 100 of 150, that of second 7 with the rest.
    /// What is told at the seconds between reaches nothing, so a batch is offered at each of them.
    @Test func batchesAreOfferedWhileALimitRests() throws {
        let tally = Counter.Tally()
        let ticks: [Tick] = [
            .quote(0, bid: 100_00, ask: 100_02), .quote(1, bid: 99_99, ask: 100_01),
            .trade(2, 100_00), .quote(3, bid: 99_99, ask: 100_00), .trade(4, 100_05),
            .quote(5, bid: 99_98, ask: 99_99), .trade(6, 100_00),
            .quote(7, bid: 99_90, ask: 99_98), .quote(8, bid: 99_90, ask: 99_92), .trade(9, 99_91),
        ]
        let record = try TickTrial([.ticks(ticks)], Counter(tally)).run()
        #expect(record.fills.map(\.execution.time) == [5, 7].map { Tick.time($0) })
        #expect(
            record.fills.map(\.execution.quantity) == [100, 50].map { Quantity(shares: $0) })
        #expect(record.fills.map(\.execution.price) == [100_00, 100_00].map { Price(cents: $0) })
        // Not at seconds 4 and 6, behind which comes what reaches it, nor at the last. And not at the first:
        // until a timestamp has ended, nobody knows that the strategy does nothing about that.
        #expect(tally.offered.withLock { $0 } == [1, 2, 3, 5, 7, 8].map { Tick.time($0) })
    }

    /// Ticks 1 to 9 at seconds 0 to 8. Bought: 100 at 99.00 at second 3. The sale at 101.00 is cancelled
    /// before the bid of second 6 would have filled it; the one at 102.00 is filled by the trade of second
    /// 8, which shows 40.
    @Test func limitsAreReachedCancelledAndFilledInPartBetweenBatches() throws {
        let ticks: [Tick] = [
            .quote(0, bid: 100_00, ask: 100_02), .quote(1, bid: 99_50, ask: 99_52),
            .quote(2, bid: 99_00, ask: 99_02), .quote(3, bid: 98_90, ask: 98_98),
            .trade(4, 99_10), .quote(5, bid: 100_90, ask: 101_00),
            .quote(6, bid: 101_50, ask: 101_60), .trade(7, 101_55), .trade(8, 102_01, 40),
        ]
        let plan: [Int: Planner.Step] = [
            1: .target(100, cents: 99_00), 5: .target(0, cents: 101_00), 6: .cancel,
            7: .target(0, cents: 102_00),
        ]
        let trial = TickTrial([.ticks(ticks)], Planner(plan))
        let record = try trial.run()
        #expect(record.fills.map(\.execution.time) == [3, 8].map { Tick.time($0) })
        #expect(record.fills.map(\.execution.quantity) == [100, 40].map { Quantity(shares: $0) })
        #expect(record.fills.map(\.execution.price) == [99_00, 102_00].map { Price(cents: $0) })
        // 1,000,000 - 9,900 + 40 x 102.00 + 60 x 102.01
        #expect(record.finalEquity == Money(cents: 100_030_060))
        try trial.expectBatchesChangeNothing()
    }

    /// While a limit rests that the market stands beyond, since the size it shows is taken, each tick
    /// reaches it.
    @Test func ticksThatReachALimitInVainArePublishedOneByOne() throws {
        var ticks: [Tick] = [.quote(0, bid: 100_00, ask: 100_02, size: 10)]
        for second in 1...40 {
            ticks.append(.quote(Double(second), bid: 99_00, ask: 99_50, size: 10))
        }
        ticks.append(.quote(41, bid: 99_00, ask: 99_51, size: 90))
        let trial = TickTrial([.ticks(ticks)], Planner([1: .target(60, cents: 100_00)]))
        let record = try trial.run()
        #expect(record.fills.map(\.execution.time) == [1, 41].map { Tick.time($0) })
        #expect(record.fills.map(\.execution.quantity) == [10, 50].map { Quantity(shares: $0) })
        try trial.expectBatchesChangeNothing()
    }
}
