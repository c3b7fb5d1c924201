import Catalog
import MarketState
import Model
import Primitives
import Reporting
import Signals
import Simulation
import Strategies
import Testing

@testable import Runtime

/// At the first quote does one thing, at the quote of a later number another.
private struct Once: Strategy {
    static let declaration = StrategyDeclaration(name: "once", summary: "one order")
    private var quotes = 0
    private var terms = OrderTerms.market
    private var exit: (number: Int, terms: OrderTerms)?

    init(_ setup: StrategySetup) {}
    init(_ terms: OrderTerms, exit: (number: Int, terms: OrderTerms)? = nil) {
        self.terms = terms
        self.exit = exit
    }

    mutating func quoteChanged(_ quote: Quote, _ context: inout StrategyContext) {
        quotes += 1
        if quotes == 1 {
            context.enter(.buy, quote.instrument, using: terms, because: "the first quote")
        }
        if let exit, quotes == exit.number {
            context.exit(quote.instrument, using: exit.terms, because: "a later quote")
        }
    }
}

/// Writes down, as timers, when it was told what: a timer's number says how much was told before.
private struct Diary: Strategy {
    static let declaration = StrategyDeclaration(name: "diary", summary: "sees and trades")
    private var seen: UInt64 = 0

    init(_ setup: StrategySetup) {}
    init() {}

    mutating func barClosed(_ bar: Bar, _ context: inout StrategyContext) {
        seen = (seen &* 31) &+ UInt64(bitPattern: bar.close.units) &+ 1
        decide(bar.instrument, &context)
    }

    mutating func quoteChanged(_ quote: Quote, _ context: inout StrategyContext) {
        seen = (seen &* 31) &+ UInt64(bitPattern: quote.bid?.units ?? 0) &+ 2
        decide(quote.instrument, &context)
    }

    mutating func tradeHappened(_ trade: Trade, _ context: inout StrategyContext) {
        seen = (seen &* 31) &+ UInt64(bitPattern: trade.price.units) &+ 3
        decide(trade.instrument, &context)
    }

    private mutating func decide(_ instrument: InstrumentID, _ context: inout StrategyContext) {
        let shares = Int64((seen >> 7) % 5) * 40
        if seen % 3 == 0 {
            context.setTarget(Quantity(shares: shares), of: instrument, because: "what was seen")
        }
    }
}

@Suite struct TickBacktestTests {
    private func fills(_ record: RunRecord) -> [String] {
        record.fills.map { fill in
            let seconds = Double((fill.execution.time - Tick.open).nanoseconds) / 1e9
            return "\(fill.execution.side == .buy ? "B" : "S") \(fill.execution.quantity) at "
                + "\(fill.execution.price), \(seconds)"
        }
    }

