import Dispatch
import Synchronization

/// What came in for a session and waits for its owner, in the order in which it came.
final class SessionInbox: Sendable {
    /// Something that came in.
    enum Item: Sendable {
        /// For the session.
        case input(LiveSession.Input)
        /// The user wants it to end.
        case stop
    }

    private let state = Mutex<[Item]>([])
    private let arrivals = DispatchSemaphore(value: 0)

    /// Takes items in, from any thread.
    func put(_ items: [Item]) {
        guard !items.isEmpty else { return }
        let wasEmpty = state.withLock { state in
            defer { state += items }
            return state.isEmpty
        }
        if wasEmpty { arrivals.signal() }
    }

    /// Takes all items out; waits for the first for as long as `timeout`.
    func take(timeout: DispatchTimeInterval) -> [Item] {
        if let items = takeNow() { return items }
        _ = arrivals.wait(timeout: .now() + timeout)
        return takeNow() ?? []
    }

    private func takeNow() -> [Item]? {
        state.withLock { state in
            guard !state.isEmpty else { return nil }
            defer { state.removeAll(keepingCapacity: true) }
            return state
        }
    }
}
