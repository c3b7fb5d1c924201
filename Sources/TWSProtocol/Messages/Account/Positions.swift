/// A position with its value, from an account subscription. Without `contract.exchange`.
public struct PortfolioValue: FieldRecord {
    /// What is held.
    public var contract = Contract()
    /// How much; negative when short, 0 when it was closed.
    public var position = DecimalValue.zero
    /// The price it is valued at.
    public var marketPrice: DecimalValue?
    /// Position times price times multiplier.
    public var marketValue: DecimalValue?
    /// The average price paid, fees included, times the multiplier.
    public var averageCost: DecimalValue?
    /// Profit or loss if it were closed at `marketPrice`.
    public var unrealizedPNL: DecimalValue?
    /// Profit or loss of what was closed today.
    public var realizedPNL: DecimalValue?
    /// The account.
    public var accountName = AccountID.none

    /// Nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.constant("8")
        contract.fieldsWithoutExchange(&coder)
        coder.decimal("position", &position)
        coder.double("marketPrice", &marketPrice, .sentinel)
        coder.double("marketValue", &marketValue, .sentinel)
        coder.double("averageCost", &averageCost, .sentinel)
        coder.double("unrealizedPNL", &unrealizedPNL, .sentinel)
        coder.double("realizedPNL", &realizedPNL, .sentinel)
        coder.account("accountName", &accountName)
    }
}

/// A position. Without `contract.primaryExchange`; `contract.exchange` names the listing exchange.
public struct Position: FieldRecord {
    /// The account.
    public var account = AccountID.none
    /// What is held.
    public var contract = Contract()
    /// How much; negative when short, 0 when it was closed.
    public var position = DecimalValue.zero
    /// The average price paid, fees included, times the multiplier; `nil` before message version 3, which
    /// does not hold it.
    public var avgCost: DecimalValue?

    /// Nothing set.
    public init() {}

    /// The fields in wire order. Message version 1 has neither trading class nor average cost, version 2
    /// has no average cost.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        let messageVersion = coder.messageVersion(newest: 3)
        coder.account("account", &account)
        if messageVersion >= 2 {
            contract.fieldsWithoutPrimaryExchange(&coder)
        } else {
            contract.fieldsWithoutTradingClass(&coder)
        }
        coder.decimal("position", &position)
        if messageVersion >= 3 { coder.double("avgCost", &avgCost, .sentinel) }
    }
}

/// The last position of the first set was sent.
public struct PositionEnd: FieldRecord {
    /// Nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.constant("1")
    }
}

/// A position by account and model. Without `contract.primaryExchange`.
public struct PositionMulti: FieldRecord {
    /// The subscription.
    public var reqId: RequestID = 0
    /// The account.
    public var account = AccountID.none
    /// What is held.
    public var contract = Contract()
    /// How much; negative when short, 0 when it was closed.
    public var position = DecimalValue.zero
    /// The average price paid, fees included, times the multiplier.
    public var avgCost: DecimalValue?
    /// The model, where an advisor uses models; else empty.
    public var modelCode = ""

    /// Nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.constant("1")
        coder.id("reqId", &reqId)
        coder.account("account", &account)
        contract.fieldsWithoutPrimaryExchange(&coder)
        coder.decimal("position", &position)
        coder.double("avgCost", &avgCost, .sentinel)
        coder.text("modelCode", &modelCode)
    }
}

/// The last position of the first set by account and model was sent.
public struct PositionMultiEnd: FieldRecord {
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
