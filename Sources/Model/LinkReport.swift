/// What the link to the broker allows.
public enum BrokerLinkState: UInt8, CaseIterable, Hashable, Sendable, BitwiseCopyable {
    /// There is no connection.
    case down
    /// The connection is being opened; nothing may be sent.
    case handshake
    /// The connection stands; accounts, ids, orders, executions and positions are being listed.
    case sync
    /// Everything was listed: orders may leave.
    case ready
    /// The gateway has lost the broker: nothing may be sent.
    case upstreamLost
    /// A data service is down or silent: only reducing orders and cancels may leave.
    case dataDegraded
    /// A known restart is near: only reducing orders and cancels may leave.
    case drain
    /// Trading was killed; the user has to arm it again.
    case locked
}

/// A change of the link to the broker.
public struct LinkReport: Hashable, Sendable, BitwiseCopyable {
    /// What holds from now on.
    public let state: BrokerLinkState
    /// In which connection; the one before while there is none.
    public let epoch: ConnectionEpoch
    /// The data service that it is about, if it is about one.
    public var farm: NameID? { farmName == .none ? nil : farmName }
    /// The next number under which the gateway takes an order, if the gateway has sent it.
    public var nextID: BrokerOrderID? {
        nextNumber == 0 ? nil : BrokerOrderID(number: nextNumber)
    }

    private let farmName: NameID
    private let nextNumber: Int32

    /// A change of the link.
    public init(
        _ state: BrokerLinkState, epoch: ConnectionEpoch, farm: NameID? = nil,
        nextID: BrokerOrderID? = nil
    ) {
        self.state = state
        self.epoch = epoch
        farmName = farm ?? .none
        nextNumber = nextID?.number ?? 0
    }
}
