import Accounting
import Catalog
import Crypto
import Dispatch
import Reporting
import Synchronization

/// The files a run leaves behind. Nothing in them depends on when, where or how fast it ran.
struct RunArtefacts {
    private let record: RunRecord
    private let trips: RoundTrips
    private let paths: TripPaths
    private let fees: [FillFees]
    private let lotMethod: LotLedger.Method
    /// The run's figures.
    let summary: PerformanceSummary

    init(_ record: RunRecord, _ settings: Settings, _ data: RunData) throws(RunFailure) {
        self.record = record
        trips = RoundTrips(of: record)
        switch data {
        case .bars(let data): paths = TripPaths(of: record, in: RunPrices(data))
        case .ticks(let data): paths = TripPaths(of: record, in: TickPrices(data))
        }
        var basis = PerformanceSummary.Basis()
        basis.paths = paths
        basis.riskFreeRate = settings.performance.riskFreeRate
        basis.benchmark = try settings.loadBenchmark(data)
        fees = FillFees.all(of: record, under: settings.backtest.commission.schedule)
        basis.fees = fees
        basis.windows = RollingStatistics.Windows(
            short: settings.performance.shortWindow, long: settings.performance.longWindow)
        summary = PerformanceSummary(of: record, trips: trips, basis)
        lotMethod = settings.performance.lotMethod
    }

    /// Writes all of them.
    func write(
        into folder: ResultsFolder, _ settings: Settings, _ data: RunData, _ checksums: Checksums
    ) throws(RunFailure) {
        try writeTables(into: folder)
        let summary = SummaryJSON.object(of: record, summary: summary).pretty()
        try folder.write(summary, as: "summary.json")
        try folder.write(settings.text, as: "config.yaml")
        let manifest = Self.manifest(settings, data, checksums.wait()).pretty()
        try folder.write(manifest, as: "manifest.json")
    }

    /// Tables do not depend on each other: as many are written at a time as there are processors.
    private func writeTables(into folder: ResultsFolder) throws(RunFailure) {
        let failure = Mutex<RunFailure?>(nil)
        DispatchQueue.concurrentPerform(iterations: Table.allCases.count) { index in
            do throws(RunFailure) {
                try write(Table.allCases[index], into: folder)
            } catch {
                failure.withLock { $0 = error }
            }
        }
        if let failure = failure.withLock(\.self) { throw failure }
    }

    /// The longest first, so that processors are done at about the same time.
    private enum Table: String, CaseIterable {
        case orders = "orders.csv"
        case fills = "fills.csv"
        case trades = "trades.csv"
        case lots = "lots.csv"
        case scores = "scores.csv"
        case equity = "equity.csv"
        case rolling = "rolling.csv"
    }

    private func write(_ table: Table, into folder: ResultsFolder) throws(RunFailure) {
        let file = try folder.file(table.rawValue)
        func put(_ bytes: RawSpan) throws(RunFailure) { try file.put(bytes) }
        switch table {
        case .orders: try RunTables.orders(of: record, put)
        case .fills: try RunTables.fills(of: record, fees: fees, put)
        case .trades: try RunTables.trades(of: record, trips: trips, paths: paths, put)
        case .lots: try RunTables.lots(of: record, TaxLots(of: record, lotMethod), put)
        case .scores: try RunTables.scores(of: record, put)
        case .equity: try RunTables.equity(of: record, put)
        case .rolling: try RunTables.rolling(of: record, summary.rolling, put)
        }
    }

    /// What a run was made from.
    static func manifest(
        _ settings: Settings, _ data: RunData, _ checksums: [String: String]
    ) -> JSONObject {
        var manifest = JSONObject()
        manifest.set("program", .text("martlet"))
        manifest.set("version", .text(ProgramVersion.current))
        let digest = SHA256.hash(data: Array(settings.text.utf8))
        manifest.set("config_sha256", .text(hexadecimal(digest)))
        manifest.set("seed", .integer(settings.backtest.seed))
        manifest.set("data", .array(entries(data, checksums)))
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

/// Bytes as hexadecimal digits.
func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
}
