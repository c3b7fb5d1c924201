import Catalog
import Model
import Primitives
import Reporting

/// The bars a run went over, for reports that ask what prices did meanwhile.
struct RunPrices: PriceHistory {
    private let series: [BarSeries]
    /// Where the question before ended, by instrument: the next one mostly goes on from there.
    private var cursors: [Int]

    /// The bars of `data`, whose series are in the order of the run's instruments.
    init(_ data: DataSet) {
        series = data.series
        cursors = Array(repeating: 0, count: data.series.count)
    }

    mutating func range(
        of instrument: InstrumentID, from start: Timestamp, to end: Timestamp
    ) -> PriceRange? {
        let index = Int(instrument.index)
        var row = seek(index, start)
        let rows = series[index].rows
        let lastStart = end - series[index].barSize
        var range: PriceRange?
        while row < rows.count, rows[row].start <= lastStart {
            range = PriceRange(
                low: min(range?.low ?? rows[row].low, rows[row].low),
                high: max(range?.high ?? rows[row].high, rows[row].high))
            row += 1
        }
        cursors[index] = row
        return range
    }

    mutating func open(of instrument: InstrumentID, at start: Timestamp) -> Price? {
        let index = Int(instrument.index)
        let row = seek(index, start)
        let rows = series[index].rows
        guard row < rows.count, rows[row].start == start else { return nil }
        return rows[row].open
    }

    /// The first row that begins at `start` or later.
    private mutating func seek(_ index: Int, _ start: Timestamp) -> Int {
        cursors[index] = series[index].rows.firstIndex(
            near: cursors[index], behind: { $0.start < start })
        return cursors[index]
    }
}
