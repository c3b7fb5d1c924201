/// Subscribes to an instrument's ticks, or asks for one set of them.
public struct ReqMktData: FieldRecord {
    /// The subscription.
    public var reqId: RequestID = 0
    /// The instrument.
    public var contract = Contract()
    /// The legs; they travel only when the instrument is a combination.
    public var comboLegs: [ComboLeg] = []
    /// The stock side of a delta-neutral combination.
    public var deltaNeutralContract: DeltaNeutralContract?
    /// Numbers of further ticks, joined by commas; `mdoff` switches the usual ones off.
    public var genericTickList = ""
    /// One set of ticks, then `tickSnapshotEnd` (after 11 s at most), instead of a subscription.
    /// Must not be asked for together with `genericTickList` (error 414).
    public var snapshot = false
    /// One set of ticks of all exchanges, charged per request.
    public var regulatorySnapshot = false
    /// Options for the broker's own use.
    public var mktDataOptions: [TagValue] = []

    /// Nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.constant("11")
        coder.id("reqId", &reqId)
        contract.fields(&coder)
        if contract.secType == .combo { coder.list("comboLegs", &comboLegs) }
        DeltaNeutralContract.fields(of: &deltaNeutralContract, &coder)
        coder.text("genericTickList", &genericTickList)
        coder.flag("snapshot", &snapshot)
        coder.flag("regulatorySnapshot", &regulatorySnapshot)
        coder.tagText("mktDataOptions", &mktDataOptions)
    }
}

/// Ends a market data subscription.
public struct CancelMktData: FieldRecord {
    /// The subscription.
    public var reqId: RequestID = 0

    /// Nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.constant("2")
        coder.id("reqId", &reqId)
    }
}

/// Chooses what subscriptions made from now on may be served with.
public struct ReqMarketDataType: FieldRecord {
    /// How fresh the data have to be.
    public var marketDataType = MarketDataMode.live

    /// Nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.constant("1")
        coder.code("marketDataType", &marketDataType)
    }
}

/// Subscribes to every trade, quote or midpoint.
public struct ReqTickByTickData: FieldRecord {
    /// The subscription.
    public var reqId: RequestID = 0
    /// The instrument.
    public var contract = Contract()
    /// What to publish.
    public var tickType = TickByTickKind.last
    /// Ticks of the past to send first; 0 for none.
    public var numberOfTicks: Int32 = 0
    /// Leave out quotes in which only a size changed.
    public var ignoreSize = false

    /// Nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.id("reqId", &reqId)
        contract.fields(&coder)
        coder.word("tickType", &tickType)
        coder.integer("numberOfTicks", &numberOfTicks, or: 0)
        coder.flag("ignoreSize", &ignoreSize)
    }
}

/// Ends a tick-by-tick subscription.
public struct CancelTickByTickData: FieldRecord {
    /// The subscription.
    public var reqId: RequestID = 0

    /// Nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.id("reqId", &reqId)
    }
}
