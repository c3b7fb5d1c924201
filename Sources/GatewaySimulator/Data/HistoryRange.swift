import MarketSimulation
import MarketState
import Primitives
import TWSProtocol

/// The interval of time that a request for bars covers.
///
/// Seconds and days count trading time, back from the end: `3600 S` after a night reaches into the day
/// before, `2 D` covers this trading day and the one before. Weeks, months and years are those of the
/// calendar.
struct HistoryRange: Hashable, Sendable {
    /// The first time bars may begin.
    let from: Timestamp
    /// The first time after the last bar.
    let to: Timestamp
    /// The beginning as the answer names it: the duration before the end, by the calendar.
    let shownFrom: Timestamp

    /// The interval of a duration up to an end.
    ///
    /// - Parameters:
    ///   - clock: when the instrument is traded.
    ///   - regularHoursOnly: whether only regular hours count.
    /// - Returns: `nil` for a duration of no known form, and for one that begins before there is time.
    init?(
        _ duration: HistoryDuration, until end: Timestamp, _ clock: TradingClock,
        regularHoursOnly: Bool
    ) {
        to = end
        let today = clock.day(of: end)
        switch duration {
        case .seconds(let count):
            let length = Duration.seconds(Int64(count))
            shownFrom = end - length
            from = clock.start(of: length, until: end, regularHoursOnly: regularHoursOnly)
        case .days(let count):
            shownFrom = end - .days(Int64(count))
            from = clock.start(
                ofTradingDays: Int(count), until: end, regularHoursOnly: regularHoursOnly)
        case .weeks(let count):
            shownFrom = end - .days(Int64(count) * 7)
            from = clock.midnight(of: today.advanced(by: 1 - Int(count) * 7))
        case .months(let count):
            guard let day = today.monthsEarlier(Int(count)) else { return nil }
            shownFrom = Timestamp(day: day) + end.sinceMidnight
            from = clock.midnight(of: day.advanced(by: 1))
        case .years(let count):
            guard let day = today.monthsEarlier(Int(count) * 12) else { return nil }
            shownFrom = Timestamp(day: day) + end.sinceMidnight
            from = clock.midnight(of: day.advanced(by: 1))
        case .other: return nil
        }
    }
}

/// When one instrument is traded, as times.
struct TradingClock: Hashable, Sendable {
    /// The kind of hours.
    let hours: MarketHours
    /// The days with sessions.
    let calendar: SessionCalendar

    /// The day whose bars a time's are: that of the market's clock, the next one for what is traded on
    /// the evening before.
    func day(of timestamp: Timestamp) -> Day {
        let day = calendar.day(of: timestamp)
        guard let next = hours(on: day.advanced(by: 1), regularHoursOnly: false),
            next.lowerBound <= timestamp
        else { return day }
        return day.advanced(by: 1)
    }

    /// A trading day's hours from their first to their last time; `nil` on days without trading.
    func hours(on day: Day, regularHoursOnly: Bool) -> Range<Timestamp>? {
        let segments = segments(on: day, regularHoursOnly: regularHoursOnly)
        guard let first = segments.first, let last = segments.last else { return nil }
        return first.start..<last.end
    }

    /// Whether it is traded at a time.
    func contains(_ timestamp: Timestamp, regularHoursOnly: Bool) -> Bool {
        segments(on: day(of: timestamp), regularHoursOnly: regularHoursOnly)
            .contains { $0.start <= timestamp && timestamp < $0.end }
    }

    /// The first time of a day: where it parts from the day before.
    func midnight(of day: Day) -> Timestamp {
        hours(on: day, regularHoursOnly: false)?.lowerBound
            ?? calendar.dayEnd(of: day.advanced(by: -1))
    }

    /// The time so much trading time before an end.
    func start(
        of length: Duration, until end: Timestamp, regularHoursOnly: Bool
    ) -> Timestamp {
        var remaining = length
        var day = day(of: end)
        // A day's seconds are a few trading days; intervals without trading are shorter than a week.
        for _ in 0..<60 {
            let segments = segments(on: day, regularHoursOnly: regularHoursOnly)
            for segment in segments.reversed() where segment.start < end {
                let part = min(segment.end, end) - segment.start
                if part >= remaining { return min(segment.end, end) - remaining }
                remaining = Duration(nanoseconds: remaining.nanoseconds - part.nanoseconds)
            }
            day = day.advanced(by: -1)
        }
        return end - length
    }

    /// When the first of so many trading days begins, the last of them being the one at or before an end.
    func start(
        ofTradingDays count: Int, until end: Timestamp, regularHoursOnly: Bool
    ) -> Timestamp {
        var remaining = count
        var day = day(of: end)
        var start = end
        for _ in 0..<(count * 2 + 30) {
            if let hours = hours(on: day, regularHoursOnly: regularHoursOnly),
                hours.lowerBound < end
            {
                start = hours.lowerBound
                remaining -= 1
                if remaining <= 0 { break }
            }
            day = day.advanced(by: -1)
        }
        return start
    }

    private func segments(on day: Day, regularHoursOnly: Bool) -> [MarketHours.Segment] {
        let all = hours.segments(on: day, of: calendar, extended: true)
        return regularHoursOnly ? all.filter(\.isRegular) : all
    }
}

extension Day {
    /// The same day of the month so many months earlier, or that month's last; `nil` before the calendar.
    func monthsEarlier(_ count: Int) -> Day? {
        let (year, month, day) = date
        let months = year * 12 + month - 1 - count
        guard months > 0 else { return nil }
        for shorter in 0...3 {
            if let found = Day(year: months / 12, month: months % 12 + 1, day: day - shorter) {
                return found
            }
        }
        return nil
    }
}
