package import Primitives
package import TWSProtocol

/// Timestamps as the gateway's texts have them: New York's wall clock, in whole seconds.
package enum WireClock {
    /// The zone's name in texts.
    package static let zone = "US/Eastern"

    /// A timestamp as a wall clock with the zone's name.
    package static func time(_ timestamp: Timestamp) -> WireTime {
        .wall(clock(timestamp), zone: zone)
    }

    /// A timestamp as New York's wall clock shows it.
    package static func clock(_ timestamp: Timestamp) -> WireTime.WallClock {
        let shown = timestamp - NewYork.behindUTC(at: timestamp)
        let seconds = shown.sinceMidnight.nanoseconds / 1_000_000_000
        return WireTime.WallClock(day: shown.day, second: Int32(seconds))
    }
}
