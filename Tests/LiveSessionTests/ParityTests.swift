import Accounting
import Catalog
import Configuration
import GatewayTestSupport
import MarketSimulation
import MarketState
import Model
import Primitives
import Reporting
import Simulation
import Testing
import TradingEngine

@testable import GatewaySimulator
@testable import Runtime

/// A session over the wire and a backtest of the quotes and trades that its market showed: one engine, two ways.
@Suite struct ParityTests {
    /// EVT-01: from the warm-up's bars to the last commission, with the same way of orders to the exchange, both decide
    /// the same, order the same and come to the same executions.
    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func aSessionDecidesAsABacktestDoes(seed: UInt64) throws {
        let parity = try Parity(seed: seed, .minutes(40))
        #expect(parity.session.fills.count > 5)
        expectEqual(parity.session.bars, parity.backtest.bars)
        expectEqual(parity.session.decisions, parity.backtest.decisions)
        expectEqual(parity.session.orders, parity.backtest.orders)
        expectEqual(parity.session.fills, parity.backtest.fills)
        #expect(parity.session.cash == parity.backtest.cash)
    }
}

/// One by one; the first pair that differs is named.
func expectEqual<Element: Equatable>(
    _ session: [Element], _ backtest: [Element], at location: SourceLocation = #_sourceLocation
) {
    let index = zip(session, backtest).enumerated().first { $1.0 != $1.1 }?.offset
    let first = index ?? min(session.count, backtest.count)
    guard session.count != backtest.count || index != nil else { return }
    let there = session.indices.contains(first) ? "\(session[first])" : "none"
    let here = backtest.indices.contains(first) ? "\(backtest[first])" : "none"
    Issue.record(
        "number \(first) is \(there) in the session, \(here) in the backtest",
        sourceLocation: location)
}

/// The same market traded twice: by a session over the wire, and by a backtest.
struct Parity {
    let session: Outcome
    let backtest: Outcome

    /// What trading has come to.
    struct Outcome {
        var bars: [Bar] = []
        var decisions: [Conclusion] = []
        var orders: [OrderRequest] = []
        var fills: [Fill] = []
        var cash = Money.zero
    }

    /// A decision without its number and its time: a session numbers others among them.
    struct Conclusion: Hashable {
        let kind: Decision.Kind
        let strategy: StrategyID?
        let instrument: InstrumentID?
        let order: OrderID?
        let intent: Int64?
        let figures: Figures

        init(_ decision: Decision) {
            kind = decision.kind
            strategy = decision.subject.strategy
            instrument = decision.subject.instrument
            order = decision.subject.order
            intent = decision.subject.intent
            figures = decision.figures
        }
    }

    /// An execution without the broker's numbers, and what it cost as finally known.
    struct Fill: Hashable {
        let order: OrderID
        let side: Side
        let quantity: Quantity
        let price: Price
        var commission: Money
    }

    init(seed: UInt64, _ time: Duration) throws {
        let day = try #require(Day(year: 2024, month: 3, day: Int(4 + seed % 5)))
        let open = SessionCalendar.newYork.open(on: day)
        let rig = try SessionRig(at: open, seed: seed, keepsHistory: true)
        let market = rig.gateway.act { $0.market }
        let latency = rig.gateway.act { $0.orderManager.settings.placementLatency }
        try rig.pass(time)
        session = try Self.outcome(of: rig)
        try rig.expectVerifiedJournal("minutes-\(seed)")
        backtest = try Self.backtest(rig, market, latency)
    }

