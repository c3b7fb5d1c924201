public import Model
public import Primitives

/// The bars of several series in the order of time: a backtest's clock.
///
/// Each `next` moves to the earliest instant at which any bar ends or begins. What ends and begins there is
/// asked for by number, in instrument order. A bar that begins is told whole; what of it may be used before
/// its end is the caller's duty.
@usableFromInline
package struct BarFeed: ~Copyable {
    /// How many bars it delivers from its first instant to its last.
    package let barCount: Int
    /// The instant.
    package private(set) var time = Timestamp.distantPast
    /// How many bars end now.
    package private(set) var closeCount = 0
    /// How many bars begin now.
    package private(set) var openCount = 0

    @usableFromInline let tracks: [Track]
    @usableFromInline var cursors: FixedArray<Cursor>
    /// When each track next has a bar that ends or begins, in nanoseconds; `.max` is never.
    private var dues: FixedArray<Int64>
    @usableFromInline var closes: FixedArray<Int32>
    @usableFromInline var opens: FixedArray<Int32>

    /// One series and whose it is.
    @usableFromInline
    struct Track: Sendable {
        @usableFromInline let instrument: InstrumentID
        @usableFromInline let length: Duration
        @usableFromInline let rows: [BarRow]

        init(instrument: InstrumentID, length: Duration, rows: [BarRow]) {
            self.instrument = instrument
            self.length = length
            self.rows = rows
        }

        @inlinable
        func bar(at index: Int) -> Bar {
            let row = rows[index]
            return Bar(
                instrument: instrument, start: row.start, length: length, open: row.open,
                high: row.high, low: row.low, close: row.close, volume: row.volume)
        }
    }

    /// Where one track is.
    @usableFromInline
    struct Cursor: BitwiseCopyable {
        /// The row of the bar in progress, or else of the next.
        @usableFromInline var row: Int
        /// Whether that bar has begun.
        var isOpen = false
        /// The row behind the last to be delivered.
        let end: Int
    }

    /// The bars of `data` that start at or after `from` and end at or before `to`.
    ///
    /// - Parameter instruments: the instrument of each series, in the order of `data.series`.
    package init(
        _ data: DataSet, instruments: [InstrumentID], from: Timestamp? = nil, to: Timestamp? = nil
    ) {
        precondition(instruments.count == data.series.count, "each series has an instrument")
        tracks = zip(instruments, data.series)
            .map { Track(instrument: $0, length: $1.length, rows: $1.rows) }
            .sorted { $0.instrument < $1.instrument }
        cursors = FixedArray(repeating: Cursor(row: 0, end: 0), count: tracks.count)
        dues = FixedArray(repeating: .max, count: tracks.count)
        closes = FixedArray(repeating: 0, count: tracks.count)
        opens = FixedArray(repeating: 0, count: tracks.count)
        var barCount = 0
        for (index, track) in tracks.enumerated() {
            let first = track.rows.firstIndex(behind: { $0.start < from ?? .distantPast })
            let end = track.rows.firstIndex(behind: {
                $0.start + track.length <= to ?? .distantFuture
            })
            guard first < end else { continue }
            cursors[index] = Cursor(row: first, end: end)
            dues[index] = track.rows[first].start.nanoseconds
            barCount += end - first
        }
        self.barCount = barCount
    }

    /// Moves to the next instant; `false` when there is none.
    package mutating func next() -> Bool {
        var earliest = Int64.max
        for index in 0..<dues.count { earliest = min(earliest, dues[index]) }
        guard earliest != .max else { return false }
        time = Timestamp(nanoseconds: earliest)
        closeCount = 0
        openCount = 0
        for index in 0..<dues.count where dues[index] == earliest { advance(index) }
        return true
    }

    /// The `number`th bar that ends now, from 0.
    @inlinable
    package func closedBar(_ number: Int) -> Bar {
        let track = Int(closes[number])
        return tracks[track].bar(at: cursors[track].row - 1)
    }

    /// The `number`th bar that begins now, from 0.
    @inlinable
    package func openedBar(_ number: Int) -> Bar {
        let track = Int(opens[number])
        return tracks[track].bar(at: cursors[track].row)
    }

    /// The bar of an instrument that has begun and not ended.
    package func barInProgress(of instrument: InstrumentID) -> Bar? {
        guard let track = tracks.firstIndex(where: { $0.instrument == instrument }),
            cursors[track].isOpen
        else { return nil }
        return tracks[track].bar(at: cursors[track].row)
    }

    /// The last `count` bars of each series that end at or before `instant`, in the order of their ends
    /// and, at one instant, of their instruments.
    package func history(before instant: Timestamp, count: Int) -> [Bar] {
        let bars = tracks.flatMap { track in
            let end = track.rows.firstIndex(behind: { $0.start + track.length <= instant })
            return (max(0, end - count)..<end).map { track.bar(at: $0) }
        }
        return bars.sorted { ($0.end, $0.instrument) < ($1.end, $1.instrument) }
    }

    /// Notes what a track does now, and when it is due again.
    private mutating func advance(_ track: Int) {
        var cursor = cursors[track]
        defer { cursors[track] = cursor }
        if cursor.isOpen {
            closes[closeCount] = Int32(track)
            closeCount += 1
            cursor.row += 1
            cursor.isOpen = false
            guard cursor.row < cursor.end else {
                dues[track] = .max
                return
            }
            let start = tracks[track].rows[cursor.row].start
            guard start == time else {
                dues[track] = start.nanoseconds
                return
            }
        }
        opens[openCount] = Int32(track)
        openCount += 1
        cursor.isOpen = true
        dues[track] = (time + tracks[track].length).nanoseconds
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
