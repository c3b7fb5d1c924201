/// Subscribes to an order book.
public struct ReqMktDepth: FieldRecord {
    /// The subscription.
    public var reqId: RequestID = 0
    /// The instrument.
    public var contract = Contract()
    /// Rows of each side.
    public var numRows: Int32 = 0
    /// Gather the order books of all exchanges.
    public var isSmartDepth = false
    /// Options for the broker's own use.
    public var mktDepthOptions: [TagValue] = []

    /// Nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.constant("5")
        coder.id("reqId", &reqId)
        contract.fields(&coder)
        coder.integer("numRows", &numRows, or: 0)
        coder.flag("isSmartDepth", &isSmartDepth)
        coder.tagText("mktDepthOptions", &mktDepthOptions)
    }
}

/// Ends an order book subscription.
public struct CancelMktDepth: FieldRecord {
    /// The subscription.
    public var reqId: RequestID = 0
    /// As the subscription was asked for.
    public var isSmartDepth = false

    /// Nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.constant("1")
        coder.id("reqId", &reqId)
        coder.flag("isSmartDepth", &isSmartDepth)
    }
}

/// A change of an order book.
public struct MarketDepth: FieldRecord {
    /// The subscription.
    public var reqId: RequestID = 0
    /// The row, counted from 0.
    public var position: Int32 = 0
    /// What happens to it.
    public var operation = DepthOperation.insert
    /// Which side.
    public var side = DepthSide.ask
    /// The row's price.
    public var price: DecimalValue?
    /// The row's size.
    public var size: DecimalValue?

    /// Nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.constant("1")
        coder.id("reqId", &reqId)
        coder.integer("position", &position)
        coder.code("operation", &operation)
        coder.code("side", &side)
        coder.double("price", &price, .empty)
        coder.decimal("size", &size, .empty)
    }
}

/// A change of an order book that names market makers or exchanges.
public struct MarketDepthL2: FieldRecord {
    /// The subscription.
    public var reqId: RequestID = 0
    /// The row, counted from 0.
    public var position: Int32 = 0
    /// Whose row it is; an exchange where `isSmartDepth` is true.
    public var marketMaker = ""
    /// What happens to it.
    public var operation = DepthOperation.insert
    /// Which side.
    public var side = DepthSide.ask
    /// The row's price.
    public var price: DecimalValue?
    /// The row's size.
    public var size: DecimalValue?
    /// The book gathers all exchanges.
    public var isSmartDepth = false

    /// Nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.constant("1")
        coder.id("reqId", &reqId)
        coder.integer("position", &position)
        coder.text("marketMaker", &marketMaker)
        coder.code("operation", &operation)
        coder.code("side", &side)
        coder.double("price", &price, .empty)
        coder.decimal("size", &size, .empty)
        coder.flag("isSmartDepth", &isSmartDepth)
    }
}

/// Asks for the exchanges that have order books.
public struct ReqMktDepthExchanges: FieldRecord {
    /// Nothing set.
    public init() {}

    /// None.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {}
}

/// An exchange that has order books of a kind of instrument.
public struct DepthExchange: FieldRecord {
    /// The exchange.
    public var exchange = ""
    /// The kind of instrument.
    public var secType = SecurityType.none
    /// The exchange of listing.
    public var listingExch = ""
    /// `Deep` for rows of prices, `Deep2` for rows of market makers.
    public var serviceDataType = ""
    /// A number shared by exchanges whose order books are gathered.
    public var aggGroup: Int32?

    /// Nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.text("exchange", &exchange)
        coder.word("secType", &secType)
        coder.text("listingExch", &listingExch)
        coder.text("serviceDataType", &serviceDataType)
        coder.integer("aggGroup", &aggGroup, .sentinel)
    }
}

/// The exchanges that have order books.
public struct MktDepthExchanges: FieldRecord {
    /// The exchanges.
    public var depthMktDataDescriptions: [DepthExchange] = []

    /// Nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.list("depthMktDataDescriptions", &depthMktDataDescriptions)
    }
}

/// A contract for difference has no market data of its own: ask for those of another instrument.
public struct RerouteMktDataReq: FieldRecord {
    /// The refused subscription.
    public var reqId: RequestID = 0
    /// The instrument to subscribe to instead.
    public var conId: ContractID = 0
    /// Where it trades.
    public var exchange = ""

    /// Nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.id("reqId", &reqId)
        coder.id("conId", &conId, or: 0)
        coder.text("exchange", &exchange)
    }
}

/// A contract for difference has no order book of its own: ask for that of another instrument.
public struct RerouteMktDepthReq: FieldRecord {
    /// The refused subscription.
    public var reqId: RequestID = 0
    /// The instrument to subscribe to instead.
    public var conId: ContractID = 0
    /// Where it trades.
    public var exchange = ""

    /// Nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.id("reqId", &reqId)
        coder.id("conId", &conId, or: 0)
        coder.text("exchange", &exchange)
    }
}
