public import Primitives

/// What a session reports to its owner, in the order it happened.
public enum SessionEvent: Hashable, Sendable {
    /// A connection was made; versions are agreed.
    case agreed(ClientHandshake.Agreement, epoch: Int)
    /// A message, in wire order.
    ///
    /// - Parameter leftover: fields behind the last one known.
    case message(GatewayMessage, leftover: Int)
    /// One message could not be read and is lost; the connection goes on.
    case rejected(DecodingFailure)
    /// The link's state changed.
    case link(LinkState, cause: LinkCause)
    /// Subscriptions are to be made anew.
    case resubscribe(Subscriptions)
    /// The session asks for these lists, for the first time or once more: what came of each before counts no longer.
    case asked([SyncAnswer])
    /// A list that the session has asked for came to its end.
    case answered(SyncAnswer)
    /// An answer is missing after all retries; the link stays where it is.
    case syncStalled(missing: [SyncAnswer])
    /// The silence changed its meaning.
    case silence(Watchdog.Health)
    /// Messages that were taken for sending and never leave: the link was lost before.
    case unsent([Outgoing])
    /// The connection ended, and when the next attempt begins.
    case disconnected(SessionFault, nextAttemptIn: Duration?)

    /// Which subscriptions the gateway has forgotten.
    public enum Subscriptions: Hashable, Sendable {
        /// The connection is new and has none.
        case ofNewConnection
        /// All of this connection.
        case all
        /// Those of a farm that was broken, where they stay silent.
        case ofFarm(String)
    }
}

/// Why the link's state changed.
public enum LinkCause: Hashable, Sendable {
    /// A step of the connection.
    case connection
    /// A code of the gateway.
    case code(Int)
    /// An answer came to its end.
    case answer(SyncAnswer)
    /// The connection ended.
    case fault(SessionFault)
    /// The owner.
    case owner
}

/// What one input to a session caused. The owner of the connection carries it out in this order:
/// events, then bytes, then the connection, then the clock.
public struct SessionOutcome: Sendable {
    /// What happened.
    public var events: [SessionEvent] = []
    /// Bytes to write.
    public var bytes: [UInt8] = []
    /// What to do with the connection.
    public var connection = Connection.keep
    /// When to call `timeReached` at the latest; `nil` when there is nothing to wait for.
    public var wake: Timestamp?

    /// What to do with the connection.
    public enum Connection: Hashable, Sendable {
        /// Nothing.
        case keep
        /// Open one, then call `opened` or `closed`.
        case open
        /// Close it; no call of `closed` follows.
        case close
    }

    /// Nothing caused.
    public init() {}

    /// Empties it, keeping its memory.
    public mutating func clear() {
        events.removeAll(keepingCapacity: true)
        bytes.removeAll(keepingCapacity: true)
        connection = .keep
        wake = nil
    }
}
