package import Primitives
package import TWSProtocol

/// Instants as the gateway's texts have them: New York's wall clock, in whole seconds.
package enum WireClock {
    /// The zone's name in texts.
    package static let zone = "US/Eastern"

    /// An instant as a wall clock with the zone's name.
    package static func time(_ instant: Timestamp) -> WireTime {
        .wall(clock(instant), zone: zone)
    }

    /// An instant as New York's wall clock shows it.
    package static func clock(_ instant: Timestamp) -> WireTime.WallClock {
        let shown = instant - NewYork.behindUTC(at: instant)
        let seconds = shown.sinceMidnight.nanoseconds / 1_000_000_000
        return WireTime.WallClock(day: shown.day, second: Int32(seconds))
    }
}
