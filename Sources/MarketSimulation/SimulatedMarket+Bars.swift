import MarketState
import Model
package import Primitives

/// History as bars.
extension SimulatedMarket {
    /// The bars of an instrument from what has happened by now, in order; the last may still grow.
    /// Stretches without trades or quotes have no bar.
    package mutating func bars(of id: InstrumentID, _ request: BarRequest) -> [HistoryBar] {
        guard let index = index(of: id), let dayIndexes = dayIndexes(index, request) else {
            return []
        }
        switch request.step {
        case .seconds(let seconds):
            let step = Duration.seconds(Int64(min(max(seconds, 1), 86_400)))
            var bars: [HistoryBar] = []
            for dayIndex in dayIndexes { append(index, dayIndex, request, step, &bars) }
            return bars
        case .day: return longBars(index, dayIndexes, request) { $0.number }
        case .week:
            return longBars(index, dayIndexes, request) { $0.number - Int32($0.weekday.rawValue) }
        case .month:
            return longBars(index, dayIndexes, request) { Int32($0.date.year * 12 + $0.date.month) }
        }
    }

    /// The days that have something of a request's time.
    private mutating func dayIndexes(_ index: Int, _ request: BarRequest) -> ClosedRange<Int>? {
        let end = min(request.to, following(now))
        guard request.from < end else { return nil }
        reach(index, now)
        guard let first = firstDayIndex(index), let last = dayIndex(index, at: end) else {
            return nil
        }
        let from = dayIndex(index, at: request.from) ?? first
        return max(first, min(from, last))...max(first, last)
    }

    private func following(_ timestamp: Timestamp) -> Timestamp {
        timestamp == .distantFuture ? timestamp : timestamp + Duration(nanoseconds: 1)
    }

    /// Bars of whole days, put together while `period` stays the same.
    private mutating func longBars(
        _ index: Int, _ dayIndexes: ClosedRange<Int>, _ request: BarRequest,
        _ period: (Day) -> Int32
    ) -> [HistoryBar] {
        var bars: [HistoryBar] = []
        var open: (parts: SliceParts, start: Timestamp, day: Day)?
        for dayIndex in dayIndexes {
            guard let day = day(index, dayIndex),
                let (parts, start) = dayParts(index, dayIndex, request)
            else { continue }
            if let before = open, period(before.day) == period(day) {
                open?.parts.append(parts)
                open?.day = day
            } else {
                if let done = open { append(done, request.kind, &bars) }
                open = (parts, start, day)
            }
        }
        if let done = open { append(done, request.kind, &bars) }
        return bars
    }

    private func append(
        _ item: (parts: SliceParts, start: Timestamp, day: Day), _ kind: BarKind,
        _ bars: inout [HistoryBar]
    ) {
        let bar = HistoryBar(item.parts, kind, start: item.start, day: item.day)
        if let bar { bars.append(bar) }
    }

    /// What a day comes to within a request's time, and when its hours begin.
    private mutating func dayParts(
        _ index: Int, _ dayIndex: Int, _ request: BarRequest
    ) -> (SliceParts, Timestamp)? {
        let end = min(request.to, following(now))
        guard var begin = start(index, dayIndex), let date = day(index, dayIndex) else {
            return nil
        }
        let isPlain = listings[index].hours != .forex
        if request.regularHoursOnly, isPlain { begin = max(begin, calendar.open(on: date)) }
        guard begin >= request.from, begin < end else { return nil }
        // A day that is over when the next begins, or when its last hours end.
        if let next = start(index, dayIndex + 1), next <= end {
            return (whole(index, dayIndex, request), begin)
        }
        guard let day = tradingDay(index, dayIndex) else { return nil }
        if let last = day.slices.last, last.end <= end {
            return (whole(index, dayIndex, request), begin)
        }
        var parts = SliceParts()
        for sliceIndex in day.slices.indices {
            let slice = day.slices[sliceIndex]
            guard slice.start < end else { break }
            guard slice.isRegular || !request.regularHoursOnly else { continue }
            let span = slice.start..<min(slice.end, end)
            parts.append(
                adjusted(part(index, day.slices, sliceIndex, span), index, at: slice.start))
        }
        return (parts, begin)
    }

    /// What a whole day comes to.
    private mutating func whole(
        _ index: Int, _ dayIndex: Int, _ request: BarRequest
    ) -> SliceParts {
        let regularOnly = request.regularHoursOnly
        guard !faults[index].splits.isEmpty else {
            return sum(index, dayIndex, regularOnly: regularOnly)
        }
        let slices = slices(index, dayIndex, regularOnly: regularOnly)
        var parts = SliceParts()
        for sliceIndex in slices.indices where slices[sliceIndex].isRegular || !regularOnly {
            parts.append(
                adjusted(
                    self.parts(index, slices, sliceIndex), index, at: slices[sliceIndex].start))
        }
        return parts
    }

