/// How far a gateway connection can be relied on. What comes in is always taken up; the state only
/// decides what may go out.
public enum LinkState: Hashable, Sendable {
    /// No connection.
    case down
    /// Connected; versions are being agreed and the session begun.
    case handshake
    /// The session has begun; what the gateway knows is being read.
    case sync
    /// Everything may leave.
    case ready
    /// The gateway has lost the broker. Nothing may leave.
    case upstreamLost
    /// A farm or a subscription is not delivering: data may be missing, orders are safe to reduce.
    case dataDegraded
    /// A restart is near: nothing is opened any more.
    case drain
    /// An owner stopped everything; only an owner goes on.
    case locked

    /// Orders that open or add may leave.
    public var mayOpen: Bool { self == .ready }
    /// Orders that only reduce may leave.
    public var mayReduce: Bool { self == .ready || self == .dataDegraded || self == .drain }
    /// Cancels may leave.
    public var mayCancel: Bool { mayReduce }
}

extension LinkState: CustomStringConvertible {
    /// The name used in logs, pages and documents.
    public var description: String {
        switch self {
        case .down: "DOWN"
        case .handshake: "HANDSHAKE"
        case .sync: "SYNC"
        case .ready: "READY"
        case .upstreamLost: "UPSTREAM_LOST"
        case .dataDegraded: "DATA_DEGRADED"
        case .drain: "DRAIN"
        case .locked: "LOCKED"
        }
    }
}

/// The six answers that must be complete in one connection before an order may leave.
public enum SyncAnswer: Int, CaseIterable, Hashable, Sendable {
    /// The accounts of the login.
    case managedAccounts
    /// The lowest order number that may be used.
    case nextValidID
    /// Every open order.
    case openOrders
    /// Every order that ended today.
    case completedOrders
    /// Every fill of today.
    case executions
    /// Every position.
    case positions
}

extension SyncAnswer: CustomStringConvertible {
    /// Plain name, for "waiting for ...".
    public var description: String {
        switch self {
        case .managedAccounts: "managed accounts"
        case .nextValidID: "next valid order id"
        case .openOrders: "open orders"
        case .completedOrders: "completed orders"
        case .executions: "executions"
        case .positions: "positions"
        }
    }
}

/// What a gateway's code says about its own connections.
public enum ConnectivityChange: Hashable, Sendable {
    /// The gateway has no connection to the broker (1100, 2110).
    case upstreamLost
    /// It has one again (1101: subscriptions are gone; 1102: they continue).
    case upstreamRestored(dataLost: Bool)
    /// A farm stopped delivering (2103, 2105, 2157).
    case farmBroken(String)
    /// A farm delivers (2104, 2106, 2158).
    case farmRestored(String)
    /// Data stop while the login is used elsewhere (10197).
    case competingSession
}
