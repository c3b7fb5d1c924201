package import Model
package import Primitives

/// What happens to bars at one instant. A buffer to be filled again and again.
package struct MarketSlice: Sendable {
    /// The instant.
    package var time = Timestamp.distantPast
    /// The bars that end at `time`, in instrument order.
    package var closes: [Bar] = []
    /// The bars that start at `time`, in instrument order.
    package var opens: [Bar] = []

    /// An empty slice.
    package init() {}
}

/// The bars of several series in time order: a backtest's clock.
package struct MarketFeed: Sendable {
    /// How many bars it delivers from its first instant to its last.
    package let barCount: Int

    private var tracks: [Track]
    /// The earliest `due` of all tracks, in nanoseconds; `.max` is never.
    private var due: Int64

    /// The bars of `data` that start at or after `from` and end at or before `to`.
    ///
    /// - Parameter instruments: the instrument of each series, in the order of `data.series`.
    package init(
        _ data: DataSet, instruments: [InstrumentID], from: Timestamp? = nil, to: Timestamp? = nil
    ) {
        precondition(instruments.count == data.series.count, "each series has an instrument")
        tracks = zip(instruments, data.series)
            .map { Track($1, of: $0, from: from ?? .distantPast, to: to ?? .distantFuture) }
            .sorted { $0.instrument < $1.instrument }
        barCount = tracks.reduce(0) { $0 + $1.barCount }
        due = tracks.map(\.due).min() ?? .max
    }

    /// Fills `slice` with the earliest instant at which any bar opens or closes; `false`, with `slice`
    /// as it was, when there is none left.
    package mutating func next(into slice: inout MarketSlice) -> Bool {
        guard due != .max else { return false }
        let now = due
        slice.time = Timestamp(nanoseconds: now)
        var closes = 0
        var opens = 0
        var earliest = Int64.max
        var tracks = self.tracks.mutableSpan
        for index in tracks.indices {
            if tracks[index].due == now {
                if let bar = tracks[index].close() { slice.closes.put(bar, at: &closes) }
                if let bar = tracks[index].open(at: now) { slice.opens.put(bar, at: &opens) }
            }
            earliest = min(earliest, tracks[index].due)
        }
        slice.closes.trim(to: closes)
        slice.opens.trim(to: opens)
        due = earliest
        return true
    }

    /// The last `count` bars of each series that end at or before `instant`, in the order of their ends
    /// and, at one instant, of their instruments.
    package func history(before instant: Timestamp, count: Int) -> [Bar] {
        tracks.flatMap { $0.history(before: instant, count: count) }
            .sorted { ($0.end, $0.instrument) < ($1.end, $1.instrument) }
    }
}

/// One series on its way through time.
private struct Track: Sendable {
    let instrument: InstrumentID
    /// When the next bar opens or closes, in nanoseconds; `.max` is never.
    private(set) var due: Int64
    private let length: Duration
    private let rows: [BarRow]
    /// The row that opens next.
    private var next: Int
    /// The row behind the last to be delivered.
    private let end: Int
    /// Whether the row before `next` is still open.
    private var isOpen = false

    init(_ series: BarSeries, of instrument: InstrumentID, from: Timestamp, to: Timestamp) {
        self.instrument = instrument
        length = series.length
        rows = series.rows
        next = series.rows.partitioningIndex { $0.start >= from }
        end = max(next, series.rows.partitioningIndex { $0.start + series.length > to })
        due = next < end ? rows[next].start.nanoseconds : .max
    }

    var barCount: Int { end - next }

    /// Closes the bar that is open, if there is one.
    @inline(__always)
    mutating func close() -> Bar? {
        guard isOpen else { return nil }
        isOpen = false
        due = next < end ? rows[next].start.nanoseconds : .max
        return bar(at: next - 1)
    }

    /// Opens the next bar if it starts at `now`.
    @inline(__always)
    mutating func open(at now: Int64) -> Bar? {
        guard due == now else { return nil }
        let bar = bar(at: next)
        isOpen = true
        next += 1
        due = bar.end.nanoseconds
        return bar
    }

    func history(before instant: Timestamp, count: Int) -> [Bar] {
        let end = rows.partitioningIndex { $0.start + length > instant }
        return (max(0, end - count)..<end).map(bar(at:))
    }

    @inline(__always)
    private func bar(at index: Int) -> Bar {
        let row = rows[index]
        return Bar(
            instrument: instrument, start: row.start, length: length, open: row.open,
            high: row.high, low: row.low, close: row.close, volume: row.volume)
    }
}

extension Array {
    /// Puts `element` at `count`, which it moves on, over an old element or behind all. Emptying the
    /// array first, to append, would cost another 5 ns.
    @inline(__always)
    fileprivate mutating func put(_ element: Element, at index: inout Int) {
        if index < count { self[index] = element } else { append(element) }
        index += 1
    }

    /// Removes what is behind the first `length` elements.
    @inline(__always)
    fileprivate mutating func trim(to length: Int) {
        if length < count { removeLast(count - length) }
    }

    /// The first index whose element fulfils `predicate`, in an array in which all that do come last.
    fileprivate func partitioningIndex(where predicate: (Element) -> Bool) -> Int {
        var range = indices
        while let middle = range.isEmpty ? nil : range.lowerBound + range.count / 2 {
            range =
                predicate(self[middle])
                ? range.lowerBound..<middle : middle + 1..<range.upperBound
        }
        return range.lowerBound
    }
}
