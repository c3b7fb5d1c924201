import Digests
import Accounting
import Catalog
import Configuration
import Dispatch
import Model
import Primitives
import Reporting
import Synchronization

/// The files a run leaves behind. Nothing in them depends on when, where or how fast it ran.
struct RunArtefacts {
    private let record: RunRecord
    private let fees: [FillFees]
    private let settings: Settings
    private let source: Source
    private let writesDecisions: Bool

    /// What a run went over.
    private enum Source {
        /// The data of a backtest.
        case data(RunData)
        /// The journal of a live session: its files, and their folder.
        case journal([JournalRecord.File], folder: String)
    }

    /// Those of a run over `data`.
    ///
    /// - Parameter decisions: true if the run's decisions are written, too.
    init(_ record: RunRecord, _ settings: Settings, _ data: RunData, decisions: Bool = false) {
        writesDecisions = decisions
        self.record = record
        self.settings = settings
        source = .data(data)
        fees = FillFees.all(of: record, under: settings.backtest.commission.schedule)
    }

    /// Those of a live session: what a broker charges comes as one sum, and prices between trades are not kept.
    init(
        _ record: RunRecord, _ settings: Settings, ofJournal files: [JournalRecord.File],
        in folder: String
    ) {
        writesDecisions = false
        self.record = record
        self.settings = settings
        source = .journal(files, folder: folder)
        fees = []
    }

    /// Writes those of a live session.
    func write(into folder: ResultsFolder) throws(RunFailure) { _ = try write(into: folder, nil) }

    /// Writes all of them. Returns the run's figures.
    func write(
        into folder: ResultsFolder, _ checksums: Checksums?
    ) throws(RunFailure) -> PerformanceSummary {
        let figures = try writeTables(into: folder)
        let summary = SummaryJSON.object(of: record, summary: figures).pretty()
        try folder.write(summary, as: "summary.json")
        try folder.write(settings.textAnywhere, as: "config.yaml")
        let manifest =
            switch source {
            case .data(let data): Self.manifest(settings, data, checksums?.wait() ?? [:])
            case .journal(let files, _): Self.manifest(settings, files)
            }
        try folder.write(manifest.pretty(), as: "manifest.json")
        return figures
    }

    /// What tables hang on: as many parts are done at a time as there are processors.
    private enum Part: CaseIterable {
        /// Round trips, figures, and the tables that need them. Takes longest, and so comes first.
        case figures
        case orders
        case fills
        case lots
    }

    private func writeTables(into folder: ResultsFolder) throws(RunFailure) -> PerformanceSummary {
        let outcome = Mutex<(figures: PerformanceSummary?, failure: RunFailure?)>((nil, nil))
        DispatchQueue.concurrentPerform(iterations: Part.allCases.count) { index in
            do throws(RunFailure) {
                switch Part.allCases[index] {
                case .figures:
                    let figures = try writeFigures(into: folder)
                    outcome.withLock { $0.figures = figures }
                case .orders:
                    try write("orders.csv", into: folder) { put throws(RunFailure) in
                        try RunTables.orders(of: record, put)
                    }
                case .fills:
                    try write("fills.csv", into: folder) { put throws(RunFailure) in
                        try RunTables.fills(of: record, fees: fees, put)
                    }
                case .lots:
                    let lots = TaxLots(of: record, settings.performance.lotMethod)
                    try write("lots.csv", into: folder) { put throws(RunFailure) in
                        try RunTables.lots(of: record, lots, put)
                    }
                }
            } catch {
                outcome.withLock { $0.failure = error }
            }
        }
        let (figures, failure) = outcome.withLock(\.self)
        if let failure { throw failure }
        guard let figures else { preconditionFailure("without a failure there are figures") }
        return figures
    }

