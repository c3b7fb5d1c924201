internal import MarketState
internal import Primitives

/// Times as findings name them.
enum StampName {
    /// `2019-02-11` for a session, `2019-02-11 09:30` on the calendar's own clock for a timestamp, with
    /// seconds where there are some.
    static func text(_ time: Timestamp, isDated: Bool, _ calendar: SessionCalendar) -> String {
        guard !isDated else { return calendar.day(of: time).description }
        return "\(reading(time, calendar).day) \(clock(time, calendar))"
    }

    /// `09:30` on the calendar's own clock.
    static func clock(_ time: Timestamp, _ calendar: SessionCalendar) -> String {
        let second = reading(time, calendar).sinceMidnight.nanoseconds / 1_000_000_000
        func two(_ value: Int64) -> String { value < 10 ? "0\(value)" : "\(value)" }
        let minutes = two(second / 3_600) + ":" + two(second / 60 % 60)
        return second % 60 == 0 ? minutes : minutes + ":" + two(second % 60)
    }

    private static func reading(_ time: Timestamp, _ calendar: SessionCalendar) -> Timestamp {
        switch calendar {
        case .always: time
        case .newYork: time - NewYork.behindUTC(at: time)
        }
    }
}
