internal import Glibc
internal import MarketState
import Model
internal import Primitives

/// Reads one bar file.
enum BarFile {
    /// The bar lengths that are accepted; see `StampReader.earliest`.
    static let lengths = Duration(nanoseconds: 1)...Duration.days(366)

    /// Reads and checks all bars of `file`.
    ///
    /// - Parameters:
    ///   - bufferBytesMax: the longest line accepted, and how much is read at once.
    ///   - progress: receives how many more bytes of the file are done.
    static func read(
        _ file: DataFolder.File, source: DataSource, bufferBytesMax: Int,
        progress: (Int) -> Void = { _ in }
    ) throws(DataError) -> BarSeries {
        if BarStore.isNamed(file.path) {
            defer { progress(file.bytes) }
            return try BarStore.read(file, source: source)
        }
        var reader = try LineReader(path: file.path, bufferBytesMax: bufferBytesMax)
        let header = try HeaderLine(reader.takeHeader(), file: file.path)
        let declared = try BarSize.declared(by: header, source, file: file.path)
        var parser = RowParser(
            file: file.path, header: header, source: source, barSize: declared)
        parser.rows.reserve(rowCount(of: reader))
        try reader.readRemainder(progress: progress) { reader throws(DataError) in
            try parser.take(reader.lines, of: reader.bytes)
        }
        return try series(
            file.symbol, from: parser, of: reader.file, source: source, declared: declared)
    }

    /// How many rows the file will have, to judge by its first lines.
    static func rowCount(of reader: borrowing LineReader) -> Int {
        let sample = reader.bytes[reader.lines].prefix(4_096)
        guard !sample.isEmpty else { return 0 }
        let lines = max(1, sample.count { $0 == UInt8(ascii: "\n") })
        // How much its text grows when it is unpacked.
        let growth = Double(reader.lines.upperBound) / Double(max(1, reader.consumedBytes))
        let bytes = Double(reader.file.bytes) * max(1, growth)
        // A quarter more, as growing would copy everything and unused memory costs nothing. Beyond
        // the largest sensible file it grows all the same, rather than trust a wrong guess.
        return Int(min(bytes / Double(sample.count) * Double(lines) * 1.25, 16_000_000))
    }

    /// The checked rows with their bars' length.
    private static func series(
        _ symbol: String, from parser: consuming RowParser, of file: SourceFile, source: DataSource,
        declared: Duration?
    ) throws(DataError) -> BarSeries {
        guard !parser.rows.isEmpty else {
            throw DataError(
                file: file.path, finding: "found no rows under the header",
                remedy: "Add rows, or remove the file.")
        }
        var isDated = parser.stamps.isDated == true
        let steps = parser.steps
        var rows = parser.rows
        parser.rows = []
        if !isDated, DailyStamps.areDates(rows, steps, declared: declared, source) {
            isDated = true
        }
        if !isDated,
            let days = DailyStamps.days(of: rows, steps, declared: declared, source)
        {
            for index in rows.indices { rows[index].start = source.calendar.open(on: days[index]) }
            isDated = true
        }
        let barSize: Duration
        if isDated {
            barSize = try sessionLength(file, source.calendar, declared: declared)
        } else {
            barSize = try self.barSize(file, declared: declared, steps)
            try checkSteps(
                rows, steps, of: barSize, isDeclared: declared != nil, file: file, source: source)
        }
        if source.stamp == .end, !isDated {
            for index in rows.indices { rows[index].start = rows[index].start - barSize }
        }
        return BarSeries(
            symbol: symbol, barSize: barSize, rows: rows, file: file, actions: parser.actions)
    }

    /// Refuses rows that do not fit bars of one length, and daily bars with times of day.
    private static func checkSteps(
        _ rows: [BarRow], _ steps: StepCount, of barSize: Duration, isDeclared: Bool,
        file: SourceFile, source: DataSource
    ) throws(DataError) {
        if DailyStamps.areOdd(steps, declared: isDeclared ? barSize : nil, source) {
            throw DataError(
                file: file.path, line: 2, finding: DailyStamps.finding(rows[0], source.calendar),
                remedy: DailyStamps.remedy)
        }
        // Times of ends say the ends of shorter bars, too.
        let step = Duration(nanoseconds: steps.shortest)
        if !isDeclared, source.stamp == .start,
            let others = FirstBars.barSizeOfOthers(
                rows, step: step.nanoseconds, calendar: source.calendar)
        {
            throw .shortFirstBars(file.path, step, others: others)
        }
        let misfits = BarSize.misfits(
            in: rows, of: barSize, steps: steps, source.calendar, countMax: 1)
        guard let index = misfits.first else { return }
        // The header is line 1, and every row has a line of its own.
        throw DataError(
            file: file.path, line: index + 2,
            finding: BarSize.finding(
                step: rows[index].start - rows[index - 1].start, of: barSize,
                isDeclared: isDeclared),
            remedy: BarSize.remedy)
    }

    /// The length of bars that are dates: a session, which may also be called a day.
    private static func sessionLength(
        _ file: SourceFile, _ calendar: SessionCalendar, declared: Duration?
    ) throws(DataError) -> Duration {
        let session = calendar.sessionLength
        if let declared, declared != session, declared != .days(1) {
            throw DataError(
                file: file.path,
                finding: "has rows of dates alone, but the bar length is \(declared)",
                remedy: "Leave backtest.data.bar_size out, or set it to 1d.")
        }
        return session
    }

    /// The declared length of bars, or the most frequent step between rows.
    private static func barSize(
        _ file: SourceFile, declared: Duration?, _ steps: StepCount
    ) throws(DataError) -> Duration {
        if let barSize = declared ?? steps.mostFrequent { return barSize }
        throw DataError(
            file: file.path,
            finding: steps.shortest == .max
                ? "has a single row, which does not tell how long its bar lasts"
                : "has no two rows within a year, which does not tell how long bars last",
            remedy: "Set backtest.data.bar_size.")
    }
}

extension Array where Element: BitwiseCopyable {
    /// Reserves memory for `count` rows, and asks the system to back much of it with huge pages: a
    /// million rows then cost 25 page faults instead of 12,000, 7 of 50 ms. It is advice only.
    mutating func reserve(_ count: Int) {
        reserveCapacity(count)
        let pageBytes = UInt(2 << 20)
        let bytes = UInt(capacity * MemoryLayout<Element>.stride)
        guard bytes >= 4 * pageBytes else { return }
        withUnsafeBufferPointer { rows in
            let start = UInt(bitPattern: rows.baseAddress)
            // Whole huge pages within the memory.
            let first = (start + pageBytes - 1) / pageBytes * pageBytes
            let end = (start + bytes) / pageBytes * pageBytes
            madvise(UnsafeMutableRawPointer(bitPattern: first), Int(end - first), MADV_HUGEPAGE)
        }
    }
}
