package import Primitives
import TWSProtocol

/// A gateway without sockets and clocks: bytes and instants go in, bytes come out. The same instants and
/// bytes give the same bytes, in any process.
///
/// Its owner tells it the time with `advance(to:)` before anything else that happens then, and takes
/// `takeOutputs()` after each call.
package final class Gateway {
    /// What it is.
    package let settings: GatewaySettings
    /// Its session clock.
    package internal(set) var now: Timestamp

    /// The connections, by number.
    var connections: [ConnectionID: ClientConnection] = [:]
    /// What clients are to be told.
    var answers = Answers()
    /// What the owner is to do.
    var outputs: [GatewayOutput] = []

    /// A gateway nobody is connected to.
    package init(settings: GatewaySettings) {
        self.settings = settings
        now = settings.start
    }

    /// Lets time pass; earlier instants than the last one change nothing.
    package func advance(to instant: Timestamp) {
        guard instant > now else { return }
        now = instant
        flush()
    }

    /// What is to be done since the last time, in order.
    package func takeOutputs() -> [GatewayOutput] {
        defer { outputs.removeAll(keepingCapacity: true) }
        return outputs
    }

    /// The clients whose sessions have begun, oldest connection first.
    var clients: [Client] {
        connections.keys.sorted().compactMap { client(of: $0) }
    }

    /// The client of a connection, once its session has begun.
    func client(of connection: ConnectionID) -> Client? {
        guard let known = connections[connection], let id = known.client,
            let version = known.session.version
        else { return nil }
        return Client(connection: connection, id: id, version: version)
    }
}
