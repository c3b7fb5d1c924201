/// Asks for the tick sizes of a market rule.
public struct ReqMarketRule: FieldRecord {
    /// The rule, as a contract's details name it.
    public var marketRuleId: Int32 = 0

    /// Nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.integer("marketRuleId", &marketRuleId)
    }
}

/// A tick size and from which price on it applies.
public struct PriceIncrement: FieldRecord {
    /// The lowest price it applies to.
    public var lowEdge = DecimalValue.zero
    /// The step of the price.
    public var increment = DecimalValue.zero

    /// Nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.double("lowEdge", &lowEdge)
        coder.double("increment", &increment)
    }
}

/// Tick sizes by price.
public struct MarketRule: FieldRecord {
    /// The rule.
    public var marketRuleId: Int32 = 0
    /// Tick sizes, lowest prices first.
    public var priceIncrements: [PriceIncrement] = []

    /// Nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.integer("marketRuleId", &marketRuleId)
        coder.list("priceIncrements", &priceIncrements)
    }
}