    /// A limit at 100.00 rests between the quotes: an ask of 100.00 only touches it, one of 99.99 goes
    /// through, and shows 60; a trade at 99.98 gives 25 more, the next quote the rest.
    @Test func aLimitBetweenTheQuotesFillsAtItsPriceByWhatIsShown() throws {
        let ticks: [Tick] = [
            .quote(0, bid: 99_98, ask: 100_02), .quote(1, bid: 99_98, ask: 100_00),
            .quote(2, bid: 99_98, ask: 99_99, size: 60), .trade(3, 99_98, 25),
            .quote(4, bid: 99_97, ask: 99_98, size: 500), .trade(5, 101_00),
        ]
        var trial = TickTrial(
            [.ticks(ticks)], Once(.limit(Price(cents: 100_00), for: .goodTillCancelled)))
        #expect(
            try fills(trial.run())
                == ["B 60 at 100.00, 2.0", "B 25 at 100.00, 3.0", "B 15 at 100.00, 4.0"])
        trial.venue.limitFill = .touch
        #expect(
            try fills(trial.run()) == ["B 100 at 100.00, 1.0"])
    }

    /// At the first quote it buys what is shown there, 40, and 60 of the next.
    @Test func anOrderAtTheMarketTakesTheQuoteItWasDecidedOnAndTheRestOfTheNext() throws {
        let ticks: [Tick] = [
            .trade(-1, 100_00), .quote(0, bid: 99_98, ask: 100_02, size: 40),
            .trade(0.5, 100_02, 1_000),
            .quote(1, bid: 99_98, ask: 100_03),
            .trade(2, 101_00),
        ]
        let record = try TickTrial([.ticks(ticks)], Once(.market)).run()
        #expect(fills(record) == ["B 40 at 100.02, 0.0", "B 60 at 100.03, 1.0"])
        // Marked at the last trade: 40 · 0.98 + 60 · 0.97.
        #expect(record.finalEquity == Money(cents: 100_000_000 + 97_40))
        #expect(record.tickCount == 5 && record.barCount == 0 && record.equity.count == 1)
        #expect(record.from == Tick.time(-1) && record.to == Tick.time(2))
    }

    @Test func whatTravelsArrivesLater() throws {
        let ticks: [Tick] = [
            .quote(0, bid: 99_98, ask: 100_02), .quote(0.4, bid: 99_98, ask: 100_03),
            .quote(0.7, bid: 99_98, ask: 100_04), .quote(1, bid: 99_98, ask: 100_05),
        ]
        var trial = TickTrial([.ticks(ticks)], Once(.market))
        // Decided at 0, there at 0.5: the next quote is that of 0.7.
        trial.latencies.order = .fixed(.milliseconds(500))
        #expect(try fills(trial.run()) == ["B 100 at 100.04, 0.7"])
        // Seen at 0.3, there at 0.8.
        trial.latencies.marketData = .fixed(.milliseconds(300))
        let record = try trial.run()
        #expect(fills(record) == ["B 100 at 100.05, 1.0"])
        #expect(record.orders.first?.submitted == Tick.time(0.3))
    }

    /// A stop at 99.90 after the second quote: the quote of 3 shows a bid below it, the trade of 4 prints
    /// below it.
    @Test(arguments: [
        (VenueRules.StopTrigger.last, "S 100 at 99.70, 4.0"), (.bidAsk, "S 100 at 99.80, 3.0"),
    ])
    func stopsGoByTheConfiguredTrigger(trigger: VenueRules.StopTrigger, sale: String) throws {
        let ticks: [Tick] = [
            .trade(-1, 100_00), .quote(0, bid: 99_98, ask: 100_02),
            .quote(1, bid: 99_98, ask: 100_02), .trade(2, 99_95),
            .quote(3, bid: 99_80, ask: 100_00), .quote(3.5, bid: 99_70, ask: 99_90),
            .trade(4, 99_85), .quote(5, bid: 99_60, ask: 99_80),
        ]
        var trial = TickTrial(
            [.ticks(ticks)], Once(.market, exit: (2, .stop(Price(cents: 99_90)))))
        trial.venue.stopTrigger = trigger
        #expect(try fills(trial.run()) == ["B 100 at 100.02, 0.0", sale])
    }

    @Test func whatIsNeverTradedIsValuedAtTheMiddleOfItsQuotes() throws {
        let ticks: [Tick] = [
            .quote(0, bid: 99_98, ask: 100_02), .quote(1, bid: 100_98, ask: 101_02),
            .quote(2, bid: 103_00, ask: 102_00),
        ]
        let record = try TickTrial([.ticks(ticks)], Once(.market)).run()
        #expect(record.finalEquity == Money(cents: 100_000_000 + 98_00))
    }

    @Test func equityIsKeptAtEveryTimeSliceWhereAskedFor() throws {
        let ticks: [Tick] = [
            .trade(0, 100_00), .quote(0, bid: 99_98, ask: 100_02), .trade(1, 101_00),
            .trade(1, 102_00), .trade(86_400, 103_00),
        ]
        var trial = TickTrial([.ticks(ticks)], Once(.market))
        #expect(try trial.run().equity.map(\.equity.description) == ["1000198.00", "1000298.00"])
        trial.equityRows = .every
        #expect(
            try trial.run().equity.map(\.equity.description)
                == ["999998.00", "1000198.00", "1000298.00"])
    }

    // MARK: Bars made on the way

    /// What a strategy sees of bars made of trades, with quotes and trades switched off.
    private struct Bars: Strategy {
        static let declaration = StrategyDeclaration(name: "bars", summary: "buys on bars")
        init(_ setup: StrategySetup) {}
        init() {}

        mutating func barClosed(_ bar: Bar, _ context: inout StrategyContext) {
            if bar.close > bar.open {
                context.enter(.buy, bar.instrument, because: "rose")
            } else {
                context.exit(bar.instrument, because: "fell")
            }
        }
    }

    /// The bar of the first minute ends without a trade: it is told at its end, before the quote of 61.
    @Test func aBarIsPublishedAtItsEndWithOrWithoutTradesThen() throws {
        let ticks: [Tick] = [
            .quote(0, bid: 99_98, ask: 100_02), .trade(5, 100_00), .trade(50, 100_01),
            .quote(61, bid: 100_10, ask: 100_20), .trade(61, 100_15), .trade(130, 100_00),
            .quote(180, bid: 99_00, ask: 99_10),
        ]
        var trial = TickTrial([.ticks(ticks)], Bars())
        trial.barSize = .minutes(1)
        let record = try trial.run()
        // The bar of the third minute opens and closes at 100.00, which is no rise.
        #expect(record.orders.map(\.submitted) == [Tick.time(60), Tick.time(120)])
        #expect(fills(record) == ["B 100 at 100.20, 61.0", "S 100 at 99.00, 180.0"])
        #expect(record.barCount == 3)
    }

    // MARK: Laws

    /// Whatever is told after a timestamp, orders up to it are the same.
    @Test(arguments: 0..<20 as Range<UInt64>)
    func theFutureChangesNoDecisionOfThePast(seed: UInt64) throws {
        let count = 600
        let past = TickSeries.walk(seed, count)
        let other = TickSeries.walk(seed &+ 500, count)
        let cut = past.rows[200 + Int(seed) * 10].at
        let kept = past.rows.filter { $0.at <= cut }
        let future = other.rows.filter { $0.at > cut }
        let changed = TickSeries(symbol: "TEST", rows: kept + future, file: past.file)
        for size in [nil, Duration.seconds(30)] {
            func orders(_ series: TickSeries) throws -> [OrderRecord] {
                var trial = TickTrial([series], Diary())
                trial.barSize = size
                trial.latencies = Latencies(
                    marketData: .exponential(minimum: .milliseconds(1), mean: .milliseconds(20)),
                    order: .exponential(minimum: .zero, mean: .milliseconds(30)),
                    acknowledgement: .fixed(.milliseconds(3)))
                return try trial.run().orders.filter { $0.submitted <= cut }
            }
            let before = try orders(past)
            let after = try orders(changed)
            #expect(before.map(\.ticket) == after.map(\.ticket))
            #expect(before.map(\.submitted) == after.map(\.submitted))
            #expect(before.count > 5)
        }
    }

    /// The same data again, and the same data as two files of which one holds nothing the strategy acts on.
    @Test(arguments: 0..<10 as Range<UInt64>)
    func runsRepeat(seed: UInt64) throws {
        let series = TickSeries.walk(seed, 800)
        let one = try TickTrial([series], Diary()).run()
        let repeated = try TickTrial([series], Diary()).run()
        #expect(one.stateHash == repeated.stateHash)
        #expect(one.fills.map(\.execution) == repeated.fills.map(\.execution))
        let two = try TickTrial([series, .walk(seed &+ 1, 800, symbol: "OTHER")], Diary()).run()
        #expect(two.orders.contains { $0.ticket.request.instrument.index == 1 })
    }

    @Test func theSampleStrategyTakesTurns() throws {
        var parameters = Parameters(defaultsOf: BidAskTurns.declaration.parameters)
        try parameters.set("every", to: .integer(2))
        try parameters.set("shares", to: .integer(3))
        let setup = StrategySetup(
            instruments: [Instrument(id: InstrumentID(index: 0), symbol: "TEST")],
            parameters: parameters)
        let ticks: [Tick] = [
            .quote(0, bid: 99_98, ask: 100_02), .trade(1, 100_00),  // buys at 99.98
            .quote(2, bid: 99_98, ask: 100_02), .quote(3, bid: 99_90, ask: 100_00),  // cancels
            .quote(4, bid: 99_91, ask: 100_01),  // sells at 100.01
            .quote(5, bid: 100_02, ask: 100_03),  // sold at 100.01, and buys at 100.02
        ]
        let record = try TickTrial([.ticks(ticks)], try BidAskTurns(setup)).run()
        #expect(
            record.orders.map { "\($0.ticket.request.type)" } == [
                "\(OrderType.limit(Price(cents: 99_98)))",
                "\(OrderType.limit(Price(cents: 100_01)))",
                "\(OrderType.limit(Price(cents: 100_02)))",
            ])
        #expect(record.orders.map(\.submitted) == [1, 4, 5].map { Tick.time($0) })
        #expect(
            record.orders.map(\.ticket.request.quantity) == [3, 3, 3].map { Quantity(shares: $0) })
        #expect(record.fills.map(\.execution.side) == [.sell])
    }

    /// Ticks of two instruments, in turn and not: what the sample does in one is what it does alone.
    @Test func theSampleStrategyTakesTurnsInEachInstrument() throws {
        let series = [TickSeries.walk(3, 400), .walk(4, 700, symbol: "OTHER")]
        let both = try TickTrial(series, try Self.turns(every: 7, of: 2)).run()
        for (index, one) in series.enumerated() {
            let alone = try TickTrial([one], try Self.turns(every: 7, of: 1)).run()
            let orders = both.orders.filter { $0.ticket.request.instrument.index == index }
            #expect(alone.orders.count > 10)
            #expect(orders.map(\.submitted) == alone.orders.map(\.submitted))
            #expect(
                orders.map { "\($0.ticket.request.type)" }
                    == alone.orders.map { "\($0.ticket.request.type)" })
        }
    }

    private static func turns(every count: Int, of instruments: Int) throws -> BidAskTurns {
        var parameters = Parameters(defaultsOf: BidAskTurns.declaration.parameters)
        try parameters.set("every", to: .integer(count))
        return try BidAskTurns(
            StrategySetup(
                instruments: (0..<instruments).map {
                    Instrument(id: InstrumentID(index: $0), symbol: "TEST\($0)")
                }, parameters: parameters))
    }
}
