internal import MarketState
import Model
internal import Primitives

/// How long the bars of a file last: the one rule for loader, check, list and import.
///
/// What is declared counts first: by the settings, or by the name of the time column (`timestamp_15m`).
/// Without it, it is the most frequent step between rows. Every step within a day must then be a whole
/// multiple of that length, and no step may be shorter: a row that lies between would make bars end early,
/// and strategies see closes before they were.
enum BarSize {
    /// The declared length of the bars of a file, if there is one.
    static func declared(
        by header: HeaderLine, _ source: DataSource, file: String
    ) throws(DataError) -> Duration? {
        guard let given = source.barSize, let named = header.barSize, given != named else {
            return source.barSize ?? header.barSize
        }
        throw DataError(
            file: file, line: 1,
            finding: "found bars of \(named) by the name of the time column, but the bar length is "
                + "\(given)",
            remedy: "Leave backtest.data.bar_size out, or correct the column's name.")
    }

    /// The rows that lie too near to the one before, or between a day's bars; at most `countMax` of them.
    ///
    /// - Parameters:
    ///   - rows: in order of time, as the file stamps them.
    ///   - steps: the steps between them.
    static func misfits(
        in rows: [BarRow], of barSize: Duration, steps: StepCount, _ calendar: SessionCalendar,
        countMax: Int = .max
    ) -> [Int] {
        guard !steps.areMultiples(of: barSize) else { return [] }
        var misfits: [Int] = []
        var dayEnd = Timestamp.distantPast
        for index in rows.indices {
            let isNextDay = rows[index].start >= dayEnd
            if isNextDay { dayEnd = calendar.dayEnd(of: calendar.day(of: rows[index].start)) }
            guard index > 0 else { continue }
            let step = (rows[index].start - rows[index - 1].start).nanoseconds
            // A day's bars are counted from its first: 65 minutes do not divide a night.
            let fits =
                step >= barSize.nanoseconds && (isNextDay || step % barSize.nanoseconds == 0)
            if !fits { misfits.append(index) }
            if misfits.count == countMax { break }
        }
        return misfits
    }

    /// The message about a row that does not fit.
    static func finding(
        step: Duration, of barSize: Duration, isDeclared: Bool
    ) -> String {
        "found a row \(step) behind the one before, where bars last \(barSize), "
            + (isDeclared ? "as declared" : "the most frequent step")
    }

    /// What to do about it.
    static let remedy =
        "Remove the row, or say how long bars last with backtest.data.bar_size."

    /// The text that names a length in the time column: `15m`.
    static func name(_ barSize: Duration) -> String { barSize.description }

    /// The length that a column's name ends with, of a name such as `timestamp_15m`.
    static func named(by column: String) -> (base: Substring, length: Duration)? {
        guard let mark = column.lastIndex(of: "_") else { return nil }
        let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3_600, "d": 86_400]
        let text = column[column.index(after: mark)...]
        guard let unit = text.last.flatMap({ units[$0] }), let count = Int64(text.dropLast()),
            (1...31_622_400 / unit).contains(count)
        else { return nil }
        return (column[..<mark], .seconds(count * unit))
    }
}

/// How often each step between successive rows was there.
struct StepCount {
    // Few steps are common: the first that come are looked through, which takes less than to hash them.
    private var common: [(step: Int64, count: Int)] = []
    private var others: [Int64: Int] = [:]
    private var run = (step: Int64(0), count: 0)

    private static let commonMax = 8

    /// No steps.
    init() {}

    /// The steps between `rows`.
    init(_ rows: [BarRow]) {
        for index in rows.indices.dropFirst() {
            add((rows[index].start - rows[index - 1].start).nanoseconds)
        }
    }

    /// Takes in a step: mostly that of the row before, once more.
    @inline(__always)
    mutating func add(_ step: Int64) {
        if step != run.step { endRun(step) }
        // Rows are fewer than can be counted.
        run.count &+= 1
    }

    @inline(never)
    private mutating func endRun(_ step: Int64) {
        if run.count > 0 { addRun() }
        run = (step, 0)
    }

    private mutating func addRun() {
        if let index = common.firstIndex(where: { $0.step == run.step }) {
            common[index].count += run.count
        } else if common.count < Self.commonMax {
            common.append(run)
        } else {
            others[run.step, default: 0] += run.count
        }
    }

    /// Every step that was there and how often, the shortest first.
    var all: [(step: Int64, count: Int)] {
        var whole = self
        if run.count > 0 { whole.addRun() }
        return (whole.common + whole.others.map { ($0.key, $0.value) }).sorted { $0.0 < $1.0 }
    }

    /// The shortest step; `.max` without any.
    var shortest: Int64 { all.first?.step ?? .max }

    /// The most frequent step that a bar can last; the shorter of two; `nil` without one.
    var mostFrequent: Duration? { Self.mostFrequent(all) }

    /// The same for dates, which stand for sessions: those begin an hour apart when clocks change.
    var mostFrequentOfDates: Duration? {
        let day = Duration.days(1).nanoseconds
        var counts: [(step: Int64, count: Int)] = []
        for entry in all {
            let days = (entry.step + day / 2) / day * day
            if let last = counts.indices.last, counts[last].step == days {
                counts[last].count += entry.count
            } else {
                counts.append((days, entry.count))
            }
        }
        return Self.mostFrequent(counts)
    }

    /// Whether every step is a whole multiple of a length.
    func areMultiples(of barSize: Duration) -> Bool {
        all.allSatisfy { $0.step > 0 && $0.step % barSize.nanoseconds == 0 }
    }

    private static func mostFrequent(_ counts: [(step: Int64, count: Int)]) -> Duration? {
        let usable = counts.filter { BarFile.lengths.contains(Duration(nanoseconds: $0.step)) }
        let best = usable.max { ($0.count, -$0.step) < ($1.count, -$1.step) }
        return best.map { Duration(nanoseconds: $0.step) }
    }
}