    /// The same in shares of today: the broker's history is adjusted for splits.
    private func adjusted(_ parts: SliceParts, _ index: Int, at start: Timestamp) -> SliceParts {
        var parts = parts
        for split in faults[index].splits where start < split.at {
            parts.split(split.numerator, for: split.denominator, grid: listings[index].grid)
        }
        return parts
    }

    /// What an interval within a slice comes to.
    private mutating func part(
        _ index: Int, _ slices: [Slice], _ sliceIndex: Int, _ span: Range<Timestamp>
    ) -> SliceParts {
        let slice = slices[sliceIndex]
        if span.lowerBound == slice.start, span.upperBound == slice.end {
            return parts(index, slices, sliceIndex)
        }
        var snapshot = slice.isLoose ? quote(index, slices, before: sliceIndex) : nil
        return SliceParts(ticks(index, slice), in: span, snapshot: &snapshot)
    }

    /// Bars of a length within a day.
    private mutating func append(
        _ index: Int, _ dayIndex: Int, _ request: BarRequest, _ step: Duration,
        _ bars: inout [HistoryBar]
    ) {
        guard let day = tradingDay(index, dayIndex), let first = day.slices.first else { return }
        let end = min(request.to, following(now))
        let midnight = calendar.dayEnd(of: calendar.day(of: first.start).advanced(by: -1))
        let slices = day.slices
        guard let opening = slices.first(where: { $0.isRegular || !request.regularHoursOnly })
        else { return }
        var builder = BarBuilder(
            request, step: step, midnight: midnight, day: day.day, opening: opening.start)
        for sliceIndex in slices.indices {
            let slice = slices[sliceIndex]
            guard slice.start < end else { break }
            guard slice.isRegular || !request.regularHoursOnly else { continue }
            let bucket = builder.bucket(of: slice.start)
            guard bucket.upperBound > request.from || slice.end > request.from else { continue }
            if slice.end <= bucket.upperBound {
                let span = slice.start..<min(slice.end, end)
                let parts = part(index, slices, sliceIndex, span)
                builder.append(
                    adjusted(parts, index, at: slice.start), at: slice.start, &bars)
                continue
            }
            var snapshot = slice.isLoose ? quote(index, slices, before: sliceIndex) : nil
            let ticks = ticks(index, slice)
            var from = slice.start
            while from < min(slice.end, end) {
                let until = min(builder.bucket(of: from).upperBound, slice.end, end)
                let parts = SliceParts(ticks, in: from..<until, snapshot: &snapshot)
                builder.append(adjusted(parts, index, at: slice.start), at: from, &bars)
                from = until
            }
        }
        builder.finish(&bars)
    }
}

/// Puts parts together to bars that begin at full steps of the clock.
private struct BarBuilder {
    private let request: BarRequest
    private let step: Int64
    private let midnight: Int64
    private let day: Day
    private let opening: Timestamp
    private var open: (parts: SliceParts, start: Timestamp, end: Timestamp)?

    init(
        _ request: BarRequest, step: Duration, midnight: Timestamp, day: Day, opening: Timestamp
    ) {
        self.request = request
        self.step = step.nanoseconds
        self.midnight = midnight.nanoseconds
        self.day = day
        self.opening = opening
    }

    /// The step of the clock that a time is in.
    func bucket(of timestamp: Timestamp) -> Range<Timestamp> {
        let start = midnight + (timestamp.nanoseconds - midnight) / step * step
        return Timestamp(nanoseconds: start)..<Timestamp(nanoseconds: start + step)
    }

    mutating func append(_ parts: SliceParts, at timestamp: Timestamp, _ bars: inout [HistoryBar]) {
        if let end = open?.end, timestamp < end {
            open?.parts.append(parts)
            return
        }
        finish(&bars)
        // A bar that the day's hours begin within starts with them.
        let bucket = bucket(of: timestamp)
        open = (parts, max(bucket.lowerBound, opening), bucket.upperBound)
    }

    mutating func finish(_ bars: inout [HistoryBar]) {
        defer { open = nil }
        guard let open, open.start >= request.from else { return }
        let bar = HistoryBar(open.parts, request.kind, start: open.start, day: day)
        if let bar { bars.append(bar) }
    }
}
