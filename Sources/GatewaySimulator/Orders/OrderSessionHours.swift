import MarketState
import Primitives
import TWSProtocol

/// When orders work, by the kind of contract.
struct OrderSessionHours: Sendable {
    /// The sessions of the market.
    let calendar: SessionCalendar

    /// An interval in which orders work.
    struct Window: Hashable, Sendable {
        /// The first timestamp.
        let start: Timestamp
        /// The first timestamp after it.
        let end: Timestamp
    }

    /// The window a timestamp lies in, or the next one after it.
    ///
    /// - Parameter outside: whether the hours before and after the regular ones count.
    func window(at timestamp: Timestamp, for kind: TradingHours, outside: Bool) -> Window {
        switch kind {
        case .stock: stock(at: timestamp, outside: outside)
        case .stockOption, .index: stock(at: timestamp, outside: false)
        case .future, .forex, .abroad: roundTheClock(at: timestamp)
        }
    }

    /// Whether orders in a kind of contract work whenever its market trades.
    static func isRoundTheClock(_ kind: TradingHours) -> Bool {
        switch kind {
        case .stock, .stockOption, .index: false
        case .future, .forex, .abroad: true
        }
    }

    private func stock(at timestamp: Timestamp, outside: Bool) -> Window {
        let day = calendar.day(of: timestamp)
        if let session = calendar.session(on: day) {
            let window = hours(of: session, outside: outside)
            if timestamp < window.end { return window }
        }
        return hours(of: calendar.nextSession(after: day), outside: outside)
    }

    private func hours(of session: TradingSession, outside: Bool) -> Window {
        guard outside, calendar == .newYork else {
            return Window(start: session.open, end: session.close)
        }
        // 04:00 to 20:00; four hours after the close on short days as well as on whole ones.
        return Window(
            start: session.open - .minutes(5 * 60 + 30), end: session.close + .hours(4))
    }

    /// From 18:00 of the day before to 17:00, New York time, Monday to Friday.
    private func roundTheClock(at timestamp: Timestamp) -> Window {
        var day = NewYork.day(at: timestamp)
        if timestamp >= NewYork.timestamp(on: day, at: .hours(17)) {
            day = day.advanced(by: 1)
        }
        while day.weekday == .saturday || day.weekday == .sunday { day = day.advanced(by: 1) }
        return Window(
            start: NewYork.timestamp(on: day.advanced(by: -1), at: .hours(18)),
            end: NewYork.timestamp(on: day, at: .hours(17)))
    }

    /// The timestamp a time of the wire names; `nil` for none and for zones that are not known here. Clocks
    /// without a zone are New York's.
    static func timestamp(_ time: WireTime) -> Timestamp? {
        switch time {
        case .none, .other: return nil
        case .epoch: return time.timestamp
        case .utc(let clock): return isReckoned(clock.day) ? time.timestamp : nil
        case .day(let day):
            return isReckoned(day) ? NewYork.timestamp(on: day, at: .zero) : nil
        case .wall(let clock, let zone):
            guard isReckoned(clock.day) else { return nil }
            let time = Duration.seconds(Int64(clock.second))
            switch zone {
            case "", "US/Eastern", "America/New_York", "EST", "EDT", "EST5EDT":
                return NewYork.timestamp(on: clock.day, at: time)
            case "UTC", "GMT", "Etc/UTC": return Timestamp(day: clock.day, sinceMidnight: time)
            case "US/Central", "America/Chicago", "CST", "CST6CDT":
                return NewYork.timestamp(on: clock.day, at: time) + .hours(1)
            case "US/Pacific", "America/Los_Angeles", "PST", "PST8PDT":
                return NewYork.timestamp(on: clock.day, at: time) + .hours(3)
            default: return nil
            }
        }
    }

    /// Whether a day lies where timestamps can be reckoned with.
    private static func isReckoned(_ day: Day) -> Bool { (1970...2200).contains(day.date.year) }
}
