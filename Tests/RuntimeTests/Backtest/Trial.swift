import Catalog
import Configuration
import Foundation
import MarketState
import Model
import Primitives
import Reporting
import Risk
import Signals
import Simulation
import Strategies
import TradingEngine

@testable import Runtime

/// A backtest over bars made in memory, with the parts a test does not care about filled in.
struct Trial {
    var series: [BarSeries]
    var strategies: [any Strategy]
    var sizing = Sizing.fixedShares(Quantity(shares: 100))
    var capital = Money(cents: 100_000_000)
    var limits: RiskLimits?
    var venue = VenueRules(calendar: .always)
    var latencies = Latencies.none
    var seed: UInt64 = 1
    var from: Timestamp?
    var warmup = 0
    var equityRows = BacktestJob.EquityRows.session
    var cashFlows: [CashFlowSettings] = []
    var resume = ResumeSettings.never
    var keepsNotes = false
    /// True if a second engine must answer the same.
    var isVerified = false
    /// What is set about the account.
    var account: (inout EngineSetup) -> Void = { _ in }
    var execution = ExecutionRules()
    /// What protects positions.
    var protection: Protection?
    /// The instruments of each strategy; all of them for each if `nil`.
    var shown: [[InstrumentID]]?
    /// What companies do, in order of time.
    var actions: [TimedAction] = []

    init(_ series: [BarSeries], _ strategies: any Strategy...) {
        self.series = series
        self.strategies = strategies
    }

    func run() throws -> RunRecord {
        let instruments = series.enumerated().map {
            Instrument(id: InstrumentID(index: $0), symbol: $1.symbol)
        }
        let data = DataSet(series: series, basis: .raw, stamp: .start, calendar: venue.calendar)
        let feed = BarFeed(data, instruments: instruments.map(\.id), from: from)
        let history = from.map { feed.history(before: $0, count: warmup) } ?? []
        let instances = strategies.enumerated().map { index, strategy in
            StrategyInstance(
                strategy, sizing: sizing, protection: protection,
                shown: shown?[index] ?? instruments.map(\.id))
        }
        var engine = EngineSetup(
            instruments: instruments, strategies: instances, capital: capital, limits: limits)
        engine.execution = execution
        engine.keepsNotes = keepsNotes
        account(&engine)
        var setup = BacktestSetup(
            engine: engine, venue: venue, latencies: latencies, seed: seed)
        setup.cashFlows = cashFlows
        setup.resume = resume
        let keepsDecisions = engine.decisions == .all
        if isVerified { setup.engine.decisions = .all }
        var backtest = Backtest(setup, MarketFeed(feed), actions: actions, equityRows: equityRows)
        if isVerified {
            backtest.verifier = RunVerifier(setup.engine, keepsDecisions: keepsDecisions)
        }
        try backtest.run(history: history)
        return backtest.record(names: strategies.indices.map { "s\($0)" }, warnings: [])
    }
}

extension BarSeries {
    /// Bars of closes in cents, each opening at the close before, from 2024-01-02 14:30 UTC.
    static func closes(
        _ closes: [Int64], symbol: String = "TEST", barSize: Duration = .minutes(1),
        volume: Int64 = 1_000_000
    ) -> BarSeries {
        let first = Timestamp(seconds: 1_704_205_800)
        let rows = closes.enumerated().map { index, close in
            let open = index == 0 ? close : closes[index - 1]
            return BarRow(
                start: first + Duration(nanoseconds: barSize.nanoseconds * Int64(index)),
                open: Price(cents: open), high: Price(cents: max(open, close) + 3),
                low: Price(cents: min(open, close) - 3), close: Price(cents: close),
                volume: Quantity(shares: volume))
        }
        return BarSeries(
            symbol: symbol, barSize: barSize, rows: rows,
            file: SourceFile(path: symbol, bytes: 0, modified: 0, inode: 0))
    }

    /// A random walk in cents that begins at 100.
    static func walk(_ seed: UInt64, _ count: Int, symbol: String = "TEST") -> BarSeries {
        var generator = SeededGenerator(seed: seed)
        var price: Int64 = 10_000
        let closes = (0..<count).map { _ in
            price = max(500, price + Int64(generator.nextUniform() * 61) - 30)
            return price
        }
        return .closes(closes, symbol: symbol)
    }
}

/// The crossover with these lengths.
func crossover(fast: Int, slow: Int, instruments: Int = 1) throws -> MovingAverageCrossover {
    var parameters = Parameters(defaultsOf: MovingAverageCrossover.declaration.parameters)
    try parameters.set("fast", to: .integer(fast))
    try parameters.set("slow", to: .integer(slow))
    let list = (0..<instruments).map { Instrument(id: InstrumentID(index: $0), symbol: "S\($0)") }
    return try MovingAverageCrossover(StrategySetup(instruments: list, parameters: parameters))
}
