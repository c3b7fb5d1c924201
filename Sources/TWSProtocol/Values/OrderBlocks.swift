/// How an advisor's order is shared out.
public struct AdvisorAllocation: FieldRecord {
    /// The group of accounts.
    public var faGroup = ""
    /// The rule it is shared out by.
    public var faMethod = ""
    /// The percentage for the rule that changes positions.
    public var faPercentage = ""
    /// The profile; gateways before 177 only.
    public var faProfile = ""

    /// With nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.text("faGroup", &faGroup)
        coder.text("faMethod", &faMethod)
        coder.text("faPercentage", &faPercentage)
        coder.until(177) { $0.text("faProfile", &faProfile) }
    }
}

/// Where shares that are sold short come from; institutions only.
public struct ShortSale: FieldRecord {
    /// Where they are borrowed.
    public var shortSaleSlot = ShortSaleSlot.none
    /// The place, where the slot asks for one.
    public var designatedLocation = ""
    /// The exemption from the rule on short sales; -1 for none.
    public var exemptCode: Int32 = -1

    /// With nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.code("shortSaleSlot", &shortSaleSlot, or: .none)
        coder.text("designatedLocation", &designatedLocation)
        coder.integer("exemptCode", &exemptCode, or: -1)
    }
}

/// How an option order takes part in an exchange's auction, and prices by delta.
public struct AuctionTerms: FieldRecord {
    /// How it joins the auction.
    public var auctionStrategy = AuctionStrategy.none
    /// The first price of the auction, or the reference price of a pegged order.
    public var startingPrice: DecimalValue?
    /// The stock price an order pegged to the stock starts from.
    public var stockRefPrice: DecimalValue?
    /// How much the order follows the stock.
    public var delta: DecimalValue?
    /// The stock price below which the order is cancelled.
    public var stockRangeLower: DecimalValue?
    /// The stock price above which the order is cancelled.
    public var stockRangeUpper: DecimalValue?

    /// With nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.code("auctionStrategy", &auctionStrategy, or: .none)
        fieldsWithoutStrategy(&coder)
    }

    /// Without `auctionStrategy`: completed orders.
    mutating func fieldsWithoutStrategy(_ coder: inout some FieldCoder & ~Copyable) {
        coder.double("startingPrice", &startingPrice, .empty)
        coder.double("stockRefPrice", &stockRefPrice, .empty)
        coder.double("delta", &delta, .empty)
        coder.double("stockRangeLower", &stockRangeLower, .empty)
        coder.double("stockRangeUpper", &stockRangeUpper, .empty)
    }
}

/// How a large order is worked in steps.
public struct ScaleTerms: FieldRecord {
    /// The size of the first step.
    public var scaleInitLevelSize: Int32?
    /// The size of the following ones.
    public var scaleSubsLevelSize: Int32?
    /// The distance between steps. The attributes below travel only where it is more than 0.
    public var scalePriceIncrement: DecimalValue?
    /// By how much the first price is moved.
    public var scalePriceAdjustValue: DecimalValue?
    /// Seconds between such moves.
    public var scalePriceAdjustInterval: Int32?
    /// The distance of the profit order from a step.
    public var scaleProfitOffset: DecimalValue?
    /// Whether steps come back after their profit was taken.
    public var scaleAutoReset = false
    /// The position to begin with.
    public var scaleInitPosition: Int32?
    /// What the first step has already filled.
    public var scaleInitFillQty: Int32?
    /// Whether the sizes of steps vary.
    public var scaleRandomPercent = false

    /// With nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.integer("scaleInitLevelSize", &scaleInitLevelSize, .empty)
        coder.integer("scaleSubsLevelSize", &scaleSubsLevelSize, .empty)
        coder.double("scalePriceIncrement", &scalePriceIncrement, .empty)
        coder.only(if: scalePriceIncrement.map { $0 > .zero } ?? false) {
            $0.double("scalePriceAdjustValue", &scalePriceAdjustValue, .empty)
            $0.integer("scalePriceAdjustInterval", &scalePriceAdjustInterval, .empty)
            $0.double("scaleProfitOffset", &scaleProfitOffset, .empty)
            $0.flag("scaleAutoReset", &scaleAutoReset)
            $0.integer("scaleInitPosition", &scaleInitPosition, .empty)
            $0.integer("scaleInitFillQty", &scaleInitFillQty, .empty)
            $0.flag("scaleRandomPercent", &scaleRandomPercent)
        }
    }
}

/// The table of a scale order, and when it works. Orders only: gateways do not answer with it.
public struct ScaleSchedule: FieldRecord {
    /// The steps, as the gateway's own text.
    public var scaleTable = ""
    /// When the order begins to work.
    public var activeStartTime = WireTime.none
    /// When it stops.
    public var activeStopTime = WireTime.none

    /// With nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.text("scaleTable", &scaleTable)
        coder.time("activeStartTime", &activeStartTime)
        coder.time("activeStopTime", &activeStopTime)
    }
}

/// What an order pegged to another instrument follows.
public struct BenchmarkPeg: FieldRecord {
    /// The instrument it follows.
    public var referenceContractId: ContractID = 0
    /// Whether the order's price falls when the other rises.
    public var isPeggedChangeAmountDecrease = false
    /// By how much the order's price moves …
    public var peggedChangeAmount: DecimalValue = .zero
    /// … when the other moves by this.
    public var referenceChangeAmount: DecimalValue = .zero
    /// The exchange whose price of the other counts.
    public var referenceExchangeId = ""

