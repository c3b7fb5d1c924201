/// Asks for ticks of the past, at most 1000. Name the start or the end, not both.
public struct ReqHistoricalTicks: FieldRecord {
    /// The request.
    public var reqId: RequestID = 0
    /// The instrument.
    public var contract = Contract()
    /// Also instruments that have expired.
    public var includeExpired = false
    /// The first time; none where the end is named.
    public var startDateTime = WireTime.none
    /// The last time; none where the start is named.
    public var endDateTime = WireTime.none
    /// How many at most.
    public var numberOfTicks: Int32 = 0
    /// `trades`, `bidAsk` or `midpoint`; each has an answer of its own.
    public var whatToShow = WhatToShow.trades
    /// Regular trading hours only.
    public var useRTH = true
    /// Leave out quotes in which only a size changed.
    public var ignoreSize = false
    /// Options for the broker's own use.
    public var miscOptions: [TagValue] = []

    /// Nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.id("reqId", &reqId)
        contract.fields(&coder)
        coder.flag("includeExpired", &includeExpired)
        coder.time("startDateTime", &startDateTime)
        coder.time("endDateTime", &endDateTime)
        coder.integer("numberOfTicks", &numberOfTicks, or: 0)
        coder.word("whatToShow", &whatToShow)
        coder.flag("useRTH", &useRTH)
        coder.flag("ignoreSize", &ignoreSize)
        coder.tagText("miscOptions", &miscOptions)
    }
}

/// A midpoint of the past.
public struct HistoricalTick: FieldRecord {
    /// Seconds since 1970 UTC.
    public var time: Int64 = 0
    /// The midpoint.
    public var price = DecimalValue.zero
    /// Nothing for midpoints.
    public var size: DecimalValue?

    /// Nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.integer("time", &time)
        coder.constant("0")
        coder.double("price", &price)
        coder.decimal("size", &size, .empty)
    }
}

/// Midpoints of the past.
public struct HistoricalTicks: FieldRecord {
    /// The request.
    public var reqId: RequestID = 0
    /// Oldest first.
    public var ticks: [HistoricalTick] = []
    /// The last of them; more messages follow otherwise.
    public var done = false

    /// Nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.id("reqId", &reqId)
        coder.list("ticks", &ticks)
        coder.flag("done", &done)
    }
}

/// A quote of the past.
public struct HistoricalTickBidAsk: FieldRecord {
    /// Seconds since 1970 UTC.
    public var time: Int64 = 0
    /// Bit 0: `askPastHigh`. Bit 1: `bidPastLow`. Live ticks have them the other way round.
    public var mask: Int32 = 0
    /// The bid.
    public var priceBid = DecimalValue.zero
    /// The ask.
    public var priceAsk = DecimalValue.zero
    /// Size of the bid.
    public var sizeBid: DecimalValue?
    /// Size of the ask.
    public var sizeAsk: DecimalValue?

    /// Nothing set.
    public init() {}

    /// The ask is above the day's high.
    public var askPastHigh: Bool { mask & 1 != 0 }
    /// The bid is below the day's low.
    public var bidPastLow: Bool { mask & 2 != 0 }

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.integer("time", &time)
        coder.integer("mask", &mask, or: 0)
        coder.double("priceBid", &priceBid)
        coder.double("priceAsk", &priceAsk)
        coder.decimal("sizeBid", &sizeBid, .empty)
        coder.decimal("sizeAsk", &sizeAsk, .empty)
    }
}

/// Quotes of the past.
public struct HistoricalTicksBidAsk: FieldRecord {
    /// The request.
    public var reqId: RequestID = 0
    /// Oldest first.
    public var ticks: [HistoricalTickBidAsk] = []
    /// The last of them; more messages follow otherwise.
    public var done = false

    /// Nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.id("reqId", &reqId)
        coder.list("ticks", &ticks)
        coder.flag("done", &done)
    }
}

/// A trade of the past.
public struct HistoricalTickLast: FieldRecord {
    /// Seconds since 1970 UTC.
    public var time: Int64 = 0
    /// Bit 0: `pastLimit`. Bit 1: `unreported`.
    public var mask: Int32 = 0
    /// The price.
    public var price = DecimalValue.zero
    /// Units traded.
    public var size: DecimalValue?
    /// Where.
    public var exchange = ""
    /// The exchange's letters for conditions of the trade.
    public var specialConditions = ""

    /// Nothing set.
    public init() {}

    /// Beyond the day's price limit.
    public var pastLimit: Bool { mask & 1 != 0 }
    /// Not reported to the tape: odd lots, averages, late reports.
    public var unreported: Bool { mask & 2 != 0 }

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.integer("time", &time)
        coder.integer("mask", &mask, or: 0)
        coder.double("price", &price)
        coder.decimal("size", &size, .empty)
        coder.text("exchange", &exchange)
        coder.text("specialConditions", &specialConditions)
    }
}

/// Trades of the past.
public struct HistoricalTicksLast: FieldRecord {
    /// The request.
    public var reqId: RequestID = 0
    /// Oldest first.
    public var ticks: [HistoricalTickLast] = []
    /// The last of them; more messages follow otherwise.
    public var done = false

    /// Nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.id("reqId", &reqId)
        coder.list("ticks", &ticks)
        coder.flag("done", &done)
    }
}
