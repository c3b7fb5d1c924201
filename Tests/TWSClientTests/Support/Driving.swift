import Logging
import Primitives
import Synchronization
import TWSClient
import TWSProtocol
import Testing

/// Something a test waited for that did not happen.
struct Missing: Error, CustomStringConvertible {
    let what: String
    var description: String { "this did not happen: \(what)" }
}

extension ManualLoop {
    /// Runs the loop while tasks run, until `condition` holds. No time passes.
    ///
    /// - Throws: `Missing` when it does not come to hold within a great many rounds.
    func run(until what: String, _ condition: () -> Bool) async throws {
        // Far more rounds than any test needs: a busy machine may leave a task waiting for its
        // turn.
        for _ in 0..<300_000 {
            run()
            if condition() { return }
            await Task.yield()
        }
        throw Missing(what: what)
    }

    /// Runs the loop while tasks run, so many times: for what must not happen.
    func settle(rounds: Int = 200) async {
        for _ in 0..<rounds {
            run()
            await Task.yield()
        }
    }

    /// Lets time pass in steps, with the tasks' work done after each.
    func advance(by duration: Duration, inStepsOf step: Duration) async {
        var left = duration
        while left > .zero {
            let part = min(left, step)
            advance(by: part)
            await settle(rounds: 20)
            left = Duration(nanoseconds: left.nanoseconds - part.nanoseconds)
        }
    }
}

/// A call in a task of its own, beside the test that runs the loop.
final class Started<Value: Sendable>: Sendable {
    private let task: Task<Value, any Error>
    private let loop: ManualLoop
    private let flag: Flag

    private final class Flag: Sendable {
        private let state = Mutex(false)
        var isRaised: Bool { state.withLock { $0 } }
        func raise() { state.withLock { $0 = true } }
    }

    init(on loop: ManualLoop, _ body: @escaping @Sendable () async throws -> Value) {
        self.loop = loop
        let flag = Flag()
        self.flag = flag
        task = Task {
            defer { flag.raise() }
            return try await body()
        }
    }

    /// Whether the call has ended.
    var isDone: Bool { flag.isRaised }

    /// Cancels the call's task.
    func cancel() { task.cancel() }

    /// The call's result, once the loop has brought it about.
    func value(_ what: String = "the call ends") async throws -> Value {
        try await loop.run(until: what) { isDone }
        return try await task.value
    }

    /// The error with which the call ends.
    func error(_ what: String = "the call ends") async throws -> any Error {
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

extension ScriptedGateway {
    /// Runs a call to its end. No time passes.
    func finish<Value: Sendable>(
        _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        try await Started(on: clock, body).value()
    }

    /// A client of this gateway that has not connected. It logs nothing unless a log is given.
    func client(
        orderNumbers: any OrderNumberStore = VolatileOrderNumbers(), log: RecordedLog? = nil,
        _ set: (inout ClientSettings) -> Void = { _ in }
    ) -> GatewayClient {
        var settings = ClientSettings(clientID: 7)
        set(&settings)
        var handler: any LogHandler = SwiftLogNoOpLogHandler()
        if let log { handler = log }
        let logger = Logger(label: "test") { [handler] _ in handler }
        return GatewayClient(
            settings: settings, connector: self, orderNumbers: orderNumbers, logger: logger)
    }

    /// A client of this gateway whose session has begun.
    func connectedClient(
        orderNumbers: any OrderNumberStore = VolatileOrderNumbers(),
        _ set: (inout ClientSettings) -> Void = { _ in }
    ) async throws -> GatewayClient {
        let client = client(orderNumbers: orderNumbers, set)
        try await finish { try await client.connect() }
        return client
    }

    /// A client that may place orders, and whose session is synchronised.
    func readyClient(
        orderNumbers: any OrderNumberStore = VolatileOrderNumbers(),
        _ set: (inout ClientSettings) -> Void = { _ in }
    ) async throws -> GatewayClient {
        let client = try await connectedClient(orderNumbers: orderNumbers) {
            $0.session.placesOrders = true
            set(&$0)
        }
        try await finish { try await client.ready() }
        return client
    }
}
