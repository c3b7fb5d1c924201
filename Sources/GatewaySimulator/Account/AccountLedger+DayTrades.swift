import MarketState
import Primitives

/// Positions opened and closed on one day: FINRA rule 4210(f)(8)(B) allows an account with little equity
/// three of them within five sessions.
extension AccountLedger {
    /// How many day trades are left; `nil` for as many as one likes.
    ///
    /// - Parameter ahead: so many sessions from today.
    package func dayTradesRemaining(ahead: Int = 0) -> Int? {
        guard settings.kind == .margin,
            figures.netLiquidation < ExactMoney(MarginRates.dayTraderEquityMin)
        else { return nil }
        var first = today
        for _ in 0..<ahead { first = session(from: first, by: 1) }
        for _ in 0..<Self.dayTradeSessions - 1 { first = session(from: first, by: -1) }
        let count = dayTrades.reduce(0) { $0 + ($1.day >= first ? $1.count : 0) }
        return max(0, Self.dayTradesMax - count)
    }

    /// Remembers that a position grew, and counts its first closing on the same day.
    mutating func countDayTrades(_ index: Int, of fill: AccountFill, closes: Bool) {
        let day = NewYork.day(at: fill.time)
        if closes, holdings[index].opened == day {
            holdings[index].opened = nil
            if dayTrades.last?.day == day {
                dayTrades[dayTrades.count - 1].count += 1
            } else {
                dayTrades.append(DayTrades(day: day, count: 1))
                if dayTrades.count > Self.dayTradeSessions { dayTrades.removeFirst() }
            }
        }
        let held = holdings[index].position.quantity
        let isLarger = held != .zero && (held < .zero) == (fill.signed < .zero)
        if isLarger { holdings[index].opened = day }
    }

    private static let dayTradesMax = 3
    private static let dayTradeSessions = 5

    /// The next or last day with a session, at most two weeks off.
    private func session(from day: Day, by step: Int) -> Day {
        var day = day
        for _ in 0..<14 {
            day = day.advanced(by: step)
            if SessionCalendar.newYork.hasSession(on: day) { break }
        }
        return day
    }
}
