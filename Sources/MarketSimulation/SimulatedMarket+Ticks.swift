import MarketState
import Model
package import Primitives

/// Which ticks of the past are wanted.
package struct TickRequest: Hashable, Sendable {
    /// Kinds of ticks.
    package enum Kind: Hashable, Sendable {
        /// Trades.
        case trades
        /// Quotes; also for middles, which are theirs.
        case quotes
    }

    /// Which kind.
    package var kind: Kind
    /// The first time; `nil` for as far back as there is.
    package var from: Timestamp?
    /// The first time that is no longer part of it; `nil` for the present, which is the latest.
    package var to: Timestamp?
    /// How many at most: the first ones where `from` is given, the last ones otherwise. All ticks of the
    /// second with the last one counted come with it, as no more than seconds are published of them.
    package var limit: Int
    /// Whether only regular hours count.
    package var regularHoursOnly: Bool

    /// Ticks of the past.
    package init(
        _ kind: Kind, from: Timestamp?, to: Timestamp?, limit: Int, regularHoursOnly: Bool = false
    ) {
        self.kind = kind
        self.from = from
        self.to = to
        self.limit = limit
        self.regularHoursOnly = regularHoursOnly
    }
}

/// The regular hours of a trading day.
package struct ScheduledSession: Hashable, Sendable {
    /// The trading day.
    package let day: Day
    /// The first time.
    package let open: Timestamp
    /// The first time after it.
    package let close: Timestamp
}

/// History as ticks, and as sums over prices.
extension SimulatedMarket {
    /// The ticks of an instrument from what has happened by now, in order of time.
    package mutating func ticks(of id: InstrumentID, _ request: TickRequest) -> [MarketEvent] {
        guard let index = index(of: id), request.limit > 0 else { return [] }
        reach(index, now)
        let present = now == .distantFuture ? now : now + Duration(nanoseconds: 1)
        let end = min(request.to ?? present, present)
        let from = request.from ?? .distantPast
        guard from < end, let first = firstDayIndex(index), let last = dayIndex(index, at: end)
        else {
            return []
        }
        let begin = max(first, dayIndex(index, at: from) ?? first)
        guard begin <= last else { return [] }
        var found: [MarketEvent] = []
        let isForward = request.from != nil
        for step in 0...(last - begin) {
            let dayIndex = isForward ? begin + step : last - step
            guard let slices = tradingDay(index, dayIndex)?.slices else { continue }
            let requested = slices.filter {
                $0.start < end && $0.end > from && ($0.isRegular || !request.regularHoursOnly)
            }
            for slice in isForward ? requested : requested.reversed() {
                let isBeyond = Self.isBeyond(slice, request.limit, found, isForward: isForward)
                if isBeyond { return Self.cut(found, request.limit, isForward: isForward) }
                let ticks = ticks(index, slice).filter {
                    $0.isTrade == (request.kind == .trades) && $0.at >= from && $0.at < end
                }
                if isForward { found += ticks } else { found = ticks + found }
            }
        }
        return Self.cut(found, request.limit, isForward: isForward)
    }

    /// Whether nothing of a slice belongs to the first or last `limit` ticks and their last second.
    private static func isBeyond(
        _ slice: Slice, _ limit: Int, _ found: [MarketEvent], isForward: Bool
    ) -> Bool {
        guard found.count >= limit else { return false }
        return isForward
            ? second(of: found[limit - 1].at) < second(of: slice.start)
            : second(of: found[found.count - limit].at) > second(of: slice.end)
    }

    /// The first or last `limit` ticks, with those of the last one's second.
    private static func cut(
        _ ticks: [MarketEvent], _ limit: Int, isForward: Bool
    ) -> [MarketEvent] {
        guard ticks.count > limit else { return ticks }
        if isForward {
            let last = second(of: ticks[limit - 1].at)
            return Array(ticks.prefix { second(of: $0.at) <= last })
        }
        let first = second(of: ticks[ticks.count - limit].at)
        return Array(ticks.drop { second(of: $0.at) < first })
    }

    private static func second(of timestamp: Timestamp) -> Int64 {
        timestamp.nanoseconds / 1_000_000_000
    }

    /// How much was traded at which price, prices rising: by trades within the last week of the interval of
    /// time, and before that at the closes of minutes.
    package mutating func histogram(
        of id: InstrumentID, from: Timestamp, to: Timestamp, regularHoursOnly: Bool
    ) -> [(price: Price, size: Quantity)] {
        let end = min(to, now == .distantFuture ? now : now + Duration(nanoseconds: 1))
        guard let index = index(of: id), from < end else { return [] }
        reach(index, now)
        guard let first = firstDayIndex(index), let last = dayIndex(index, at: end) else {
            return []
        }
        let exactFrom = end.nanoseconds > Self.week.nanoseconds ? end - Self.week : from
        var rows: [(price: Int64, size: Int64)] = []
        var rowIndexes: [Int64: Int] = [:]
        func add(_ price: Int64, _ size: Int64) {
            guard let row = rowIndexes[price] else {
                rowIndexes[price] = rows.count
                return rows.append((price, size))
            }
            let (sum, isTooLarge) = rows[row].size.addingReportingOverflow(size)
            rows[row].size = isTooLarge ? Quantity.magnitudeMax.units : sum
        }
        for dayIndex in min(max(first, dayIndex(index, at: from) ?? first), last)...last {
            for slice in slices(index, dayIndex, regularOnly: regularHoursOnly)
            where slice.start < end && slice.end > from && (slice.isRegular || !regularHoursOnly) {
                if slice.end <= exactFrom, slice.start >= from, !slice.isLoose {
                    if slice.count > 0 { add(slice.prices.close, slice.volume) }
                    continue
                }
                for case .trade(let trade) in ticks(index, slice)
                where trade.at >= from && trade.at < end {
                    add(trade.price.units, trade.size.units)
                }
            }
        }
        return rows.sorted { $0.price < $1.price }.map {
            (Price(units: $0.price), Quantity(units: min($0.size, Quantity.magnitudeMax.units)))
        }
    }

    private static let week = Duration.days(7)

    /// The regular hours of an instrument's trading days that begin within an interval of time.
    package func schedule(
        of id: InstrumentID, from: Timestamp, to: Timestamp
    ) -> [ScheduledSession] {
        guard let index = index(of: id), from < to else { return [] }
        let hours = listings[index].hours
        let first = calendar.day(of: from).advanced(by: -1)
        let last = calendar.day(of: to).advanced(by: 1)
        // Far beyond what anybody asks for; a schedule of centuries would take long.
        guard last.number - first.number <= 40_000 else { return [] }
        return (first.number...last.number).compactMap { number -> ScheduledSession? in
            let day = Day(number: number)
            let segment = hours.segments(on: day, of: calendar, extended: false)
                .first { $0.isRegular }
            guard let segment, segment.start >= from, segment.start < to else { return nil }
            return ScheduledSession(day: day, open: segment.start, close: segment.end)
        }
    }
}
