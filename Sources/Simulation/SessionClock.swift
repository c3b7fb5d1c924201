import MarketState
import Model
import Primitives

/// The calendar's session of the day last asked about: the next question is mostly about that day
/// too, and asking the calendar costs more.
struct SessionClock: Sendable {
    /// The calendar.
    let calendar: SessionCalendar

    private var from = Timestamp.distantFuture
    /// The first timestamp after the day last asked about.
    private(set) var dayEnd = Timestamp.distantPast
    private var session: TradingSession?
    // Asked for with every order that comes after a close.
    private var next: TradingSession?

    /// A clock that was asked nothing yet.
    init(_ calendar: SessionCalendar) { self.calendar = calendar }

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

    /// When an order for the day ends that comes at `time`: with the session that is on or comes next, or
    /// with the end of that session's day for one that works outside hours; `nil` where there are no sessions.
    mutating func dayOrderEnd(for time: Timestamp, outsideRTH: Bool) -> Timestamp? {
        guard calendar != .always else { return nil }
        turn(to: time)
        if let session, time < session.close { return outsideRTH ? dayEnd : session.close }
        let session = next ?? calendar.nextSession(after: calendar.day(of: time))
        next = session
        return outsideRTH ? calendar.dayEnd(of: session.day) : session.close
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
