public import CLinux
public import Model
public import Primitives

/// The bars of several series in the order of time: a backtest's clock.
///
/// Each `next` moves to the earliest timestamp at which any bar ends or begins. What ends and begins there is
/// asked for by number, in instrument order. A bar that begins is delivered whole; what of it may be used
/// before its end is the caller's duty.
@usableFromInline
package struct BarFeed: ~Copyable {
    /// How many bars it delivers from its first timestamp to its last.
    package let barCount: Int
    /// The timestamp.
    @usableFromInline package internal(set) var time = Timestamp.distantPast
    /// How many bars end now.
    @usableFromInline package internal(set) var closeCount = 0
    /// How many bars begin now.
    @usableFromInline package internal(set) var openCount = 0

    /// The rows of the only series, if there is but one.
    @usableFromInline package let onlyRows: [BarRow]
    /// Keeps the memory that cursors point into.
    private let series: [(instrument: InstrumentID, series: BarSeries)]
    @usableFromInline var cursors: FixedArray<Cursor>
    /// The earliest timestamp at which a cursor is due, in nanoseconds; `.max` is never.
    @usableFromInline var due: Int64
    /// Whether all series have bars of one length.
    private let haveOneBarSize: Bool
    /// For how many rows from the bars in progress on all series begin at the same timestamps; 0 when nobody
    /// knows. Meanwhile only the first cursor moves: the rows of the others are `ahead` of theirs.
    var rowsInStep = 0
    @usableFromInline var ahead = 0
    /// Of several series, the bars that end now: `closeCount` of them. An array, to be lent as a span.
    @usableFromInline var finished: [Bar]
    @usableFromInline var opens: FixedArray<Int32>

    /// One series, whose it is, and where in it the feed is.
    ///
    /// Rows are read through a pointer: through arrays of arrays, reading was a third of the feed's time. The
    /// pointer is to the storage of an array in `data`, which nobody else writes to and which lives as long
    /// as the feed; `row` stays below `end`, which is at most the array's count.
    @usableFromInline
    struct Cursor: BitwiseCopyable {
        @usableFromInline let rows: UnsafePointer<BarRow>
        @usableFromInline let barSize: Duration
        @usableFromInline let instrument: InstrumentID
        /// The row of the bar in progress, or else of the next.
        @usableFromInline var row: Int
        /// The row behind the last to be delivered.
        @usableFromInline let end: Int
        /// When the row behind the bar in progress begins, `.max` without one: read when that bar begins, so
        /// that it is there when it ends.
        @usableFromInline var nextStart = Int64.max
        /// When the bar in progress ends or else the next begins, in nanoseconds; `.max` is never.
        @usableFromInline var due: Int64
        /// Whether `row` has begun.
        @usableFromInline var isOpen = false

        @inlinable static var rowsAhead: Int { 17 }
        /// How many rows are asked for where rows were skipped: about as many as are skipped the next time.
        static var rowsSkipped: Int { 64 }

        /// `nil` for a series without rows.
        init?(_ series: BarSeries, of instrument: InstrumentID, rows range: Range<Int>) {
            let base = series.rows.withUnsafeBufferPointer { $0.baseAddress }
            guard let base, !series.rows.isEmpty else { return nil }
            rows = base
            barSize = series.barSize
            self.instrument = instrument
            row = range.lowerBound
            end = range.upperBound
            due = range.isEmpty ? .max : series.rows[range.lowerBound].start.nanoseconds
        }
    }

    /// The bars of `data` that start at or after `from` and end at or before `to`.
    ///
    /// - Parameter instruments: the instrument of each series, in the order of `data.series`.
    package init(
        _ data: DataSet, instruments: [InstrumentID], from: Timestamp? = nil, to: Timestamp? = nil
    ) {
        precondition(instruments.count == data.series.count, "each series has an instrument")
        series = zip(instruments, data.series).map { ($0, $1) }.sorted { $0.0 < $1.0 }
        var barCount = 0
        let cursors = series.compactMap { instrument, series in
            let first = series.rows.firstIndex(behind: { $0.start < from ?? .distantPast })
            let end = series.rows.firstIndex(behind: {
                $0.start + series.barSize <= to ?? .distantFuture
            })
            let range = first..<max(first, end)
            barCount += range.count
            return Cursor(series, of: instrument, rows: range)
        }
        self.barCount = barCount
        onlyRows = series.count == 1 && cursors.count == 1 ? series[0].1.rows : []
        due = cursors.map(\.due).min() ?? .max
        haveOneBarSize = cursors.allSatisfy { $0.barSize == cursors[0].barSize }
        self.cursors = FixedArray(cursors)
        let none = BarRow(
            start: .distantPast, open: .zero, high: .zero, low: .zero, close: .zero, volume: .zero)
        finished = cursors.map { Bar(none, of: $0.instrument, barSize: $0.barSize) }
        opens = FixedArray(repeating: 0, count: cursors.count)
    }

    /// Moves to the next timestamp; `false` when there is none.
    @inlinable
    @inline(__always)
    package mutating func next() -> Bool {
        let now = due
        guard now != .max else { return false }
        time = Timestamp(nanoseconds: now)
        // One series needs no search and no list of who is due: number 0 is its own.
        if cursors.count == 1 {
            advanceOnlyOne(now)
        } else {
            advanceAll(now)
        }
        return true
    }

    @inlinable
    @inline(__always)
    mutating func advanceOnlyOne(_ now: Int64) {
        closeCount = cursors[0].isOpen ? 1 : 0
        openCount = cursors[0].advance(now) ? 1 : 0
        due = cursors[0].due
    }

    @usableFromInline
    mutating func advanceAll(_ now: Int64) {
        if rowsInStep > 0 {
            advanceInStep(now)
        } else {
            advanceEach(now)
        }
        // All begin now and will end together.
        if rowsInStep == 0 && openCount == cursors.count && haveOneBarSize { keepStep() }
    }

    private mutating func advanceEach(_ now: Int64) {
        // Counted here and noted at the end; none of them exceeds the number of series.
        var (closes, begins, earliest) = (0, 0, Int64.max)
        // Taken out meanwhile: a span of it would hold all of the feed.
        var bars: [Bar] = []
        swap(&bars, &finished)
        var finished = bars.mutableSpan
        for index in 0..<cursors.count {
            if cursors[index].due == now {
                if cursors[index].isOpen {
                    finished[closes] = Bar(
                        cursors[index].rows[cursors[index].row], of: cursors[index].instrument,
                        barSize: cursors[index].barSize)
                    closes &+= 1
                }
                if cursors[index].advance(now) {
                    opens[begins] = Int32(truncatingIfNeeded: index)
                    begins &+= 1
                }
            }
            earliest = min(earliest, cursors[index].due)
        }
        swap(&bars, &self.finished)
        (closeCount, openCount, due) = (closes, begins, earliest)
    }

    /// The `number`th bar that ends now, from 0.
    @inlinable
    package func closedBar(_ number: Int) -> Bar {
        cursors.count == 1 ? bar(0, row: cursors[0].row - 1) : finished[number]
    }

    /// Of several series, the bars that end now, and behind them older ones.
    @inlinable package var closedBars: [Bar] { _read { yield finished } }

    /// The `number`th bar that begins now, from 0.
    @inlinable
    package func openedBar(_ number: Int) -> Bar {
        if cursors.count == 1 { return bar(0, row: cursors[0].row) }
        let index = Int(opens[number])
        return bar(index, row: row(of: index))
    }

    /// The bar of an instrument that has begun and not ended.
    package func barInProgress(of instrument: InstrumentID) -> Bar? {
        for index in 0..<cursors.count
        where cursors[index].instrument == instrument && isOpen(index) {
            return bar(index, row: row(of: index))
        }
        return nil
    }

    /// Of the only series: the row of the bar in progress, or else of the next, and the row behind the last.
    @inlinable package var rowsAhead: Range<Int> { cursors[0].row..<cursors[0].end }

    /// What the only series is of, and how long its bars last.
    @inlinable package var onlyInstrument: (id: InstrumentID, barSize: Duration) {
        (cursors[0].instrument, cursors[0].barSize)
    }

    /// Takes rows of the only series as delivered.
    ///
    /// - Parameters:
    ///   - count: how many, the bar in progress included; at most those ahead.
    ///   - endsLast: whether the last of them has ended too; otherwise it is in progress.
    package mutating func skip(_ count: Int, endsLast: Bool) {
        precondition(count > 0 && count <= rowsAhead.count, "only rows ahead can be skipped")
        let last = cursors[0].row + count - 1
        cursors[0].fetch(Cursor.rowsSkipped, behind: last)
        cursors[0].begin(last)
        if endsLast {
            time = Timestamp(nanoseconds: cursors[0].due)
            closeCount = 0
            openCount = cursors[0].advance(cursors[0].due) ? 1 : 0
        }
        due = cursors[0].due
    }

    /// The last `count` bars of each series that end at or before `time`, in the order of their ends
    /// and, at one timestamp, of their instruments.
    package func history(before time: Timestamp, count: Int) -> [Bar] {
        var bars: [Bar] = []
        for (instrument, series) in series {
            let end = series.rows.firstIndex(behind: { $0.start + series.barSize <= time })
            for row in series.rows[max(0, end - count)..<end] {
                bars.append(Bar(row, of: instrument, barSize: series.barSize))
            }
        }
        return bars.sorted { ($0.end, $0.instrument) < ($1.end, $1.instrument) }
    }

    /// A row as a bar. Fields are read one by one: a copy of the cursor would wait for the writes to it.
    @inlinable
    func bar(_ index: Int, row: Int) -> Bar {
        Bar(
            cursors[index].rows[row], of: cursors[index].instrument, barSize: cursors[index].barSize
        )
    }
}

