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
    ///     and reported; `barSize` is what lengths and gaps are compared with.
    ///   - progress: receives how many more bytes of the file are done.
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
        report.dropCount =
            scan.repairs.count { $0.after == nil && !$0.before.isEmpty }
            + order.repeats.count { $0.kind == .same }
        addRepeats(order, of: scan, to: &report.findings)
        if scan.rows.isEmpty, report.findings.count(.error) == 0 {
            report.findings.add(.noRows, line: 1, "found no rows under the header")
        }
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
        report.barDuration = series.barSize
        report.isDated = series.isDated
        report.first = series.rows.first?.start
        report.last = series.rows.last?.start
        if let first = report.first, let last = report.last {
            report.span = (
                StampName.text(first, isDated: series.isDated, series.calendar),
                StampName.text(last, isDated: series.isDated, series.calendar)
            )
        }
        checkSizes(of: series, source, into: &report)
        PriceCheck(series).check(hasVolume: scan.hasVolume, into: &report.findings)
        var sessions = SessionCheck(series, stamp: source.stamp)
        sessions.check(into: &report.findings)
    }

    /// What the loader refuses of the bars' length, and times that it takes for dates.
    private static func checkSizes(
        of series: CheckedSeries, _ source: DataSource, into report: inout FileReport
    ) {
        if series.standsForDates, let first = report.columns.isEmpty ? nil : series.lines.first {
            report.findings.add(
                .dates, line: Int(first), count: series.rows.count,
                "found a time of day in place of dates, one row a day: taken for the dates")
        }
        guard !series.isDated, !BarStore.isNamed(report.path) else { return }
        if series.hasOddDays, let first = series.rows.first, let line = series.lines.first {
            return report.findings.add(
                .barSize, line: Int(line), count: series.rows.count,
                DailyStamps.finding(first, series.calendar))
        }
        let step = series.steps.shortest
        if !series.isDeclared, source.stamp == .start,
            let others = FirstBars.barSizeOfOthers(
                series.rows, step: step, calendar: source.calendar)
        {
            return report.findings.add(
                .firstBars,
                DataError.findingOfFirstBars(Duration(nanoseconds: step), others: others))
        }
        addMisfits(of: series, to: &report.findings)
    }

    /// Rows that do not fit the bars' length: of each day one finding, at its first.
    private static func addMisfits(of series: CheckedSeries, to findings: inout FindingList) {
        var misfits = BarSize.misfits(
            in: series.rows, of: series.barSize, steps: series.steps, series.calendar)[...]
        for slice in series.days {
            let own = misfits.prefix { slice.rows.contains($0) }
            misfits = misfits.dropFirst(own.count)
            guard let first = own.first else { continue }
            let more = own.count == 1 ? "" : ", and \(own.count - 1) more that day"
            findings.add(
                .barSize, line: Int(series.lines[first]), count: own.count,
                BarSize.finding(
                    step: series.rows[first].start - series.rows[first - 1].start,
                    of: series.barSize, isDeclared: series.isDeclared) + more)
        }
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
            let hasMark = reader.bytes[reader.lines].starts(with: TextEncoding.mark)
            let header: HeaderLine
            do throws(DataError) {
                header = try HeaderLine(reader.takeLine(), file: file.path)
            } catch {
                return ScannedFile(finding: .header, line: 1, error.finding)
            }
            var result = rows(&reader, under: header, source: source, progress: progress)
            if hasMark {
                result.findings.add(
                    .encoding, line: 1, "found the byte order mark of UTF-8 before the header")
            }
            return result
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
        do throws(DataError) {
            try reader.readRemainder(progress: progress) { reader in
                scan.noteEncoding(reader.bytes[reader.lines])
                scan.take(reader.lines, of: reader.bytes)
            }
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
        isDated = series.barSize == calendar.sessionLength
        barSize = isDated ? nil : series.barSize
        hasVolume = rows.contains { $0.volume > .zero }
        for action in series.actions {
            actions[Int32(action.row + 1), default: []].append(action.kind)
        }
    }
}

/// What a file shows about the basis of its prices.
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
