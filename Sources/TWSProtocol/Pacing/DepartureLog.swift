import Primitives

/// The times of the last departures, newest first: enough to know when one more fits a window.
///
/// Unlike a bucket that fills at a rate, it holds for every window wherever it begins, exactly.
struct DepartureLog: Sendable {
    private var times: [Timestamp]
    /// Where the next time goes.
    private var index = 0

    /// Remembers `capacity` departures, at least one.
    init(capacity: Int) {
        times = Array(repeating: .distantPast, count: max(1, capacity))
    }

    /// The first time at which one more departure leaves at most `count` in any `window`, which
    /// counts its beginning and not its end. A count beyond what is remembered is that.
    func opens(to count: Int, in window: Duration) -> Timestamp {
        let back = min(max(1, count), times.count)
        return times[(index + times.count - back) % times.count] + window
    }

    /// Notes a departure.
    mutating func note(_ time: Timestamp) {
        times[index] = time
        index = (index + 1) % times.count
    }
}
