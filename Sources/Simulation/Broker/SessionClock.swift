package import MarketState
import Model
package import Primitives

/// The calendar's session of the day last asked about: the next question is mostly about that day
/// too, and asking the calendar costs more.
package struct SessionClock: Sendable {
    /// The calendar.
    let calendar: SessionCalendar

    private var from = Timestamp.distantFuture
    /// The first timestamp after the day last asked about.
    private(set) var dayEnd = Timestamp.distantPast
    private var session: TradingSession?
    // Asked for with every order that comes after a close.
    private var next: TradingSession?

    /// A clock that was asked nothing yet.
    package init(_ calendar: SessionCalendar) { self.calendar = calendar }

    /// When the session of the day last asked about closes, if it has one.
    var close: Timestamp? { session?.close }

    /// Turns to the day of `time`.
    @inline(__always)
    mutating func turn(to time: Timestamp) {
        if time < from || time >= dayEnd { ask(about: time) }
    }

    private mutating func ask(about time: Timestamp) {
        let day = calendar.day(of: time)
        from = calendar.dayEnd(of: day.advanced(by: -1))
        dayEnd = calendar.dayEnd(of: day)
        session = calendar.session(on: day)
        next = nil
    }

    /// The hours in which orders work that lie around `time`, or the next ones.
    ///
    /// - Parameter isOutside: whether those before and after the regular ones count, where the market has them.
    package mutating func window(
        at time: Timestamp, _ hours: WorkingHours, outside isOutside: Bool
    ) -> TradingWindow {
        guard hours != .roundTheClock else { return Self.roundTheClock(at: time) }
        turn(to: time)
        let isExtended = isOutside && hours == .extended && calendar == .newYork
        if let session {
            let window = Self.window(of: session, isExtended: isExtended)
            if time < window.end { return window }
        }
        let session = next ?? calendar.nextSession(after: calendar.day(of: time))
        next = session
        return Self.window(of: session, isExtended: isExtended)
    }

    private static func window(of session: TradingSession, isExtended: Bool) -> TradingWindow {
        guard isExtended else { return TradingWindow(start: session.open, end: session.close) }
        // 04:00 to 20:00; four hours after the close on short days as well as on whole ones.
        return TradingWindow(
            start: session.open - .minutes(5 * 60 + 30), end: session.close + .hours(4))
    }

    private static func roundTheClock(at time: Timestamp) -> TradingWindow {
        var day = NewYork.day(at: time)
        if time >= NewYork.timestamp(on: day, at: .hours(17)) { day = day.advanced(by: 1) }
        while day.weekday == .saturday || day.weekday == .sunday { day = day.advanced(by: 1) }
        return TradingWindow(
            start: NewYork.timestamp(on: day.advanced(by: -1), at: .hours(18)),
            end: NewYork.timestamp(on: day, at: .hours(17)))
    }

    /// The session that a bar has something of, if there is one.
    @inline(__always)
    mutating func session(of bar: Bar) -> TradingSession? {
        turn(to: bar.start)
        if let session, bar.start < session.close, bar.end > session.open { return session }
        return laterSession(of: bar)
    }

    private mutating func laterSession(of bar: Bar) -> TradingSession? {
        // A bar that begins before midnight may still hold the next day's session.
        guard bar.end > dayEnd else { return nil }
        turn(to: bar.end - Duration(nanoseconds: 1))
        guard let session, bar.start < session.close, bar.end > session.open else { return nil }
        return session
    }

    /// The session in whose hours a timestamp lies, if there is one.
    mutating func session(at time: Timestamp) -> TradingSession? {
        turn(to: time)
        guard let session, session.contains(time) else { return nil }
        return session
    }

    /// The first session for whose opening auction an order is in time that comes at `time`.
    func opening(for time: Timestamp, cutoff: Duration) -> TradingSession {
        let day = calendar.day(of: time)
        if let session = calendar.session(on: day), time <= session.open - cutoff {
            return session
        }
        return calendar.nextSession(after: day)
    }

    /// The first session for whose closing auction an order is in time that comes at `time`.
    func closing(for time: Timestamp, cutoff: Duration) -> TradingSession {
        let day = calendar.day(of: time)
        if let session = calendar.session(on: day), time <= session.close - cutoff {
            return session
        }
        return calendar.nextSession(after: day)
    }
}

/// A stretch of time in which orders work.
package struct TradingWindow: Hashable, Sendable {
    /// The first timestamp.
    package let start: Timestamp
    /// The first timestamp after it.
    package let end: Timestamp

    /// Whether a timestamp lies in it.
    package func contains(_ time: Timestamp) -> Bool { start <= time && time < end }
}
