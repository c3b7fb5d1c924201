import Synchronization
import TWSProtocol

/// What a message means to a call that waits.
enum Step<Answer: Sendable>: Sendable {
    /// More is to come.
    case more
    /// The answer is complete.
    case done(Answer)
    /// There will be no answer.
    case failed(any Error)
}

/// A call that waits for its answer: what has come of it, and who waits.
final class Pending<Collected: Sendable, Answer: Sendable>: Sendable {
    typealias Take = @Sendable (inout Collected, GatewayMessage) -> Step<Answer>

    private let take: Take
    private let state: Mutex<State>

    private struct State {
        var collected: Collected
        var waiter: CheckedContinuation<Answer, any Error>?
        var result: Result<Answer, any Error>?
    }

    init(_ collected: Collected, take: @escaping Take) {
        self.take = take
        state = Mutex(State(collected: collected))
    }

    /// Waits.
    ///
    /// - Returns: false when the call has ended already.
    @discardableResult func wait(_ waiter: CheckedContinuation<Answer, any Error>) -> Bool {
        let result = state.withLock { state in
            if state.result == nil { state.waiter = waiter }
            return state.result
        }
        if let result { waiter.resume(with: result) }
        return result == nil
    }

    /// Takes a message.
    ///
    /// - Returns: true when the call is over.
    func receive(_ message: GatewayMessage) -> Bool {
        let step = state.withLock { take(&$0.collected, message) }
        switch step {
        case .more: return false
        case .done(let answer): finish(.success(answer))
        case .failed(let error): finish(.failure(error))
        }
        return true
    }

    /// Ends the call; the first end counts.
    func finish(_ result: Result<Answer, any Error>) {
        let waiter = state.withLock { state -> CheckedContinuation<Answer, any Error>? in
            guard state.result == nil else { return nil }
            state.result = result
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume(with: result)
    }
}
