package import Primitives
import Synchronization
package import TWSClient

/// Something a test waited for that did not happen.
package struct Missing: Error, CustomStringConvertible {
    /// What was waited for.
    package let what: String

    /// It did not happen.
    package init(what: String) { self.what = what }

    /// What did not happen.
    package var description: String { "this did not happen: \(what)" }
}

extension ManualLoop {
    /// Runs the loop while tasks run, until `condition` holds. No time passes.
    ///
    /// - Throws: `Missing` when it does not come to hold within a great many rounds.
    package func run(until what: String, _ condition: () -> Bool) async throws {
        // Far more rounds than any test needs: a busy machine may leave a task waiting for its turn.
        for _ in 0..<300_000 {
            run()
            if condition() { return }
            await Task.yield()
        }
        throw Missing(what: what)
    }

    /// Runs the loop while tasks run, so many times: for what must not happen.
    package func settle(rounds: Int = 200) async {
        for _ in 0..<rounds {
            run()
            await Task.yield()
        }
    }

    /// Lets time pass in steps, with the tasks' work done after each.
    package func advance(by duration: Duration, inStepsOf step: Duration) async {
        var remaining = duration
        while remaining > .zero {
            let part = min(remaining, step)
            advance(by: part)
            await settle(rounds: 20)
            remaining = Duration(nanoseconds: remaining.nanoseconds - part.nanoseconds)
        }
    }
}

/// A call in a task of its own, beside the test that runs the loop.
package final class Started<Value: Sendable>: Sendable {
    private let task: Task<Value, any Error>
    private let loop: ManualLoop
    private let flag: Flag

    private final class Flag: Sendable {
        private let state = Mutex(false)
        var isRaised: Bool { state.withLock { $0 } }
        func raise() { state.withLock { $0 = true } }
    }

    /// Starts a call.
    package init(on loop: ManualLoop, _ body: @escaping @Sendable () async throws -> Value) {
        self.loop = loop
        let flag = Flag()
        self.flag = flag
        task = Task {
            defer { flag.raise() }
            return try await body()
        }
    }

    /// Whether the call has ended.
    package var isDone: Bool { flag.isRaised }

    /// Cancels the call's task.
    package func cancel() { task.cancel() }

    /// The call's result, once the loop has brought it about.
    package func value(_ what: String = "the call ends") async throws -> Value {
        try await loop.run(until: what) { isDone }
        return try await task.value
    }

    /// The error with which the call ends.
    package func error(_ what: String = "the call ends") async throws -> any Error {
        do {
            let value = try await value(what)
            throw Missing(what: "an error; the call returned \(value)")
        } catch let missing as Missing {
            throw missing
        } catch {
            return error
        }
    }
}
