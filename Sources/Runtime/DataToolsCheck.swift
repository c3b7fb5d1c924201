import Catalog
import Model
import Primitives
import Reporting

/// `martlet data check`.
package struct DataCheckJob: Sendable {
    private let selection: DataSelection
    private let isStrict: Bool
    private let isForced: Bool
    /// The percentage of a file's rows that repairing it may leave out unasked.
    private static let dropPercentMax = 5

    /// A check of files.
    ///
    /// - Parameters:
    ///   - isStrict: whether warnings fail it, too.
    ///   - isForced: whether repairs may leave out any number of rows.
    package init(_ selection: DataSelection, isStrict: Bool, isForced: Bool = false) {
        self.selection = selection
        self.isStrict = isStrict
        self.isForced = isForced
    }

    /// What came of it.
    package struct Outcome: Sendable {
        /// The reports, in symbol order.
        fileprivate let reports: [FileReport]
        /// What was written, when files were repaired.
        fileprivate let repair: Repair?
        private let isStrict: Bool

        fileprivate init(_ reports: [FileReport], _ repair: Repair?, isStrict: Bool) {
            self.reports = reports
            self.repair = repair
            self.isStrict = isStrict
        }

        /// Success when the files, or what they became, have nothing that fails.
        package var exitCode: ExitCode {
            let isFaulty = (repair?.reports ?? reports).contains { report in
                report.isFaulty || (isStrict && report.findings.count(.warning) > 0)
            }
            let isComplete = repair.map { $0.reports.count == reports.count } ?? true
            return isFaulty || !isComplete ? .data : .success
        }
    }

    /// Repaired copies.
    fileprivate struct Repair: Sendable {
        /// Where they are.
        let folder: String
        /// Where the changes are listed.
        let list: String
        /// How many changes there are, what was kept included.
        let changeCount: Int
        /// The reports on the copies.
        let reports: [FileReport]
    }

    /// Checks and, with a folder for them, writes repaired copies.
    ///
    /// - Parameter progress: receives how many bytes are done, and of how many.
    package func run(
        repairingInto folder: String?, progress: ((Int, Int) -> Void)?
    ) throws(RunFailure) -> Outcome {
        let reports = try selection.reports(progress: progress)
        if folder != nil, !isForced {
            for report in reports { try Self.checkLoss(of: report) }
        }
        let repair = try folder.map { (folder) throws(RunFailure) in try self.repair(into: folder) }
        return Outcome(reports, repair, isStrict: isStrict)
    }

    /// Refuses a repair that would leave out much of a file.
    private static func checkLoss(of report: FileReport) throws(RunFailure) {
        let rows = max(report.rowCount, report.dropCount)
        guard report.dropCount * 100 > rows * dropPercentMax else { return }
        throw .data(
            DataError(
                file: report.path,
                finding: "would lose \(report.dropCount) of \(rows) rows by a repair",
                remedy: "Look at what the check finds first; --force repairs it all the same."))
    }

    private func repair(into folder: String) throws(RunFailure) -> Repair {
        let list = OutputFolder.path("report/changes.csv", in: folder)
        try DataTools.attempt { () throws(DataError) in
            try OutputFolder.make(OutputFolder.path("report", in: folder))
        }
        var changes: [(path: String, changes: [DataRepair.Change])] = []
        var written = 0
        for file in try selection.files() {
            let result = try selection.repair(file, into: folder)
            changes.append((file.path, result.changes))
            written += result.path == nil ? 0 : 1
        }
        let finished = changes
        try DataTools.attempt { () throws(DataError) in
            try ChangeList.write(finished, to: list)
        }
        return Repair(
            folder: folder, list: list, changeCount: changes.reduce(0) { $0 + $1.changes.count },
            reports: written == 0 ? [] : try selection.moved(to: folder).reports(progress: nil))
    }
}

extension DataCheckJob.Outcome {
    /// A paragraph a file, at most `details` findings of each kind.
    package func text(details: Int) -> String {
        var lines: [String] = []
        for report in reports { lines += Self.lines(of: report, details: details) }
        let (errors, warnings) = Self.totals(reports)
        lines.append(
            "\(DataTools.counted(reports.count, "file")): \(DataTools.counted(errors, "error")), "
                + DataTools.counted(warnings, "warning"))
        if let repair {
            let (left, kept) = Self.totals(repair.reports)
            lines.append(
                "\(DataTools.counted(repair.reports.count, "file")) written to \(repair.folder): "
                    + "\(DataTools.counted(left, "error")), \(DataTools.counted(kept, "warning")); "
                    + "what was done: \(repair.list) (\(DataTools.counted(repair.changeCount, "row")))"
            )
        }
        return lines.joined(separator: "\n")
    }