    /// Works the figures out, and writes the tables that need them or are short.
    private func writeFigures(into folder: ResultsFolder) throws(RunFailure) -> PerformanceSummary {
        let closedTrades = RoundTrips(of: record)
        let paths =
            switch source {
            case .data(.bars(let data)): TradePaths(of: record, in: RunPrices(data))
            case .data(.ticks(let data)): TradePaths(of: record, in: TickPrices(data))
            case .journal: TradePaths(of: record, in: UnknownPrices())
            }
        var basis = PerformanceSummary.Basis()
        basis.riskFreeRate = settings.performance.riskFreeRate
        if case .data(let data) = source {
            basis.paths = paths
            basis.benchmark = try settings.loadBenchmark(data)
            basis.fees = fees
        }
        basis.windows = RollingStatistics.Windows(
            short: settings.performance.shortWindow, long: settings.performance.longWindow)
        let summary = PerformanceSummary(of: record, trades: closedTrades, basis)
        try write("trades.csv", into: folder) { put throws(RunFailure) in
            try RunTables.trades(of: record, closedTrades: closedTrades, paths: paths, put)
        }
        try write("scores.csv", into: folder) { put throws(RunFailure) in
            try RunTables.scores(of: record, put)
            guard case .journal(let files, let journal) = source, let first = files.first else {
                return
            }
            // A session's are in files of their own, beside its journal.
            try ScoreFiles.read(beside: journal, from: first.day, put)
        }
        if writesDecisions {
            try write("decisions.csv", into: folder) { put throws(RunFailure) in
                try RunTables.decisions(of: record, put)
            }
        }
        try write("equity.csv", into: folder) { put throws(RunFailure) in
            try RunTables.equity(of: record, put)
        }
        try write("rolling.csv", into: folder) { put throws(RunFailure) in
            try RunTables.rolling(of: record, summary.rolling, put)
        }
        return summary
    }

    /// Writes a table block by block.
    private func write(
        _ name: String, into folder: ResultsFolder,
        _ table: ((RawSpan) throws(RunFailure) -> Void) throws(RunFailure) -> Void
    ) throws(RunFailure) {
        let file = try folder.file(name)
        try table { bytes throws(RunFailure) in try file.put(bytes) }
    }

    /// What a run was made from.
    static func manifest(
        _ settings: Settings, _ data: RunData, _ checksums: [String: String]
    ) -> JSONObject {
        var manifest = JSONObject()
        manifest.set("program", .text("martlet"))
        manifest.set("version", .text(ProgramVersion.current))
        manifest.set("config_sha256", .text(SHA256.hexadecimal(settings.text.utf8)))
        manifest.set("seed", .integer(settings.backtest.seed))
        manifest.set("data", .array(entries(data, checksums)))
        return manifest
    }

    /// What a live session's results were made from.
    private static func manifest(_ settings: Settings, _ files: [JournalRecord.File]) -> JSONObject
    {
        var manifest = JSONObject()
        manifest.set("program", .text("martlet"))
        manifest.set("version", .text(ProgramVersion.current))
        manifest.set("config_sha256", .text(SHA256.hexadecimal(settings.text.utf8)))
        let entries = files.map { file in
            JSONValue.members([
                "file": .text(file.name), "day": .text("\(file.day)"),
                "events": .integer(file.events), "head": .text(file.hash),
            ])
        }
        manifest.set("journal", .array(entries))
        return manifest
    }

    private static func entries(_ data: RunData, _ checksums: [String: String]) -> [JSONValue] {
        // Asked for once: each is a list made anew.
        let (files, symbols, counts) = (data.files, data.symbols, data.rowCounts)
        return files.indices.map { index in
            let file = files[index]
            var entry = JSONObject()
            let name = file.path.split(separator: "/").last.map(String.init)
            entry.set("file", .text(name ?? file.path))
            entry.set("symbol", .text(symbols[index]))
            entry.set(data.kind.rawValue, .integer(counts[index]))
            entry.set("bytes", .integer(file.bytes))
            entry.set("sha256", checksums[file.path].map { .text($0) })
            return .object(entry)
        }
    }
}

/// Prices that nobody has kept: paths go by the executions' own.
private struct UnknownPrices: PriceHistory {
    func range(
        of instrument: InstrumentID, from start: Timestamp, to end: Timestamp
    ) -> PriceRange? { nil }

    func open(of instrument: InstrumentID, at start: Timestamp) -> Price? { nil }
}
