import Model
import Orders
import Primitives

/// Executions whose commission the broker has not reported, and when that is looked at.
struct AwaitedCharges: Sendable {
    /// When it is looked at next, as a timer was set for it; `nil` without a timer.
    private(set) var wake: Timestamp?
    /// The executions that were reported as lacking one, by base id.
    private var reported: [Int64] = []
    /// The day at whose close those that lack one were listed last.
    private var listed: Day?

    /// How long a commission may stay away.
    static let time = Duration.minutes(10)
    /// Executions of before that are not looked at: the broker's list is of a day.
    static let horizon = Duration.hours(48)

    /// What is to be reported.
    struct Review: Hashable, Sendable {
        /// Executions that have lacked a commission for too long, and were not reported before.
        var overdue: [OrderLedger.OwnExecution] = []
        /// Those that lack one at the close of the day; empty before it and once they were listed.
        var atClose: [OrderLedger.OwnExecution] = []
    }

    /// Looks at executions once more at a time, unless that is done before anyway.
    ///
    /// - Returns: true where a timer is to be set for it.
    mutating func look(at time: Timestamp) -> Bool {
        guard wake.map({ time < $0 }) ?? true else { return false }
        wake = time
        return true
    }

    /// Looks at the executions that lack a commission.
    ///
    /// - Parameters:
    ///   - close: the close of the day's session; `nil` on a day without one.
    /// - Returns: what is to be reported, and when to look again.
    mutating func review(
        _ pending: [OrderLedger.OwnExecution], at now: Timestamp, on day: Day, close: Timestamp?
    ) -> (review: Review, wake: Timestamp?) {
        wake = nil
        var review = Review()
        reported.removeAll { base in !pending.contains { $0.execution.id.base == base } }
        for one in pending where !reported.contains(one.execution.id.base) {
            guard one.execution.time + Self.time <= now else { continue }
            review.overdue.append(one)
            reported.append(one.execution.id.base)
        }
        let listing = close.map { $0 + Self.time }
        if let listing, now >= listing, listed != day {
            listed = day
            review.atClose = pending
        }
        guard !pending.isEmpty else { return (review, nil) }
        var next = pending.filter { !reported.contains($0.execution.id.base) }
            .map { $0.execution.time + Self.time }
        if let listing, now < listing { next.append(listing) }
        wake = next.min()
        return (review, wake)
    }
}
