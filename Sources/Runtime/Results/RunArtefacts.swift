import Catalog
import Crypto
import Reporting

/// The files a run leaves behind. Nothing in them depends on when, where or how fast it ran.
struct RunArtefacts {
    private let record: RunRecord
    private let trips: RoundTrips
    /// The run's figures.
    let summary: PerformanceSummary

    init(_ record: RunRecord) {
        self.record = record
        trips = RoundTrips(of: record)
        summary = PerformanceSummary(of: record, trips: trips)
    }

    /// Writes all of them.
    func write(
        into folder: ResultsFolder, _ settings: Settings, _ data: DataSet, _ checksums: Checksums
    ) throws(RunFailure) {
        try folder.write(RunTables.fills(of: record), as: "fills.csv")
        try folder.write(RunTables.orders(of: record), as: "orders.csv")
        try folder.write(RunTables.trades(of: record, trips: trips), as: "trades.csv")
        try folder.write(RunTables.equity(of: record), as: "equity.csv")
        let summary = SummaryJSON.object(of: record, summary: summary).pretty()
        try folder.write(Array(summary.utf8), as: "summary.json")
        try folder.write(Array(settings.text.utf8), as: "config.yaml")
        let manifest = manifest(settings, data, checksums.wait()).pretty()
        try folder.write(Array(manifest.utf8), as: "manifest.json")
    }

    private func manifest(
        _ settings: Settings, _ data: DataSet, _ checksums: [String: String]
    ) -> JSONObject {
        var manifest = JSONObject()
        manifest.set("program", .text("martlet"))
        manifest.set("version", .text(ProgramVersion.current))
        let digest = SHA256.hash(data: Array(settings.text.utf8))
        manifest.set("config_sha256", .text(hexadecimal(digest)))
        manifest.set("seed", .integer(settings.backtest.seed))
        manifest.set("data", .array(data.series.map { .object(entry($0, checksums)) }))
        return manifest
    }

    private func entry(_ series: BarSeries, _ checksums: [String: String]) -> JSONObject {
        var entry = JSONObject()
        let name = series.file.path.split(separator: "/").last.map(String.init)
        entry.set("file", .text(name ?? series.file.path))
        entry.set("symbol", .text(series.symbol))
        entry.set("bars", .integer(series.rows.count))
        entry.set("bytes", .integer(series.file.bytes))
        entry.set("sha256", checksums[series.file.path].map { .text($0) })
        return entry
    }
}

/// Bytes as hexadecimal digits.
func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
}
