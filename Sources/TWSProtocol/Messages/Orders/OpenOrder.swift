/// An order with everything known of it.
public struct OpenOrder: FieldRecord {
    /// The number its client gave it; 0 or less for orders entered by hand.
    public var orderId: APIOrderID = 0
    /// What is traded; without `primaryExchange`.
    public var contract = Contract()
    /// How it is traded.
    public var order = Order()
    /// The client that placed it.
    public var clientId: ClientID = 0
    /// Its number in the account.
    public var permId: PermID = 0
    /// Old text of the gateway on how shares are allotted.
    public var sharesAllocation = ""
    /// The price of an exchange for physical in basis points.
    public var basisPoints: DecimalValue?
    /// The type of those.
    public var basisPointsType: Int32?
    /// The legs as people read them.
    public var comboLegsDescrip = ""
    /// The legs, for a combination.
    public var combo = ComboTerms()
    /// The stock side of a combination traded neutral to its delta.
    public var deltaNeutralContract: DeltaNeutralContract?
    /// Where it stands, and what a what-if answer says of margin and costs.
    public var orderState = WireOrderState()
    /// The trailing stop's price once more (`trailStopPrice` a second time); IBKR's client takes this one. For limit orders gateways write a price of no meaning.
    public var adjustedTrailStopPrice: DecimalValue?
    /// A bond's accrued interest.
    public var bondAccruedInterest = ""
    /// Who sent it.
    public var submitter = ""

    /// With nothing set.
    public init() {}

    /// A gateway's answer about an order it was sent.
    public init(of request: PlaceOrder) {
        orderId = request.orderId
        contract = request.contract
        order = request.order
        combo = request.combo
        deltaNeutralContract = request.deltaNeutralContract
        adjustedTrailStopPrice = request.order.trailStopPrice
    }

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.id("orderId", &orderId)
        contract.fieldsWithoutPrimaryExchange(&coder)
        order.terms(&coder)
        coder.id("clientId", &clientId, or: 0)
        coder.id("permId", &permId, or: 0)
        order.timing(&coder)
        coder.text("sharesAllocation", &sharesAllocation)
        order.ownership(&coder)
        order.restrictions(&coder)
        order.$volatilityTerms.fields(&coder)
        order.trailing(&coder)
        coder.double("basisPoints", &basisPoints, .empty)
        coder.integer("basisPointsType", &basisPointsType, .empty)
        coder.text("comboLegsDescrip", &comboLegsDescrip)
        combo.fields(&coder)
        order.$scale.fields(&coder)
        order.hedge(&coder)
        order.clearing(&coder)
        DeltaNeutralContract.fields(of: &deltaNeutralContract, &coder)
        order.algorithm(&coder)
        coder.flag("solicited", &order.solicited)
        coder.flag("whatIf", &order.whatIf)
        orderState.fields(&coder)
        order.randomness(&coder)
        order.benchmarkPeg(&coder)
        order.conditionList(&coder)
        var trailStopPrice = adjustedTrailStopPrice
        order.$adjusted.walk(&coder) { $0.fields(&$1, trailStopPrice: &trailStopPrice) }
        adjustedTrailStopPrice = trailStopPrice
        order.$softDollarTier.fields(&coder)
        order.lateFields(&coder)
        order.customer(&coder)
        coder.since(185) { $0.text("bondAccruedInterest", &bondAccruedInterest) }
        coder.since(189) { $0.flag("includeOvernight", &order.includeOvernight) }
        order.operatorFields(&coder)
        coder.since(198) { $0.text("submitter", &submitter) }
        coder.since(199) { $0.flag("imbalanceOnly", &order.imbalanceOnly) }
    }
}

/// Groups of attributes in the order of this message.
extension Order {
    fileprivate mutating func timing(_ coder: inout some FieldCoder & ~Copyable) {
        coder.flag("outsideRth", &outsideRth)
        coder.flag("hidden", &hidden)
        coder.double("discretionaryAmt", &discretionaryAmt, or: .zero)
        coder.time("goodAfterTime", &goodAfterTime)
    }

    fileprivate mutating func ownership(_ coder: inout some FieldCoder & ~Copyable) {
        $advisor.fields(&coder)
        coder.text("modelCode", &modelCode)
        coder.time("goodTillDate", &goodTillDate)
        coder.text("rule80A", &rule80A)
        coder.double("percentOffset", &percentOffset, .empty)
        coder.text("settlingFirm", &settlingFirm)
        $shortSale.fields(&coder)
        $auction.fields(&coder)
    }

    fileprivate mutating func restrictions(_ coder: inout some FieldCoder & ~Copyable) {
        coder.integer("displaySize", &displaySize, .sentinel)
        coder.flag("blockOrder", &blockOrder)
        coder.flag("sweepToFill", &sweepToFill)
        coder.flag("allOrNone", &allOrNone)
        coder.integer("minQty", &minQty, .empty)
        coder.code("ocaType", &ocaType, or: .none)
        // eTradeOnly, firmQuoteOnly and nbboPriceCap: no longer looked at.
        coder.constant("0")
        coder.constant("0")
        coder.constant("")
        coder.id("parentId", &parentId, or: 0)
        coder.code("triggerMethod", &triggerMethod, or: .standard)
    }

    fileprivate mutating func clearing(_ coder: inout some FieldCoder & ~Copyable) {
        coder.flag("optOutSmartRouting", &optOutSmartRouting)
        coder.account("clearingAccount", &clearingAccount)
        coder.text("clearingIntent", &clearingIntent)
        coder.flag("notHeld", &notHeld)
    }

    fileprivate mutating func randomness(_ coder: inout some FieldCoder & ~Copyable) {
        coder.flag("randomizeSize", &randomizeSize)
        coder.flag("randomizePrice", &randomizePrice)
    }

    fileprivate mutating func lateFields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.double("cashQty", &cashQty, .sentinel)
        coder.flag("dontUseAutoPriceForHedge", &dontUseAutoPriceForHedge)
        coder.flag("isOmsContainer", &isOmsContainer)
        coder.flag("discretionaryUpToLimitPrice", &discretionaryUpToLimitPrice)
        coder.flag("usePriceMgmtAlgo", &usePriceMgmtAlgo)
        coder.since(158) { $0.integer("duration", &duration, .sentinel) }
        coder.since(160) { $0.integer("postToAts", &postToAts, .sentinel) }
        coder.since(162) { $0.flag("autoCancelParent", &autoCancelParent) }
        coder.since(170) { $pegOffsets.fields(&$0) }
    }

    fileprivate mutating func operatorFields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.since(193) {
            $0.text("extOperator", &extOperator)
            $0.integer("manualOrderIndicator", &manualOrderIndicator, .sentinel)
        }
    }
}
