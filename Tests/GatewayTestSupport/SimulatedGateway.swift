import ClientTestSupport
package import GatewaySimulator
package import Primitives
package import Runtime
import TWSClient
import TWSProtocol

extension SimulatedGateway: MemoryGateway {
    /// 2024-03-05, a Tuesday, 10:00 in New York.
    package static let tuesday = Timestamp(seconds: 1_709_650_800)

    /// A gateway that nobody is connected to, in the middle of a session.
    package convenience init(
        version: Int = ServerVersion.newest.number,
        _ set: (inout SimulatedGatewaySettings) -> Void = { _ in }
    ) {
        self.init(version: version, at: Self.tuesday, set)
    }

    /// Lets time pass while tasks run, until `condition` holds.
    ///
    /// - Parameter limit: how much time may pass.
    /// - Throws: `Missing` when it does not come to hold.
    package func wait(
        _ what: String, limit: Duration = .minutes(1), until condition: () -> Bool
    ) async throws {
        let end = clock.now + limit
        while clock.now < end {
            await clock.settle(rounds: 20)
            if condition() { return }
            clock.advance(by: Gateway.step)
        }
        try await clock.run(until: what, condition)
    }

    /// Lets time pass while tasks run.
    package func pass(_ time: Duration) async {
        await clock.advance(by: time, inStepsOf: Gateway.step)
    }

    /// Runs a call to its end; as much time passes as it needs.
    package func finishInTime<Value: Sendable>(
        _ what: String = "the answer", limit: Duration = .minutes(2),
        _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let call = Started(on: clock, body)
        try await wait(what, limit: limit) { call.isDone }
        return try await call.value(what)
    }
}
