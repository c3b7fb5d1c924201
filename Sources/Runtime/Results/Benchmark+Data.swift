import Catalog
import MarketState
import Model
import Primitives
import Reporting

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
    /// The last close of each session; on prices as traded, with splits and dividends put back.
    init(of series: BarSeries, in data: DataSet) {
        var closes: [Close] = []
        var factor = 1.0
        var actions = (data.basis == .raw ? series.actions : [])[...]
        for (index, row) in series.rows.enumerated() {
            while let action = actions.first, action.row <= index {
                actions.removeFirst()
                guard index > 0 else { continue }
                factor *= action.factor(behind: series.rows[index - 1].close)
            }
            guard let price = Price(rounding: Double(row.close.units) * factor / Self.units) else {
                continue
            }
            let day = data.calendar.day(of: row.start)
            if closes.last?.day == day { closes.removeLast() }
            closes.append(Close(day: day, price: price))
        }
        self.init(symbol: series.symbol, closes: closes)
    }

    private static let units = Double(Price.unitsPerOne)
}

extension RowAction {
    /// What later prices are multiplied by to go on from those before.
    fileprivate func factor(behind close: Price) -> Double {
        switch kind {
        case .split(let ratio):
            return Double(ratio.units) / Double(Quantity.unitsPerOne)
        case .dividend(let perShare):
            guard close > perShare else { return 1 }
            return Double(close.units) / Double(close.units - perShare.units)
        }
    }
}
