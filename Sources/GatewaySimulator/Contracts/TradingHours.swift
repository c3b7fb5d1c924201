package import MarketState
package import Primitives

/// When a contract is traded: a kind of market, for the texts of a contract's details.
///
/// Days without trading and early closes are those of the calendar the text is made from; markets outside
/// New York are taken to keep the same days, and futures and currencies to rest on them.
package enum TradingHours: Hashable, Sendable {
    /// US stocks and funds: 04:00 to 20:00, regular hours 09:30 to 16:00.
    case stock
    /// US options on stocks: regular hours only.
    case stockOption
    /// Indices reckoned from US stocks: regular hours only.
    case index
    /// Futures of Chicago and New York: 17:00 of the day before to 16:00, Chicago time.
    case future
    /// Currency pairs: 17:15 of the day before to 17:00, New York time.
    case forex
    /// A stock abroad, traded in its exchange's regular hours only.
    case abroad(zone: String, open: Int, close: Int)

    /// The zone the texts are in.
    package var zone: String {
        switch self {
        case .stock, .stockOption, .index, .forex: "US/Eastern"
        case .future: "US/Central"
        case .abroad(let zone, _, _): zone
        }
    }

    /// All sessions of six days from `day` on: `20240102:0400-20240102:2000;20240106:CLOSED`.
    package func all(from day: Day, _ calendar: SessionCalendar) -> String {
        text(from: day, calendar) { trading($0, calendar) }
    }

    /// The regular sessions of the same days, in the same form.
    package func regular(from day: Day, _ calendar: SessionCalendar) -> String {
        text(from: day, calendar) { liquid($0, calendar) }
    }

    /// An interval of wall clock on one day, or from the day before: `hhmm` as a number.
    private struct Interval {
        var beginsDayBefore = false
        let begin: Int
        let end: Int
    }

    private func trading(_ day: Day, _ calendar: SessionCalendar) -> Interval {
        switch self {
        case .stock:
            Interval(begin: 400, end: calendar.closesEarly(on: day) ? 1700 : 2000)
        case .future: Interval(beginsDayBefore: true, begin: 1700, end: 1600)
        case .forex: Interval(beginsDayBefore: true, begin: 1715, end: 1700)
        case .stockOption, .index, .abroad: liquid(day, calendar)
        }
    }

    private func liquid(_ day: Day, _ calendar: SessionCalendar) -> Interval {
        switch self {
        case .stock, .stockOption, .index:
            Interval(begin: 930, end: calendar.closesEarly(on: day) ? 1300 : 1600)
        case .future: Interval(begin: 830, end: calendar.closesEarly(on: day) ? 1200 : 1600)
        case .forex: Interval(beginsDayBefore: true, begin: 1715, end: 1700)
        case .abroad(_, let open, let close): Interval(begin: open, end: close)
        }
    }

    private func text(
        from day: Day, _ calendar: SessionCalendar, _ interval: (Day) -> Interval
    ) -> String {
        (0..<6).map { offset in
            let day = day.advanced(by: offset)
            guard calendar.hasSession(on: day) else { return "\(day.compact):CLOSED" }
            let interval = interval(day)
            let first = interval.beginsDayBefore ? day.advanced(by: -1) : day
            return "\(first.compact):\(Self.clock(interval.begin))-"
                + "\(day.compact):\(Self.clock(interval.end))"
        }.joined(separator: ";")
    }

    private static func clock(_ hhmm: Int) -> String {
        let digits = String(hhmm)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}

extension SessionCalendar {
    /// Whether a day's session is shorter than usual.
    fileprivate func closesEarly(on day: Day) -> Bool {
        guard let session = session(on: day) else { return false }
        return session.close - session.open < sessionLength
    }
}

extension Day {
    /// `20240102`.
    package var compact: String { description.filter { $0 != "-" } }
}
