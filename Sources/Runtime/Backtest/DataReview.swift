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
    var warnings: [String] { [uncreditedDividends, emptySeries].compactMap(\.self) }

    /// Sentences about what is doubtful: what `data check` reports that results hang on.
    var doubts: [String] {
        let found = seriesDoubts
        return [Self.outsideSessions(found)].compactMap(\.self) + Self.sentences(of: found, data)
    }

    /// How many symbols a sentence names.
    private static let namedMax = 5

    /// What is doubtful in each series that is used.
    private var seriesDoubts: [SeriesDoubts] {
        let spans = zip(data.series, used).compactMap { series, rows -> (Timestamp, Timestamp)? in
            guard let last = rows.last else { return nil }
            return (series.rows[rows.lowerBound].start, series.rows[last].start)
        }
        guard let first = spans.map(\.0).min(), let last = spans.map(\.1).max() else { return [] }
        let sessions = SessionList(data.calendar, from: first, to: last)
        return zip(data.series, used).map { series, rows in
            SeriesDoubts(series, rows: rows, basis: data.basis, sessions: sessions)
        }
    }

    private static func sentences(of doubts: [SeriesDoubts], _ data: DataSet) -> [String] {
        let pairs = Array(zip(data.series.map(\.symbol), doubts))
        let jumps = pairs.filter { $0.1.jumpCount > 0 }.map { symbol, doubt in
            let more = doubt.jumpCount - doubt.jumps.count
            return "\(symbol) jumps: \(doubt.jumps.joined(separator: "; "))"
                + (more > 0 ? "; \(more) more" : "")
                + (data.basis == .raw ? ", which its split column does not bear out" : "")
        }
        let stale = pairs.compactMap { symbol, doubt in
            doubt.stale.map { "\(symbol) (\($0.count), first \($0.first))" }
        }
        let missing = pairs.compactMap { symbol, doubt in
            doubt.missing.map { "\(symbol) (\($0.count), first \($0.first))" }
        }
        let silent = pairs.filter { !$0.1.hasVolume }.map(\.0)
        return Array(jumps.prefix(namedMax))
            + (jumps.count > namedMax
                ? ["\(jumps.count - namedMax) more symbols jump like that"] : [])
            + [
                sentence("stale sessions, which repeat the one before", stale),
                sentence("missing sessions between others", missing),
                sentence(
                    "no volume in any bar, of which orders fill nothing unless participation_pct is 0",
                    silent),
            ].compactMap(\.self)
    }

    private static func sentence(_ what: String, _ symbols: [String]) -> String? {
        guard !symbols.isEmpty else { return nil }
        let more = symbols.count - namedMax
        return "\(what): \(symbols.prefix(namedMax).joined(separator: ", "))"
            + (more > 0 ? " and \(more) more" : "")
    }

    private static func outsideSessions(_ doubts: [SeriesDoubts]) -> String? {
        let count = doubts.reduce(0) { $0 + $1.outsideCount }
        guard count > 0 else { return nil }
        return
            "\(count) bars begin outside regular hours in New York: wrong zone, extended hours, or "
            + "a market that wants calendar: always"
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

    private var emptySeries: String? {
        let empty = zip(data.series, used).filter { $0.1.isEmpty }.map(\.0.symbol)
        guard !empty.isEmpty else { return nil }
        let named = empty.prefix(5).joined(separator: ", ")
        return "\(empty.count) symbols have no bars in the period: \(named)"
    }
}
