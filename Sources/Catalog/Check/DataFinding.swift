import Primitives

/// Something about a data file that its user should know.
package struct DataFinding: Hashable, Sendable {
    /// What it is about.
    package let kind: Kind
    /// The line of the file where it begins, from 1 for the header; `nil` for the whole file.
    package let line: Int?
    /// How many rows, bars or sessions it is about; positive.
    package let count: Int
    /// What was found, as a sentence without its stop.
    package let text: String

    /// How bad it is.
    package enum Severity: String, Sendable {
        /// The loader refuses the file, or reads its times wrongly.
        case error
        /// Doubtful, and possibly right.
        case warning
    }

    /// What can be found. Raw values are the names in reports: stable.
    package enum Kind: String, CaseIterable, Sendable {
        /// The file cannot be read to its end.
        case damaged
        /// The first line does not name the columns.
        case header
        /// A line or field that is written in a form the loader does not read.
        case format
        /// An empty field or one that says "not a number".
        case missingValue = "missing_value"
        /// A price of zero or below.
        case price
        /// A high or low that contradicts the other prices.
        case range
        /// A row that is older than the row before.
        case unsorted
        /// A row with the same values as an earlier one.
        case duplicate
        /// A row with the time of an earlier one and other values.
        case conflict
        /// Bars that lie whole hours beside the session.
        case zone
        /// Times that mark the other end of the bar.
        case stamp
        /// First bars of sessions that are shorter than the others.
        case firstBars = "first_bars"
        /// Rows that do not fit bars of one length.
        case barSize = "bar_size"
        /// A header without rows.
        case noRows = "no_rows"
        /// Rows of more than one symbol.
        case symbols
        /// Times that do not name their zone.
        case zoneUnstated = "zone_unstated"
        /// Times of day that stand for dates.
        case dates
        /// Text that is not plain UTF-8.
        case encoding
        /// A price that jumps and comes back at once.
        case spike
        /// Prices of another unit than those before: a hundred times as high, or as low.
        case scale
        /// A quote whose bid is above its ask.
        case crossed
        /// A quote whose bid is its ask.
        case locked
        /// A quote or trade with the same values as the one before, at the same time.
        case repeated
        /// A jump overnight that looks like a split nobody wrote down, or a split without its jump.
        case split
        /// A dividend that the price does not bear out.
        case dividend
        /// Bars that repeat the one before to the last share.
        case stale
        /// Bars on a day without a session.
        case closedDay = "closed_day"
        /// Bars before the open or after the close.
        case outsideRTH = "outside_rth"
        /// Sessions without a bar.
        case missingSession = "missing_session"
        /// Times within a session without a bar.
        case missingBars = "missing_bars"
        /// Bars of another length than the others.
        case mixedBarSizes = "mixed_bar_sizes"
        /// Bars in which nothing was traded.
        case zeroVolume = "zero_volume"
        /// A session with far less volume than those around it.
        case lowVolume = "low_volume"

        /// How bad it is.
        package var severity: Severity {
            switch self {
            case .damaged, .header, .format, .missingValue, .price, .range, .unsorted, .duplicate,
                .conflict, .zone, .stamp, .firstBars, .barSize, .noRows, .symbols:
                .error
            case .zoneUnstated, .dates, .encoding, .spike, .scale, .crossed, .locked, .repeated,
                .split, .dividend, .stale, .closedDay, .outsideRTH, .missingSession,
                .missingBars, .mixedBarSizes, .zeroVolume, .lowVolume:
                .warning
            }
        }
    }
}

/// The findings of one file: all are counted, the first of each kind are kept.
package struct FindingList: Hashable, Sendable {
    /// The kept findings, in the order they were made.
    package private(set) var kept: [DataFinding] = []
    private var tallies: [DataFinding.Kind: Tally] = [:]

    /// How many findings of one kind are kept: a file of millions of faulty rows stays readable.
    package static let keptMax = 10_000

    private struct Tally: Hashable {
        var findings = 0
        var items = 0
    }

    /// No findings.
    init() {}

    /// How many findings there are of `kind`, kept or not.
    package func findingCount(_ kind: DataFinding.Kind) -> Int { tallies[kind]?.findings ?? 0 }

    /// How many rows, bars or sessions findings of `kind` are about.
    package func itemCount(_ kind: DataFinding.Kind) -> Int { tallies[kind]?.items ?? 0 }

    /// How many findings there are of `severity`.
    package func count(_ severity: DataFinding.Severity) -> Int {
        DataFinding.Kind.allCases.reduce(0) { sum, kind in
            sum + (kind.severity == severity ? findingCount(kind) : 0)
        }
    }

    /// Adds a finding at `line`, or about the whole file.
    mutating func add(
        _ kind: DataFinding.Kind, line: Int? = nil, count: Int = 1,
        _ text: @autoclosure () -> String
    ) {
        tallies[kind, default: Tally()].findings += 1
        tallies[kind, default: Tally()].items += count
        guard findingCount(kind) <= Self.keptMax else { return }
        kept.append(
            DataFinding(
                kind: kind, line: line, count: count, text: ShownText.escaped(text())))
    }
}
