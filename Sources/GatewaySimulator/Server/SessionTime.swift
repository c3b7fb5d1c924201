import Primitives

/// Session time: what passes on this machine, made quicker or slower.
///
/// It stands still until it is begun, so that the first client finds a market that opens for it, and so
/// that two runs with one seed show a client the same.
struct SessionTime {
    /// Seconds of session time in one second of this machine; none: only a jump moves it.
    let speed: Double
    /// What it showed when it was last set.
    private var base: Timestamp
    /// The machine's monotonic clock then, in nanoseconds; `nil` before it was begun.
    private var since: Int64?

    /// Time that stands at `start`.
    ///
    /// - Parameter speed: 0 to 1,000,000.
    init(start: Timestamp, speed: Double) {
        base = start
        self.speed = min(max(speed, 0), 1_000_000)
    }

    /// Lets it run, if it does not yet.
    mutating func begin(at monotonic: Int64) {
        if since == nil { since = monotonic }
    }

    /// What it shows.
    func now(at monotonic: Int64) -> Timestamp {
        guard let since, speed > 0 else { return base }
        let passed = Double(max(monotonic - since, 0)) * speed
        let latest = Double(Int64.max - 1) - Double(max(base.nanoseconds, 0))
        return Timestamp(nanoseconds: base.nanoseconds + Int64(min(passed, latest / 2)))
    }

    /// Sets it; it goes on from there.
    mutating func jump(to timestamp: Timestamp, at monotonic: Int64) {
        base = timestamp
        if since != nil { since = monotonic }
    }
}
