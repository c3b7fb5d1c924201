import Primitives

/// What waits for its time or to be released, in order.
struct DelayQueue<Element: Sendable>: Sendable {
    private var waiting: [Waiting] = []

    private struct Waiting: Sendable {
        var due: Timestamp?
        let cause: FaultCause
        let element: Element
    }

    /// How many wait.
    var count: Int { waiting.count }

    /// When something comes next; the last time when all wait to be released.
    private var nextDue = Timestamp.distantFuture

    /// Lets one wait; `nil` until it is released.
    mutating func add(_ element: Element, until due: Timestamp?, because cause: FaultCause) {
        waiting.append(Waiting(due: due, cause: cause, element: element))
        if let due { nextDue = min(nextDue, due) }
    }

    /// Makes all that waits for those causes due at once, in the order in which it came.
    mutating func release(_ isMeant: (FaultCause) -> Bool) {
        for index in waiting.indices where isMeant(waiting[index].cause) {
            waiting[index].due = .distantPast
            nextDue = .distantPast
        }
    }

    /// Takes what is due: by time, then in the order in which it came.
    mutating func take(at now: Timestamp) -> [Element] {
        guard nextDue <= now else { return [] }
        let due = waiting.enumerated()
            .compactMap { index, one in one.due.map { ($0, index, one.element) } }
            .filter { $0.0 <= now }
            .sorted { ($0.0, $0.1) < ($1.0, $1.1) }
        waiting.removeAll { one in one.due.map { $0 <= now } ?? false }
        nextDue = waiting.lazy.compactMap(\.due).min() ?? .distantFuture
        return due.map(\.2)
    }
}
