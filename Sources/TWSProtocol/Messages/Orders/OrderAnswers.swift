/// The lowest order number that may be used. It can fall after a restart of the gateway.
public struct NextValidId: FieldRecord {
    /// The number.
    public var orderId: APIOrderID = 0

    /// With nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.constant("1")
        coder.id("orderId", &orderId)
    }
}

/// The last open order was sent.
public struct OpenOrderEnd: FieldRecord {
    /// With nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.constant("1")
    }
}

/// The last completed order was sent.
public struct CompletedOrdersEnd: FieldRecord {
    /// With nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
    }
}

/// An order entered by hand got a number at a client.
public struct OrderBound: FieldRecord {
    /// Its number in the account.
    public var permId: PermID = 0
    /// The client.
    public var clientId: ClientID = 0
    /// Its number at that client.
    public var orderId: APIOrderID = 0

    /// With nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.id("permId", &permId)
        coder.id("clientId", &clientId)
        coder.id("orderId", &orderId)
    }
}

/// The answer to a request for quote that is neutral to its delta.
public struct DeltaNeutralValidation: FieldRecord {
    /// The request.
    public var reqId: RequestID = 0
    /// The stock side.
    public var deltaNeutralContract = DeltaNeutralContract()

    /// With nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.constant("1")
        coder.id("reqId", &reqId)
        deltaNeutralContract.fields(&coder)
    }
}
