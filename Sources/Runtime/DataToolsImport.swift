import Catalog
import Model
import Primitives
import Reporting

/// `martlet data import`.
package struct DataImportJob: Sendable {
    private var settings: DataImport
    private let basis: String?

    /// What is asked for, in the words of the command line; see `DataImport`.
    package struct Request: Sendable {
        /// A file, or a folder of files.
        package var path: String
        /// Whose file it is, or how it is laid out; found out when `nil`.
        package var format: String?
        /// Columns by what they hold: `close=Last,time=Day`.
        package var columns = ""
        /// The ticker of a file with one symbol.
        package var symbol: String?
        /// How times are meant.
        package var reading = DataReading()
        /// Whether `02/11/2019` is in November.
        package var isDayFirst = false
        /// Whether to multiply prices by adjusted close / close.
        package var isAdjusting = false
        /// Whether to write `.csv.gz`.
        package var compress = false

        /// An import of `path`.
        package init(path: String) { self.path = path }
    }

    /// A file as some program or service writes it.
    private struct Format {
        let name: String
        var shape: String?
        var zone: WallClock?
        /// What its prices are adjusted for.
        var basis: String?

        static let all = [
            Format(name: "yahoo", shape: "bars", zone: .newYork, basis: "split"),
            Format(name: "alpha_vantage", shape: "bars", zone: .newYork, basis: "raw"),
            Format(name: "ib", shape: "bars", zone: .newYork, basis: "split"),
            Format(name: "bars", shape: "bars"), Format(name: "closes", shape: "closes"),
            Format(name: "long", shape: "long"), Format(name: "wide", shape: "wide"),
        ]
    }

    /// A job that can be done.
    package init(_ request: Request) throws(RunFailure) {
        let format = Format.all.first { $0.name == request.format }
        if let name = request.format, format == nil {
            let names = Format.all.map(\.name).joined(separator: ", ")
            throw .usage("--format must be one of \(names), not '\(name.printable)'.")
        }
        var source = try request.reading.source(path: request.path)
        source.zone = source.zone ?? format?.zone
        settings = DataImport(source)
        settings.shape = format?.shape
        settings.columns = try Self.columns(request.columns)
        settings.symbol = request.symbol
        settings.isDayFirst = request.isDayFirst
        settings.isAdjusting = request.isAdjusting
        settings.ending = request.compress ? ".csv.gz" : ".csv"
        basis = request.isAdjusting ? "total" : format?.basis
    }

    private static func columns(_ text: String) throws(RunFailure) -> [String: String] {
        var columns: [String: String] = [:]
        for pair in text.split(separator: ",") {
            let sides = pair.split(separator: "=", maxSplits: 1)
            guard sides.count == 2 else {
                throw .usage(
                    "--columns must be pairs such as close=Last,time=Day, not '\(text.printable)'.")
            }
            columns[String(sides[0])] = String(sides[1])
        }
        return columns
    }

    /// What came of it.
    package struct Outcome: Sendable {
        fileprivate let reports: [DataImport.Report]
        fileprivate let folder: String
        fileprivate let basis: String?

        /// Success when every row was taken over.
        package var exitCode: ExitCode {
            let count = reports.reduce(0) { $0 + $1.findings.kept.count }
            return count > 0 || reports.allSatisfy(\.written.isEmpty) ? .data : .success
        }
    }

    /// Writes bar files to `folder`.
    ///
    /// - Parameter progress: receives how many bytes are done, and of how many.
    package func run(
        into folder: String, progress: ((Int, Int) -> Void)?
    ) throws(RunFailure) -> Outcome {
        let files = try DataSelection(settings.source).files(areSymbols: false)
        let total = files.reduce(0) { $0 + $1.bytes }
        guard settings.symbol == nil || files.count == 1 else {
            throw .usage("--symbol goes with one file, and there are \(files.count).")
        }
        return try DataTools.attempt { () throws(DataError) in
            try OutputFolder.make(folder)
            var done = 0
            var reports: [DataImport.Report] = []
            for file in files {
                reports.append(
                    try settings.run(file, into: folder) { count in
                        done += count
                        progress?(done, total)
                    })
            }
            return Outcome(reports: reports, folder: folder, basis: basis)
        }
    }
}

extension DataImportJob.Outcome {
    /// A paragraph a file.
    package func text(details: Int) -> String {
        var lines: [String] = []
        for report in reports {
            let rows = report.written.reduce(0) { $0 + $1.rowCount }
            let path = ShownText.escaped(report.path)
            let empty = report.emptyCount == 0 ? "" : ", \(report.emptyCount) empty cells left out"
            lines.append(
                "\(path) (\(report.shape)): \(DataTools.counted(rows, "row")) of "
                    + "\(DataTools.counted(report.written.count, "symbol")) to \(folder)\(empty)")
            for finding in report.findings.kept.prefix(details) {
                let line = finding.line.map { "line \($0): " } ?? ""
                lines.append("  left out: \(line)\(finding.text)")
            }
            let more = report.findings.kept.count - details
            if more > 0 { lines.append("  left out: \(DataTools.counted(more, "more row"))") }
        }
        let basis = basis.map { "these prices usually want \($0)" } ?? "raw, split or total"
        lines.append("Next: martlet data check \(folder); set backtest.data.basis (\(basis)).")
        return lines.joined(separator: "\n")
    }

    /// The same as one JSON document.
    package var json: String {
        var object = JSONObject()
        let files = reports.map { report -> JSONValue in
            var file = JSONObject()
            file.set("path", .text(report.path))
            file.set("format", .text(report.shape))
            file.set("empty_cells", .integer(report.emptyCount))
            file.set(
                "written",
                .array(
                    report.written.map { part in
                        var item = JSONObject()
                        item.set("symbol", .text(part.symbol))
                        item.set("path", .text(part.path))
                        item.set("rows", .integer(part.rowCount))
                        return .object(item)
                    }))
            file.set("findings", DataToolsJSON.list(of: report.findings))
            return .object(file)
        }
        object.set("files", .array(files))
        object.set("basis", basis.map { .text($0) })
        return object.compact()
    }
}
