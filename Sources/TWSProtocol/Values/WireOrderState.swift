/// Where an order stands; of a what-if order, what it would need and cost. Amounts in the account's base
/// currency, `nil` where the gateway did not reckon them.
public struct WireOrderState: FieldRecord {
    /// Where the order stands.
    public var status = OrderStatus.Status.none
    /// The initial margin before the order.
    public var initMarginBefore: DecimalValue?
    /// The maintenance margin before the order.
    public var maintMarginBefore: DecimalValue?
    /// The equity with loan value before the order.
    public var equityWithLoanBefore: DecimalValue?
    /// The initial margin's change by the order.
    public var initMarginChange: DecimalValue?
    /// The maintenance margin's change by the order.
    public var maintMarginChange: DecimalValue?
    /// The equity with loan value's change by the order.
    public var equityWithLoanChange: DecimalValue?
    /// The initial margin after the order.
    public var initMarginAfter: DecimalValue?
    /// The maintenance margin after the order.
    public var maintMarginAfter: DecimalValue?
    /// The equity with loan value after the order.
    public var equityWithLoanAfter: DecimalValue?
    /// What the order costs, once known.
    public var commission: DecimalValue?
    /// What it costs at least.
    public var minCommission: DecimalValue?
    /// What it costs at most.
    public var maxCommission: DecimalValue?
    /// The currency of the three.
    public var commissionCurrency = ""
    /// A warning to the one who ordered.
    public var warningText = ""
    /// What newer gateways (195) add.
    @Rare<OrderPreview> public var preview

    /// With nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.word("status", &status)
        coder.double("initMarginBefore", &initMarginBefore, .sentinel)
        coder.double("maintMarginBefore", &maintMarginBefore, .sentinel)
        coder.double("equityWithLoanBefore", &equityWithLoanBefore, .sentinel)
        coder.double("initMarginChange", &initMarginChange, .sentinel)
        coder.double("maintMarginChange", &maintMarginChange, .sentinel)
        coder.double("equityWithLoanChange", &equityWithLoanChange, .sentinel)
        coder.double("initMarginAfter", &initMarginAfter, .sentinel)
        coder.double("maintMarginAfter", &maintMarginAfter, .sentinel)
        coder.double("equityWithLoanAfter", &equityWithLoanAfter, .sentinel)
        coder.double("commission", &commission, .sentinel)
        coder.double("minCommission", &minCommission, .sentinel)
        coder.double("maxCommission", &maxCommission, .sentinel)
        coder.text("commissionCurrency", &commissionCurrency)
        coder.since(195) { $preview.fields(&$0) }
        coder.text("warningText", &warningText)
    }
}

/// What gateways from 195 on add to a what-if answer.
public struct OrderPreview: FieldRecord {
    /// The currency of the margins.
    public var marginCurrency = ""
    /// The initial margin before the order, outside regular hours.
    public var initMarginBeforeOutsideRTH: DecimalValue?
    /// The maintenance margin before the order, outside regular hours.
    public var maintMarginBeforeOutsideRTH: DecimalValue?
    /// The equity with loan value before the order, outside regular hours.
    public var equityWithLoanBeforeOutsideRTH: DecimalValue?
    /// The initial margin's change by the order, outside regular hours.
    public var initMarginChangeOutsideRTH: DecimalValue?
    /// The maintenance margin's change by the order, outside regular hours.
    public var maintMarginChangeOutsideRTH: DecimalValue?
    /// The equity with loan value's change by the order, outside regular hours.
    public var equityWithLoanChangeOutsideRTH: DecimalValue?
    /// The initial margin after the order, outside regular hours.
    public var initMarginAfterOutsideRTH: DecimalValue?
    /// The maintenance margin after the order, outside regular hours.
    public var maintMarginAfterOutsideRTH: DecimalValue?
    /// The equity with loan value after the order, outside regular hours.
    public var equityWithLoanAfterOutsideRTH: DecimalValue?
    /// The size that would be accepted.
    public var suggestedSize: DecimalValue?
    /// Why the order would be refused.
    public var rejectReason = ""
    /// What each account of an advisor would get.
    public var orderAllocations: [OrderAllocation] = []

    /// With nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.text("marginCurrency", &marginCurrency)
        coder.double("initMarginBeforeOutsideRTH", &initMarginBeforeOutsideRTH, .sentinel)
        coder.double("maintMarginBeforeOutsideRTH", &maintMarginBeforeOutsideRTH, .sentinel)
        coder.double("equityWithLoanBeforeOutsideRTH", &equityWithLoanBeforeOutsideRTH, .sentinel)
        coder.double("initMarginChangeOutsideRTH", &initMarginChangeOutsideRTH, .sentinel)
        coder.double("maintMarginChangeOutsideRTH", &maintMarginChangeOutsideRTH, .sentinel)
        coder.double("equityWithLoanChangeOutsideRTH", &equityWithLoanChangeOutsideRTH, .sentinel)
        coder.double("initMarginAfterOutsideRTH", &initMarginAfterOutsideRTH, .sentinel)
        coder.double("maintMarginAfterOutsideRTH", &maintMarginAfterOutsideRTH, .sentinel)
        coder.double("equityWithLoanAfterOutsideRTH", &equityWithLoanAfterOutsideRTH, .sentinel)
        coder.decimal("suggestedSize", &suggestedSize, .empty)
        coder.text("rejectReason", &rejectReason)
        coder.list("orderAllocations", &orderAllocations)
    }
}

/// What one account of an advisor would get of an order.
public struct OrderAllocation: FieldRecord {
    /// The account.
    public var account = AccountID.none
    /// Its position now.
    public var position: DecimalValue?
    /// The position that is wanted.
    public var positionDesired: DecimalValue?
    /// The position afterwards.
    public var positionAfter: DecimalValue?
    /// The quantity that is wanted.
    public var desiredAllocQty: DecimalValue?
    /// The quantity that is allowed.
    public var allowedAllocQty: DecimalValue?
    /// Whether these are amounts of money instead of quantities.
    public var isMonetary = false

    /// With nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.account("account", &account)
        coder.decimal("position", &position, .empty)
        coder.decimal("positionDesired", &positionDesired, .empty)
        coder.decimal("positionAfter", &positionAfter, .empty)
        coder.decimal("desiredAllocQty", &desiredAllocQty, .empty)
        coder.decimal("allowedAllocQty", &allowedAllocQty, .empty)
        coder.flag("isMonetary", &isMonetary)
    }
}
