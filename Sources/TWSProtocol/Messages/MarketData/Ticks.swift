/// A size of a market data subscription.
public struct WireTickSize: FieldRecord {
    /// The subscription.
    public var reqId: RequestID = 0
    /// Which size.
    public var tickType = TickType.bidSize
    /// The size; `nil` where the gateway sent none.
    public var size: DecimalValue?

    /// Nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.constant("6")
        coder.id("reqId", &reqId)
        coder.code("tickType", &tickType)
        coder.decimal("size", &size, .empty)
    }
}

/// A number of a market data subscription.
public struct TickGeneric: FieldRecord {
    /// The subscription.
    public var reqId: RequestID = 0
    /// Which number.
    public var tickType = TickType.halted
    /// The number; `nil` where the gateway sent none.
    public var value: DecimalValue?

    /// Nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.constant("6")
        coder.id("reqId", &reqId)
        coder.code("tickType", &tickType)
        coder.double("value", &value, .empty)
    }
}

/// A text of a market data subscription.
public struct TickString: FieldRecord {
    /// The subscription.
    public var reqId: RequestID = 0
    /// Which text.
    public var tickType = TickType.lastTimestamp
    /// The text.
    public var value = ""

    /// Nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.constant("6")
        coder.id("reqId", &reqId)
        coder.code("tickType", &tickType)
        coder.escapedText("value", &value)
    }
}

/// An exchange of a future for its stock: what financing by it costs.
public struct TickEFP: FieldRecord {
    /// The subscription.
    public var reqId: RequestID = 0
    /// Which price.
    public var tickType = TickType.bidEFPComputation
    /// Annual rate in basis points.
    public var basisPoints: DecimalValue?
    /// The rate as text, with a percent sign.
    public var formattedBasisPoints = ""
    /// The future's price without dividends.
    public var totalDividends: DecimalValue?
    /// Days until the future's last trading day.
    public var holdDays: Int32?
    /// The future's last trading day.
    public var futureLastTradeDate = ""
    /// What dividends add to the rate.
    public var dividendImpact: DecimalValue?
    /// Dividends expected until then.
    public var dividendsToLastTradeDate: DecimalValue?

    /// Nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.constant("1")
        coder.id("reqId", &reqId)
        coder.code("tickType", &tickType)
        coder.double("basisPoints", &basisPoints, .empty)
        coder.escapedText("formattedBasisPoints", &formattedBasisPoints)
        coder.double("totalDividends", &totalDividends, .empty)
        coder.integer("holdDays", &holdDays, .empty)
        coder.escapedText("futureLastTradeDate", &futureLastTradeDate)
        coder.double("dividendImpact", &dividendImpact, .empty)
        coder.double("dividendsToLastTradeDate", &dividendsToLastTradeDate, .empty)
    }
}

/// A snapshot is complete.
public struct TickSnapshotEnd: FieldRecord {
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

/// How fresh the data of a subscription are from now on.
public struct MarketDataType: FieldRecord {
    /// The subscription.
    public var reqId: RequestID = 0
    /// How fresh.
    public var marketDataType = MarketDataMode.live

    /// Nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.constant("1")
        coder.id("reqId", &reqId)
        coder.code("marketDataType", &marketDataType)
    }
}

/// What belongs to a market data subscription.
public struct TickReqParams: FieldRecord {
    /// The subscription.
    public var reqId: RequestID = 0
    /// The smallest step of the price.
    public var minTick: DecimalValue?
    /// The code by which `reqSmartComponents` names the exchanges behind the quote.
    public var bboExchange = ""
    /// Snapshots this login may take: 1 none, 2 regulatory ones, 3 any.
    public var snapshotPermissions: Int32?

    /// Nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.id("reqId", &reqId)
        coder.double("minTick", &minTick, .empty)
        coder.text("bboExchange", &bboExchange)
        coder.integer("snapshotPermissions", &snapshotPermissions, .empty)
    }
}
