/// Subscribes to bars of five seconds.
public struct ReqRealTimeBars: FieldRecord {
    /// The subscription.
    public var reqId: RequestID = 0
    /// The instrument.
    public var contract = Contract()
    /// A bar's length in seconds; gateways know 5 only.
    public var barSize: Int32 = 5
    /// What the bars are made of.
    public var whatToShow = WhatToShow.trades
    /// Regular trading hours only.
    public var useRTH = false
    /// Options for the broker's own use.
    public var realTimeBarsOptions: [TagValue] = []

    /// Nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.constant("3")
        coder.id("reqId", &reqId)
        contract.fields(&coder)
        coder.integer("barSize", &barSize, or: 5)
        coder.word("whatToShow", &whatToShow)
        coder.flag("useRTH", &useRTH)
        coder.tagText("realTimeBarsOptions", &realTimeBarsOptions)
    }
}

/// Ends a subscription to five-second bars.
public struct CancelRealTimeBars: FieldRecord {
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

/// A bar of five seconds.
public struct RealTimeBar: FieldRecord {
    /// The subscription.
    public var reqId: RequestID = 0
    /// The bar's start in seconds since 1970 UTC; a multiple of 5.
    public var time: Int64 = 0
    /// First price.
    public var open = DecimalValue.zero
    /// Highest price.
    public var high = DecimalValue.zero
    /// Lowest price.
    public var low = DecimalValue.zero
    /// Last price.
    public var close = DecimalValue.zero
    /// Units traded; -1 where the bar is not made of trades.
    public var volume: DecimalValue?
    /// Average price, weighted by volume; -1 where the bar is not made of trades.
    public var wap: DecimalValue?
    /// Trades; -1 where the bar is not made of trades.
    public var count: Int32?

    /// Nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.constant("3")
        coder.id("reqId", &reqId)
        coder.integer("time", &time)
        coder.double("open", &open)
        coder.double("high", &high)
        coder.double("low", &low)
        coder.double("close", &close)
        coder.decimal("volume", &volume, .empty)
        coder.decimal("wap", &wap, .empty)
        coder.integer("count", &count, .empty)
    }
}
