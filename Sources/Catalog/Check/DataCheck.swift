internal import MarketState
import Model
internal import Primitives

/// Looks for faults and doubts in data files, without stopping at the first.
package enum DataCheck {
    /// How much is read at once, and the longest line.
    private static let bufferBytesMax = 1 << 18

    /// Checks one file. Memory grows with the rows of bars, 52 bytes each.
    ///
    /// - Parameters:
    ///   - source: how the file is meant. Without a zone, times that name none are read as New York's
    ///     and reported; `barLength` is what lengths and gaps are compared with.
    ///   - progress: told how many more bytes of the file are done.
    package static func check(
        _ file: DataFolder.File, source: DataSource, progress: (Int) -> Void = { _ in }
    ) -> FileReport {
        TickCheck.report(on: file, source: source, progress: progress)
            ?? examine(file, source: source, progress: progress).report
    }

    /// A file's report and what repairing it needs.
    static func examine(
        _ file: DataFolder.File, source: DataSource, progress: (Int) -> Void = { _ in }
    ) -> (report: FileReport, scan: ScannedFile, order: RowOrder) {
        var report = FileReport(symbol: file.symbol, path: file.path)
        let scan = scan(file, source: source, into: &report, progress: progress)
        let order = RowOrder(scan)
        report.findings = scan.findings
        report.rowCount = scan.rows.count
        report.columns = scan.columnNames
        report.isDated = scan.isDated
        addRepeats(order, of: scan, to: &report.findings)
        if scan.isZoneUnstated, source.zone == nil {
            report.findings.add(
                .zoneUnstated, line: 2,
                "found times that do not say their zone: taken for New York's")
        }
        if !scan.rows.isEmpty { look(at: scan, order: order, source: source, into: &report) }
        report.basisHints = BasisHints.phrases(of: scan, findings: report.findings)
        return (report, scan, order)
    }

    private static func look(
        at scan: borrowing ScannedFile, order: RowOrder, source: DataSource,
        into report: inout FileReport
    ) {
        let series = CheckedSeries(scan, order: order, source: source)
        report.length = series.length
        report.first = series.rows.first?.start
        report.last = series.rows.last?.start
        if let first = report.first, let last = report.last {
            report.span = (
                StampName.text(first, isDated: series.isDated, series.calendar),
                StampName.text(last, isDated: series.isDated, series.calendar)
            )
        }
        checkFirstBars(of: series, source, into: &report)
        PriceCheck(series).check(hasVolume: scan.hasVolume, into: &report.findings)
        var sessions = SessionCheck(series, stamp: source.stamp)
        sessions.check(into: &report.findings)
    }

    /// The loader takes the smallest step for the bars' length, unless it is told one.
    private static func checkFirstBars(
        of series: CheckedSeries, _ source: DataSource, into report: inout FileReport
    ) {
        let isTold = series.isDated || source.barLength != nil || BarStore.isNamed(report.path)
        guard !isTold, source.stamp == .start else { return }
        let step = zip(series.rows, series.rows.dropFirst()).lazy
            .map { ($1.start - $0.start).nanoseconds }.min()
        guard let step,
            let others = FirstBars.lengthOfOthers(
                series.rows, step: step, calendar: source.calendar)
        else { return }
        report.findings.add(
            .firstBars,
            DataError.findingOfFirstBars(Duration(nanoseconds: step), others: others))
    }

    /// Reads all rows that can be read.
    private static func scan(
        _ file: DataFolder.File, source: DataSource, into report: inout FileReport,
        progress: (Int) -> Void
    ) -> ScannedFile {
        var source = source
        source.zone = source.zone ?? .newYork
        do throws(DataError) {
            if BarStore.isNamed(file.path) {
                let series = try BarStore.read(file, source: source)
                report.file = series.file
                progress(file.bytes)
                return ScannedFile(series, calendar: source.calendar)
            }
            var reader = try LineReader(path: file.path, bufferBytesMax: bufferBytesMax)
            report.file = reader.file
            guard try reader.next() else {
                return ScannedFile(finding: .header, line: nil, "found an empty file")
            }
            let header: HeaderLine
            do throws(DataError) {
                header = try HeaderLine(reader.takeLine(), file: file.path)
            } catch {
                return ScannedFile(finding: .header, line: 1, error.finding)
            }
            return rows(&reader, under: header, source: source, progress: progress)
        } catch {
            return ScannedFile(finding: .damaged, line: nil, error.finding)
        }
    }

    /// The rows up to the end of the file or to where it cannot be read.
    private static func rows(
        _ reader: inout LineReader, under header: HeaderLine, source: DataSource,
        progress: (Int) -> Void
    ) -> ScannedFile {
        var scan = RowScan(file: reader.file.path, header: header, source: source)
        var doneBytes = 0
        do throws(DataError) {
            repeat {
                scan.scan(reader.lines, of: reader.bytes)
                progress(reader.consumedBytes - doneBytes)
                doneBytes = reader.consumedBytes
            } while try reader.next()
            return scan.finish()
        } catch {
            var result = scan.finish()
            result.findings.add(
                .damaged, line: result.lineCount + 1, "behind the line before, " + error.finding)
            return result
        }
    }

    private static func addRepeats(
        _ order: RowOrder, of scan: borrowing ScannedFile, to findings: inout FindingList
    ) {
        for twin in order.repeats {
            let line = Int(scan.lines[twin.index])
            let earlier = scan.lines[twin.earlier]
            switch twin.kind {
            case .same:
                findings.add(.duplicate, line: line, "found the row of line \(earlier) again")
            case .other:
                findings.add(
                    .conflict, line: line,
                    "found the time of line \(earlier) with other values: close "
                        + "\(scan.rows[twin.index].close) instead of \(scan.rows[twin.earlier].close)"
                )
            case .unusable: break
            }
        }
    }
}

extension ScannedFile {
    /// A file of which no row could be read.
    init(finding kind: DataFinding.Kind, line: Int?, _ text: String) {
        findings.add(kind, line: line, text)
    }
}

extension ScannedFile {
    /// The rows of a file in binary form; lines count its rows from 1.
    init(_ series: BarSeries, calendar: SessionCalendar) {
        rows = series.rows
        lines = rows.indices.map { Int32($0 + 1) }
        lineCount = rows.count
        isDated = series.length == calendar.sessionLength
        hasVolume = rows.contains { $0.volume > .zero }
        for action in series.actions {
            actions[Int32(action.row + 1), default: []].append(action.kind)
        }
    }
}

/// What a file tells about the basis of its prices.
enum BasisHints {
    /// Phrases such as `adj_close beside close`.
    static func phrases(of scan: borrowing ScannedFile, findings: FindingList) -> [String] {
        var phrases: [String] = []
        let names = scan.columnNames.map { $0.lowercased() }
        if let adjusted = names.firstIndex(where: { $0.hasPrefix("adj") }) {
            phrases.append("\(scan.columnNames[adjusted]) beside close")
        }
        let actions = scan.actions.values.joined()
        let splitCount = actions.count { if case .split = $0 { true } else { false } }
        if splitCount > 0 { phrases.append(splitCount == 1 ? "1 split" : "\(splitCount) splits") }
        let dividendCount = actions.count - splitCount
        if dividendCount > 0 {
            phrases.append(dividendCount == 1 ? "1 dividend" : "\(dividendCount) dividends")
        }
        if findings.findingCount(.split) > 0 { phrases.append("see split findings") }
        return phrases
    }
}
