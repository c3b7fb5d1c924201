import Logging
import Primitives
package import TWSClient
import TWSProtocol

/// A gateway in memory, at the other end of the connections that a client opens on a loop that a test
/// runs.
package protocol MemoryGateway: PipeConnector {
    /// The loop.
    var clock: ManualLoop { get }
}

extension MemoryGateway {
    /// The loop.
    package var loop: any SessionLoop { clock }

    /// Runs a call to its end. No time passes.
    package func finish<Value: Sendable>(
        _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        try await Started(on: clock, body).value()
    }

    /// A client of this gateway that has not connected. It logs nothing unless a log is given.
    package func client(
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
    package func connectedClient(
        orderNumbers: any OrderNumberStore = VolatileOrderNumbers(), log: RecordedLog? = nil,
        _ set: (inout ClientSettings) -> Void = { _ in }
    ) async throws -> GatewayClient {
        let client = client(orderNumbers: orderNumbers, log: log, set)
        try await finish { try await client.connect() }
        return client
    }

    /// A client that may place orders, and whose session is synchronised.
    package func readyClient(
        orderNumbers: any OrderNumberStore = VolatileOrderNumbers(), log: RecordedLog? = nil,
        _ set: (inout ClientSettings) -> Void = { _ in }
    ) async throws -> GatewayClient {
        let client = try await connectedClient(orderNumbers: orderNumbers, log: log) {
            $0.session.placesOrders = true
            set(&$0)
        }
        try await finish { try await client.ready() }
        return client
    }
}
