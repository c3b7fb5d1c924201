import MarketState
import Model
import Primitives

/// The calendar's session of the day last asked about: the next question is mostly about that day
/// too, and asking the calendar costs more.
struct SessionClock: Sendable {
    /// The calendar.
    let calendar: SessionCalendar

    private var from = Timestamp.distantFuture
    /// The first instant after the day last asked about.
    private(set) var dayEnd = Timestamp.distantPast
    private var session: TradingSession?
    // Asked for with every order that comes after a close.
    private var next: TradingSession?

    /// A clock that was asked nothing yet.
    init(_ calendar: SessionCalendar) { self.calendar = calendar }

    /// When the session of the day last asked about closes, if it has one.
    var close: Timestamp? { session?.close }

    /// Turns to the day of `instant`.
    @inline(__always)
    mutating func turn(to instant: Timestamp) {
        if instant < from || instant >= dayEnd { ask(about: instant) }
    }

    private mutating func ask(about instant: Timestamp) {
        let day = calendar.day(of: instant)
        from = calendar.dayEnd(of: day.advanced(by: -1))
        dayEnd = calendar.dayEnd(of: day)
        session = calendar.session(on: day)
        next = nil
    }

    /// When an order for the day ends that comes at `instant`: with the session that is on or comes next, or
    /// with the end of that session's day for one that works outside hours; `nil` where there are no sessions.
    mutating func dayOrderEnd(for instant: Timestamp, outsideHours: Bool) -> Timestamp? {
        guard calendar != .always else { return nil }
        turn(to: instant)
        if let session, instant < session.close { return outsideHours ? dayEnd : session.close }
        let session = next ?? calendar.nextSession(after: calendar.day(of: instant))
        next = session
        return outsideHours ? calendar.dayEnd(of: session.day) : session.close
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

    /// The session in whose hours an instant lies, if there is one.
    mutating func session(at instant: Timestamp) -> TradingSession? {
        turn(to: instant)
        guard let session, session.contains(instant) else { return nil }
        return session
    }

    /// The first session for whose opening auction an order is in time that comes at `instant`.
    func opening(for instant: Timestamp, cutoff: Duration) -> TradingSession {
        let day = calendar.day(of: instant)
        if let session = calendar.session(on: day), instant <= session.open - cutoff {
            return session
        }
        return calendar.nextSession(after: day)
    }

    /// The first session for whose closing auction an order is in time that comes at `instant`.
    func closing(for instant: Timestamp, cutoff: Duration) -> TradingSession {
        let day = calendar.day(of: instant)
        if let session = calendar.session(on: day), instant <= session.close - cutoff {
            return session
        }
        return calendar.nextSession(after: day)
    }
}
