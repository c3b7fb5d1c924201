/// Subscribes to an account's values and positions, or ends that. One account at a time.
public struct ReqAccountUpdates: FieldRecord {
    /// Begin; else end.
    public var subscribe = false
    /// The account; empty where there is one only.
    public var acctCode = AccountID.none

    /// Nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.constant("2")
        coder.flag("subscribe", &subscribe)
        coder.account("acctCode", &acctCode)
    }
}

/// Subscribes to a summary of accounts. Two at a time.
public struct ReqAccountSummary: FieldRecord {
    /// The request, chosen by the client.
    public var reqId: RequestID = 0
    /// `All`, or an advisor's group.
    public var group = ""
    /// Which values, joined by commas. `$LEDGER`, `$LEDGER:USD` and `$LEDGER:ALL` give cash by currency.
    public var tags = ""

    /// Nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.constant("1")
        coder.id("reqId", &reqId)
        coder.text("group", &group)
        coder.text("tags", &tags)
    }
}

/// Ends a summary subscription.
public struct CancelAccountSummary: FieldRecord {
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

/// Subscribes to the positions of all accounts.
public struct ReqPositions: FieldRecord {
    /// Nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.constant("1")
    }
}

/// Ends the positions subscription.
public struct CancelPositions: FieldRecord {
    /// Nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.constant("1")
    }
}

/// Subscribes to positions by account and model.
public struct ReqPositionsMulti: FieldRecord {
    /// The request, chosen by the client.
    public var reqId: RequestID = 0
    /// The account.
    public var account = AccountID.none
    /// The model, where an advisor uses models; else empty.
    public var modelCode = ""

    /// Nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.constant("1")
        coder.id("reqId", &reqId)
        coder.account("account", &account)
        coder.text("modelCode", &modelCode)
    }
}

/// Ends a subscription to positions by account and model.
public struct CancelPositionsMulti: FieldRecord {
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

/// Subscribes to account values by account and model.
public struct ReqAccountUpdatesMulti: FieldRecord {
    /// The request, chosen by the client.
    public var reqId: RequestID = 0
    /// The account.
    public var account = AccountID.none
    /// The model, where an advisor uses models; else empty.
    public var modelCode = ""
    /// Only cash by currency and the net liquidation value.
    public var ledgerAndNLV = false

    /// Nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.constant("1")
        coder.id("reqId", &reqId)
        coder.account("account", &account)
        coder.text("modelCode", &modelCode)
        coder.flag("ledgerAndNLV", &ledgerAndNLV)
    }
}

/// Ends a subscription to account values by account and model.
public struct CancelAccountUpdatesMulti: FieldRecord {
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

/// Subscribes to an account's profit and loss.
public struct ReqPnL: FieldRecord {
    /// The request, chosen by the client.
    public var reqId: RequestID = 0
    /// The account.
    public var account = AccountID.none
    /// The model, where an advisor uses models; else empty.
    public var modelCode = ""

    /// Nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.id("reqId", &reqId)
        coder.account("account", &account)
        coder.text("modelCode", &modelCode)
    }
}

/// Ends a subscription to an account's profit and loss.
public struct CancelPnL: FieldRecord {
    /// The subscription.
    public var reqId: RequestID = 0

    /// Nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.id("reqId", &reqId)
    }
}

/// Subscribes to a position's profit and loss.
public struct ReqPnLSingle: FieldRecord {
    /// The request, chosen by the client.
    public var reqId: RequestID = 0
    /// The account.
    public var account = AccountID.none
    /// The model, where an advisor uses models; else empty.
    public var modelCode = ""
    /// The instrument.
    public var conId: ContractID = 0

    /// Nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.id("reqId", &reqId)
        coder.account("account", &account)
        coder.text("modelCode", &modelCode)
        coder.id("conId", &conId)
    }
}

/// Ends a subscription to a position's profit and loss.
public struct CancelPnLSingle: FieldRecord {
    /// The subscription.
    public var reqId: RequestID = 0

    /// Nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.id("reqId", &reqId)
    }
}
