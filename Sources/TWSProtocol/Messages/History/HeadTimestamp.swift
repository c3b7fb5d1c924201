/// Asks since when there is history.
public struct ReqHeadTimestamp: FieldRecord {
    /// The request.
    public var reqId: RequestID = 0
    /// The instrument.
    public var contract = Contract()
    /// Also instruments that have expired.
    public var includeExpired = false
    /// Regular trading hours only.
    public var useRTH = true
    /// History of what.
    public var whatToShow = WhatToShow.trades
    /// How the time is to be written.
    public var formatDate = HistoryDateFormat.text

    /// Nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.id("reqId", &reqId)
        contract.fields(&coder)
        coder.flag("includeExpired", &includeExpired)
        coder.flag("useRTH", &useRTH)
        coder.word("whatToShow", &whatToShow)
        coder.code("formatDate", &formatDate)
    }
}

/// Ends a request for the first time of history.
public struct CancelHeadTimestamp: FieldRecord {
    /// The request.
    public var reqId: RequestID = 0

    /// Nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.id("reqId", &reqId)
    }
}

/// Since when there is history.
public struct HeadTimestamp: FieldRecord {
    /// The request.
    public var reqId: RequestID = 0
    /// The first time.
    public var headTimestamp = WireTime.none

    /// Nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.id("reqId", &reqId)
        coder.time("headTimestamp", &headTimestamp)
    }
}
