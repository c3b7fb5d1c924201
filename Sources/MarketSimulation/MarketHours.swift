package import MarketState
package import Model
package import Primitives

/// When a simulated market trades a kind of instrument.
///
/// All rest on the days the calendar has no session on. A calendar without sessions trades everything
/// around the clock, from midnight to midnight UTC.
package enum MarketHours: Hashable, Sendable {
    /// 04:00 to 20:00 New York time, an hour and more after an early close: 17:00. Regular hours are the
    /// calendar's.
    case stock
    /// The calendar's regular hours only: options and indices.
    case regular
    /// The calendar's regular hours only, with nothing happening between them: each opens where the last one closed.
    case uninterrupted
    /// 18:00 of the evening before to 17:00; regular hours are the calendar's.
    case future
    /// 17:15 of the evening before to 17:00, all of it regular.
    case forex

    /// The usual hours of a kind of instrument.
    package init(_ assetClass: AssetClass) {
        switch assetClass {
        case .stock, .etf: self = .stock
        case .index, .option: self = .regular
        case .future: self = .future
        case .forex: self = .forex
        }
    }

    /// An interval of a trading day without a pause.
    package struct Segment: Hashable, Sendable {
        /// Its first time.
        package let start: Timestamp
        /// The first time after it.
        package let end: Timestamp
        /// Whether it is regular hours.
        package let isRegular: Bool
        /// Its part of the variance between two closes.
        let variance: Double
        /// Its part of the day's volume.
        let volume: Double
        /// How long it is.
        var length: Duration { end - start }
    }

    /// A trading day of this kind: its intervals in order; empty on days without trading.
    package func segments(
        on day: Day, of calendar: SessionCalendar, extended: Bool
    ) -> [Segment] {
        guard let session = calendar.session(on: day) else { return [] }
        guard calendar == .newYork else {
            return [Self.segment(session.open, session.close, true, 1, 1)]
        }
        func regular(_ variance: Double, _ volume: Double) -> Segment {
            Self.segment(session.open, session.close, true, variance, volume)
        }
        func clock(_ day: Day, _ minutes: Int64) -> Timestamp {
            NewYork.timestamp(on: day, at: .minutes(minutes))
        }
        let evening = day.advanced(by: -1)
        switch self {
        case .stock where extended:
            let isShort = session.length < calendar.sessionLength
            return [
                Self.segment(clock(day, 4 * 60), session.open, false, 0.05, 0.02),
                regular(0.8, 0.95),
                Self.segment(
                    session.close, clock(day, (isShort ? 17 : 20) * 60), false, 0.04, 0.03),
            ]
        case .stock, .regular: return [regular(0.8, 1)]
        case .uninterrupted: return [regular(1, 1)]
        case .future where extended:
            return [
                Self.segment(clock(evening, 18 * 60), session.open, false, 0.28, 0.15),
                regular(0.65, 0.8),
                Self.segment(session.close, clock(day, 17 * 60), false, 0.05, 0.05),
            ]
        case .future: return [regular(0.8, 1)]
        case .forex:
            let start = clock(evening, 17 * 60 + 15)
            return [Self.segment(start, clock(day, 17 * 60), true, 0.98, 0)]
        }
    }

    private static func segment(
        _ start: Timestamp, _ end: Timestamp, _ isRegular: Bool, _ variance: Double,
        _ volume: Double
    ) -> Segment {
        Segment(start: start, end: end, isRegular: isRegular, variance: variance, volume: volume)
    }
}
