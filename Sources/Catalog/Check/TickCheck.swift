internal import MarketState
internal import Model
internal import Primitives

/// Looks for faults and doubts in tick files, without stopping at the first. Memory does not grow with rows.
struct TickCheck: RowReader {
    private var parser: TickParser
    private let header: TickHeader
    private let calendar: SessionCalendar
    private var report: FileReport
    private var previous: TickRow?
    private var days: TickDays
    private var trades = SpikeMonitor()
    private var bids = SpikeMonitor()
    private var asks = SpikeMonitor()
    private var isZoneUnstated = false

    private static let instrument = InstrumentID(index: 0)
    private static let bufferBytesMax = 1 << 18

    /// The report on a file of quotes and trades; `nil` when its header does not show that it is one.
    ///
    /// - Parameter progress: receives how many more bytes of the file are done.
    static func report(
        on file: DataFolder.File, source: DataSource, progress: (Int) -> Void
    ) -> FileReport? {
        guard !BarStore.isNamed(file.path) else { return nil }
        do throws(DataError) {
            var reader = try LineReader(path: file.path, bufferBytesMax: bufferBytesMax)
            guard try reader.next() else { return nil }
            let line = reader.takeLine()
            guard TickHeader.isMeant(by: try HeaderLine.names(in: line, of: file.path)) else {
                return nil
            }
            var report = FileReport(symbol: file.symbol, path: file.path)
            report.kind = .ticks
            report.file = reader.file
            do throws(DataError) {
                let header = try TickHeader(line, file: file.path)
                var check = TickCheck(report, header, source)
                return check.run(over: &reader, progress)
            } catch {
                report.findings.add(.header, line: 1, error.finding)
                return report
            }
        } catch {
            // The check of bars finds the same fault, and reports it.
            return nil
        }
    }

    private init(_ report: FileReport, _ header: TickHeader, _ source: DataSource) {
        var source = source
        isZoneUnstated = source.zone == nil
        source.zone = source.zone ?? .newYork
        self.report = report
        self.report.columns = header.names
        self.header = header
        calendar = source.calendar
        parser = TickParser(file: report.path, header: header, source: source)
        days = TickDays(source.calendar)
    }

    private mutating func run(
        over reader: inout LineReader, _ progress: (Int) -> Void
    ) -> FileReport {
        do throws(DataError) {
            try reader.readRemainder(progress: progress) { reader in
                take(reader.lines, of: reader.bytes)
            }
        } catch {
            report.findings.add(
                .damaged, line: parser.line + 1, "behind the line before, " + error.finding)
        }
        days.end(into: &report.findings)
        if report.rowCount == 0, report.findings.count(.error) == 0 {
            report.findings.add(.noRows, line: 1, "found no rows under the header")
        }
        if let first = report.first, let last = report.last {
            report.span = (
                StampName.text(first, isDated: false, calendar),
                StampName.text(last, isDated: false, calendar)
            )
        }
        return report
    }

    var line: Int {
        get { parser.line }
        set { parser.line = newValue }
    }

    mutating func takeUsual(_ lines: Range<Int>, of bytes: RawSpan) -> Int {
        var position = lines.lowerBound
        while position < lines.upperBound {
            let next = parser.takeUsual(position..<lines.upperBound, of: bytes, countMax: 1)
            guard next > position else { return position }
            position = next
            // The first is the row before, which the parser goes by.
            let rows = parser.rows.dropFirst()
            for row in rows { look(at: row) }
            parser.rows.removeFirst(rows.count)
        }
        return position
    }

    mutating func take(_ text: ArraySlice<UInt8>) {
        guard !CSVLine.trimmed(text).isEmpty else {
            return report.findings.add(.format, line: parser.line, "found an empty line")
        }
        do throws(TickParser.Fault) {
            let rows = try parser.parseLine(text)
            noteZone(of: text)
            for row in rows { look(at: row) }
            if let last = rows.last { parser.rows = [last] }
        } catch {
            let location = error.column.map { "column \($0 + 1) (\(header.names[$0])): " } ?? ""
            report.findings.add(error.kind, line: parser.line, location + error.finding)
        }
    }

    /// Times that do not name their zone are noted once.
    private mutating func noteZone(of text: ArraySlice<UInt8>) {
        guard isZoneUnstated, let column = header.roles.firstIndex(of: .time),
            let fields = CSVLine.fields(of: text),
            case .reading(_, _, nil)? = StampText(fields[column])
        else { return }
        isZoneUnstated = false
        report.findings.add(
            .zoneUnstated, line: parser.line,
            "found times that do not say their zone: taken for New York's")
    }

