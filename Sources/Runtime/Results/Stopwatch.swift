import Glibc

/// Wall and processor time between two marks, for the figures a run prints about itself. Never an input
/// of the engine.
struct Stopwatch: Sendable {
    private var wall = Stopwatch.read(CLOCK_MONOTONIC)
    private var cpu = Stopwatch.read(CLOCK_THREAD_CPUTIME_ID)

    /// Seconds by the clock and of this thread's processor since the last mark.
    struct Lap: Hashable, Sendable {
        /// By the clock.
        let wall: Double
        /// Of this thread's processor.
        let cpu: Double
    }

    /// Ends a lap and begins the next.
    mutating func lap() -> Lap {
        let newWall = Self.read(CLOCK_MONOTONIC)
        let newCPU = Self.read(CLOCK_THREAD_CPUTIME_ID)
        defer { (wall, cpu) = (newWall, newCPU) }
        return Lap(wall: newWall - wall, cpu: newCPU - cpu)
    }

    private static func read(_ clock: clockid_t) -> Double {
        var time = timespec()
        clock_gettime(clock, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
    }
}