extension BarFeed.Cursor {
    /// Asks for the rows behind one, all at once: who skips rows does something else first, and then reads
    /// them faster than the processor sees that they are read in order.
    func fetch(_ count: Int, behind row: Int) {
        let count = min(count, end - row - 1)
        martlet_prefetch_all(rows + (row + 1), count * MemoryLayout<BarRow>.stride)
    }

    /// Ends the bar in progress, begins the next if it begins now, and notes when the series is due again.
    /// Returns whether a bar begins.
    @inlinable
    @inline(__always)
    mutating func advance(_ now: Int64) -> Bool {
        if isOpen {
            // Rows are fewer than can be counted.
            row &+= 1
            isOpen = nextStart == now
            guard isOpen else {
                due = nextStart
                return false
            }
        }
        begin(row)
        return true
    }

    /// Lets the bar of a row be in progress.
    @inlinable
    @inline(__always)
    mutating func begin(_ row: Int) {
        self.row = row
        isOpen = true
        due = rows[row].start.nanoseconds + barSize.nanoseconds
        // An engine between two rows gives the processor no chance to see that they are read in order:
        // waiting for rows was a tenth of the engine's time.
        martlet_prefetch(rows + row + Self.rowsAhead)
        nextStart = row + 1 < end ? rows[row + 1].start.nanoseconds : .max
    }
}

extension Array {
    /// The first index behind all elements that fulfil `predicate`, in an array in which they come first.
    package func firstIndex(behind predicate: (Element) -> Bool) -> Int {
        var range = indices
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            range =
                predicate(self[middle])
                ? middle + 1..<range.upperBound : range.lowerBound..<middle
        }
        return range.lowerBound
    }
}
