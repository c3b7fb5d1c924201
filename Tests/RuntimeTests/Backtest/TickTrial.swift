import Catalog
import MarketState
import Model
import Primitives
import Reporting
import Risk
import Signals
import Simulation
import TradingEngine

@testable import Runtime

/// A backtest over quotes and trades made in memory, with the parts a test does not care about filled in.
struct TickTrial {
    var series: [TickSeries]
    var strategies: [any Strategy]
    var capital = Money(cents: 100_000_000)
    var venue = VenueRules(calendar: .always)
    var latencies = Latencies.none
    var barSize: Duration?
    var shares: Int64 = 100
    var equityRows = BacktestJob.EquityRows.session

    init(_ series: [TickSeries], _ strategies: any Strategy...) {
        self.series = series
        self.strategies = strategies
        venue.matching = .ticks
    }

    func run() throws -> RunRecord {
        let instruments = series.enumerated().map {
            Instrument(id: InstrumentID(index: $0), symbol: $1.symbol)
        }
        let ids = instruments.map(\.id)
        let data = TickSet(series: series, basis: .raw, calendar: venue.calendar)
        let instances = strategies.map {
            StrategyInstance($0, sizing: .fixedShares(Quantity(shares: shares)), shown: ids)
        }
        var engine = EngineSetup(
            instruments: instruments, strategies: instances, capital: capital, limits: nil)
        engine.calendar = venue.calendar
        engine.quotedOnly = data.quotedOnly
        let feed = MarketFeed(
            TickFeed(data, instruments: ids),
            longerBars: try RunData.ticks(data).longerBars(of: barSize, ids))
        var backtest = Backtest(
            BacktestSetup(engine: engine, venue: venue, latencies: latencies, seed: 1), feed,
            equityRows: equityRows)
        try backtest.run()
        return backtest.record(names: strategies.indices.map { "s\($0)" }, warnings: [])
    }
}

/// A quote or a trade, some seconds after 2024-01-02 14:30 UTC, in cents and shares.
enum Tick {
    case quote(Double, bid: Int64, ask: Int64, size: Int64 = 100)
    case trade(Double, Int64, Int64 = 100)

    static let open = Timestamp(seconds: 1_704_205_800)

    static func time(_ seconds: Double) -> Timestamp {
        open + Duration(nanoseconds: Int64((seconds * 1e9).rounded()))
    }

    var row: TickRow {
        let instrument = InstrumentID(index: 0)
        switch self {
        case .quote(let second, let bid, let ask, let size):
            return TickRow(
                Quote(
                    instrument: instrument, at: Self.time(second), bid: Price(cents: bid),
                    ask: Price(cents: ask), bidSize: Quantity(shares: size),
                    askSize: Quantity(shares: size)))
        case .trade(let second, let cents, let shares):
            return TickRow(
                Trade(
                    instrument: instrument, at: Self.time(second), price: Price(cents: cents),
                    size: Quantity(shares: shares)))
        }
    }
}

extension TickSeries {
    static func ticks(_ ticks: [Tick], symbol: String = "TEST") -> TickSeries {
        TickSeries(
            symbol: symbol, rows: ticks.map(\.row),
            file: SourceFile(path: symbol, bytes: 0, modified: 0, inode: 0))
    }

    /// A random walk of quotes with trades between them, some of them at one instant.
    static func walk(_ seed: UInt64, _ count: Int, symbol: String = "TEST") -> TickSeries {
        var generator = SeededGenerator(seed: seed)
        var cents: Int64 = 100_00
        var second = 0.0
        return .ticks(
            (0..<count).map { _ in
                second += Double(generator.next() % 4) * 0.4
                cents = max(5_00, cents + Int64(generator.next() % 9) - 4)
                let width = 1 + Int64(generator.next() % 3)
                return generator.next() % 4 == 0
                    ? .trade(second, cents, 1 + Int64(generator.next() % 300))
                    : .quote(
                        second, bid: cents, ask: cents + width,
                        size: 1 + Int64(generator.next() % 300))
            }, symbol: symbol)
    }
}
