import Primitives
import TWSProtocol

extension WireTime {
    /// The timestamp it names for orders; `nil` for none and for zones that are not known here. Clocks
    /// without a zone are New York's.
    var orderTimestamp: Timestamp? {
        switch self {
        case .none, .other: return nil
        case .epoch: return timestamp
        case .utc(let clock): return Self.isReckoned(clock.day) ? timestamp : nil
        case .day(let day):
            return Self.isReckoned(day) ? NewYork.timestamp(on: day, at: .zero) : nil
        case .wall(let clock, let zone):
            guard Self.isReckoned(clock.day) else { return nil }
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