    private static func totals(_ reports: [FileReport]) -> (errors: Int, warnings: Int) {
        (
            reports.reduce(0) { $0 + $1.findings.count(.error) },
            reports.reduce(0) { $0 + $1.findings.count(.warning) }
        )
    }

    private static func lines(of report: FileReport, details: Int) -> [String] {
        let size =
            switch report.kind {
            case .bars: report.barSize.map { " of \($0)" } ?? ""
            case .ticks: " of quotes and trades (\(DataTools.counted(report.tradeCount, "trade")))"
            }
        let span = report.span.map { ", \($0.first) to \($0.last)" } ?? ""
        let errors = report.findings.count(.error)
        let warnings = report.findings.count(.warning)
        let review =
            errors + warnings == 0
            ? "clean"
            : "\(DataTools.counted(errors, "error")), \(DataTools.counted(warnings, "warning"))"
        let head =
            "\(report.symbol): \(DataTools.counted(report.rowCount, "row"))\(size)\(span): \(review)"
        var rows: [[String]] = []
        for kind in DataFinding.Kind.allCases {
            let kept = report.findings.kept.filter { $0.kind == kind }.prefix(details)
            for (index, finding) in kept.enumerated() {
                rows.append(
                    [
                        index == 0 ? "  \(kind.severity.rawValue)" : "",
                        index == 0 ? kind.rawValue : "",
                        finding.line.map { "line \($0)" } ?? "", finding.text,
                    ])
            }
            let more = report.findings.findingCount(kind) - kept.count
            if more > 0, details > 0 { rows.append(["", "", "", "and \(more) more"]) }
        }
        return [head] + DataTools.table(rows)
    }

    /// All of it as one JSON document.
    package var json: String {
        var object = JSONObject()
        let (errors, warnings) = Self.totals(reports)
        object.set("files", .array(reports.map { .object(DataToolsJSON.object(of: $0)) }))
        object.set("errors", .integer(errors))
        object.set("warnings", .integer(warnings))
        if let repair {
            var written = JSONObject()
            written.set("folder", .text(repair.folder))
            written.set("changes", .text(repair.list))
            written.set("change_count", .integer(repair.changeCount))
            written.set(
                "files", .array(repair.reports.map { .object(DataToolsJSON.object(of: $0)) }))
            object.set("repaired", .object(written))
        }
        object.set("passed", .bool(exitCode == .success))
        return object.compact()
    }
}

/// Reports as JSON.
enum DataToolsJSON {
    /// A file's contents and findings.
    static func object(of report: FileReport) -> JSONObject {
        var object = head(of: report)
        object.set("errors", .integer(report.findings.count(.error)))
        object.set("warnings", .integer(report.findings.count(.warning)))
        var counts = JSONObject()
        for kind in DataFinding.Kind.allCases where report.findings.findingCount(kind) > 0 {
            counts.set(kind.rawValue, .integer(report.findings.findingCount(kind)))
        }
        object.set("counts", .object(counts))
        object.set("findings", list(of: report.findings))
        return object
    }

    /// All findings that were kept.
    static func list(of findings: FindingList) -> JSONValue {
        .array(
            findings.kept.map { finding in
                var item = JSONObject()
                item.set("severity", .text(finding.kind.severity.rawValue))
                item.set("kind", .text(finding.kind.rawValue))
                item.set("line", finding.line.map { .integer($0) })
                item.set("count", .integer(finding.count))
                item.set("text", .text(finding.text))
                return .object(item)
            })
    }

    /// A file's contents.
    static func head(of report: FileReport) -> JSONObject {
        var object = JSONObject()
        object.set("symbol", .text(report.symbol))
        object.set("path", .text(report.path))
        object.set("bar_size", report.barSize.map { .text($0) })
        object.set("kind", .text(report.kind.rawValue))
        object.set("rows", .integer(report.rowCount))
        object.set("trades", report.kind == .ticks ? .integer(report.tradeCount) : nil)
        object.set("first", report.first.map { .text($0.description) })
        object.set("last", report.last.map { .text($0.description) })
        object.set("columns", .texts(report.columns))
        object.set("basis_hints", .texts(report.basisHints))
        return object
    }
}
