/// An order that works no more, as the broker keeps it for the day.
public struct CompletedOrder: FieldRecord {
    /// What was traded; without `primaryExchange`.
    public var contract = Contract()
    /// How it was traded. Its `totalQuantity` may be 0: `filledQuantity` has the size.
    public var order = Order()
    /// Its number in the account.
    public var permId: PermID = 0
    /// The legs as people read them.
    public var comboLegsDescrip = ""
    /// The legs, for a combination.
    public var combo = ComboTerms()
    /// The stock side of a combination traded neutral to its delta.
    public var deltaNeutralContract: DeltaNeutralContract?
    /// How it ended.
    public var status = OrderStatus.Status.none
    /// The trailing stop's price once more (`trailStopPrice` a second time).
    public var adjustedTrailStopPrice: DecimalValue?
    /// When it would have been cancelled by itself.
    public var autoCancelDate = WireTime.none
    /// What was filled, in shares or contracts.
    public var filledQuantity: DecimalValue?
    /// The future an option on it refers to.
    public var refFuturesConId: Int32?
    /// The shareholder it is for.
    public var shareholder = ""
    /// Whether it was routed to the best bid or offer once it could trade.
    public var routeMarketableToBbo: Bool?
    /// The account's number of the order it hung on.
    public var parentPermId: PermID?
    /// When it ended.
    public var completedTime = WireTime.none
    /// How it ended, as people read it.
    public var completedStatus = ""
    /// Who sent it.
    public var submitter = ""

    /// With nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        contract.fieldsWithoutPrimaryExchange(&coder)
        order.terms(&coder)
        coder.id("permId", &permId, or: 0)
        order.ownership(&coder)
        order.restrictions(&coder)
        order.$volatilityTerms.walk(&coder) { $0.completedFields(&$1) }
        order.trailing(&coder)
        coder.text("comboLegsDescrip", &comboLegsDescrip)
        combo.fields(&coder)
        order.$scale.fields(&coder)
        order.hedge(&coder)
        order.clearing(&coder)
        DeltaNeutralContract.fields(of: &deltaNeutralContract, &coder)
        order.algorithm(&coder)
        coder.flag("solicited", &order.solicited)
        coder.word("status", &status)
        order.randomness(&coder)
        order.benchmarkPeg(&coder)
        order.conditionList(&coder)
        coder.double("adjustedTrailStopPrice", &adjustedTrailStopPrice, .sentinel)
        coder.double("lmtPriceOffset", &order.adjusted.lmtPriceOffset, .sentinel)
        order.hedgeAndContainer(&coder)
        ending(&coder)
        coder.since(170) { order.$pegOffsets.fields(&$0) }
        order.customer(&coder)
        coder.since(198) { $0.text("submitter", &submitter) }
    }

    private mutating func ending(_ coder: inout some FieldCoder & ~Copyable) {
        coder.time("autoCancelDate", &autoCancelDate)
        coder.decimal("filledQuantity", &filledQuantity, .empty)
        coder.integer("refFuturesConId", &refFuturesConId, .sentinel)
        coder.flag("autoCancelParent", &order.autoCancelParent)
        coder.text("shareholder", &shareholder)
        coder.flag("imbalanceOnly", &order.imbalanceOnly)
        coder.flag("routeMarketableToBbo", &routeMarketableToBbo)
        coder.id("parentPermId", &parentPermId, .sentinel)
        coder.time("completedTime", &completedTime)
        coder.text("completedStatus", &completedStatus)
    }
}

/// Groups of attributes in the order of this message.
extension Order {
    fileprivate mutating func ownership(_ coder: inout some FieldCoder & ~Copyable) {
        coder.flag("outsideRth", &outsideRth)
        coder.flag("hidden", &hidden)
        coder.double("discretionaryAmt", &discretionaryAmt, or: .zero)
        coder.time("goodAfterTime", &goodAfterTime)
        $advisor.fields(&coder)
        coder.text("modelCode", &modelCode)
        coder.time("goodTillDate", &goodTillDate)
        coder.text("rule80A", &rule80A)
        coder.double("percentOffset", &percentOffset, .empty)
        coder.text("settlingFirm", &settlingFirm)
        $shortSale.fields(&coder)
        // The message does not hold its version. Read as the one before or behind an advisor's profile was
        // left out (177), the slot or the exemption's code lies where a broker's name should be.
        let location = shortSale.designatedLocation
        if Int32(location) != nil { coder.rejectLayout("designatedLocation", location) }
        $auction.walk(&coder) { $0.fieldsWithoutStrategy(&$1) }
    }

    fileprivate mutating func restrictions(_ coder: inout some FieldCoder & ~Copyable) {
        coder.integer("displaySize", &displaySize, .sentinel)
        coder.flag("sweepToFill", &sweepToFill)
        coder.flag("allOrNone", &allOrNone)
        coder.integer("minQty", &minQty, .empty)
        coder.code("ocaType", &ocaType, or: .none)
        coder.code("triggerMethod", &triggerMethod, or: .standard)
    }

    fileprivate mutating func clearing(_ coder: inout some FieldCoder & ~Copyable) {
        coder.account("clearingAccount", &clearingAccount)
        coder.text("clearingIntent", &clearingIntent)
        coder.flag("notHeld", &notHeld)
    }

    fileprivate mutating func randomness(_ coder: inout some FieldCoder & ~Copyable) {
        coder.flag("randomizeSize", &randomizeSize)
        coder.flag("randomizePrice", &randomizePrice)
    }

    fileprivate mutating func hedgeAndContainer(_ coder: inout some FieldCoder & ~Copyable) {
        coder.double("cashQty", &cashQty, .sentinel)
        coder.flag("dontUseAutoPriceForHedge", &dontUseAutoPriceForHedge)
        coder.flag("isOmsContainer", &isOmsContainer)
    }
}
