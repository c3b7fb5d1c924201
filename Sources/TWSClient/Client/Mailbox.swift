import Synchronization

/// What a full queue does.
public enum OverflowPolicy: Hashable, Sendable {
    /// The oldest waiting element makes room: what counts is the newest.
    case newestWins(capacity: Int)
    /// Nothing is dropped: a queue that fills up ends with `ClientError.overflow`.
    case neverDrops(capacity: Int)
}

/// A bounded queue between the session's loop and one reader.
final class Mailbox<Element: Sendable>: Sendable {
    private let policy: OverflowPolicy
    /// What a reader gets in place of so many elements that made room.
    private let overrun: (@Sendable (Int) -> Element)?
    private let state = Mutex(State())

    private struct State {
        var waiting: [Element] = []
        /// The first element not taken yet; those before are gone.
        var head = 0
        var reader: CheckedContinuation<Element?, any Error>?
        var end: End?
        /// Elements dropped since the reader was last notified.
        var missed = 0

        var count: Int { waiting.count - head }

        mutating func take() -> Element? {
            guard head < waiting.count else { return nil }
            let element = waiting[head]
            head += 1
            // Half of it is past: move up, so that memory stays within twice the bound.
            if head * 2 > waiting.count {
                waiting.removeFirst(head)
                head = 0
            }
            return element
        }
    }

    private enum End {
        case finished
        case failed(any Error)
    }

    /// An empty queue.
    ///
    /// - Parameter overrun: makes the element that notifies a reader of others dropped, where they were.
    init(_ policy: OverflowPolicy, overrun: (@Sendable (Int) -> Element)? = nil) {
        self.policy = policy
        self.overrun = overrun
    }

    /// Hands an element over.
    func put(_ element: Element) {
        let reader = state.withLock { state -> CheckedContinuation<Element?, any Error>? in
            guard state.end == nil else { return nil }
            if let reader = state.reader {
                state.reader = nil
                return reader
            }
            switch policy {
            case .newestWins(let capacity):
                if state.count >= capacity {
                    _ = state.take()
                    state.missed += 1
                }
                state.waiting.append(element)
            case .neverDrops(let capacity):
                if state.count >= capacity {
                    state.end = .failed(ClientError.overflow(capacity: capacity))
                } else {
                    state.waiting.append(element)
                }
            }
            return nil
        }
        reader?.resume(returning: element)
    }

    /// No element follows. What waits can still be read.
    func finish(throwing error: (any Error)? = nil) {
        let reader = state.withLock { state -> CheckedContinuation<Element?, any Error>? in
            guard state.end == nil else { return nil }
            state.end = error.map { .failed($0) } ?? .finished
            defer { state.reader = nil }
            return state.reader
        }
        if let error { reader?.resume(throwing: error) } else { reader?.resume(returning: nil) }
    }

    /// The next element; `nil` behind the last. One reader at a time.
    ///
    /// - Throws: what the queue was ended with, once everything in it is read.
    func next() async throws -> Element? {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let result = state.withLock { state -> Result<Element?, any Error>? in
                    if let overrun, state.missed > 0 {
                        defer { state.missed = 0 }
                        return .success(overrun(state.missed))
                    }
                    if let element = state.take() { return .success(element) }
                    switch state.end {
                    case .finished: return .success(nil)
                    case .failed(let error): return .failure(error)
                    case nil: break
                    }
                    if Task.isCancelled { return .success(nil) }
                    precondition(state.reader == nil, "one reader at a time")
                    state.reader = continuation
                    return nil
                }
                if let result { continuation.resume(with: result) }
            }
        } onCancel: {
            // A cancelled reader reads the end, as of every other asynchronous sequence.
            let reader = state.withLock { state in
                defer { state.reader = nil }
                return state.reader
            }
            reader?.resume(returning: nil)
        }
    }
}
