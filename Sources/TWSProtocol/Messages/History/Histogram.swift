/// Asks for prices and the sizes traded at them.
public struct ReqHistogramData: FieldRecord {
    /// The request.
    public var reqId: RequestID = 0
    /// The instrument.
    public var contract = Contract()
    /// Also instruments that have expired.
    public var includeExpired = false
    /// Regular trading hours only.
    public var useRTH = true
    /// How far back: a number and a unit in full, such as `3 days`.
    public var timePeriod = ""

    /// Nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.id("reqId", &reqId)
        contract.fields(&coder)
        coder.flag("includeExpired", &includeExpired)
        coder.flag("useRTH", &useRTH)
        coder.text("timePeriod", &timePeriod)
    }
}

/// Ends a request for a histogram.
public struct CancelHistogramData: FieldRecord {
    /// The request.
    public var reqId: RequestID = 0

    /// Nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.id("reqId", &reqId)
    }
}

/// A price and what was traded at it.
public struct HistogramEntry: FieldRecord {
    /// The price.
    public var price = DecimalValue.zero
    /// Units traded at it.
    public var size = DecimalValue.zero

    /// Nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.double("price", &price)
        coder.decimal("size", &size)
    }
}

/// Prices and the sizes traded at them.
public struct HistogramData: FieldRecord {
    /// The request.
    public var reqId: RequestID = 0
    /// One for each price.
    public var items: [HistogramEntry] = []

    /// Nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.id("reqId", &reqId)
        coder.list("items", &items)
    }
}
