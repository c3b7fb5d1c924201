/// One value of an account.
public struct WireAccountValue: FieldRecord {
    /// What the value is; `-S` and `-C` behind it stand for securities and commodities.
    public var key = ""
    /// The value: a number, a word or an account's name.
    public var value = ""
    /// The value's currency; empty where it has none, `BASE` for the sum in the base currency.
    public var currency = ""
    /// The account.
    public var accountName = AccountID.none

    /// Nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.constant("2")
        coder.text("key", &key)
        coder.escapedText("value", &value)
        coder.text("currency", &currency)
        coder.account("accountName", &accountName)
    }
}

/// When the account values were taken.
public struct AccountUpdateTime: FieldRecord {
    /// Hour and minute of the gateway's clock, `hh:mm`.
    public var timeStamp = ""

    /// Nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.constant("1")
        coder.text("timeStamp", &timeStamp)
    }
}

/// The last value and position of the first set was sent.
public struct AccountDownloadEnd: FieldRecord {
    /// The account.
    public var accountName = AccountID.none

    /// Nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.constant("1")
        coder.account("accountName", &accountName)
    }
}

/// One value of an account summary.
public struct AccountSummary: FieldRecord {
    /// The subscription.
    public var reqId: RequestID = 0
    /// The account.
    public var account = AccountID.none
    /// What the value is.
    public var tag = ""
    /// The value: a number, a word or an account's name.
    public var value = ""
    /// The value's currency; empty where it has none, `BASE` for the sum in the base currency.
    public var currency = ""

    /// Nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.constant("1")
        coder.id("reqId", &reqId)
        coder.account("account", &account)
        coder.text("tag", &tag)
        coder.escapedText("value", &value)
        coder.text("currency", &currency)
    }
}

/// The last value of the first set of a summary was sent.
public struct AccountSummaryEnd: FieldRecord {
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

/// One value by account and model.
public struct AccountUpdateMulti: FieldRecord {
    /// The subscription.
    public var reqId: RequestID = 0
    /// The account.
    public var account = AccountID.none
    /// The model, where an advisor uses models; else empty.
    public var modelCode = ""
    /// What the value is; `-S` and `-C` behind it stand for securities and commodities.
    public var key = ""
    /// The value: a number, a word or an account's name.
    public var value = ""
    /// The value's currency; empty where it has none, `BASE` for the sum in the base currency.
    public var currency = ""

    /// Nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.constant("1")
        coder.id("reqId", &reqId)
        coder.account("account", &account)
        coder.text("modelCode", &modelCode)
        coder.text("key", &key)
        coder.escapedText("value", &value)
        coder.text("currency", &currency)
    }
}

/// The last value of the first set by account and model was sent.
public struct AccountUpdateMultiEnd: FieldRecord {
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
