public import CLinux
public import Model
public import Primitives

/// The quotes and trades of several series in the order of time: a backtest's clock.
///
/// Each `next` moves to the next row: the earliest; at one timestamp, instruments come in their order and an
/// instrument's rows in the order of its file.
@usableFromInline
package struct TickFeed: ~Copyable {
    /// How many rows it delivers.
    package let count: Int

    /// The only series that has rows to deliver; empty when there are several.
    package let onlyRows: [TickRow]

    /// Keeps the memory that cursors point into.
    private let series: [TickSeries]
    @usableFromInline var cursors: FixedArray<Cursor>
    /// Cursors that have rows left, as a heap: the one whose row comes first is in front.
    @usableFromInline var heap: FixedArray<Int32>
    @usableFromInline var heapCount: Int
    /// Whose row the feed is at.
    @usableFromInline var current = 0
    @usableFromInline var hasBegun = false

    /// One series, whose it is, and where in it the feed is.
    ///
    /// Rows are read through a pointer, as in `BarFeed`: to the storage of an array in `series`, which nobody
    /// else writes to and which lives as long as the feed. `row` stays below `end`, which is at most the
    /// array's count.
    @usableFromInline
    struct Cursor: BitwiseCopyable {
        @usableFromInline let rows: UnsafePointer<TickRow>
        @usableFromInline let instrument: InstrumentID
        @usableFromInline var row: Int
        @usableFromInline let end: Int

        @inlinable static var rowsAhead: Int { 16 }
    }

    /// The rows of `data` at or after `from` and before `to`.
    ///
    /// - Parameter instruments: the instrument of each series, in the order of `data.series`; ascending.
    package init(
        _ data: TickSet, instruments: [InstrumentID], from: Timestamp = .distantPast,
        to: Timestamp = .distantFuture
    ) {
        precondition(instruments.count == data.series.count, "each series has an instrument")
        precondition(
            zip(instruments, instruments.dropFirst()).allSatisfy { $0 < $1 },
            "instruments come in their order")
        series = data.series
        var cursors: [Cursor] = []
        var count = 0
        var delivered: [[TickRow]] = []
        for (instrument, series) in zip(instruments, data.series) {
            let first = series.rows.firstIndex(behind: { $0.at < from })
            let end = max(first, series.rows.firstIndex(behind: { $0.at < to }))
            guard first < end,
                let base = series.rows.withUnsafeBufferPointer({ $0.baseAddress })
            else { continue }
            count += end - first
            delivered.append(series.rows)
            cursors.append(Cursor(rows: base, instrument: instrument, row: first, end: end))
        }
        self.count = count
        onlyRows = delivered.count == 1 ? delivered[0] : []
        // A sorted array is a heap.
        let order = cursors.indices.sorted { left, right in
            (cursors[left].rows[cursors[left].row].at, left)
                < (cursors[right].rows[cursors[right].row].at, right)
        }
        heap = FixedArray(order.map { Int32($0) })
        heapCount = order.count
        self.cursors = FixedArray(cursors)
    }

    /// Moves to the next row; `false` when there is none.
    @inlinable
    @inline(__always)
    package mutating func next() -> Bool {
        guard hasBegun else {
            hasBegun = true
            guard heapCount > 0 else { return false }
            current = Int(heap[0])
            return true
        }
        // Rows are fewer than can be counted.
        cursors[current].row &+= 1
        guard cursors.count == 1 else { return reorder() }
        guard cursors[0].row < cursors[0].end else {
            cursors[0].row &-= 1
            return false
        }
        martlet_prefetch(cursors[0].rows + cursors[0].row + Cursor.rowsAhead)
        return true
    }

    /// The row it is at; asked after `next` was true.
    @inlinable package var row: TickRow {
        @inline(__always) get { cursors[current].rows[cursors[current].row] }
    }

    /// Whose row it is at.
    @inlinable package var instrument: InstrumentID {
        @inline(__always) get { cursors[current].instrument }
    }

    /// The rows of `onlyRows` that are still to come; asked while there are any such rows and after `next`
    /// was true.
    @inlinable package var rowsAhead: Range<Int> {
        @inline(__always) get { cursors[0].row + 1..<cursors[0].end }
    }

    /// Passes over so many of `rowsAhead`: it is at the last of them then.
    @inlinable
    @inline(__always)
    package mutating func skip(_ count: Int) {
        precondition(count <= rowsAhead.count, "rows are there to be passed over")
        cursors[0].row += count
    }

    /// Puts the cursor in front, which has moved, where it belongs now.
    @usableFromInline
    mutating func reorder() -> Bool {
        guard heapCount > 0 else { return false }
        if cursors[current].row == cursors[current].end {
            heapCount -= 1
            guard heapCount > 0 else { return false }
            heap[0] = heap[heapCount]
        }
        siftDown()
        current = Int(heap[0])
        return true
    }

    private mutating func siftDown() {
        var parent = 0
        let moved = heap[0]
        while true {
            var child = 2 * parent + 1
            guard child < heapCount else { break }
            if child + 1 < heapCount, precedes(heap[child + 1], heap[child]) { child += 1 }
            guard precedes(heap[child], moved) else { break }
            heap[parent] = heap[child]
            parent = child
        }
        heap[parent] = moved
    }

    @inline(__always)
    private func precedes(_ left: Int32, _ right: Int32) -> Bool {
        let (one, other) = (cursors[Int(left)], cursors[Int(right)])
        let (at, otherAt) = (one.rows[one.row].at, other.rows[other.row].at)
        return at == otherAt ? left < right : at < otherAt
    }
}
