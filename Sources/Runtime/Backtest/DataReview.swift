import Catalog
import MarketState
import Model
import Primitives

/// What a backtest cannot take from its data, and what its user should know about it.
struct DataReview {
    private let data: DataSet
    private let used: [Range<Int>]

    /// Looks at the rows that begin within `period` and the `warmup` rows before them.
    init(_ data: DataSet, period: Range<Timestamp>, warmup: Int) {
        self.data = data
        used = data.series.map { series in
            let first = series.rows.firstIndex(behind: { $0.start < period.lowerBound })
            let end = series.rows.firstIndex(behind: { $0.start < period.upperBound })
            return max(0, first - warmup)..<max(first, end)
        }
    }

    /// Sentences for the report.
    var warnings: [String] {
        [uncreditedDividends, outsideSessions, emptySeries].compactMap(\.self)
    }

    private var uncreditedDividends: String? {
        // With prices as traded they are credited; with total returns they are in the prices.
        guard data.basis == .split else { return nil }
        let count = zip(data.series, used).reduce(0) { sum, pair in
            sum
                + pair.0.actions.count { action in
                    guard case .dividend = action.kind else { return false }
                    return pair.1.contains(action.row)
                }
        }
        guard count > 0 else { return nil }
        return "\(count) dividends not credited: returns are price returns"
    }

    private var outsideSessions: String? {
        guard data.calendar == .newYork else { return nil }
        var count = 0
        for (series, rows) in zip(data.series, used) {
            var session = Timestamp.distantPast..<Timestamp.distantPast
            var dayEnd = Timestamp.distantPast
            for row in series.rows[rows] {
                if row.start >= dayEnd {
                    let day = data.calendar.day(of: row.start)
                    dayEnd = data.calendar.dayEnd(of: day)
                    let open = data.calendar.open(on: day)
                    session =
                        data.calendar.session(on: day).map { $0.open..<$0.close } ?? open..<open
                }
                if !session.contains(row.start) { count += 1 }
            }
        }
        guard count > 0 else { return nil }
        return
            "\(count) bars begin outside regular hours in New York: wrong zone, extended hours, or "
            + "a market that wants calendar: always"
    }

    private var emptySeries: String? {
        let empty = zip(data.series, used).filter { $0.1.isEmpty }.map(\.0.symbol)
        guard !empty.isEmpty else { return nil }
        let named = empty.prefix(5).joined(separator: ", ")
        return "\(empty.count) symbols have no bars in the period: \(named)"
    }
}