    private mutating func look(at row: TickRow) {
        let line = parser.line
        report.rowCount += 1
        report.first = min(report.first ?? row.at, row.at)
        report.last = max(report.last ?? row.at, row.at)
        if let previous, row.at < previous.at {
            report.findings.add(.unsorted, line: line, "found \(row.at) behind \(previous.at)")
        }
        if row == previous {
            report.findings.add(.repeated, line: line, "found the row before again")
        }
        previous = row
        days.note(row.at, line: line, into: &report.findings)
        if row.isTrade {
            report.tradeCount += 1
            look(at: row.trade(of: Self.instrument), line)
        } else {
            look(at: row.quote(of: Self.instrument), line)
        }
    }

    private mutating func look(at trade: Trade, _ line: Int) {
        if trade.size == .zero, header.tradeCell == 0 || header.roles.contains(.size) {
            report.findings.add(.zeroVolume, line: line, "found a trade of nothing")
        }
        note(trades.note(trade.price, line: line), "price")
    }

    private mutating func look(at quote: Quote, _ line: Int) {
        if let bid = quote.bid, let ask = quote.ask, bid >= ask {
            report.findings.add(
                bid > ask ? .crossed : .locked, line: line, "found bid \(bid) and ask \(ask)")
        }
        if quote.bidSize == .zero || quote.askSize == .zero {
            report.findings.add(.zeroVolume, line: line, "found a price for nothing")
        }
        if let bid = quote.bid { note(bids.note(bid, line: line), "bid") }
        if let ask = quote.ask { note(asks.note(ask, line: line), "ask") }
    }

    private mutating func note(_ spike: SpikeMonitor.Spike?, _ name: String) {
        guard let spike else { return }
        report.findings.add(
            .spike, line: spike.line,
            "found \(name) \(spike.price) between \(spike.before) and \(spike.after)")
    }
}

/// Looks for prices that jump and come back at once.
///
/// A spike is more than 1 % away from the price before, and three quarters of that are gone with the next.
struct SpikeMonitor {
    private var before: Price?
    private var last: (price: Price, line: Int)?

    /// A price that came and went.
    struct Spike: Equatable {
        /// The line it is in.
        let line: Int
        /// The price.
        let price: Price
        /// The price before it.
        let before: Price
        /// The price behind it.
        let after: Price
    }

    /// Takes in the next price, and returns the one before it if that was a spike.
    mutating func note(_ price: Price, line: Int) -> Spike? {
        defer {
            before = last?.price
            last = (price, line)
        }
        guard let before, let last else { return nil }
        // Prices are at most 10^16 units: no product leaves 64 bits.
        let jump = (last.price.units - before.units).magnitude
        let remainder = (price.units - before.units).magnitude
        guard jump * 100 > before.units.magnitude, remainder * 4 <= jump else { return nil }
        return Spike(line: last.line, price: last.price, before: before, after: price)
    }
}

/// Looks at the days of a tick file: hours, and sessions without a row.
private struct TickDays {
    private let calendar: SessionCalendar
    private var day: Day?
    private var span = Timestamp.distantPast..<Timestamp.distantPast
    private var session: TradingSession?
    private var outside = (count: 0, line: 0)

    init(_ calendar: SessionCalendar) { self.calendar = calendar }

    mutating func note(_ time: Timestamp, line: Int, into findings: inout FindingList) {
        if !span.contains(time) { enter(time, line, &findings) }
        guard session?.contains(time) != true else { return }
        if outside.count == 0 { outside.line = line }
        outside.count += 1
    }

    /// Reports the findings of the last day.
    mutating func end(into findings: inout FindingList) {
        defer { outside = (0, 0) }
        guard let day, outside.count > 0 else { return }
        let rows = outside.count == 1 ? "1 row" : "\(outside.count) rows"
        if session == nil {
            findings.add(
                .closedDay, line: outside.line, count: outside.count,
                "found \(rows) on \(day), which has no session")
        } else {
            findings.add(
                .outsideRTH, line: outside.line, count: outside.count,
                "found \(rows) of \(day) before the open or after the close")
        }
    }

    private mutating func enter(
        _ time: Timestamp, _ line: Int, _ findings: inout FindingList
    ) {
        end(into: &findings)
        let next = calendar.day(of: time)
        if let day, day < next {
            let missing = calendar.sessions(in: day...next).filter {
                $0.day != day && $0.day != next
            }
            if let first = missing.first {
                let more = missing.count == 1 ? "" : " and \(missing.count - 1) sessions behind it"
                findings.add(
                    .missingSession, line: line, count: missing.count,
                    "found no row on \(first.day)\(more)")
            }
        }
        day = next
        span = calendar.dayEnd(of: next.advanced(by: -1))..<calendar.dayEnd(of: next)
        session = calendar.session(on: next)
    }
}
