import Catalog
import Foundation
import MarketState
import Model
import Primitives
import Reporting
import Risk
import Signals
import Simulation
import Synchronization
import TradingEngine
import Testing

@testable import Runtime

/// What strategies were shown, written down beside the run.
final class BarLog: Sendable {
    private let log = Mutex<[Bar]>([])

    var bars: [Bar] { log.withLock { $0 } }

    func note(_ bar: Bar) { log.withLock { $0.append(bar) } }
}

/// Writes down every bar it is shown, and that it is shown at its end.
struct BarRecorder: Strategy {
    static let declaration = StrategyDeclaration(name: "recorder", summary: "writes bars down")
    private let log: BarLog?

    init(_ setup: StrategySetup) { log = nil }
    init(_ log: BarLog) { self.log = log }

    mutating func barClosed(_ bar: Bar, _ context: inout StrategyContext) {
        precondition(bar.end == context.now, "a bar is shown at its end")
        log?.note(bar)
    }
}

/// Bars made on the way of a backtest against those that `martlet data aggregate` writes beforehand.
@Suite struct LongerBarsTests {
    /// First days of batches with an early close (3 July and 29 November 2024 end at 13:00) or a change
    /// of clocks (10 March, 3 November), and a usual one.
    private static let days = [
        "2024-03-08", "2024-07-02", "2024-11-01", "2024-11-27", "2024-06-12",
    ]
    private static let lengths: [Duration] = [.minutes(1), .minutes(5), .hours(1), .days(1)]

    /// Synthetic ticks of three sessions in a file, and a folder for what is made of them.
    private struct Sample {
        let folder = NSTemporaryDirectory() + "longer-bars-" + UUID().uuidString
        let source: DataSource

        init(_ day: String, seed: UInt64) throws {
            var request = DataGenerateJob.Request(symbols: "AAA", rows: 3_000, volatility: 0.4)
            request.ticksPerSession = 1_000
            request.from = day
            request.seed = seed
            request.hasIntradayShape = true
            _ = try DataGenerateJob(request).run(into: folder, progress: nil)
            source = DataSource(path: folder + "/AAA.csv", calendar: .newYork)
        }

        /// The bars of a file of bars of `barSize`.
        func aggregated(
            _ source: DataSource, to barSize: Duration
        ) throws -> (data: DataSet, source: DataSource) {
            let name = folder + "/of-\(barSize)"
            try OutputFolder.make(name)
            let file = try LongerBarFiles.write(
                try #require(try DataFolder.files(of: source).first), source: source,
                barSize: barSize, to: name, ending: ".csv")
            var longer = DataSource(path: file.path, calendar: .newYork)
            // Of dates alone the length is a session.
            longer.barSize = barSize == .days(1) ? nil : barSize
            return (try DataLoader.load(longer), longer)
        }

        func remove() { try? FileManager.default.removeItem(atPath: folder) }
    }

