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

    /// From the beginning of an entries' stop up to the next: a day, or as much as a change of clocks makes of it.
    struct Interval: Hashable, Sendable {
        /// The restart that the stop is for; `nil` where none is known.
        let newest: Timestamp?
        /// When the next stop begins.
        let end: Timestamp

        /// Whether `time` is in it.
        func holds(_ time: Timestamp) -> Bool {
            guard let newest else { return false }
            return newest - RestartSchedule.drainTime <= time && time < end
        }
    }

    /// The interval that `time` is in. To ask the zone's clock takes microseconds: too much for each turn of a loop.
    func interval(at time: Timestamp) -> Interval {
        // A zone's day begins up to a day before or behind that of UTC.
        let today = time.day
        let restarts = (-2...2).compactMap { restart(on: today.advanced(by: $0)) }
        return Interval(
            newest: restarts.last { $0 - Self.drainTime <= time },
            end: restarts.first { $0 - Self.drainTime > time }.map { $0 - Self.drainTime } ?? time)
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
    /// Where time was when it was looked at last.
    private var interval: RestartSchedule.Interval?

    /// How long before its time a connection's end is taken for the restart.
    private static let early = Duration.seconds(30)

    init(_ schedule: RestartSchedule?) { self.schedule = schedule }

    /// The newest restart of which the entries' stop has begun at `time`.
    private func newest(at time: Timestamp) -> Timestamp? {
        if let interval, interval.holds(time) { return interval.newest }
        return schedule?.interval(at: time).newest
    }

    /// True in the time of the restart.
    func isWindow(_ time: Timestamp) -> Bool {
        guard let newest = newest(at: time) else { return false }
        return time < newest + RestartSchedule.window
    }

    /// Takes in an event of the session.
    mutating func take(_ event: SessionEvent, at now: Timestamp) {
        guard case .disconnected = event, let newest = newest(at: now),
            now >= newest - Self.early
        else { return }
        done = newest
    }

    /// Whether entries stop from now on; `nil` where that has not changed since the last call.
    mutating func takeDrain(at now: Timestamp) -> Bool? {
        guard let schedule else { return nil }
        if interval?.holds(now) != true { interval = schedule.interval(at: now) }
        let isNear =
            newest(at: now).map { $0 != done && now < $0 + RestartSchedule.patience } ?? false
        guard isNear != isDraining else { return nil }
        isDraining = isNear
        return isNear
    }
}
