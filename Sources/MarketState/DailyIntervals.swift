import Model
package import Primitives

extension [DailyInterval] {
    /// When the latest of the intervals ends in which `now` lies, by the market's own clock; `nil` when it is in none.
    package func end(at now: Timestamp, in calendar: SessionCalendar) -> Timestamp? {
        guard !isEmpty else { return nil }
        let today = calendar.day(of: now)
        var latest: Timestamp?
        for interval in self {
            for day in [today.advanced(by: -1), today] {
                let isOvernight = interval.end <= interval.start
                let start = calendar.time(day, sinceMidnight: interval.start)
                let end = calendar.time(
                    isOvernight ? day.advanced(by: 1) : day, sinceMidnight: interval.end)
                if now >= start && now < end { latest = Swift.max(latest ?? end, end) }
            }
        }
        return latest
    }
}

extension SessionCalendar {
    /// The instant of a reading of the market's own clock.
    fileprivate func time(_ day: Day, sinceMidnight: Duration) -> Timestamp {
        switch self {
        case .always: Timestamp(day: day, sinceMidnight: sinceMidnight)
        case .newYork: NewYork.timestamp(on: day, at: sinceMidnight)
        }
    }
}