    private func shown(
        _ series: [BarSeries], of barSize: Duration, latency: Latencies = .none
    ) throws -> [Bar] {
        let log = BarLog()
        let data = DataSet(series: series, basis: .raw, stamp: .start, calendar: .newYork)
        let instruments = series.indices.map {
            Instrument(id: InstrumentID(index: $0), symbol: series[$0].symbol)
        }
        let instance = StrategyInstance(
            BarRecorder(log), sizing: .fixedShares(Quantity(shares: 1)),
            shown: instruments.map(\.id))
        let setup = BacktestSetup(
            engine: EngineSetup(
                instruments: instruments, strategies: [instance], capital: Money(cents: 1),
                limits: nil),
            venue: VenueRules(calendar: .newYork), latencies: latency, seed: 1)
        let bars = try #require(
            try RunData.bars(data).longerBars(of: barSize, instruments.map(\.id)))
        let feed = MarketFeed(
            BarFeed(data, instruments: instruments.map(\.id)), longerBars: bars)
        var backtest = Backtest(setup, feed)
        try backtest.run()
        return log.bars
    }

    private func rows(_ bars: [Bar]) -> [BarRow] {
        bars.map {
            BarRow(
                start: $0.start, open: $0.open, high: $0.high, low: $0.low, close: $0.close,
                volume: $0.volume)
        }
    }

    @Test(arguments: days, 0..<4 as Range<UInt64>)
    func barsOnTheWayEqualThoseOfAFileMadeBeforehand(day: String, seed: UInt64) throws {
        let sample = try Sample(day, seed: seed)
        defer { sample.remove() }
        let ticks = try #require(try DataLoader.loadTicks(sample.source).series.first)
        let fine = try sample.aggregated(sample.source, to: .seconds(5))
        for barSize in Self.lengths {
            let log = BarLog()
            var trial = TickTrial([ticks], BarRecorder(log))
            trial.venue.calendar = .newYork
            trial.barSize = barSize
            _ = try trial.run()
            // Of ticks and of bars of five seconds the same.
            #expect(try shown(fine.data.series, of: barSize) == log.bars)
            // The first hour of a session is half an hour, which no file can say.
            guard barSize != .hours(1) else {
                let openings = log.bars.filter { $0.barSize == .minutes(30) }
                let sessions = Set(log.bars.map { SessionCalendar.newYork.day(of: $0.start) })
                #expect(openings.count == sessions.count && sessions.count >= 3)
                continue
            }
            let file = try sample.aggregated(sample.source, to: barSize)
            #expect(file.data.series[0].rows == rows(log.bars))
            let repeated = try LongerBarsTests.reaggregated(sample, fine.source, barSize)
            #expect(repeated == file.data.series[0].rows)
            #expect(!log.bars.isEmpty)
        }
    }

    private static func reaggregated(
        _ sample: Sample, _ source: DataSource, _ barSize: Duration
    ) throws -> [BarRow] {
        let folder = sample.folder + "/again-\(barSize)"
        try OutputFolder.make(folder)
        let file = try LongerBarFiles.write(
            try #require(try DataFolder.files(of: source).first), source: source, barSize: barSize,
            to: folder, ending: ".csv")
        return try DataLoader.load(DataSource(path: file.path, calendar: .newYork)).series[0].rows
    }

    /// Minutes 0 to 2 and 5 make bars of three minutes that end at 3 and 6; the other instrument's bars are
    /// as long already.
    @Test func theVenueGoesByTheDataAndTheStrategyByLongerBars() throws {
        let record = try riserRun(.none)
        // Decided at minute 3, filled at the open of the fourth minute's bar, 102.00; the stop at 95.00 is
        // met within the fifth minute's bar, which ends at 5, before the bar of three minutes does.
        #expect(
            record.fills.map(\.execution.time) == [Tick.time(180), Tick.time(300)])
        #expect(
            record.fills.map(\.execution.price) == [Price(cents: 102_00), Price(cents: 95_00)])
        #expect(record.barCount == 3)
    }

    /// What arrives within a bar of the data fills with the next one, and nothing is known of it before.
    @Test func anOrderOnItsWayDoesNotFillAheadOfTime() throws {
        var latencies = Latencies.none
        latencies.order = .fixed(.milliseconds(500))
        let record = try riserRun(latencies)
        // Decided at minute 3, so that it misses the open there: 103.00 is that of minute 4. The stop arrives
        // half a second later, within the fall to 90.00, with which the bar of minute 5 opens.
        #expect(
            record.fills.map(\.execution.time) == [Tick.time(240), Tick.time(300)])
        #expect(
            record.fills.map(\.execution.price) == [Price(cents: 103_00), Price(cents: 90_00)])
        // The third is of the last bar's rise, at the end of the data.
        #expect(record.orders.map(\.finishedAt) == [Tick.time(240), Tick.time(300), nil])
    }

    private func riserRun(_ latencies: Latencies) throws -> RunRecord {
        let data = DataSet(
            series: [.closes([100_00, 101_00, 102_00, 103_00, 90_00, 95_00, 96_00])], basis: .raw,
            stamp: .start, calendar: .always)
        let instruments = [Instrument(id: InstrumentID(index: 0), symbol: "TEST")]
        let instance = StrategyInstance(
            Riser(), sizing: .fixedShares(Quantity(shares: 100)), shown: instruments.map(\.id))
        var engine = EngineSetup(
            instruments: instruments, strategies: [instance], capital: Money(cents: 10_000_000),
            limits: nil)
        engine.calendar = .always
        let setup = BacktestSetup(
            engine: engine, venue: VenueRules(calendar: .always), latencies: latencies, seed: 1)
        let bars = try #require(
            try RunData.bars(data).longerBars(of: .minutes(3), instruments.map(\.id)))
        let feed = MarketFeed(
            BarFeed(data, instruments: instruments.map(\.id)), longerBars: bars)
        var backtest = Backtest(setup, feed)
        try backtest.run()
        return backtest.record(names: ["riser"], warnings: [])
    }

    /// Buys at a bar that rose, and puts a stop at 95.00 when it has.
    private struct Riser: Strategy {
        static let declaration = StrategyDeclaration(name: "riser", summary: "buys what rose")
        init(_ setup: StrategySetup) {}
        init() {}

        mutating func barClosed(_ bar: Bar, _ context: inout StrategyContext) {
            if bar.close > bar.open {
                context.enter(.buy, bar.instrument, because: "it rose")
            }
        }

        mutating func orderFilled(_ execution: Execution, _ context: inout StrategyContext) {
            guard execution.side == .buy else { return }
            context.exit(
                execution.instrument, using: .stop(Price(cents: 95_00)), because: "a stop")
        }
    }

    @Test func lengthsThatDoNotFitAreRefused() throws {
        let data = RunData.bars(
            DataSet(
                series: [.closes([1_00, 2_00], barSize: .minutes(5))], basis: .raw, stamp: .start,
                calendar: .always))
        let ids = [InstrumentID(index: 0)]
        #expect(throws: RunFailure.self) { try data.longerBars(of: .minutes(1), ids) }
        #expect(throws: RunFailure.self) { try data.longerBars(of: .minutes(12), ids) }
        #expect(try data.longerBars(of: .minutes(5), ids) == nil)
        #expect(try data.longerBars(of: .minutes(10), ids) != nil)
        #expect(try data.longerBars(of: nil, ids) == nil)
    }

    /// Five minutes of bars before a day, of which the last three bars of two minutes are wanted.
    @Test func warmUpShowsLongerBars() throws {
        let series = BarSeries.closes([1_00, 2_00, 3_00, 4_00, 5_00, 6_00, 7_00, 8_00, 9_00])
        let data = DataSet(series: [series], basis: .raw, stamp: .start, calendar: .always)
        let bars = try #require(
            try RunData.bars(data).longerBars(of: .minutes(2), [InstrumentID(index: 0)]))
        let start = series.rows[0].start
        let history = data.history(before: start + .minutes(7), count: 2, bars)
        #expect(history.map(\.start) == [start + .minutes(2), start + .minutes(4)])
        #expect(history.map(\.close) == [Price(cents: 4_00), Price(cents: 6_00)])
        #expect(data.history(before: start, count: 2, bars).isEmpty)
    }
}
