import Catalog
import Primitives
import Reporting

/// `martlet data list`.
package struct DataListJob: Sendable {
    private let selection: DataSelection

    /// A list of files.
    package init(_ selection: DataSelection) { self.selection = selection }

    /// What there is.
    package struct Outcome: Sendable {
        fileprivate let reports: [FileReport]
        fileprivate let checksums: [String: String]
    }

    /// Reads every file.
    ///
    /// - Parameter progress: receives how many bytes are done, and of how many.
    package func run(progress: ((Int, Int) -> Void)?) throws(RunFailure) -> Outcome {
        let reports = try selection.reports(progress: progress)
        let checksums = Checksums(of: reports.compactMap(\.file)).wait()
        return Outcome(reports: reports, checksums: checksums)
    }
}

extension DataListJob.Outcome {
    /// A line a file.
    package var text: String {
        var rows = [
            [
                "symbol", "size", "rows", "first", "last", "gaps", "errors", "basis hints",
                "sha256", "file",
            ]
        ]
        for report in reports {
            rows.append([
                report.symbol, report.barSize ?? "-", "\(report.rowCount)",
                report.span?.first ?? "-", report.span?.last ?? "-", gaps(of: report),
                "\(report.findings.count(.error))",
                report.basisHints.isEmpty ? "-" : report.basisHints.joined(separator: ", "),
                String((checksums[report.path] ?? "-").prefix(12)), report.path,
            ])
        }
        return DataTools.table(rows).joined(separator: "\n")
    }

    private func gaps(of report: FileReport) -> String {
        let sessions = report.findings.itemCount(.missingSession)
        let bars = report.findings.itemCount(.missingBars)
        let parts = [
            sessions > 0 ? DataTools.counted(sessions, "session") : nil,
            bars > 0 ? DataTools.counted(bars, "bar") : nil,
        ].compactMap(\.self)
        return parts.isEmpty ? "none" : parts.joined(separator: ", ")
    }

    /// The same as one JSON document, with whole checksums.
    package var json: String {
        var object = JSONObject()
        let files = reports.map { report -> JSONValue in
            var file = DataToolsJSON.head(of: report)
            file.set("missing_sessions", .integer(report.findings.itemCount(.missingSession)))
            file.set("missing_bars", .integer(report.findings.itemCount(.missingBars)))
            file.set("errors", .integer(report.findings.count(.error)))
            file.set("warnings", .integer(report.findings.count(.warning)))
            file.set("bytes", report.file.map { .integer($0.bytes) })
            file.set("sha256", checksums[report.path].map { .text($0) })
            return .object(file)
        }
        object.set("files", .array(files))
        return object.compact()
    }
}
