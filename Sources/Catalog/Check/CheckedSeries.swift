internal import MarketState
import Model
internal import Primitives

/// A file's rows in time order, one for each time: what patterns are looked for in.
struct CheckedSeries {
    /// The rows; `start` is where the bar begins as far as the source's settings say.
    private(set) var rows: [BarRow]
    /// The line of each row.
    private(set) var lines: [Int32]
    /// How long bars last by the loader's rule, `BarSize`; for dates, the most frequent step.
    let barSize: Duration
    /// Whether that is declared, and not found out.
    let isDeclared: Bool
    /// Whether times are dates alone, or stand for them.
    let isDated: Bool
    /// Whether they are times that stand for dates.
    let standsForDates: Bool
    /// Whether rows are days apart at times of day that daily bars do not have.
    let hasOddDays: Bool
    /// The steps between rows, as the file stamps them.
    let steps: StepCount
    /// Splits and dividends by line.
    let actions: [Int32: [RowAction.Kind]]
    /// The sessions.
    let calendar: SessionCalendar
    /// The rows of each day of the calendar that has some, in order.
    private(set) var days: [DaySlice] = []

    /// The rows of one day.
    struct DaySlice {
        let day: Day
        let rows: Range<Int>
    }

    /// The rows of `file`, without those that repeat a time.
    init(_ file: borrowing ScannedFile, order: RowOrder, source: DataSource) {
        actions = file.actions
        calendar = source.calendar
        if order.repeats.isEmpty, order.sorted == nil {
            rows = file.rows
            lines = file.lines
        } else {
            let kept = order.unique(count: file.rows.count)
            rows = kept.map { file.rows[$0] }
            lines = kept.map { file.lines[$0] }
        }
        steps = StepCount(rows)
        let declared = source.barSize ?? file.barSize
        isDeclared = declared != nil
        let days =
            file.isDated ? nil : DailyStamps.days(of: rows, steps, declared: declared, source)
        standsForDates = days != nil
        isDated = file.isDated || standsForDates
        hasOddDays = !isDated && DailyStamps.areOdd(steps, declared: declared, source)
        let usual = isDated ? steps.mostFrequentOfDates : steps.mostFrequent
        barSize = declared ?? usual ?? source.calendar.sessionLength
        if let days {
            for index in rows.indices { rows[index].start = calendar.open(on: days[index]) }
        }
        if source.stamp == .end, !isDated { shift(by: Duration(nanoseconds: -barSize.nanoseconds)) }
        divideIntoDays()
    }

    /// The same bars with every start moved.
    func shifted(by duration: Duration) -> CheckedSeries {
        var copy = self
        copy.shift(by: duration)
        copy.divideIntoDays()
        return copy
    }

    private mutating func shift(by duration: Duration) {
        for index in rows.indices { rows[index].start = rows[index].start + duration }
    }

    private mutating func divideIntoDays() {
        days.removeAll(keepingCapacity: true)
        var first = 0
        var dayEnd = Timestamp.distantPast
        for index in rows.indices where rows[index].start >= dayEnd {
            close(first..<index)
            first = index
            dayEnd = calendar.dayEnd(of: calendar.day(of: rows[index].start))
        }
        close(first..<rows.count)
    }

    private mutating func close(_ range: Range<Int>) {
        guard !range.isEmpty else { return }
        let day = calendar.day(of: rows[range.lowerBound].start)
        days.append(DaySlice(day: day, rows: range))
    }
}

/// The time order of a file's rows and which of them repeat a time.
struct RowOrder {
    /// Indexes of the rows in time order, rows of one time in the order of their lines; `nil` when
    /// they are in order as they stand.
    private(set) var sorted: [Int]?
    /// Rows with the time of another one, which is kept, in time order.
    private(set) var repeats: [Repeat] = []

    /// A row with the time of another one.
    struct Repeat {
        /// The row.
        let index: Int
        /// The earlier row it equals, or else the one that is kept.
        let earlier: Int
        let kind: Kind

        /// How it compares with the earlier row.
        enum Kind {
            /// It has the same values.
            case same
            /// It has other values.
            case other
            /// It has no usable prices, which is reported by itself.
            case unusable
        }
    }

    /// Orders the rows of `file`.
    init(_ file: borrowing ScannedFile) {
        let rows = file.rows
        if !file.isSorted {
            sorted = rows.indices.sorted { (rows[$0].start, $0) < (rows[$1].start, $1) }
        }
        var first = 0
        for index in rows.indices.dropFirst() where rows[at(index)].start != rows[at(first)].start {
            if index - first > 1 { addRepeats(first..<index, of: file) }
            first = index
        }
        if rows.count - first > 1 { addRepeats(first..<rows.count, of: file) }
    }

    /// Takes in rows of one time.
    private mutating func addRepeats(_ rowIndexes: Range<Int>, of file: borrowing ScannedFile) {
        let rows = file.rows
        let indexes = rowIndexes.map(at)
        guard let kept = indexes.first(where: { rows[$0].isPriced }) ?? indexes.first else {
            return
        }
        var different = [kept]
        for index in indexes where index != kept {
            guard rows[index].isPriced else {
                repeats.append(Repeat(index: index, earlier: kept, kind: .unusable))
                continue
            }
            let twin = different.first { other in
                rows[other] == rows[index]
                    && file.actions[file.lines[other]] == file.actions[file.lines[index]]
            }
            if twin == nil { different.append(index) }
            repeats.append(
                Repeat(index: index, earlier: twin ?? kept, kind: twin == nil ? .other : .same))
        }
    }

    /// The row at a place of the time order.
    func at(_ index: Int) -> Int { sorted.map { $0[index] } ?? index }

    /// The rows in time order without the repeats.
    func unique(count: Int) -> [Int] {
        var next = 0
        return (0..<count).compactMap { lineIndex in
            let index = at(lineIndex)
            guard next < repeats.count, repeats[next].index == index else { return index }
            next += 1
            return nil
        }
    }

    /// Rows to move so that all are in order, as few as possible.
    func moved() -> Set<Int> {
        guard let sorted else { return [] }
        // The longest part that is in line order already stays: `tails[n]` is the place where the best
        // such part of n + 1 rows ends.
        var tails: [Int] = []
        var previous = Array(repeating: -1, count: sorted.count)
        for index in sorted.indices {
            let length = tails.firstIndex(behind: { sorted[$0] < sorted[index] })
            if length > 0 { previous[index] = tails[length - 1] }
            if length < tails.count { tails[length] = index } else { tails.append(index) }
        }
        var moved = Set(sorted)
        var index = tails.last ?? -1
        while index >= 0 {
            moved.remove(sorted[index])
            index = previous[index]
        }
        return moved
    }
}
