/// One trade, quote or midpoint as it happened.
public struct TickByTick: FieldRecord {
    /// The subscription.
    public var reqId: RequestID = 0
    /// Seconds since 1970 UTC.
    public var time: Int64 = 0
    /// What happened.
    public var tick = Tick.midPoint(.zero)

    /// What a tick holds.
    public enum Tick: Hashable, Sendable {
        /// A trade that counts for the last price.
        case last(TradeTick)
        /// A trade of any sort.
        case allLast(TradeTick)
        /// A quote.
        case bidAsk(QuoteTick)
        /// The middle of the quote.
        case midPoint(DecimalValue)
        /// Of a kind whose layout is not known. Its fields are not read; they are counted among those left
        /// over.
        case unknown(kind: Int32)
    }

    /// Nothing set.
    public init() {}

    /// The fields in wire order; what stands behind the time depends on the kind.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.id("reqId", &reqId)
        var kind = tick.kind
        coder.integer("tickType", &kind)
        coder.integer("time", &time)
        if kind != tick.kind { tick = Tick(kind: kind) }
        tick.fields(&coder)
    }
}

/// A trade as it happened.
public struct TradeTick: FieldRecord {
    /// The price.
    public var price = DecimalValue.zero
    /// Units traded.
    public var size: DecimalValue?
    /// Bit 0: `pastLimit`. Bit 1: `unreported`.
    public var mask: Int32 = 0
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
        coder.double("price", &price)
        coder.decimal("size", &size, .empty)
        coder.integer("mask", &mask, or: 0)
        coder.text("exchange", &exchange)
        coder.text("specialConditions", &specialConditions)
    }
}

/// A quote as it happened.
public struct QuoteTick: FieldRecord {
    /// The bid.
    public var bidPrice = DecimalValue.zero
    /// The ask.
    public var askPrice = DecimalValue.zero
    /// Size of the bid.
    public var bidSize: DecimalValue?
    /// Size of the ask.
    public var askSize: DecimalValue?
    /// Bit 0: `bidPastLow`. Bit 1: `askPastHigh`. Ticks of the past have them the other way round.
    public var mask: Int32 = 0

    /// Nothing set.
    public init() {}

    /// The bid is below the day's low.
    public var bidPastLow: Bool { mask & 1 != 0 }
    /// The ask is above the day's high.
    public var askPastHigh: Bool { mask & 2 != 0 }

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.double("bidPrice", &bidPrice)
        coder.double("askPrice", &askPrice)
        coder.decimal("bidSize", &bidSize, .empty)
        coder.decimal("askSize", &askSize, .empty)
        coder.integer("mask", &mask, or: 0)
    }
}

extension TickByTick.Tick {
    /// The number of the kind as it travels.
    fileprivate var kind: Int32 {
        switch self {
        case .last: 1
        case .allLast: 2
        case .bidAsk: 3
        case .midPoint: 4
        case .unknown(let kind): kind
        }
    }

    /// Nothing set, of the kind with this number.
    fileprivate init(kind: Int32) {
        switch kind {
        case 1: self = .last(TradeTick())
        case 2: self = .allLast(TradeTick())
        case 3: self = .bidAsk(QuoteTick())
        case 4: self = .midPoint(.zero)
        default: self = .unknown(kind: kind)
        }
    }

    fileprivate mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        switch self {
        case .last(var trade):
            trade.fields(&coder)
            self = .last(trade)
        case .allLast(var trade):
            trade.fields(&coder)
            self = .allLast(trade)
        case .bidAsk(var quote):
            quote.fields(&coder)
            self = .bidAsk(quote)
        case .midPoint(var price):
            coder.double("midPoint", &price)
            self = .midPoint(price)
        case .unknown: break
        }
    }
}
