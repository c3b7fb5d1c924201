import Primitives

/// What the order manager does at a later time.
struct OrderTimers {
    /// What is to be done.
    enum Task {
        /// The order reaches the broker.
        case accept(ManagedOrder)
        /// New terms of the order reach the broker.
        case change(ManagedOrder, CheckedOrder)
        /// A cancellation reaches the broker.
        case cancel(ManagedOrder)
        /// The order may have to end, or to begin to work.
        case look(ManagedOrder)
    }

    private struct Entry {
        let due: Timestamp
        let number: Int
        let task: Task
    }

    /// The next one last.
    private var entries: [Entry] = []
    private var count = 0

    /// Sets a timer. Those of one time run in the order in which they were set.
    mutating func add(_ task: Task, at due: Timestamp) {
        count += 1
        var low = 0
        var high = entries.count
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].due > due { low = middle + 1 } else { high = middle }
        }
        entries.insert(Entry(due: due, number: count, task: task), at: low)
    }

    /// When the next one is due.
    var next: Timestamp? { entries.last?.due }

    /// Takes the next one that is due by a time.
    mutating func take(by timestamp: Timestamp) -> (due: Timestamp, task: Task)? {
        guard let entry = entries.last, entry.due <= timestamp else { return nil }
        entries.removeLast()
        return (entry.due, entry.task)
    }
}
