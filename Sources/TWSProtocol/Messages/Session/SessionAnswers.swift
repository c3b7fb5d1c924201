/// The accounts this login may use.
public struct ManagedAccounts: FieldRecord {
    /// The accounts.
    public var accountsList: [AccountID] = []

    /// Nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.constant("1")
        coder.accounts("accountsList", &accountsList)
    }
}

/// A notice, a warning, a refusal, or a change of the connection: `errorCode` shows which.
///
/// A code alone says nothing about whether an order lives.
public struct ErrorMessage: FieldRecord {
    /// The request or order it is about; `nil` when it is about neither (-1 on the wire).
    public var id: Int32?
    /// What happened, as a number.
    public var errorCode: Int32 = 0
    /// What happened, in words.
    public var errorString = ""
    /// Why an order was rejected, as JSON; empty where there is no more.
    public var advancedOrderRejectJson = ""
    /// When, in milliseconds since 1970 UTC.
    public var errorTime: Int64?

    /// Nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.until(194) { $0.constant("2") }
        var number = id ?? -1
        coder.integer("id", &number)
        id = number == -1 ? nil : number
        coder.integer("errorCode", &errorCode)
        coder.escapedText("errorString", &errorString)
        coder.since(166) { $0.escapedText("advancedOrderRejectJson", &advancedOrderRejectJson) }
        coder.since(194) { $0.integer("errorTime", &errorTime, .empty) }
    }
}

/// The gateway's clock in seconds.
public struct CurrentTime: FieldRecord {
    /// Seconds since 1970 UTC.
    public var time: Int64 = 0

    /// Nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.constant("1")
        coder.integer("time", &time)
    }
}

/// The gateway's clock in milliseconds.
public struct CurrentTimeInMillis: FieldRecord {
    /// Milliseconds since 1970 UTC.
    public var timeInMillis: Int64 = 0

    /// Nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.integer("timeInMillis", &timeInMillis)
    }
}

/// The user's white-branding id.
public struct UserInfo: FieldRecord {
    /// The request.
    public var reqId: RequestID = 0
    /// The id; empty for users of the broker itself.
    public var whiteBrandingId = ""

    /// Nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.id("reqId", &reqId)
        coder.text("whiteBrandingId", &whiteBrandingId)
    }
}
