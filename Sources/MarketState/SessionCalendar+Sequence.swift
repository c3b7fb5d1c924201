public import Primitives

extension SessionCalendar {
    /// The first session on a later day than `day`.
    public func nextSession(after day: Day) -> TradingSession { session(1, after: day) }

    /// The last session on an earlier day than `day`.
    public func previousSession(before day: Day) -> TradingSession {
        // No batch without sessions is longer than a week.
        var previous = day.advanced(by: -1)
        while !hasSession(on: previous) { previous = previous.advanced(by: -1) }
        return hours(of: previous)
    }

    /// The `count`th session on later days than `day`.
    ///
    /// - Parameter count: positive; 1 is the next session.
    public func session(_ count: Int, after day: Day) -> TradingSession {
        precondition(count > 0, "sessions are counted from 1")
        var (next, left) = (day, count)
        while left > 0 {
            next = next.advanced(by: 1)
            if hasSession(on: next) { left -= 1 }
        }
        return hours(of: next)
    }

    /// The sessions of some days, in order.
    public func sessions(in days: ClosedRange<Day>) -> [TradingSession] {
        (days.lowerBound.number...days.upperBound.number).compactMap {
            session(on: Day(number: $0))
        }
    }

    /// The first session of the week or month that `day` is in. Every week has had one.
    public func firstSession(
        of period: SessionPeriod, containing day: Day
    ) -> TradingSession {
        nextSession(after: days(of: period, containing: day).lowerBound.advanced(by: -1))
    }

    /// The last session of the week or month that `day` is in. Every week has had one.
    public func lastSession(
        of period: SessionPeriod, containing day: Day
    ) -> TradingSession {
        previousSession(before: days(of: period, containing: day).upperBound.advanced(by: 1))
    }

    private func days(of period: SessionPeriod, containing day: Day) -> ClosedRange<Day> {
        switch period {
        case .week:
            let monday = day.advanced(by: 1 - day.weekday.rawValue)
            return monday...monday.advanced(by: 6)
        case .month:
            let first = day.advanced(by: 1 - day.date.day)
            // Always in the next month, and as many days into it as it is days after this one's
            // last.
            let next = first.advanced(by: 31)
            return first...next.advanced(by: -next.date.day)
        }
    }
}
