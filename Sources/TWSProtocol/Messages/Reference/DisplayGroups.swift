/// Asks for the groups of windows that share a contract.
public struct QueryDisplayGroups: FieldRecord {
    /// The request.
    public var reqId: RequestID = 0

    /// Nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.constant("1")
        coder.id("reqId", &reqId)
    }
}

/// Subscribes to a group's contract.
public struct SubscribeToGroupEvents: FieldRecord {
    /// The subscription.
    public var reqId: RequestID = 0
    /// The group.
    public var groupId: Int32 = 0

    /// Nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.constant("1")
        coder.id("reqId", &reqId)
        coder.integer("groupId", &groupId)
    }
}

/// Changes a group's contract.
public struct UpdateDisplayGroup: FieldRecord {
    /// The subscription to the group.
    public var reqId: RequestID = 0
    /// The contract: `conId@exchange`, `none` or `combo`.
    public var contractInfo = ""

    /// Nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.constant("1")
        coder.id("reqId", &reqId)
        coder.text("contractInfo", &contractInfo)
    }
}

/// Ends the subscription to a group.
public struct UnsubscribeFromGroupEvents: FieldRecord {
    /// The subscription.
    public var reqId: RequestID = 0

    /// Nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.constant("1")
        coder.id("reqId", &reqId)
    }
}

/// The groups of windows that share a contract.
public struct DisplayGroupList: FieldRecord {
    /// The request.
    public var reqId: RequestID = 0
    /// Their numbers, joined by vertical bars, the most used first.
    public var groups = ""

    /// Nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.constant("1")
        coder.id("reqId", &reqId)
        coder.escapedText("groups", &groups)
    }
}

/// A group's contract changed.
public struct DisplayGroupUpdated: FieldRecord {
    /// The subscription.
    public var reqId: RequestID = 0
    /// The contract: `conId@exchange`, `none` or `combo`.
    public var contractInfo = ""

    /// Nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.constant("1")
        coder.id("reqId", &reqId)
        coder.escapedText("contractInfo", &contractInfo)
    }
}
