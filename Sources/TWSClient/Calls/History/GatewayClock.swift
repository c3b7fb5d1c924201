import Foundation
public import Primitives
public import TWSProtocol

/// Turns the gateway's wall clocks into timestamps, by the rules of the zone they name.
///
/// Gateways name zones in many ways: `US/Eastern`, `America/New_York`, `EST`, `Eastern European Time`,
/// or not at all, when the zone of the login screen is meant.
public struct GatewayClock: Hashable, Sendable {
    /// The zone of times that name none; `nil` where it is not known.
    public let zone: String?

    /// A clock whose times without a zone are those of `zone`.
    public init(zone: String?) { self.zone = zone }

    /// A clock of the zone that a handshake's time names: `20250415 19:38:30 British Summer Time`.
    public init(connectionTime: String) {
        let parts = connectionTime.split(separator: " ", maxSplits: 2)
        zone = parts.count == 3 ? String(parts[2]) : nil
    }

    /// The timestamp of a time; `nil` for a date alone, for text of another form and for an unknown zone.
    ///
    /// Of a time that a change of clocks gives twice it is the first; one that it leaves out is read by
    /// the clock before the change.
    public func timestamp(of time: WireTime) -> Timestamp? {
        switch time {
        case .epoch, .utc: time.timestamp
        case .wall(let clock, zone: let name):
            (name.isEmpty ? zone : name).flatMap(Self.timeZone).map {
                Self.timestamp(of: clock, in: $0)
            }
        case .other(let text): Self.dashed(text)
        case .none, .day: nil
        }
    }

    /// The timestamp of a wall clock of the zone `name`; `nil` for an unknown zone.
    public func timestamp(of clock: WireTime.WallClock, in name: String) -> Timestamp? {
        timestamp(of: .wall(clock, zone: name))
    }

    private static func timestamp(of clock: WireTime.WallClock, in zone: TimeZone) -> Timestamp {
        let wall = Timestamp(day: clock.day, sinceMidnight: .seconds(Int64(clock.second)))
        let seconds = wall.nanoseconds / 1_000_000_000
        func offset(at seconds: Int64) -> Int64 {
            Int64(zone.secondsFromGMT(for: Date(timeIntervalSince1970: TimeInterval(seconds))))
        }
        // A day to both sides lies beyond any change of the clock that could matter. The offset before
        // the change comes first: it gives the first of two timestamps, and reads a time left out.
        let before = offset(at: seconds - 86_400)
        let after = offset(at: seconds + 86_400)
        for candidate in [before, after] where offset(at: seconds - candidate) == candidate {
            return Timestamp(seconds: seconds - candidate)
        }
        return Timestamp(seconds: seconds - before)
    }

    /// The zone of a name: of the zone database, an abbreviation, or a name in words.
    private static func timeZone(named name: String) -> TimeZone? {
        if let zone = words[name].flatMap({ TimeZone(identifier: $0) }) { return zone }
        return TimeZone(identifier: name) ?? TimeZone(abbreviation: name)
    }

    /// Names in words as gateways write them, and abbreviations that are commonly meant so. A zone's
    /// word for summer is written all the year's summer times; the rules are the zone's.
    private static let words: [String: String] = [
        "Eastern Standard Time": "America/New_York", "Eastern Daylight Time": "America/New_York",
        "Eastern Time": "America/New_York", "EST": "America/New_York", "EDT": "America/New_York",
        "EST5EDT": "America/New_York",
        "Central Standard Time": "America/Chicago", "Central Daylight Time": "America/Chicago",
        "CST": "America/Chicago", "CDT": "America/Chicago",
        "Mountain Standard Time": "America/Denver", "Mountain Daylight Time": "America/Denver",
        "MST": "America/Denver", "MDT": "America/Denver",
        "Pacific Standard Time": "America/Los_Angeles",
        "Pacific Daylight Time": "America/Los_Angeles",
        "PST": "America/Los_Angeles", "PDT": "America/Los_Angeles",
        "Greenwich Mean Time": "Europe/London", "British Summer Time": "Europe/London",
        "BST": "Europe/London",
        "Central European Standard Time": "Europe/Berlin",
        "Central European Summer Time": "Europe/Berlin", "Central European Time": "Europe/Berlin",
        "CET": "Europe/Berlin", "CEST": "Europe/Berlin", "MET": "Europe/Berlin",
        "Eastern European Standard Time": "Europe/Athens",
        "Eastern European Summer Time": "Europe/Athens", "Eastern European Time": "Europe/Athens",
        "EET": "Europe/Athens", "EEST": "Europe/Athens",
        "Japan Standard Time": "Asia/Tokyo", "JST": "Asia/Tokyo",
        "Hong Kong Standard Time": "Asia/Hong_Kong", "Hong Kong Time": "Asia/Hong_Kong",
        "HKT": "Asia/Hong_Kong",
        "Singapore Standard Time": "Asia/Singapore", "Singapore Time": "Asia/Singapore",
        "China Standard Time": "Asia/Shanghai",
        "India Standard Time": "Asia/Kolkata", "IST": "Asia/Kolkata",
        "Australian Eastern Standard Time": "Australia/Sydney",
        "Australian Eastern Daylight Time": "Australia/Sydney", "AEST": "Australia/Sydney",
        "AEDT": "Australia/Sydney",
        "Coordinated Universal Time": "UTC", "GMT": "UTC", "Z": "UTC",
    ]

    /// `2023-04-13 16:31:22.0`, in UTC: headlines of the past.
    private static func dashed(_ text: String) -> Timestamp? {
        let parts = text.split(separator: " ")
        guard parts.count == 2, let day = Day(parts[0]) else { return nil }
        let clock = parts[1].split(separator: ".", maxSplits: 1)[0].split(separator: ":")
        let numbers = clock.compactMap { Int64($0) }
        guard clock.count == 3, numbers.count == 3, (0..<24).contains(numbers[0]),
            (0..<60).contains(numbers[1]), (0..<60).contains(numbers[2])
        else { return nil }
        let second = numbers[0] * 3_600 + numbers[1] * 60 + numbers[2]
        return Timestamp(day: day, sinceMidnight: .seconds(second))
    }
}

extension GatewayClient {
    /// The gateway's wall clock: its zone is that of the login screen.
    public var clock: GatewayClock {
        session.agreement.map { GatewayClock(connectionTime: $0.connectionTime) }
            ?? GatewayClock(zone: nil)
    }
}
