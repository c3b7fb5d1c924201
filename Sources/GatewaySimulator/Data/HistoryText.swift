import Primitives
import TWSProtocol

/// How one answer writes its times.
struct HistoryText: Hashable, Sendable {
    /// What the client asked for.
    let format: HistoryDateFormat
    /// What the client speaks.
    let version: ServerVersion

    /// From this version on, times name their zone.
    private static let zoned = 174

    /// A bar's time: its day for bars of a day and longer, the start for shorter ones.
    func bar(_ start: Timestamp, _ size: WireBarSize, on day: Day) -> WireTime {
        if (size.seconds ?? 0) >= 86_400 { return .day(day) }
        switch format {
        case .text, .unknown: return clock(start)
        case .epoch: return .epoch(start.wholeSeconds)
        case .dayAndTime:
            let text = clock(start).description
            return .other(String(text.dropFirst(4)))
        }
    }

    /// A time as New York's wall clock, with the zone's name where the version has it.
    func clock(_ timestamp: Timestamp) -> WireTime {
        let hasZone = version.number >= Self.zoned
        return .wall(WireClock.clock(timestamp), zone: hasZone ? WireClock.zone : "")
    }

    /// The first time there is history of.
    func head(_ timestamp: Timestamp) -> WireTime {
        guard format != .epoch else { return .epoch(timestamp.wholeSeconds) }
        let second = Int32(timestamp.sinceMidnight.nanoseconds / 1_000_000_000)
        return .utc(WireTime.WallClock(day: timestamp.day, second: second))
    }
}