    /// With nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.id("referenceContractId", &referenceContractId, or: 0)
        coder.flag("isPeggedChangeAmountDecrease", &isPeggedChangeAmountDecrease)
        coder.double("peggedChangeAmount", &peggedChangeAmount, or: .zero)
        coder.double("referenceChangeAmount", &referenceChangeAmount, or: .zero)
        coder.text("referenceExchangeId", &referenceExchangeId)
    }
}

/// The bounds of an order pegged to the midpoint or competing for the best price.
public struct PegOffsets: FieldRecord {
    /// The smallest fill that is taken; orders to `IBKRATS`.
    public var minTradeQty: Int32?
    /// The smallest size on the book it competes with.
    public var minCompeteSize: Int32?
    /// By how much it improves the best price at most; infinity: up to the midpoint.
    public var competeAgainstBestOffset: DecimalValue?
    /// The distance from the midpoint where the spread is an even number of ticks.
    public var midOffsetAtWhole: DecimalValue?
    /// The distance from the midpoint where the spread is an odd number of ticks.
    public var midOffsetAtHalf: DecimalValue?

    /// With nothing set.
    public init() {}

    /// All five, as gateways answer.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.integer("minTradeQty", &minTradeQty, .empty)
        coder.integer("minCompeteSize", &minCompeteSize, .empty)
        coder.double("competeAgainstBestOffset", &competeAgainstBestOffset, .empty)
        coder.double("midOffsetAtWhole", &midOffsetAtWhole, .empty)
        coder.double("midOffsetAtHalf", &midOffsetAtHalf, .empty)
    }

    /// Those that a client sends: by the order's exchange and type.
    mutating func fields(
        _ coder: inout some FieldCoder & ~Copyable, exchange: String, orderType: WireOrderType
    ) {
        coder.only(if: exchange == "IBKRATS") {
            $0.integer("minTradeQty", &minTradeQty, .empty)
        }
        coder.only(if: orderType == .peggedToBest) {
            $0.integer("minCompeteSize", &minCompeteSize, .empty)
            $0.double("competeAgainstBestOffset", &competeAgainstBestOffset, .empty)
        }
        let isUpToMidpoint =
            orderType == .peggedToBest && competeAgainstBestOffset == .infinity
        coder.only(if: isUpToMidpoint || orderType == .peggedToMidpoint) {
            $0.double("midOffsetAtWhole", &midOffsetAtWhole, .empty)
            $0.double("midOffsetAtHalf", &midOffsetAtHalf, .empty)
        }
    }
}

/// What an order becomes once a price is reached.
public struct AdjustedTerms: FieldRecord {
    /// The type it changes to.
    public var adjustedOrderType = WireOrderType.none
    /// The price at which it changes.
    public var triggerPrice: DecimalValue?
    /// A trailing stop limit's distance between stop and limit. Set it there even without a change of type.
    public var lmtPriceOffset: DecimalValue?
    /// The stop price afterwards.
    public var adjustedStopPrice: DecimalValue?
    /// The limit price afterwards.
    public var adjustedStopLimitPrice: DecimalValue?
    /// The trailing distance afterwards.
    public var adjustedTrailingAmount: DecimalValue?
    /// The unit of that distance: 0 an amount, 100 percent.
    public var adjustableTrailingUnit: Int32 = 0

    /// With nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.word("adjustedOrderType", &adjustedOrderType)
        coder.double("triggerPrice", &triggerPrice, .sentinel)
        tail(&coder)
    }

    /// As gateways answer: with the trailing stop's price once more.
    mutating func fields(
        _ coder: inout some FieldCoder & ~Copyable, trailStopPrice: inout DecimalValue?
    ) {
        coder.word("adjustedOrderType", &adjustedOrderType)
        coder.double("triggerPrice", &triggerPrice, .sentinel)
        coder.double("adjustedTrailStopPrice", &trailStopPrice, .sentinel)
        tail(&coder)
    }

    private mutating func tail(_ coder: inout some FieldCoder & ~Copyable) {
        coder.double("lmtPriceOffset", &lmtPriceOffset, .sentinel)
        coder.double("adjustedStopPrice", &adjustedStopPrice, .sentinel)
        coder.double("adjustedStopLimitPrice", &adjustedStopLimitPrice, .sentinel)
        coder.double("adjustedTrailingAmount", &adjustedTrailingAmount, .sentinel)
        coder.integer("adjustableTrailingUnit", &adjustableTrailingUnit, or: 0)
    }
}

/// The tier of soft dollars an order counts for.
public struct SoftDollarTier: FieldRecord {
    /// The tier's name.
    public var name = ""
    /// Its value.
    public var value = ""
    /// What people read; in answers only.
    public var displayName = ""

    /// With nothing set.
    public init() {}

    /// As gateways answer.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        request(&coder)
        coder.text("softDollarTierDisplayName", &displayName)
    }

    /// Without the display name: orders.
    mutating func request(_ coder: inout some FieldCoder & ~Copyable) {
        coder.text("softDollarTierName", &name)
        coder.text("softDollarTierValue", &value)
    }
}

/// Who decided on an order and who carried it out, for European reports (MiFID II).
public struct DecisionMakers: FieldRecord {
    /// The person who decided.
    public var mifid2DecisionMaker = ""
    /// The algorithm that decided.
    public var mifid2DecisionAlgo = ""
    /// The person who executes.
    public var mifid2ExecutionTrader = ""
    /// The algorithm that executes.
    public var mifid2ExecutionAlgo = ""

    /// With nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.text("mifid2DecisionMaker", &mifid2DecisionMaker)
        coder.text("mifid2DecisionAlgo", &mifid2DecisionAlgo)
        coder.text("mifid2ExecutionTrader", &mifid2ExecutionTrader)
        coder.text("mifid2ExecutionAlgo", &mifid2ExecutionAlgo)
    }
}
