public import Primitives

/// Which time belongs to which session.
public enum SessionCalendar: Hashable, Sendable {
    /// No sessions: every UTC day is one, from midnight to midnight.
    case always
    /// Regular hours of the United States' stock exchanges, 09:30 to 16:00 New York time. Holidays and
    /// early closes are the days without (or with fewer) bars: the data knows them.
    case newYork

    /// The session an instant belongs to, by its day.
    public func day(of instant: Timestamp) -> Day {
        switch self {
        case .always: instant.day
        case .newYork: NewYork.day(at: instant)
        }
    }

    /// When the session of `day` opens.
    public func open(on day: Day) -> Timestamp {
        switch self {
        case .always: Timestamp(day: day)
        case .newYork: NewYork.instant(day: day, sinceMidnight: .minutes(9 * 60 + 30))
        }
    }

    /// How long a whole session lasts.
    public var sessionLength: Duration {
        switch self {
        case .always: .days(1)
        case .newYork: .minutes(6 * 60 + 30)
        }
    }

    /// The first instant after `day`'s session by which everything else is in the next one.
    public func dayEnd(of day: Day) -> Timestamp {
        switch self {
        case .always: Timestamp(day: day.advanced(by: 1))
        case .newYork: NewYork.instant(day: day.advanced(by: 1), sinceMidnight: .zero)
        }
    }
}
