import MarketState
import Model
import Primitives

/// The trading days of a recording, by index.
struct RecordedDays: Sendable {
    /// A day of the recording.
    struct Entry: Sendable {
        /// The day, by the market's calendar.
        let day: Day
        /// When its first row begins.
        let start: Timestamp
        /// Its rows.
        let rows: Range<Int>
    }

    /// The days, in order.
    let entries: [Entry]
    /// What was recorded.
    let series: ReplayData.Series

    init(_ series: ReplayData.Series, calendar: SessionCalendar) {
        self.series = series
        let times: [Timestamp] =
            switch series {
            case .bars(let rows, _): rows.map(\.start)
            case .ticks(let ticks): ticks.map(\.at)
            }
        var entries: [Entry] = []
        var first = 0
        while first < times.count {
            let day = calendar.day(of: times[first])
            let end = calendar.dayEnd(of: day)
            var last = first + 1
            while last < times.count, times[last] < end { last += 1 }
            entries.append(
                Entry(
                    day: day, start: Self.start(day, times[first], series, calendar),
                    rows: first..<last))
            first = last
        }
        self.entries = entries
    }

    /// Bars of whole sessions begin with the session, whatever time of the day they carry.
    private static func start(
        _ day: Day, _ first: Timestamp, _ series: ReplayData.Series, _ calendar: SessionCalendar
    ) -> Timestamp {
        switch series {
        case .bars(_, nil): calendar.open(on: day)
        case .bars: first
        case .ticks: minute(of: first)
        }
    }

    /// The beginning of a timestamp's minute.
    static func minute(of timestamp: Timestamp) -> Timestamp {
        let length = Duration.minutes(1).nanoseconds
        return Timestamp(nanoseconds: timestamp.nanoseconds / length * length)
    }

    /// The index of the last day that has begun by `timestamp`; `nil` before the first.
    func dayIndex(at timestamp: Timestamp) -> Int? {
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].start <= timestamp { low = middle + 1 } else { high = middle }
        }
        return low > 0 ? low - 1 : nil
    }
}

/// Makes slices of recorded bars and ticks.
struct RecordedSlices {
    let listing: MarketListing
    let calendar: SessionCalendar
    let quotesPerSecond: Int
    let key: DrawKey

    /// The slices of one day.
    func slices(of entry: RecordedDays.Entry, in series: ReplayData.Series) -> [Slice] {
        var slices: [Slice] = []
        switch series {
        case .bars(let rows, let length):
            for index in entry.rows {
                let next = index + 1 < rows.count ? rows[index + 1].start : .distantFuture
                let (start, end) = span(rows[index], length, before: next, on: entry.day)
                append(rows[index], start, end, &slices)
            }
        case .ticks(let ticks): appendMinutes(ticks, entry.rows, &slices)
        }
        return slices
    }

    private func span(
        _ row: BarRow, _ length: Duration?, before next: Timestamp, on day: Day
    ) -> (Timestamp, Timestamp) {
        guard let length else {
            return (calendar.open(on: day), calendar.close(on: day))
        }
        return (row.start, min(row.start + length, next))
    }

    /// Cuts a bar into minutes at most, which together are exactly the bar.
    private func append(
        _ row: BarRow, _ start: Timestamp, _ end: Timestamp, _ slices: inout [Slice]
    ) {
        let minute = Duration.minutes(1).nanoseconds
        let length = max(1_000_000, (end - start).nanoseconds)
        let count = Int((length + minute - 1) / minute)
        let range = PriceUnitRange(
            open: row.open.units, high: row.high.units, low: row.low.units, close: row.close.units)
        let barKey = key.part(Int(start.nanoseconds / 1_000_000_000))
        let parts = BarCutter(range, count, listing.grid, barKey).parts()
        let shape = weights(count, start: start, end: end)
        var given: Int64 = 0
        var shown = 0.0
        for (index, part) in parts.enumerated() {
            let begin = start + Duration(nanoseconds: Int64(index) * minute)
            let remainder = length - Int64(index) * minute
            shown += shape[index]
            let until = index == count - 1 ? row.volume.units : whole(row.volume.units, shown)
            let volume = max(0, until - given)
            given += volume
            let time = Duration(nanoseconds: min(minute, remainder))
            let quotes = max(4, Int(time.nanoseconds / 1_000_000_000) * quotesPerSecond)
            slices.append(
                Slice(
                    start: begin, length: time, prices: part.prices, volume: volume,
                    count: trades(volume, row.volume, part.isNamed, quotes),
                    quoteCount: Int32(quotes), width: width(part.prices),
                    key: barKey.part(index + 1).seed, isRegular: isRegular(begin)))
        }
    }

    /// The trades of a part: those with an extreme of the bar have some even where the volume is too small
    /// to show it.
    private func trades(_ volume: Int64, _ all: Quantity, _ isNamed: Bool, _ quotes: Int) -> Int32 {
        guard listing.hasTrades else { return 0 }
        guard all > .zero else { return Slice.tradeCount(12, of: quotes) }
        let lots = volume / max(1, listing.lot.units)
        let shares = volume / Quantity(shares: 1).units
        let requested = lots >= 8 ? lots / 2 : min(shares, 4)
        return Slice.tradeCount(isNamed ? max(4, requested) : requested, of: quotes)
    }

    private func whole(_ volume: Int64, _ share: Double) -> Int64 {
        let one = Quantity(shares: 1).units
        let shares = (Double(volume) * min(share, 1)).rounded(.down)
        return min(Int64(min(shares, 9e18)), volume) / one * one
    }

    /// Each part's share of the volume; 1 together. A whole session's has the shape of a day.
    private func weights(_ count: Int, start: Timestamp, end: Timestamp) -> [Double] {
        guard calendar == .newYork, start == calendar.open(on: calendar.day(of: start)), count >= 60
        else { return Array(repeating: 1 / Double(count), count: count) }
        let ends = (0...count).map { SessionShape.busyEnds.share(of: Double($0) / Double(count)) }
        return zip(ends, ends.dropFirst()).map { $1 - $0 }
    }

    private func isRegular(_ timestamp: Timestamp) -> Bool {
        listing.hours == .forex || calendar.session(containing: timestamp) != nil
    }

    private func width(_ prices: PriceUnitRange) -> Int64 {
        guard listing.hasQuotes else { return 0 }
        return max(1, prices.close / 10_000 / listing.grid) * listing.grid
    }

    /// A slice for each minute that has ticks or lies between some of one day.
    private func appendMinutes(
        _ ticks: [MarketEvent], _ rows: Range<Int>, _ slices: inout [Slice]
    ) {
        var index = rows.lowerBound
        while index < rows.upperBound {
            let start = RecordedDays.minute(of: ticks[index].at)
            let end = start + .minutes(1)
            var range: PriceUnitRange?
            while index < rows.upperBound, ticks[index].at < end {
                if let price = Self.price(of: ticks[index]) {
                    if range == nil {
                        range = PriceUnitRange(price)
                    } else {
                        range?.append(PriceUnitRange(price))
                    }
                }
                index += 1
            }
            slices.append(
                Slice(
                    start: start, length: .minutes(1), prices: range ?? PriceUnitRange(0),
                    volume: 0,
                    count: 0, quoteCount: 4, width: 0, key: 0, isRegular: isRegular(start),
                    isLoose: true))
        }
    }

    private static func price(of tick: MarketEvent) -> Int64? {
        switch tick {
        case .quote(let quote): quote.middle?.units
        case .trade(let trade): trade.price.units
        }
    }
}
