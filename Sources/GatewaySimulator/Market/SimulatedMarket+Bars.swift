import MarketState
import Model
package import Primitives

/// History as bars.
extension SimulatedMarket {
    /// The bars of an instrument from what has happened by now, in order; the last may still grow.
    /// Stretches without trades or quotes have no bar.
    package mutating func bars(of id: InstrumentID, _ request: BarRequest) -> [HistoryBar] {
        guard let index = index(of: id), let places = places(index, request) else { return [] }
        switch request.step {
        case .seconds(let seconds):
            let step = Duration.seconds(Int64(min(max(seconds, 1), 86_400)))
            var bars: [HistoryBar] = []
            for place in places { append(index, place, request, step, &bars) }
            return bars
        case .day: return longBars(index, places, request) { $0.number }
        case .week:
            return longBars(index, places, request) { $0.number - Int32($0.weekday.rawValue) }
        case .month:
            return longBars(index, places, request) { Int32($0.date.year * 12 + $0.date.month) }
        }
    }

    /// The days that have something of a request's time.
    private mutating func places(_ index: Int, _ request: BarRequest) -> ClosedRange<Int>? {
        let end = min(request.to, following(now))
        guard request.from < end else { return nil }
        reach(index, now)
        guard let first = firstPlace(index), let last = place(index, at: end) else { return nil }
        let from = place(index, at: request.from) ?? first
        return max(first, min(from, last))...max(first, last)
    }

    private func following(_ instant: Timestamp) -> Timestamp {
        instant == .distantFuture ? instant : instant + Duration(nanoseconds: 1)
    }

    /// Bars of whole days, put together while `period` stays the same.
    private mutating func longBars(
        _ index: Int, _ places: ClosedRange<Int>, _ request: BarRequest,
        _ period: (Day) -> Int32
    ) -> [HistoryBar] {
        var bars: [HistoryBar] = []
        var open: (parts: SliceParts, start: Timestamp, day: Day)?
        for place in places {
            guard let day = day(index, place),
                let (parts, start) = dayParts(index, place, request)
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
        _ index: Int, _ place: Int, _ request: BarRequest
    ) -> (SliceParts, Timestamp)? {
        let end = min(request.to, following(now))
        guard var begin = start(index, place), let date = day(index, place) else { return nil }
        let isPlain = listings[index].hours != .forex
        if request.regularHoursOnly, isPlain { begin = max(begin, calendar.open(on: date)) }
        guard begin >= request.from, begin < end else { return nil }
        // A day that is over when the next begins, or when its last hours end.
        if let next = start(index, place + 1), next <= end {
            return (sum(index, place, regularOnly: request.regularHoursOnly), begin)
        }
        guard let day = tradingDay(index, place) else { return nil }
        if let last = day.slices.last, last.end <= end {
            return (sum(index, place, regularOnly: request.regularHoursOnly), begin)
        }
        var parts = SliceParts()
        for place in day.slices.indices {
            let slice = day.slices[place]
            guard slice.start < end else { break }
            guard slice.isRegular || !request.regularHoursOnly else { continue }
            parts.append(part(index, day.slices, place, slice.start..<min(slice.end, end)))
        }
        return (parts, begin)
    }

    /// What a stretch within a slice comes to.
    private mutating func part(
        _ index: Int, _ slices: [Slice], _ place: Int, _ span: Range<Timestamp>
    ) -> SliceParts {
        let slice = slices[place]
        if span.lowerBound == slice.start, span.upperBound == slice.end {
            return parts(index, slices, place)
        }
        var standing = slice.isLoose ? quote(index, slices, before: place) : nil
        return SliceParts(ticks(index, slice), in: span, standing: &standing)
    }

    /// Bars of a length within a day.
    private mutating func append(
        _ index: Int, _ place: Int, _ request: BarRequest, _ step: Duration,
        _ bars: inout [HistoryBar]
    ) {
        guard let day = tradingDay(index, place), let first = day.slices.first else { return }
        let end = min(request.to, following(now))
        let midnight = calendar.dayEnd(of: calendar.day(of: first.start).advanced(by: -1))
        let slices = day.slices
        guard let opening = slices.first(where: { $0.isRegular || !request.regularHoursOnly })
        else { return }
        var builder = BarBuilder(
            request, step: step, midnight: midnight, day: day.day, opening: opening.start)
        for place in slices.indices {
            let slice = slices[place]
            guard slice.start < end else { break }
            guard slice.isRegular || !request.regularHoursOnly else { continue }
            let bucket = builder.bucket(of: slice.start)
            guard bucket.upperBound > request.from || slice.end > request.from else { continue }
            if slice.end <= bucket.upperBound {
                let span = slice.start..<min(slice.end, end)
                builder.append(part(index, slices, place, span), at: slice.start, &bars)
                continue
            }
            var standing = slice.isLoose ? quote(index, slices, before: place) : nil
            let ticks = ticks(index, slice)
            var from = slice.start
            while from < min(slice.end, end) {
                let until = min(builder.bucket(of: from).upperBound, slice.end, end)
                let parts = SliceParts(ticks, in: from..<until, standing: &standing)
                builder.append(parts, at: from, &bars)
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

    /// The step of the clock that an instant is in.
    func bucket(of instant: Timestamp) -> Range<Timestamp> {
        let start = midnight + (instant.nanoseconds - midnight) / step * step
        return Timestamp(nanoseconds: start)..<Timestamp(nanoseconds: start + step)
    }

    mutating func append(_ parts: SliceParts, at instant: Timestamp, _ bars: inout [HistoryBar]) {
        if let end = open?.end, instant < end {
            open?.parts.append(parts)
            return
        }
        finish(&bars)
        // A bar that the day's hours begin within is told from there on.
        let bucket = bucket(of: instant)
        open = (parts, max(bucket.lowerBound, opening), bucket.upperBound)
    }

    mutating func finish(_ bars: inout [HistoryBar]) {
        defer { open = nil }
        guard let open, open.start >= request.from else { return }
        let bar = HistoryBar(open.parts, request.kind, start: open.start, day: day)
        if let bar { bars.append(bar) }
    }
}
