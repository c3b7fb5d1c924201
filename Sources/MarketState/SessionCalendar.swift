public import Primitives

/// Which time belongs to which session.
public enum SessionCalendar: Hashable, Codable, Sendable {
    /// No sessions: every UTC day is one, from midnight to midnight.
    case always
    /// Regular hours of the United States' stock exchanges: 09:30 to 16:00 New York time, with the
    /// holidays and early closes of `USMarketHolidays`.
    case newYork

    /// The day a timestamp belongs to, by the market's own clock: its session's, if it has one.
    ///
    /// Every instant has a day. Data may hold bars at night, on weekends and on holidays: those
    /// belong to a day that has no session, or lie outside its hours.
    public func day(of time: Timestamp) -> Day {
        switch self {
        case .always: time.day
        case .newYork: NewYork.day(at: time)
        }
    }

    /// Whether a day has a session.
    public func hasSession(on day: Day) -> Bool {
        switch self {
        case .always: true
        case .newYork: USMarketHolidays.closure(on: day) == nil
        }
    }

    /// The session of a day, if it has one.
    public func session(on day: Day) -> TradingSession? {
        hasSession(on: day) ? hours(of: day) : nil
    }

    /// The session in whose regular hours a timestamp lies, if there is one.
    public func session(containing time: Timestamp) -> TradingSession? {
        guard let session = session(on: day(of: time)), session.contains(time) else {
            return nil
        }
        return session
    }

    /// When the session of `day` opens; on a day without one, when it would.
    public func open(on day: Day) -> Timestamp {
        switch self {
        case .always: Timestamp(day: day)
        case .newYork: NewYork.timestamp(on: day, at: Self.newYorkOpening)
        }
    }

    /// The first timestamp after the session of `day`; on a day without one, when it would be.
    public func close(on day: Day) -> Timestamp { hours(of: day).close }

    /// How long a whole session lasts; an early close makes it shorter.
    public var sessionLength: Duration {
        switch self {
        case .always: .days(1)
        case .newYork: .minutes(6 * 60 + 30)
        }
    }

    /// The first timestamp after `day`'s session by which everything else is in the next one.
    public func dayEnd(of day: Day) -> Timestamp {
        switch self {
        case .always: Timestamp(day: day.advanced(by: 1))
        case .newYork: NewYork.timestamp(on: day.advanced(by: 1), at: .zero)
        }
    }

    /// Midnight by the clock that shows at the open of `day`'s session: whole hours are counted
    /// from it.
    func clockStart(of day: Day) -> Timestamp {
        switch self {
        case .always: Timestamp(day: day)
        case .newYork: open(on: day) - Self.newYorkOpening
        }
    }

    /// The hours of a day, whether or not they are held.
    func hours(of day: Day) -> TradingSession {
        switch self {
        case .always:
            return TradingSession(
                day: day, open: Timestamp(day: day), close: Timestamp(day: day.advanced(by: 1)))
        case .newYork:
            // Clocks change at night: what lies between open and close is the difference of the
            // readings.
            let open = open(on: day)
            let length =
                USMarketHolidays.closingTime(on: day).nanoseconds - Self.newYorkOpening.nanoseconds
            return TradingSession(
                day: day, open: open, close: open + Duration(nanoseconds: length))
        }
    }

    private static var newYorkOpening: Duration { .minutes(9 * 60 + 30) }
}
