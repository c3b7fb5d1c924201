import Glibc
import Primitives

/// Finds out for how long the machine has slept: the clock that timers use stands meanwhile.
struct SleepReview: Sendable {
    /// A reading of the machine's clocks.
    struct Reading: Sendable {
        /// The clock that stands while the machine sleeps.
        var awake: Timestamp
        /// One that does not.
        var always: Timestamp
        /// False where the program was interrupted between the two.
        var isOfOneTime = true
    }

    /// By how much the clock that never stands was ahead when it was looked at last.
    private var lead: Duration?

    /// Shorter sleeps count together.
    static let least = Duration.seconds(1)

    /// Takes in a reading.
    ///
    /// - Returns: for how long the machine has slept since the reading before.
    mutating func slept(_ reading: Reading) -> Duration {
        guard reading.isOfOneTime else { return .zero }
        let newest = reading.always - reading.awake
        guard let lead else {
            self.lead = newest
            return .zero
        }
        let time = Duration(nanoseconds: newest.nanoseconds - lead.nanoseconds)
        guard time >= Self.least else { return .zero }
        self.lead = newest
        return time
    }

    /// Reads the clocks.
    static func reading() -> Reading {
        let first = time(of: CLOCK_MONOTONIC)
        let always = time(of: CLOCK_BOOTTIME)
        let second = time(of: CLOCK_MONOTONIC)
        return Reading(
            awake: first, always: always, isOfOneTime: second - first < .milliseconds(10))
    }

    private static func time(of clock: clockid_t) -> Timestamp {
        var time = timespec()
        clock_gettime(clock, &time)
        return Timestamp(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }
}
