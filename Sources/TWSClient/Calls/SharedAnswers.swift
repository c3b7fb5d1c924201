import Synchronization
import TWSProtocol

/// Asks a question once for all who want its answer, and keeps the answer: the newest, up to a bound.
final class SharedAnswers<Key: Hashable & Sendable, Answer: Sendable>: Sendable {
    /// Answers kept at most; the oldest makes room.
    private let capacity: Int
    private let state = Mutex(State())

    private struct State {
        var kept: [Key: Answer] = [:]
        /// Oldest first.
        var order: [Key] = []
        var open: [Key: Open] = [:]
        var nextWaiter = 0
    }

    /// A question under way, and who waits.
    private struct Open {
        /// Its number, which no later one of the same key has.
        let number: Int
        var waiters: [(id: Int, waiter: Pending<Void, Answer>)]
        var task: Task<Void, Never>?
    }

    init(capacity: Int) { self.capacity = capacity }

    /// The answer that is kept.
    func kept(_ key: Key) -> Answer? { state.withLock { $0.kept[key] } }

    /// All that is kept, oldest first.
    var all: [(key: Key, answer: Answer)] {
        state.withLock { state in
            state.order.compactMap { key in state.kept[key].map { (key, $0) } }
        }
    }

    /// Keeps an answer.
    func keep(_ answer: Answer, for key: Key) { state.withLock { keep(answer, key, in: &$0) } }

    /// The kept answer, or that of the question under way, or else of `ask`.
    ///
    /// A waiter that is cancelled leaves; the question is cancelled with the last of them.
    func answer(
        _ key: Key, _ ask: @escaping @Sendable () async throws -> Answer
    ) async throws -> Answer {
        let waiter = Pending<Void, Answer>(()) { _, _ in .more }
        let (id, number) = enter(key, waiter)
        if let number {
            let task = Task {
                do {
                    self.finish(key, number, .success(try await ask()))
                } catch {
                    self.finish(key, number, .failure(error))
                }
            }
            state.withLock { state in
                if state.open[key]?.number == number { state.open[key]?.task = task }
            }
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { waiter.wait($0) }
        } onCancel: {
            waiter.finish(.failure(CancellationError()))
            self.leave(key, id)
        }
    }

    /// - Returns: the waiter's number, and that of the question where it has to be asked.
    private func enter(_ key: Key, _ waiter: Pending<Void, Answer>) -> (Int, Int?) {
        let (id, answer, begins) = state.withLock { state -> (Int, Answer?, Bool) in
            state.nextWaiter += 1
            let id = state.nextWaiter
            if let answer = state.kept[key] { return (id, answer, false) }
            let begins = state.open[key] == nil
            state.open[key, default: Open(number: id, waiters: [])].waiters.append((id, waiter))
            return (id, nil, begins)
        }
        if let answer { waiter.finish(.success(answer)) }
        return (id, begins ? id : nil)
    }

    private func leave(_ key: Key, _ id: Int) {
        let abandoned = state.withLock { state -> Task<Void, Never>? in
            state.open[key]?.waiters.removeAll { $0.id == id }
            guard state.open[key]?.waiters.isEmpty == true else { return nil }
            return state.open.removeValue(forKey: key)?.task
        }
        abandoned?.cancel()
    }

    private func finish(_ key: Key, _ number: Int, _ result: Result<Answer, any Error>) {
        let waiters = state.withLock { state -> [(id: Int, waiter: Pending<Void, Answer>)] in
            guard state.open[key]?.number == number else { return [] }
            if case .success(let answer) = result { keep(answer, key, in: &state) }
            return state.open.removeValue(forKey: key)?.waiters ?? []
        }
        for (_, waiter) in waiters { waiter.finish(result) }
    }

    private func keep(_ answer: Answer, _ key: Key, in state: inout State) {
        if state.kept.updateValue(answer, forKey: key) == nil { state.order.append(key) }
        if state.order.count > capacity { state.kept[state.order.removeFirst()] = nil }
    }
}

/// Lets one question of a kind through at a time: those without a number cannot be distinguished by their
/// answers.
final class TopicGate: Sendable {
    private let state = Mutex(State())

    private struct State {
        var taken: Set<Topic> = []
        /// First come, first served.
        var line: [(topic: Topic, waiter: Pending<Void, Void>)] = []
    }

    /// Runs `question` when no other one of `topic` runs.
    func alone<Answer: Sendable>(
        _ topic: Topic, _ question: () async throws -> Answer
    ) async throws -> Answer {
        try await enter(topic)
        defer { leave(topic) }
        return try await question()
    }

    private func enter(_ topic: Topic) async throws {
        let waiter = Pending<Void, Void>(()) { _, _ in .more }
        let isFirst = state.withLock { state in
            if state.taken.insert(topic).inserted { return true }
            state.line.append((topic, waiter))
            return false
        }
        guard !isFirst else { return }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { waiter.wait($0) }
        } onCancel: {
            let isInLine = self.state.withLock { state in
                let count = state.line.count
                state.line.removeAll { $0.waiter === waiter }
                return state.line.count < count
            }
            // One that is out of the line has its turn, and gives it back by itself.
            if isInLine { waiter.finish(.failure(CancellationError())) }
        }
    }

    private func leave(_ topic: Topic) {
        let next = state.withLock { state -> Pending<Void, Void>? in
            guard let index = state.line.firstIndex(where: { $0.topic == topic }) else {
                state.taken.remove(topic)
                return nil
            }
            return state.line.remove(at: index).waiter
        }
        next?.finish(.success(()))
    }
}
