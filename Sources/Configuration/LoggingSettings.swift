package import Primitives

/// Section `logging`: what a session writes down for people, beside its journal.
package struct LoggingSettings: Hashable, Sendable {
    /// The least important entries that are written.
    package let level: Level
    /// The same for single categories.
    package let levels: [Category: Level]
    /// The folder of the files; `nil` for `logs` in the journal's folder.
    package let directory: SettingsPath?
    /// What an entry looks like.
    package let format: Format
    /// From how many bytes on another file is begun.
    package let fileBytesMax: Int
    /// How many files that are full, or of earlier days, are kept.
    package let filesKept: Int
    /// How many days such files are kept.
    package let daysKept: Int
    /// How far apart two entries about the market data of one symbol are at least.
    package let marketDataInterval: Duration

    /// How important an entry is.
    package enum Level: String, CaseIterable, Comparable, Sendable {
        /// Every step.
        case trace
        /// What helps to find a fault.
        case debug
        /// What happened.
        case info
        /// What seldom happens.
        case notice
        /// What may become a fault.
        case warning
        /// What failed.
        case error
        /// What stops the session.
        case critical

        private var rank: Int {
            switch self {
            case .trace: 0
            case .debug: 1
            case .info: 2
            case .notice: 3
            case .warning: 4
            case .error: 5
            case .critical: 6
            }
        }

        /// Orders by importance.
        package static func < (left: Level, right: Level) -> Bool { left.rank < right.rank }
    }

    /// What an entry is about.
    package enum Category: String, CaseIterable, Sendable {
        /// The way to the broker.
        case connection
        /// Market data.
        case data
        /// Scores and ranks that strategies note.
        case scores
        /// What strategies ask for, and what came of it before an order.
        case signals
        /// Orders, and the comparison of orders with the broker's lists.
        case orders
        /// Executions, their corrections and their commissions.
        case executions
        /// Rules that stop or cut orders, halts and latches.
        case risk
        /// Cash, equity and positions.
        case portfolio
        /// The program, its machine and its user.
        case session
    }

    /// What an entry looks like.
    package enum Format: String, CaseIterable, Sendable {
        /// A line for people.
        case text
        /// A JSON object on a line.
        case json
    }

    /// True if an entry is written.
    package func writes(_ category: Category, _ level: Level) -> Bool {
        level >= levels[category] ?? self.level
    }

    /// Reads the section.
    init(_ section: inout SettingsReader) {
        level = section.value(
            "level", .choice(), default: .info, "the least important entries that are written")
        levels = section.section("categories") { section in
            var levels: [Category: Level] = [:]
            for category in Category.allCases {
                levels[category] = section.optional(
                    category.rawValue, .choice(),
                    "the same for entries about \(category.words); default: logging.level")
            }
            return levels
        }
        let given = section.optional(
            "directory", .text("the path of a folder"),
            "where a session's logs go; default: logs in the journal's folder")
        let folder = given == nil ? "" : section.folder(of: "directory")
        directory = given.map { SettingsPath(given: $0, folder: folder) }
        format = section.value("format", .choice(), default: .text, "what an entry looks like")
        let mebibytes = section.value(
            "max_file_mb", .integer(1...10_000, unit: "MiB"), default: 64,
            "from what size on another file is begun; another day begins one, too")
        fileBytesMax = mebibytes << 20
        filesKept = section.value(
            "keep_files", .integer(1...10_000, unit: "files"), default: 60,
            "how many earlier files are kept; trades.log is always kept")
        daysKept = section.value(
            "keep_days", .integer(1...36_500, unit: "days"), default: 60,
            "how many days earlier files are kept")
        marketDataInterval = section.value(
            "market_data_seconds", .seconds(1...86_400), default: .seconds(60),
            "how far apart two entries about the market data of one symbol are at least")
    }
}

extension LoggingSettings.Category {
    /// What it is about, in a few words.
    fileprivate var words: String {
        switch self {
        case .connection: "the way to the broker"
        case .data: "market data"
        case .scores: "strategies' scores and ranks"
        case .signals: "what strategies ask for"
        case .orders: "orders"
        case .executions: "executions and commissions"
        case .risk: "limits, halts and latches"
        case .portfolio: "cash, equity and positions"
        case .session: "the program, the machine and the user"
        }
    }
}
