import Catalog
import MarketState
import Model
import Primitives
import Reporting
import Signals

extension Settings {
    /// The closes that `benchmarking.symbol` names, from the run's data or read beside it; `nil` when there
    /// is no benchmark.
    func loadBenchmark(_ data: DataSet) throws(RunFailure) -> Benchmark? {
        guard let symbol = benchmarking.symbol else { return nil }
        if let series = data.series.first(where: { $0.symbol == symbol }) {
            return Benchmark(of: series, in: data)
        }
        let other = try loadData(symbols: [symbol])
        return other.series.first.map { Benchmark(of: $0, in: other) }
    }
}

extension Benchmark {
    /// The last close of each session; on prices as traded, adjusted as strategies see them.
    init(of series: BarSeries, in data: DataSet) {
        var alone = data
        alone.series = [series]
        var actions = (data.basis == .raw ? TimedAction.all(in: alone) : [])[...]
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
            let bar = Bar(row, of: InstrumentID(index: 0), length: series.length)
            let day = data.calendar.day(of: row.start)
            if closes.last?.day == day { closes.removeLast() }
            closes.append(Close(day: day, price: adjustments.signal(bar).close))
        }
        self.init(symbol: series.symbol, closes: closes)
    }
}
