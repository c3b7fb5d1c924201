/// Asks for the exchanges behind a quote.
public struct ReqSmartComponents: FieldRecord {
    /// The request.
    public var reqId: RequestID = 0
    /// The code from `tickReqParams`.
    public var bboExchange = ""

    /// Nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.id("reqId", &reqId)
        coder.text("bboExchange", &bboExchange)
    }
}

/// An exchange behind a quote.
public struct SmartComponent: FieldRecord {
    /// Its bit in a mask of exchanges.
    public var bitNumber: Int32 = 0
    /// Its name.
    public var exchange = ""
    /// Its letter in quotes.
    public var exchangeLetter = ""

    /// Nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.integer("bitNumber", &bitNumber, or: 0)
        coder.text("exchange", &exchange)
        coder.text("exchangeLetter", &exchangeLetter)
    }
}

/// The exchanges behind a quote.
public struct SmartComponents: FieldRecord {
    /// The request.
    public var reqId: RequestID = 0
    /// The exchanges.
    public var components: [SmartComponent] = []

    /// Nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.id("reqId", &reqId)
        coder.list("components", &components)
    }
}
