import Model
import Primitives

/// The timers that an engine waits for.
struct TimerQueue: Sendable {
    /// Few: looked through from end to end.
    private var entries: [(id: TimerID, at: Timestamp)] = []

    /// When the next is due; `nil` without one.
    var next: Timestamp? { entries.map(\.at).min() }

    /// Sets a timer in place of the one that was set under its id.
    mutating func set(_ id: TimerID, at time: Timestamp) {
        remove(id)
        entries.append((id, time))
    }

    /// Takes a timer off.
    mutating func remove(_ id: TimerID) { entries.removeAll { $0.id == id } }

    /// Takes the timers that are due, by their times and, at one time, in the order in which they were set.
    mutating func takeDue(at time: Timestamp) -> [TimerID] {
        let due = entries.enumerated().filter { $0.element.at <= time }
            .sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }
        guard !due.isEmpty else { return [] }
        entries.removeAll { $0.at <= time }
        return due.map(\.element.id)
    }
}
