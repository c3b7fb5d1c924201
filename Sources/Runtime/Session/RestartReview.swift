import Configuration
import Model
import Primitives
import TWSClient
import TWSProtocol

/// When the gateway restarts every day, by the clock of a zone: that of its login, or one that the user names.
struct RestartSchedule: Hashable, Sendable {
    private let second: Int32
    private let zone: String

    /// How long before a restart no entry leaves any more.
    static let drainTime = Duration.seconds(120)
    /// How long behind its time the restart is awaited.
    static let patience = Duration.minutes(5)
    /// How long behind its time a lost link is no alarm yet.
    static let window = Duration.minutes(15)

    /// A time of day in a zone; `nil` for a zone that this machine does not know.
    init?(_ time: Duration, zone: String) {
        second = Int32(clamping: time.nanoseconds / 1_000_000_000)
        self.zone = zone
        guard restart(on: Day(number: 19_000)) != nil else { return nil }
    }

    /// The newest restart of which the entries' stop has begun at `time`.
    func newest(at time: Timestamp) -> Timestamp? {
        // A zone's day begins up to a day before or behind that of UTC.
        let today = time.day
        return (-2...1).compactMap { restart(on: today.advanced(by: $0)) }
            .last { $0 - Self.drainTime <= time }
    }

    private func restart(on day: Day) -> Timestamp? {
        GatewayClock(zone: zone).timestamp(
            of: WireTime.WallClock(day: day, second: second), in: zone)
    }
}

/// Monitors the gateway's daily restart: entries stop before it, and a link that is lost in its time is expected.
struct RestartReview: Sendable {
    private let schedule: RestartSchedule?
    private var isDraining = false
    private var drainChange: Bool?
    /// The restart that is over, since the connection ended around its time.
    private var done: Timestamp?

    /// How long before its time a connection's end is taken for the restart.
    private static let early = Duration.seconds(30)

    init(_ schedule: RestartSchedule?) { self.schedule = schedule }

    /// True in the time of the restart.
    func isWindow(_ time: Timestamp) -> Bool {
        guard let newest = schedule?.newest(at: time) else { return false }
        return time < newest + RestartSchedule.window
    }

    /// Takes in an event of the session.
    mutating func take(_ event: SessionEvent, at now: Timestamp) {
        guard case .disconnected = event, let newest = schedule?.newest(at: now),
            now >= newest - Self.early
        else { return }
        done = newest
    }

    /// Whether entries stop from now on; `nil` where that has not changed since the last call.
    mutating func takeDrain(at now: Timestamp) -> Bool? {
        guard let schedule else { return nil }
        let newest = schedule.newest(at: now)
        let isNear = newest.map { $0 != done && now < $0 + RestartSchedule.patience } ?? false
        guard isNear != isDraining else { return nil }
        isDraining = isNear
        return isNear
    }
}
