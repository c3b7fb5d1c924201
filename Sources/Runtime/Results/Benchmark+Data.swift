import Catalog
import Configuration
import MarketState
import Model
import Primitives
import Reporting
import Signals

extension Settings {
    /// The closes that `benchmarking.symbol` names, from the run's data or read beside it; `nil` when there
    /// is no benchmark.
    func loadBenchmark(_ data: RunData) throws(RunFailure) -> Benchmark? {
        guard let symbol = benchmarking.symbol else { return nil }
        do throws(DataError) {
            if let benchmark = try Benchmark(symbol, in: data) { return benchmark }
        } catch {
            throw .data(error)
        }
        let beside = try loadData(symbols: [symbol])
        do throws(DataError) { return try Benchmark(symbol, in: beside) } catch {
            throw .data(error)
        }
    }
}

extension Benchmark {
    /// The closes of a symbol of `data`, if it is there.
    fileprivate init?(_ symbol: String, in data: RunData) throws(DataError) {
        switch data {
        case .bars(let bars):
            guard let series = bars.series.first(where: { $0.symbol == symbol }) else { return nil }
            try self.init(of: series, in: bars)
        case .ticks(let ticks):
            guard let series = ticks.series.first(where: { $0.symbol == symbol }) else {
                return nil
            }
            self.init(of: series, in: ticks.calendar)
        }
    }

    /// The last price of each session: paid in its regular hours, or the middle of its last quote where
    /// nobody trades.
    init(of series: TickSeries, in calendar: SessionCalendar) {
        let instrument = InstrumentID(index: 0)
        var days = LongerBars(
            of: [instrument], from: [series.source], barSize: .days(1), calendar: calendar)
        for row in series.rows { days.add(row, of: instrument) }
        let bars = days.finish()
        self.init(
            symbol: series.symbol,
            closes: bars.map { Close(day: calendar.day(of: $0.start), price: $0.close) })
    }

    /// The last close of each session; on prices as traded, adjusted as strategies see them.
    init(of series: BarSeries, in data: DataSet) throws(DataError) {
        var alone = data
        alone.series = [series]
        var actions = (data.basis == .raw ? try TimedAction.all(in: alone) : [])[...]
        var adjustments = SignalAdjustments(instrumentCount: 1)
        var closes: [Close] = []
        var before: Price?
        for row in series.rows {
            while let next = actions.first, next.at <= row.start {
                actions.removeFirst()
                adjustments.record(next.action, close: before)
                if case .split(let ratio) = next.action.kind {
                    before = before.flatMap(ratio.adjusted)
                }
            }
            before = row.close
            let bar = Bar(row, of: InstrumentID(index: 0), barSize: series.barSize)
            let day = data.calendar.day(of: row.start)
            if closes.last?.day == day { closes.removeLast() }
            closes.append(Close(day: day, price: adjustments.signal(bar).close))
        }
        self.init(symbol: series.symbol, closes: closes)
    }
}
