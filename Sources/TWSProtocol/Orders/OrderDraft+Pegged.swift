extension OrderDraft {
    /// Pegged to the best price of its own side, also called pegged to primary. For the day or longer,
    /// in regular hours.
    public static func relative(_ peg: RelativePeg, for time: RestingTime) -> OrderDraft {
        var draft = OrderDraft(.relative, for: time.working)
        draft.template.lmtPrice = peg.limit
        switch peg.offset {
        case .amount(let amount): draft.template.auxPrice = amount
        case .fraction(let fraction): draft.template.percentOffset = fraction
        }
        return draft
    }

    /// Pegged to the best price of the other side, `offset` away from it.
    ///
    /// - Parameter limit: the worst price it takes; `nil` for any.
    public static func peggedToMarket(
        offset: DecimalValue, limit: DecimalValue? = nil, for time: RestingTime
    ) -> OrderDraft {
        var draft = OrderDraft(.peggedToMarket, for: time.working)
        draft.template.auxPrice = offset
        draft.template.lmtPrice = limit
        return draft
    }

    /// Pegged to the midpoint on the broker's own venue (`IBKRATS`); needs a gateway of version 170.
    public static func peggedToMidpoint(_ peg: MidpointPeg, for time: RestingTime) -> OrderDraft {
        var draft = OrderDraft(onVenue: .peggedToMidpoint, for: time)
        draft.template.lmtPrice = peg.limit
        draft.template.pegOffsets.minTradeQty = peg.minTradeQuantity
        draft.template.pegOffsets.set(peg.offsets)
        return draft
    }

    /// Competes for the best price on the broker's own venue (`IBKRATS`); needs a gateway of version
    /// 170.
    public static func peggedToBest(_ peg: BestPeg, for time: RestingTime) -> OrderDraft {
        var draft = OrderDraft(onVenue: .peggedToBest, for: time)
        draft.template.lmtPrice = peg.limit
        draft.template.pegOffsets.minTradeQty = peg.minTradeQuantity
        draft.template.pegOffsets.minCompeteSize = peg.minCompeteSize
        switch peg.improvement {
        case .amount(let amount): draft.template.pegOffsets.competeAgainstBestOffset = amount
        case .upToMidpoint(let offsets):
            draft.template.pegOffsets.competeAgainstBestOffset = .infinity
            draft.template.pegOffsets.set(offsets)
        }
        return draft
    }

    /// Pegged to the price of another instrument.
    public static func peggedToBenchmark(_ peg: BenchmarkOrder, for time: RestingTime) -> OrderDraft
    {
        var draft = OrderDraft(.peggedToBenchmark, for: time.working)
        draft.template.benchmark = peg.peg
        draft.template.auction.startingPrice = peg.startingPrice
        draft.template.auction.stockRefPrice = peg.referencePrice
        draft.template.auction.stockRangeLower = peg.referenceRange?.lowerBound
        draft.template.auction.stockRangeUpper = peg.referenceRange?.upperBound
        return draft
    }

    /// On the broker's own venue, where orders are not held.
    private init(onVenue type: WireOrderType, for time: RestingTime) {
        self.init(type, for: time.working)
        exchange = "IBKRATS"
        template.notHeld = true
    }
}

/// How a relative order follows the best price of its side.
public struct RelativePeg: Hashable, Sendable {
    /// How far it is better than that price.
    public var offset: Offset
    /// The worst price it takes; `nil` for any.
    public var limit: DecimalValue?

    /// How far an order is better than the best price.
    public enum Offset: Hashable, Sendable {
        /// An amount of the currency, 0 or more.
        case amount(DecimalValue)
        /// A fraction of the price, 0 or more and less than 1.
        case fraction(DecimalValue)
    }

    /// Better by an offset, down to a limit.
    public init(by offset: Offset, limit: DecimalValue? = nil) {
        self.offset = offset
        self.limit = limit
    }
}

/// Distances from the midpoint, by whether the spread is an even or odd number of price steps.
public struct MidpointOffsets: Hashable, Sendable {
    /// Where it is even: the midpoint is on a step.
    public var atWhole: DecimalValue
    /// Where it is odd: the midpoint is half a step off.
    public var atHalf: DecimalValue

    /// Two distances.
    public init(atWhole: DecimalValue, atHalf: DecimalValue) {
        self.atWhole = atWhole
        self.atHalf = atHalf
    }
}

/// How an order follows the midpoint.
public struct MidpointPeg: Hashable, Sendable {
    /// The distances from it.
    public var offsets: MidpointOffsets
    /// The worst price it takes; `nil` for any.
    public var limit: DecimalValue?
    /// The smallest fill that is taken; `nil` for any.
    public var minTradeQuantity: Int32?

    /// At distances from the midpoint, down to a limit.
    public init(_ offsets: MidpointOffsets, limit: DecimalValue? = nil) {
        self.offsets = offsets
        self.limit = limit
    }
}

/// How an order competes for the best price.
public struct BestPeg: Hashable, Sendable {
    /// How far it improves the best price.
    public var improvement: Improvement
    /// The worst price it takes; `nil` for any.
    public var limit: DecimalValue?
    /// The smallest fill that is taken; `nil` for any.
    public var minTradeQuantity: Int32?
    /// The smallest size on the book it competes with; `nil` for any.
    public var minCompeteSize: Int32?

    /// How far an order improves the best price.
    public enum Improvement: Hashable, Sendable {
        /// At most by an amount, 0 or more.
        case amount(DecimalValue)
        /// Up to a distance from the midpoint.
        case upToMidpoint(MidpointOffsets)
    }

    /// Improves the best price, down to a limit.
    public init(by improvement: Improvement, limit: DecimalValue? = nil) {
        self.improvement = improvement
        self.limit = limit
    }
}

/// How an order follows another instrument's price.
public struct BenchmarkOrder: Hashable, Sendable {
    /// The instrument, and how much the order moves with it.
    public var peg: BenchmarkPeg
    /// The price it begins with.
    public var startingPrice: DecimalValue
    /// The other's price that belongs to it; `nil`: as it is then.
    public var referencePrice: DecimalValue?
    /// The other's prices outside which the order is cancelled; `nil` for none.
    public var referenceRange: ClosedRange<DecimalValue>?

    /// An order that begins at a price.
    public init(_ peg: BenchmarkPeg, from startingPrice: DecimalValue) {
        self.peg = peg
        self.startingPrice = startingPrice
    }
}

extension PegOffsets {
    fileprivate mutating func set(_ offsets: MidpointOffsets) {
        midOffsetAtWhole = offsets.atWhole
        midOffsetAtHalf = offsets.atHalf
    }
}
