package import Model
package import Primitives

/// What a data file holds, and what is wrong with it.
package struct FileReport: Sendable {
    /// The ticker, upper case.
    package let symbol: String
    /// The file; `nil` when it could not be opened.
    package internal(set) var file: SourceFile?
    /// Where it is.
    package let path: String
    /// What its rows are.
    package internal(set) var kind = DataKind.bars
    /// Of a file of quotes and trades, how many are trades.
    package internal(set) var tradeCount = 0
    /// How many rows have a readable time.
    package internal(set) var rowCount = 0
    /// How many rows a repair would leave out.
    package internal(set) var dropCount = 0
    /// How long a bar lasts; `nil` without rows.
    package internal(set) var barDuration: Duration?
    /// Whether rows are whole sessions, with dates for times.
    package internal(set) var isDated = false
    /// When the earliest bar begins.
    package internal(set) var first: Timestamp?
    /// When the latest bar begins.
    package internal(set) var last: Timestamp?
    /// Their names: dates, or times on the calendar's clock.
    package internal(set) var span: (first: String, last: String)?
    /// The columns' names as written.
    package internal(set) var columns: [String] = []
    /// What the columns and prices show about adjustments, as phrases.
    package internal(set) var basisHints: [String] = []
    /// What was found.
    package internal(set) var findings = FindingList()

    init(symbol: String, path: String) {
        self.symbol = symbol
        self.path = path
    }

    /// Whether something was found that the loader would refuse or read wrongly.
    package var isFaulty: Bool { findings.count(.error) > 0 }

    /// The length as a bar size: `1d` for sessions, `ticks` for quotes and trades.
    package var barSize: String? {
        if kind == .ticks { return kind.rawValue }
        return barDuration.map { isDated && $0 < .days(5) ? "1d" : $0.description }
    }
}
