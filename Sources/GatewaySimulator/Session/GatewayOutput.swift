/// One connection of a client, from its accepting to its end. Numbers are never used again.
package struct ConnectionID: Hashable, Comparable, Sendable {
    /// The number, in the order of accepting.
    package let number: Int

    /// The connection with this number.
    package init(number: Int) { self.number = number }

    /// Older connections first.
    package static func < (left: ConnectionID, right: ConnectionID) -> Bool {
        left.number < right.number
    }
}

/// What whoever owns the sockets is to do, in this order.
package enum GatewayOutput: Hashable, Sendable {
    /// Send bytes.
    case send(ConnectionID, [UInt8])
    /// Close a connection once what was sent before is out.
    case close(ConnectionID)
    /// Break a connection at once, as a crash does: the other end sees a reset.
    case reset(ConnectionID)
    /// Accept no more connections: the port is closed.
    case stopListening
    /// Accept connections again.
    case listen
}