    /// A session on quotes and trades of two stocks, one of either each second, and a backtest of those that it was
    /// shown.
    init(quotesOf seed: UInt64, _ time: Duration) throws {
        let configuration =
            SessionRig.turns.replacing("every: 40", with: "every: \(10 + seed)")
            + "\nrisk: {limits: off}"
        let rig = try SessionRig(configuration, seed: seed, keepsHistory: true) {
            $0.market = .replay(Self.walks(seed, from: $0.start))
        }
        let latency = rig.gateway.act { $0.orderManager.settings.placementLatency }
        try rig.pass(time)
        session = try Self.outcome(of: rig)
        try rig.expectVerifiedJournal("quotes-\(seed)")
        var rows: [[TickRow]] = rig.symbols.map { _ in [] }
        for event in rig.events {
            switch event.kind {
            case .quote(let quote): rows[Int(quote.instrument.index)].append(TickRow(quote))
            case .trade(let trade):
                // The wire has whole seconds of it.
                rows[Int(trade.instrument.index)].append(
                    TickRow(
                        Trade(
                            instrument: trade.instrument, at: event.at, price: trade.price,
                            size: trade.size)))
            default: break
            }
        }
        let shown = Self.tickSet(rig.symbols, rows)
        let setup = try Self.tickSetup(rig, latency)
        let ids = setup.engine.instruments.map(\.id)
        var backtest = Backtest(
            setup,
            MarketFeed(
                TickFeed(shown, instruments: ids, from: .distantPast, to: .distantFuture)))
        try backtest.run(history: [])
        self.backtest = Self.outcome(of: &backtest)
    }

    /// Random walks of two stocks in cents: a quote and a trade at the bid by turns, each second; of the second stock
    /// half a second later.
    private static func walks(_ seed: UInt64, from start: Timestamp) -> ReplayData {
        var chance = SeededGenerator(seed: seed)
        var data = ReplayData()
        for (symbol, delay) in [("AAPL", Duration.zero), ("MSFT", .milliseconds(500))] {
            let id = InstrumentID(index: 0)
            var bid: Int64 = 20_000
            var ticks: [MarketEvent] = []
            for second in 0..<Int64(7_200) {
                let at = start - .minutes(10) + .seconds(second) + delay
                if second.isMultiple(of: 2) {
                    bid += Int64.random(in: -3...3, using: &chance)
                    let width = Int64.random(in: 1...3, using: &chance)
                    ticks.append(
                        .quote(
                            Quote(
                                instrument: id, at: at, bid: Price(cents: bid),
                                ask: Price(cents: bid + width),
                                bidSize: Quantity(shares: .random(in: 1...9, using: &chance) * 100),
                                askSize: Quantity(shares: .random(in: 1...9, using: &chance) * 100))
                        ))
                } else {
                    ticks.append(
                        .trade(
                            Trade(
                                instrument: id, at: at, price: Price(cents: bid),
                                size: Quantity(shares: 100))))
                }
            }
            do { try data.add(ticks: ticks, of: symbol) } catch { Issue.record("\(error)") }
        }
        return data
    }

    private static func tickSetup(
        _ rig: SessionRig, _ latency: Duration
    ) throws -> BacktestSetup {
        let instruments = rig.symbols.enumerated().map { index, symbol in
            Instrument(id: InstrumentID(index: index), symbol: symbol)
        }
        var setup = BacktestSetup(
            engine: try SessionStart.setup(rig.settings, instruments).engine,
            venue: VenueRules(rig.settings),
            latencies: Latencies(
                marketData: .fixed(.zero), order: .fixed(latency), acknowledgement: .fixed(.zero)),
            seed: 1)
        setup.venue.matching = .ticks
        setup.venue.meetsQuoteOnArrival = true
        return setup
    }

    static func outcome(of rig: SessionRig) throws -> Outcome {
        var outcome = Outcome()
        var keys: [BrokerOrderKey: OrderID] = [:]
        var costs: [ExecutionID: Money] = [:]
        var fills: [(ExecutionID, Fill)] = []
        for batch in rig.history.batches {
            outcome.decisions += (batch.decisions ?? []).filter(\.isAboutTrading).map(
                Conclusion.init)
            for command in batch.commands {
                guard case .submit(let ticket) = command.command else { continue }
                outcome.orders.append(ticket.request)
                let key = rig.driver.withEngine { $0.brokerKey(of: ticket.id) }
                if let key = key ?? nil { keys[key] = ticket.id }
            }
            for event in batch.events {
                switch event.kind {
                case .bar(let bar): outcome.bars.append(bar)
                case .brokerOrder(let report):
                    switch report.fact {
                    case .executed(let execution):
                        let order = try #require(keys[report.key])
                        fills.append((execution.id, Fill(execution, of: order)))
                    case .commission(let charge): costs[charge.execution] = charge.amount
                    default: break
                    }
                default: break
                }
            }
        }
        for (id, fill) in fills {
            var fill = fill
            fill.commission = try #require(costs[id])
            outcome.fills.append(fill)
        }
        outcome.cash = rig.driver.withEngine { $0.portfolio.cash.rounded() } ?? .zero
        return outcome
    }

