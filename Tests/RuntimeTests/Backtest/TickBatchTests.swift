import Accounting
import Catalog
import MarketState
import Model
import Primitives
import Reporting
import Signals
import Simulation
import Testing

@testable import Runtime

/// Does something about one quote or trade in thirty or so; what, depends on all it has seen so far.
private struct Watcher: Strategy {
    static let declaration = StrategyDeclaration(name: "watcher", summary: "looks at everything")
    private var seen = StateHasher()

    init(_ setup: StrategySetup) {}
    init() {}

    mutating func quoteChanged(_ quote: Quote, _ context: inout StrategyContext) {
        seen.combine(quote.bid?.units ?? 0)
        seen.combine(context.market.latestQuote(of: quote.instrument) == quote)
        decide(quote.instrument, &context)
    }

    mutating func tradeHappened(_ trade: Trade, _ context: inout StrategyContext) {
        seen.combine(trade.price)
        seen.combine(context.market.latestTrade(of: trade.instrument) == trade)
        decide(trade.instrument, &context)
    }

    private mutating func decide(_ instrument: InstrumentID, _ context: inout StrategyContext) {
        seen.combine(context.now)
        seen.combine(context.equity)
        seen.combine(context.market.latestPrice(of: instrument)?.units ?? 0)
        seen.combine(context.holding(of: instrument).quantity)
        let quote = context.market.latestQuote(of: instrument)
        switch seen.digest % 200 {
        case 0: context.enter(.buy, instrument, because: "one")
        case 1: context.enter(.sell, instrument, because: "two")
        case 2, 3: context.exit(instrument, because: "three")
        case 4:
            guard let bid = quote?.bid else { return }
            context.enter(.buy, instrument, using: .limit(bid), because: "four")
        case 5: context.setTimer(1, at: context.now + .seconds(7))
        case 6: context.setTarget(Quantity(shares: 30), of: instrument, because: "six")
        case 7, 8: context.cancelEntries(in: instrument, because: "seven")
        default: break
        }
    }

    mutating func timerFired(_ number: Int, _ context: inout StrategyContext) {
        seen.combine(context.now)
    }
}

/// Acts on trades alone: of quotes it wants to hear nothing.
private struct Listener: Strategy {
    static let declaration = StrategyDeclaration(name: "listener", summary: "goes by trades")
    private var seen = StateHasher()

    init(_ setup: StrategySetup) {}
    init() {}

    mutating func tradeHappened(_ trade: Trade, _ context: inout StrategyContext) {
        seen.combine(trade.price)
        seen.combine(context.equity)
        switch seen.digest % 20 {
        case 0: context.enter(.buy, trade.instrument, because: "one")
        case 1: context.exit(trade.instrument, because: "two")
        default: break
        }
    }
}

/// Buys at the first trade, and again and again much later.
private struct Holder: Strategy {
    static let declaration = StrategyDeclaration(name: "holder", summary: "buys")
    private var trades = 0

    init(_ setup: StrategySetup) {}
    init() {}

    mutating func tradeHappened(_ trade: Trade, _ context: inout StrategyContext) {
        trades += 1
        if trades == 1 { context.enter(.buy, trade.instrument, because: "first") }
        if trades > 55 {
            context.setTarget(Quantity(shares: 90_001), of: trade.instrument, because: "more")
        }
    }
}

/// A run that writes down equity at every timestamp takes every step; one that does not shows the strategy
/// most quotes and trades in batches. They must come to the same in everything.
@Suite struct TickBatchTests {
    @Test(arguments: 0..<40 as Range<UInt64>)
    func batchesChangeNothing(seed: UInt64) throws {
        var trial = TickTrial([.walk(seed, 6_000)], Watcher())
        trial.venue.calendar = seed % 2 == 0 ? .always : .newYork
        if seed % 5 == 1 { trial.latencies.order = .fixed(.seconds(3)) }
        if seed % 5 == 2 { trial.latencies.acknowledgement = .fixed(.milliseconds(500)) }
        if seed % 5 == 3 { trial.venue.participation = Percent(5) }
        if seed % 7 == 3 { trial.venue.commission = .perOrder(Money(cents: 100)) }
        try expectSame(trial)
    }

    @Test(arguments: 0..<10 as Range<UInt64>)
    func whoReceivesNoQuotesSeesTheSameTrades(seed: UInt64) throws {
        try expectSame(TickTrial([.walk(seed, 3_000)], Listener()))
    }

    /// Ticks once a minute from 9:30 in New York on 2 January to 4:09 on the 5th: days end between them.
    @Test func aBatchEndsWithTheSession() throws {
        let ticks = (0..<4_000).map { number -> Tick in
            let second = Double(number) * 60
            let cents = 100_00 + Int64(number % 37)
            return number % 3 == 0
                ? .trade(second, cents) : .quote(second, bid: cents, ask: cents + 2)
        }
        var trial = TickTrial([.ticks(ticks)], Watcher())
        trial.venue.calendar = .newYork
        try expectSame(trial)
        #expect(
            try trial.run().equity.map(\.day.description) == [
                "2024-01-02", "2024-01-03", "2024-01-04", "2024-01-05",
            ])
    }

    /// A position that grows beyond what the ledger can bear halts entries in a batch as in a step.
    @Test func aValueTheBooksCannotBearIsNoticed() throws {
        let ticks = (0..<60).flatMap { number -> [Tick] in
            let cents = Int64(100_00) << Int64(min(number / 2, 18))
            return [
                .quote(Double(number), bid: cents, ask: cents, size: 1_000_000),
                .trade(Double(number), cents, 1_000_000),
            ]
        }
        var trial = TickTrial([.ticks(ticks)], Holder())
        trial.shares = 90_000
        let run = try trial.run()
        trial.equityRows = .every
        #expect(try trial.run().stateHash == run.stateHash)
        #expect(run.refusals.contains { $0.reason == "entries are halted" })
    }

    private func expectSame(_ trial: TickTrial) throws { try trial.expectBatchesChangeNothing() }
}

extension TickTrial {
    /// A run that takes every step and one that does not come to the same.
    func expectBatchesChangeNothing() throws {
        var trial = self
        trial.equityRows = .every
        let stepped = try trial.run()
        trial.equityRows = .session
        let run = try trial.run()
        #expect(!stepped.fills.isEmpty)
        #expect(run.fills == stepped.fills)
        #expect(run.orders == stepped.orders)
        #expect(run.maxDrawdown == stepped.maxDrawdown)
        #expect(run.tickCount == stepped.tickCount)
        #expect((run.from, run.to) == (stepped.from, stepped.to))
        #expect(run.stateHash == stepped.stateHash)
    }
}
