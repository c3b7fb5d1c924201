package import TWSProtocol

/// A client's connection as the gateway knows it.
struct ClientConnection: Sendable {
    /// Its bytes and its stage.
    var session: GatewaySession
    /// Its number, once it has begun its session.
    var client: ClientID?
    /// Whether a session was begun and not ended: only then is anything sent to it.
    var isBegun: Bool { client != nil }
}

/// A client whose session has begun, as the modules that answer it see it.
package struct Client: Hashable, Sendable {
    /// Its connection: where answers go.
    package let connection: ConnectionID
    /// Under which number it is connected: whose orders it may touch.
    package let id: ClientID
    /// What its connection speaks.
    package let version: ServerVersion

    /// A client.
    package init(connection: ConnectionID, id: ClientID, version: ServerVersion) {
        self.connection = connection
        self.id = id
        self.version = version
    }
}
