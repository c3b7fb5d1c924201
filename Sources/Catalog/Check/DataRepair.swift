import Model
internal import Primitives

/// Writes a repaired copy of a bar file.
///
/// It sorts rows, leaves out rows that repeat an earlier one and rows whose time or prices cannot be used,
/// widens highs and lows to the other prices, writes odd numbers plainly and a zero for a volume that
/// cannot be used. All else stays as it is, other columns included, and is listed as kept.
package enum DataRepair {
    /// Something that was done to a file, or on purpose not done.
    package struct Change: Hashable, Sendable {
        /// The line of the original.
        package let line: Int?
        /// What was done and why.
        package let what: String
        /// The line's text; for what was kept, what is doubtful.
        package let before: String
        /// The line's text now; empty when it was left out or kept.
        package let after: String
    }

    /// Writes `file` as `SYMBOL.csv` or `.csv.gz` to `folder`, packed as it was.
    ///
    /// - Returns: what was done, in the order of lines; `path` is `nil` when nothing of the file could be
    ///   saved.
    package static func repair(
        _ file: DataFolder.File, source: DataSource, into folder: String
    ) throws(DataError) -> (path: String?, changes: [Change]) {
        guard !BarStore.isNamed(file.path) else {
            throw DataError(
                file: file.path, finding: "is in binary form, which is written whole or not at all",
                remedy: "Repair the text it was made from.")
        }
        guard try TickFile.kind(of: file) == .bars else {
            throw DataError(
                file: file.path, finding: "holds quotes and trades, which are not repaired",
                remedy: "Correct or remove the rows that data check names.")
        }
        let (report, scan, order) = DataCheck.examine(file, source: source)
        let plan = Plan(report, scan, order)
        guard !plan.lines.isEmpty else { return (nil, plan.changes) }
        let ending = file.path.lowercased().hasSuffix(".gz") ? ".csv.gz" : ".csv"
        let path = OutputFolder.path(file.symbol + ending, in: folder)
        var output = try OutputFile(path: path)
        if order.sorted == nil {
            try copy(file.path, plan, to: &output)
        } else {
            try copySorted(file.path, plan, to: &output)
        }
        try output.finish()
        return (path, plan.changes)
    }

    /// What to write.
    private struct Plan {
        /// The lines to write, in their new order.
        private(set) var lines: [Int32] = []
        /// New texts of lines.
        private(set) var texts: [Int32: String] = [:]
        private(set) var changes: [Change] = []

        init(_ report: FileReport, _ scan: borrowing ScannedFile, _ order: RowOrder) {
            let repeated = Set(order.repeats.filter { $0.kind == .same }.map(\.index))
            for lineIndex in scan.rows.indices {
                let index = order.at(lineIndex)
                guard scan.rows[index].isPriced, !repeated.contains(index) else { continue }
                lines.append(scan.lines[index])
            }
            for repair in scan.repairs {
                if let after = repair.after { texts[Int32(repair.line)] = after }
                changes.append(
                    Change(
                        line: repair.line,
                        what: (repair.after == nil ? "dropped: " : "changed: ") + repair.reason,
                        before: repair.before, after: repair.after ?? ""))
            }
            for twin in order.repeats where twin.kind == .same {
                changes.append(
                    Change(
                        line: Int(scan.lines[twin.index]),
                        what: "dropped: the same as line \(scan.lines[twin.earlier])", before: "",
                        after: ""))
            }
            addMoves(scan, order)
            for finding in report.findings.kept where Self.isKept(finding.kind) {
                changes.append(
                    Change(
                        line: finding.line, what: "kept: \(finding.kind.rawValue)",
                        before: finding.text, after: ""))
            }
            changes.sort { ($0.line ?? 0) < ($1.line ?? 0) }
        }

        private mutating func addMoves(_ scan: borrowing ScannedFile, _ order: RowOrder) {
            let moved = Set(order.moved().map { scan.lines[$0] })
            guard !moved.isEmpty else { return }
            for (index, line) in lines.enumerated() where moved.contains(line) {
                changes.append(
                    Change(
                        line: Int(line), what: "moved: into the order of time", before: "",
                        after: "line \(index + 2)"))
            }
        }

        /// Whether a repair leaves such findings as they are.
        private static func isKept(_ kind: DataFinding.Kind) -> Bool {
            switch kind {
            case .format, .missingValue, .price, .range, .unsorted, .duplicate: false
            case .damaged, .header, .conflict, .zone, .stamp, .firstBars, .barSize, .noRows,
                .symbols, .zoneUnstated, .dates, .encoding, .spike, .scale, .crossed, .locked,
                .repeated, .split, .dividend, .stale, .closedDay, .outsideRTH, .missingSession,
                .missingBars, .mixedBarSizes, .zeroVolume, .lowVolume:
                true
            }
        }
    }

    /// Copies line by line.
    private static func copy(
        _ path: String, _ plan: Plan, to output: inout OutputFile
    ) throws(DataError) {
        var next = 0
        try forEachLine(of: path) { (number, text) throws(DataError) in
            if number > 1 {
                guard next < plan.lines.count, plan.lines[next] == number else { return }
                next += 1
            }
            try write(plan.texts[number], or: text, to: &output)
        }
    }

    /// Copies with the whole text in memory.
    private static func copySorted(
        _ path: String, _ plan: Plan, to output: inout OutputFile
    ) throws(DataError) {
        var bytes: [UInt8] = []
        var ends = [0]
        try forEachLine(of: path) { (_, text) throws(DataError) in
            bytes += text
            ends.append(bytes.count)
        }
        for line in [1] + plan.lines where line < ends.count {
            try write(
                plan.texts[line], or: bytes[ends[Int(line) - 1]..<ends[Int(line)]], to: &output)
        }
    }

    private static func write(
        _ new: String?, or text: ArraySlice<UInt8>, to output: inout OutputFile
    ) throws(DataError) {
        if let new { try output.write(new) } else { try output.write(text) }
        try output.write("\n")
    }

    /// Calls `body` with each line's number, from 1, and its text without its end.
    private static func forEachLine(
        of path: String, _ body: (Int32, ArraySlice<UInt8>) throws(DataError) -> Void
    ) throws(DataError) {
        var reader = try LineReader(path: path, bufferBytesMax: 1 << 18)
        var number: Int32 = 0
        do throws(DataError) {
            while try reader.next() {
                while !reader.lines.isEmpty {
                    number += 1
                    var text = reader.takeLine()
                    if text.last == UInt8(ascii: "\r") { text = text.dropLast() }
                    try body(number, text)
                }
            }
        } catch {
            // What lies behind a damage is listed as such; what was written of the copy counts.
            guard error.file == path else { throw error }
        }
    }
}

/// The list of changes, as a CSV file.
package enum ChangeList {
    /// Writes the changes of some files to `path`.
    package static func write(
        _ files: [(path: String, changes: [DataRepair.Change])], to path: String
    ) throws(DataError) {
        var output = try OutputFile(path: path)
        try output.write("file,line,what,before,after\n")
        for file in files {
            for change in file.changes {
                let fields = [
                    file.path, change.line.map(String.init) ?? "", change.what, change.before,
                    change.after,
                ]
                try output.write(fields.map(field).joined(separator: ",") + "\n")
            }
        }
        try output.finish()
    }

    /// A field that no spreadsheet takes for a formula.
    private static func field(_ text: String) -> String {
        let isFormula = text.first.map { "=+-@\t\r".contains($0) } == true
        return CSVLine.field(isFormula ? "'" + text : text)
    }
}
