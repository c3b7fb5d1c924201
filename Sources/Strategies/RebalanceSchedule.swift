import MarketState
import Primitives

/// When a portfolio is brought back to its targets.
struct RebalanceSchedule: Codable, Sendable {
    private let rule: Rule
    private let interval: Int
    /// For `bars`: instants to go; `nil` before the first time.
    private var missing: Int?
    /// The end of the newest day that was looked at.
    private var dayEnd = Timestamp.distantPast

    /// What makes a timestamp one to rebalance at.
    enum Rule: String, CaseIterable, Codable, Sendable {
        /// Every so many instants at which bars end.
        case bars
        /// The first timestamp of a week's first session.
        case weekly
        /// The first timestamp of a month's first session.
        case monthly
    }

    /// A schedule.
    ///
    /// - Parameter interval: for `bars`, how many instants from one time to the next; positive.
    init(_ rule: Rule, interval: Int) {
        precondition(interval > 0, "an interval takes time")
        self.rule = rule
        self.interval = interval
    }

    /// Whether to rebalance now that bars that began at `start` have ended. To be asked at every
    /// such instant, from the first on at which something could be done.
    ///
    /// A week or month begins with the first bars that come in it: a session that is a holiday, or
    /// whose bars are missing, is made up for by the next. A run that begins within a week waits
    /// for the next.
    ///
    /// - Parameter previous: when the bars before those began.
    mutating func isDue(
        at start: Timestamp, after previous: Timestamp, in calendar: SessionCalendar
    ) -> Bool {
        switch rule {
        case .bars:
            let left = missing ?? 0
            missing = left == 0 ? interval - 1 : left - 1
            return left == 0
        case .weekly: return begins(.week, at: start, after: previous, calendar)
        case .monthly: return begins(.month, at: start, after: previous, calendar)
        }
    }

    private mutating func begins(
        _ period: SessionPeriod, at start: Timestamp, after previous: Timestamp,
        _ calendar: SessionCalendar
    ) -> Bool {
        // Within a day nothing begins; the calendar is asked once a day.
        guard start >= dayEnd else { return false }
        let day = calendar.day(of: start)
        dayEnd = calendar.dayEnd(of: day)
        guard previous > .distantPast else { return false }
        return calendar.firstSession(of: period, containing: day)
            != calendar.firstSession(of: period, containing: calendar.day(of: previous))
    }
}
