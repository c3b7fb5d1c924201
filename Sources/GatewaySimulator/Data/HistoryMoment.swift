import Primitives
import TWSProtocol

/// A timestamp that a request for the past names.
struct HistoryMoment: Hashable, Sendable {
    /// The timestamp.
    let timestamp: Timestamp
    /// Whether no zone was named, so that New York was taken, and the client is warned.
    let lacksZone: Bool

    /// Reads a time of a request: a clock in UTC, or one of a zone of the United States.
    ///
    /// - Returns: `nil` where there is no time, or its form or zone is not known.
    init?(_ time: WireTime) {
        switch time {
        case .utc(let clock):
            timestamp = Timestamp(day: clock.day, sinceMidnight: .seconds(Int64(clock.second)))
            lacksZone = false
        case .wall(let clock, let zone):
            let since = Duration.seconds(Int64(clock.second))
            guard let zone = Zone(zone) else { return nil }
            switch zone {
            case .universal: timestamp = Timestamp(day: clock.day, sinceMidnight: since)
            case .west(let hours):
                timestamp = NewYork.timestamp(on: clock.day, at: since) + .hours(hours)
            }
            lacksZone = time == .wall(clock, zone: "")
        case .none, .epoch, .day, .other: return nil
        }
    }

    /// A zone whose clocks are known without a table.
    private enum Zone {
        case universal
        /// So many hours behind New York; clocks change there at the same local hour.
        case west(Int64)

        init?(_ name: String) {
            switch name {
            case "", "US/Eastern", "America/New_York", "EST5EDT", "EST", "EDT": self = .west(0)
            case "US/Central", "America/Chicago", "CST6CDT", "CST": self = .west(1)
            case "US/Mountain", "America/Denver", "MST7MDT", "MST": self = .west(2)
            case "US/Pacific", "America/Los_Angeles", "PST8PDT", "PST": self = .west(3)
            case "UTC", "GMT", "Etc/UTC", "Z": self = .universal
            default: return nil
            }
        }
    }

    /// The gateway's message about a time it cannot read.
    static let advice =
        "The date, time, or time-zone entered is invalid. The correct format is yyyymmdd hh:mm:ss "
        + "xx/xxxx where yyyymmdd and xx/xxxx are optional. E.g.: 20031126 15:59:00 US/Eastern  Note "
        + "that there is a space between the date and time, and between the time and time-zone.  If no "
        + "date is specified, current date is assumed. If no time-zone is specified, local time-zone is "
        + "assumed(deprecated).  You can also provide yyyymmddd-hh:mm:ss time is in UTC. Note that there "
        + "is a dash between the date and time in UTC notation."

    /// The gateway's message where no zone was named.
    static let zoneAdvice =
        "Warning: You submitted request with date-time attributes without explicit time zone. Please "
        + "switch to use yyyymmdd-hh:mm:ss in UTC or use instrument time zone, like US/Eastern. Implied "
        + "time zone functionality will be removed in the next API release"
}
