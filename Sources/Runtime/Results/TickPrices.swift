import Catalog
import Model
import Primitives
import Reporting

/// The quotes and trades a run went over, for reports that ask what prices did meanwhile.
struct TickPrices: PriceHistory {
    private let series: [TickSeries]
    /// Where the question before began, by instrument: the next one mostly goes on from there.
    private var cursors: [Int]

    /// The ticks of `data`, whose series are in the order of the run's instruments.
    init(_ data: TickSet) {
        series = data.series
        cursors = Array(repeating: 0, count: data.series.count)
    }

    /// The lowest and the highest price paid from `start` to `end`; of an instrument that is never traded,
    /// of the middles of its quotes.
    mutating func range(
        of instrument: InstrumentID, from start: Timestamp, to end: Timestamp
    ) -> PriceRange? {
        let index = Int(instrument.index)
        let isQuoted = series[index].tradeCount == 0
        var range: PriceRange?
        var row = seek(index, start)
        while row < series[index].rows.count, series[index].rows[row].at <= end {
            let price = Self.price(series[index].rows[row], instrument, isQuoted: isQuoted)
            row += 1
            guard let price else { continue }
            range = PriceRange(
                low: min(range?.low ?? price, price), high: max(range?.high ?? price, price))
        }
        return range
    }

    /// What an order at the market could hope for at `start`: the middle of the newest quote, or what was
    /// last paid where nobody quoted.
    mutating func open(of instrument: InstrumentID, at start: Timestamp) -> Price? {
        let index = Int(instrument.index)
        var row = seek(index, start + Duration(nanoseconds: 1))
        var paid: Price?
        while row > 0 {
            row -= 1
            let tick = series[index].rows[row]
            if !tick.isTrade { return tick.quote(of: instrument).middle ?? paid }
            paid = paid ?? tick.trade(of: instrument).price
        }
        return paid
    }

    private static func price(
        _ row: TickRow, _ instrument: InstrumentID, isQuoted: Bool
    ) -> Price? {
        if row.isTrade { return row.trade(of: instrument).price }
        return isQuoted ? row.quote(of: instrument).middle : nil
    }

    /// The first row at `start` or later.
    private mutating func seek(_ index: Int, _ start: Timestamp) -> Int {
        cursors[index] = series[index].rows.firstIndex(
            near: cursors[index], behind: { $0.at < start })
        return cursors[index]
    }
}
