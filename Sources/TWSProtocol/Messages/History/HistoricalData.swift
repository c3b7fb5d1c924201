/// Asks for bars of the past.
public struct ReqHistoricalData: FieldRecord {
    /// The request.
    public var reqId: RequestID = 0
    /// The instrument.
    public var contract = Contract()
    /// Also instruments that have expired.
    public var includeExpired = false
    /// The end; none for the present.
    public var endDateTime = WireTime.none
    /// A bar's length.
    public var barSizeSetting: WireBarSize = .oneMinute
    /// How far back from the end.
    public var durationStr: HistoryDuration = .days(1)
    /// Regular trading hours only.
    public var useRTH = true
    /// What the bars are made of.
    public var whatToShow = WhatToShow.trades
    /// How the times are to be written.
    public var formatDate = HistoryDateFormat.text
    /// The legs; they travel only when the instrument is a combination.
    public var comboLegs: [ComboLeg] = []
    /// Send `historicalDataUpdate` as the last bar grows.
    public var keepUpToDate = false
    /// Options for the broker's own use.
    public var chartOptions: [TagValue] = []

    /// Nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.id("reqId", &reqId)
        contract.fields(&coder)
        coder.flag("includeExpired", &includeExpired)
        coder.time("endDateTime", &endDateTime)
        coder.word("barSizeSetting", &barSizeSetting)
        var duration = durationStr.text
        coder.text("durationStr", &duration)
        durationStr = HistoryDuration(text: duration)
        coder.flag("useRTH", &useRTH)
        coder.word("whatToShow", &whatToShow)
        coder.code("formatDate", &formatDate)
        if contract.secType == .combo { coder.list("comboLegs", &comboLegs) }
        coder.flag("keepUpToDate", &keepUpToDate)
        coder.tagText("chartOptions", &chartOptions)
    }
}

/// Ends a request for bars, or their updates.
public struct CancelHistoricalData: FieldRecord {
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

/// A bar of the past, made of what the request asked for.
public struct HistoricalBar: FieldRecord {
    /// The bar's start; a date alone for bars of a day and longer.
    public var date = WireTime.none
    /// First price.
    public var open = DecimalValue.zero
    /// Highest price.
    public var high = DecimalValue.zero
    /// Lowest price.
    public var low = DecimalValue.zero
    /// Last price.
    public var close = DecimalValue.zero
    /// Units traded; -1 or 0 where the bar is not made of trades.
    public var volume: DecimalValue?
    /// Average price, weighted by volume; -1 or 0 where the bar is not made of trades.
    public var wap: DecimalValue?
    /// Trades; -1 or 0 where the bar is not made of trades.
    public var barCount: Int32?

    /// Nothing set.
    public init() {}

    /// The fields in the order of `historicalData`.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.time("date", &date)
        coder.double("open", &open)
        coder.double("high", &high)
        coder.double("low", &low)
        coder.double("close", &close)
        coder.decimal("volume", &volume, .empty)
        coder.decimal("wap", &wap, .empty)
        coder.integer("barCount", &barCount, .empty)
    }
}

/// Bars of the past. From server version 196 on `historicalDataEnd` follows; before it this message is all.
public struct HistoricalData: FieldRecord {
    /// The request.
    public var reqId: RequestID = 0
    /// The first time asked for; before server version 196 only.
    public var start = WireTime.none
    /// The last time asked for; before server version 196 only.
    public var end = WireTime.none
    /// The bars, oldest first.
    public var bars: [HistoricalBar] = []

    /// Nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.id("reqId", &reqId)
        coder.until(196) {
            $0.time("start", &start)
            $0.time("end", &end)
        }
        coder.list("bars", &bars)
    }
}

/// The last bar was sent (server version 196).
public struct HistoricalDataEnd: FieldRecord {
    /// The request.
    public var reqId: RequestID = 0
    /// The first time asked for.
    public var start = WireTime.none
    /// The last time asked for.
    public var end = WireTime.none

    /// Nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.id("reqId", &reqId)
        coder.time("start", &start)
        coder.time("end", &end)
    }
}

/// The last bar of a kept-up-to-date history as it grows, or the next one.
public struct HistoricalDataUpdate: FieldRecord {
    /// The request.
    public var reqId: RequestID = 0
    /// The bar so far.
    public var bar = HistoricalBar()

    /// Nothing set.
    public init() {}

    /// The fields in wire order, which is not that of `historicalData`.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.id("reqId", &reqId)
        coder.integer("barCount", &bar.barCount, .empty)
        coder.time("date", &bar.date)
        coder.double("open", &bar.open)
        coder.double("close", &bar.close)
        coder.double("high", &bar.high)
        coder.double("low", &bar.low)
        coder.decimal("wap", &bar.wap, .empty)
        coder.decimal("volume", &bar.volume, .empty)
    }
}
