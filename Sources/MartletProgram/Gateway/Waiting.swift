import Dispatch
import Synchronization

/// Runs asynchronous work to its end from a command, which has nothing else to do meanwhile.
enum Waiting {
    /// The work's result.
    static func run<Result: Sendable>(
        _ work: @escaping @Sendable () async throws -> Result
    ) throws -> Result {
        let done = DispatchSemaphore(value: 0)
        let result = Outcome<Result>()
        Task {
            do {
                result.set(.success(try await work()))
            } catch {
                result.set(.failure(error))
            }
            done.signal()
        }
        done.wait()
        return try result.get()
    }

    private final class Outcome<Value: Sendable>: Sendable {
        private let state = Mutex<Result<Value, any Error>?>(nil)

        func set(_ value: Result<Value, any Error>) { state.withLock { $0 = value } }

        func get() throws -> Value {
            guard let result = state.withLock({ $0 }) else {
                preconditionFailure("the work signals behind its result")
            }
            return try result.get()
        }
    }
}
