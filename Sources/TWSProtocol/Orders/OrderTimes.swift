public import Primitives

/// How long an order works that may trade at once.
public enum WorkingTime: Hashable, Sendable {
    /// To the end of the day.
    case day
    /// Until it fills or is cancelled.
    case goodTillCancelled
    /// Until this time, to the second.
    case goodTillDate(Timestamp)
    /// At once, as far as possible.
    case immediateOrCancel
    /// At once and whole, or not at all.
    case fillOrKill
}

/// How long an order rests that waits for its price: it cannot be immediate.
public enum RestingTime: Hashable, Sendable {
    /// To the end of the day.
    case day
    /// Until it fills or is cancelled.
    case goodTillCancelled
    /// Until this time, to the second.
    case goodTillDate(Timestamp)

    var working: WorkingTime {
        switch self {
        case .day: .day
        case .goodTillCancelled: .goodTillCancelled
        case .goodTillDate(let end): .goodTillDate(end)
        }
    }
}

/// The hours in which an order works.
public enum OrderHours: Hashable, Sendable {
    /// The session's regular hours.
    case regular
    /// These, and those before and after them in which the market trades.
    case extended
}

extension Order {
    /// Sets the time in force and what goes with it.
    mutating func work(for time: WorkingTime) {
        switch time {
        case .day: tif = .day
        case .goodTillCancelled: tif = .goodTillCancelled
        case .goodTillDate(let end):
            tif = .goodTillDate
            goodTillDate = WireTime(utc: end)
        case .immediateOrCancel: tif = .immediateOrCancel
        case .fillOrKill: tif = .fillOrKill
        }
    }
}

extension WireTime {
    /// A time in UTC, its fraction of a second dropped: unlike a wall clock without a zone it means
    /// the same whatever the gateway is set to.
    public init(utc timestamp: Timestamp) {
        let second = timestamp.sinceMidnight.nanoseconds / 1_000_000_000
        self = .utc(WallClock(day: timestamp.day, second: Int32(truncatingIfNeeded: second)))
    }
}
