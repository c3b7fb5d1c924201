/// Asks for the expirations and strikes of the options on an instrument.
public struct ReqSecDefOptParams: FieldRecord {
    /// The request.
    public var reqId: RequestID = 0
    /// The underlying's symbol.
    public var underlyingSymbol = ""
    /// Where options on a future trade; empty for other underlyings.
    public var futFopExchange = ""
    /// The underlying's kind.
    public var underlyingSecType = SecurityType.stock
    /// The underlying.
    public var underlyingConId: ContractID = 0

    /// Nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.id("reqId", &reqId)
        coder.text("underlyingSymbol", &underlyingSymbol)
        coder.text("futFopExchange", &futFopExchange)
        coder.word("underlyingSecType", &underlyingSecType)
        coder.id("underlyingConId", &underlyingConId, or: 0)
    }
}

/// Expirations and strikes of one class of options at one exchange; not every pair of them exists.
public struct SecDefOptParameter: FieldRecord {
    /// The request.
    public var reqId: RequestID = 0
    /// Where they trade.
    public var exchange = ""
    /// The underlying.
    public var underlyingConId: ContractID = 0
    /// The class.
    public var tradingClass = ""
    /// Units of the underlying in one contract.
    public var multiplier = ""
    /// Last trading days, `yyyymmdd`.
    public var expirations: [String] = []
    /// Strike prices.
    public var strikes: [DecimalValue] = []

    /// Nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.id("reqId", &reqId)
        coder.text("exchange", &exchange)
        coder.id("underlyingConId", &underlyingConId, or: 0)
        coder.text("tradingClass", &tradingClass)
        coder.text("multiplier", &multiplier)
        coder.texts("expirations", &expirations)
        var records = strikes.map { StrikeRecord(strike: $0) }
        coder.list("strikes", &records)
        strikes = records.map(\.strike)
    }
}

/// A strike price as a record, for lists of them.
private struct StrikeRecord: FieldRecord {
    var strike = DecimalValue.zero
    mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.double("strike", &strike)
    }
}

/// The last class was sent.
public struct SecDefOptParameterEnd: FieldRecord {
    /// The request.
    public var reqId: RequestID = 0

    /// Nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.id("reqId", &reqId)
    }
}
