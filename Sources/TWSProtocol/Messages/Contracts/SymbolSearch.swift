/// Asks for symbols that match a pattern.
public struct ReqMatchingSymbols: FieldRecord {
    /// The request.
    public var reqId: RequestID = 0
    /// The beginning of a symbol or of a company's name.
    public var pattern = ""

    /// Nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.id("reqId", &reqId)
        coder.text("pattern", &pattern)
    }
}

/// An instrument that matches. Issuers of bonds come with number -1 and no symbol.
public struct SymbolSample: FieldRecord {
    /// The instrument.
    public var conId: ContractID = 0
    /// Its symbol.
    public var symbol = ""
    /// Its kind.
    public var secType = SecurityType.none
    /// Where it is listed.
    public var primaryExchange = ""
    /// Its currency.
    public var currency = ""
    /// Kinds of instruments derived from it.
    public var derivativeSecTypes: [SecurityType] = []
    /// The name (server version 176).
    public var description = ""
    /// A bond's issuer (server version 176).
    public var issuerId = ""

    /// Nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.id("conId", &conId, or: 0)
        coder.text("symbol", &symbol)
        coder.word("secType", &secType)
        coder.text("primaryExchange", &primaryExchange)
        coder.text("currency", &currency)
        var words = derivativeSecTypes.map(\.word)
        coder.texts("derivativeSecTypes", &words)
        derivativeSecTypes = words.map { SecurityType(word: $0) }
        coder.since(176) {
            $0.text("description", &description)
            $0.text("issuerId", &issuerId)
        }
    }
}

/// Symbols that match a pattern.
public struct SymbolSamples: FieldRecord {
    /// The request.
    public var reqId: RequestID = 0
    /// The instruments.
    public var contractDescriptions: [SymbolSample] = []

    /// Nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.id("reqId", &reqId)
        coder.list("contractDescriptions", &contractDescriptions)
    }
}
