import Catalog
import MarketState
package import Model
package import Primitives

/// A corporate action and the timestamp at which it takes effect: the start of the first bar of its ex-day.
package struct TimedAction: Sendable {
    /// When.
    package let at: Timestamp
    /// What.
    package let action: CorporateAction

    /// The actions that data files name, in the order in which they take effect; of two at one instant,
    /// the split first.
    ///
    /// A ratio above 1 that is none of small whole numbers is a spin-off written as a split: what it says
    /// the new company is worth, as a part of the close before, is taken as a dividend.
    ///
    /// - Throws: for a ratio below 1 that is none, which texts of bars are refused for when they are read.
    static func all(in data: DataSet) throws(DataError) -> [TimedAction] {
        var actions: [TimedAction] = []
        for (index, series) in data.series.enumerated() {
            let instrument = InstrumentID(index: index)
            // What takes effect with the first bar bears on nothing.
            for row in series.actions where row.row > 0 {
                let start = series.rows[row.row].start
                guard let kind = try kind(of: row, in: series) else { continue }
                actions.append(
                    TimedAction(
                        at: start,
                        action: CorporateAction(
                            instrument: instrument, exDay: data.calendar.day(of: start), kind: kind)
                    ))
            }
        }
        return actions.sorted { ($0.at, $0.rank, $0.number) < ($1.at, $1.rank, $1.number) }
    }

    private var number: Int32 { action.instrument.index }

    private var rank: Int {
        switch action.kind {
        case .split: 0
        case .dividend: 1
        }
    }

    private static func kind(
        of row: RowAction, in series: BarSeries
    ) throws(DataError) -> CorporateAction.Kind? {
        switch row.kind {
        case .dividend(let perShare): return .dividend(perShare: perShare)
        case .split(let ratio):
            if let split = SplitRatio(snapping: ratio) { return .split(split) }
            let one = Int128(Quantity.unitsPerOne)
            guard Int128(ratio.units) > one else {
                throw DataError(
                    file: series.file.path, line: row.line,
                    finding: "found the split \(ratio), which is no ratio of new to old shares",
                    remedy: "Correct it, or write more digits: 0.00333333 is 1 for 300.")
            }
            guard row.row > 0 else { return nil }
            let close = Int128(series.rows[row.row - 1].close.units)
            let worth = close * (Int128(ratio.units) - one) / Int128(ratio.units)
            return Int64(exactly: worth).map { .dividend(perShare: Price(units: $0)) }
        }
    }
}