    private static func backtest(
        _ rig: SessionRig, _ market: SimulatedMarket, _ latency: Duration
    ) throws -> Outcome {
        let symbols = rig.symbols
        let setup = try tickSetup(rig, latency)
        let ids = setup.engine.instruments.map(\.id)
        let shown = try ticks(of: symbols, in: market, to: rig.now)
        let longer = LongerBars(
            of: ids, from: ids.map { _ in .parts }, barSize: .minutes(1), calendar: .newYork)
        func feed() -> MarketFeed {
            MarketFeed(
                TickFeed(shown, instruments: ids, from: .distantPast, to: .distantFuture),
                longerBars: longer)
        }
        let warmup = rig.history.batches.flatMap(\.events).compactMap {
            if case .history(let bar) = $0.kind { bar } else { nil }
        }
        var backtest = Backtest(setup, feed())
        try backtest.run(history: warmup)
        var outcome = outcome(of: &backtest)
        outcome.bars = bars(of: feed())
        return outcome
    }

    /// What a backtest that has run has come to, its bars left out.
    static func outcome(of backtest: inout Backtest) -> Outcome {
        let record = backtest.record(names: ["momentum"], warnings: [])
        var outcome = Outcome()
        outcome.decisions = record.decisions.filter(\.isAboutTrading).map(Conclusion.init)
        outcome.orders = record.orders.map(\.ticket.request)
        outcome.fills = record.fills.map { fill in
            var known = Fill(fill.execution, of: fill.order)
            known.commission = fill.commission
            return known
        }
        outcome.cash = backtest.engine.portfolio.cash.rounded()
        return outcome
    }

    /// The bars that quotes and trades make.
    private static func bars(of feed: consuming MarketFeed) -> [Bar] {
        var feed = feed
        var bars: [Bar] = []
        while feed.next() {
            feed.longerBars.advance(to: feed.time)
            feed.longerBars.take(into: &bars)
            guard !feed.isBetweenData else { continue }
            repeat {
                feed.longerBars.add(feed.ticks.row, of: feed.ticks.instrument)
            } while feed.nextTick()
        }
        return bars
    }

    /// What a market shows of some symbols.
    private static func ticks(
        of symbols: [String], in market: SimulatedMarket, to end: Timestamp
    ) throws -> TickSet {
        var market = market
        var rows: [[TickRow]] = symbols.map { _ in [] }
        var indexes: [InstrumentID: Int] = [:]
        for (index, symbol) in symbols.enumerated() {
            let listing = try #require(market.listings.first { $0.instrument.symbol == symbol })
            indexes[listing.instrument.id] = index
            market.follow(listing.instrument.id)
        }
        var events: [MarketEvent] = []
        market.advance(to: end, into: &events)
        for event in events {
            let index = try #require(indexes[event.instrument])
            switch event {
            case .quote(let quote): rows[index].append(TickRow(quote))
            case .trade(let trade): rows[index].append(TickRow(trade))
            }
        }
        return tickSet(symbols, rows)
    }

    private static func tickSet(_ symbols: [String], _ rows: [[TickRow]]) -> TickSet {
        TickSet(
            series: zip(symbols, rows).map { symbol, rows in
                TickSeries(
                    symbol: symbol, rows: rows,
                    file: SourceFile(path: symbol, bytes: 0, modified: 0, inode: 0))
            }, basis: .raw, calendar: .newYork)
    }
}

extension Parity.Fill {
    init(_ execution: Execution, of order: OrderID) {
        self.init(
            order: order, side: execution.side, quantity: execution.quantity,
            price: execution.price, commission: .zero)
    }
}

extension Decision {
    /// False for what is about the session, the link and reconciliation.
    var isAboutTrading: Bool {
        switch kind {
        case .linkChanged, .reconciliationBegun, .finding, .reconciled, .instructed,
            .damagedRecord, .historyShort, .accountDiffers:
            false
        default: true
        }
    }
}
