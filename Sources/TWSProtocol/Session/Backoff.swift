public import Primitives

/// Waiting times between attempts to connect: doubling up to a cap, each shortened by up to a 25th at
/// random so that many programs do not come back at once. Without end.
///
/// More would be too much: with 1 to 30 seconds ten minutes of refusal are at most 25 attempts.
public struct Backoff: Sendable {
    private let first: Duration
    private let cap: Duration
    private var attempts = 0
    private var generator: SeededGenerator

    /// Waits from `first` to `cap`.
    ///
    /// - Parameters:
    ///   - first: the longest the first wait can be; positive.
    ///   - cap: the longest any wait can be.
    ///   - seed: where the random shortening begins.
    public init(first: Duration = .seconds(1), cap: Duration = .seconds(30), seed: UInt64) {
        self.first = first
        self.cap = cap
        generator = SeededGenerator(seed: seed)
    }

    /// The wait for a client id that is still in use: 5 to 60 seconds, always with the same id.
    public static func clientIDInUse(seed: UInt64) -> Backoff {
        Backoff(first: .seconds(5), cap: .seconds(60), seed: seed)
    }

    /// The next wait.
    public mutating func next() -> Duration {
        var wait = first.nanoseconds
        // 30 doublings are beyond any cap and far below an overflow for waits of seconds.
        let doublings = PlantedBug.backoffStays.isPlanted ? 0 : min(attempts, 30)
        for _ in 0..<doublings where wait < cap.nanoseconds { wait *= 2 }
        attempts += 1
        wait = min(wait, cap.nanoseconds)
        let shortening = Int64.random(in: 0...(wait / 25), using: &generator)
        return Duration(nanoseconds: wait - shortening)
    }

    /// A connection held: the next wait is the first again.
    public mutating func reset() { attempts = 0 }
}
