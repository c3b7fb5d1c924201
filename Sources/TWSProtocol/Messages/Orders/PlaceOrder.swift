/// Sends an order, or an order's new terms under its old number.
public struct PlaceOrder: FieldRecord {
    /// The order's number.
    public var orderId: APIOrderID = 0
    /// What is traded.
    public var contract = Contract()
    /// The kind of `secId`: `ISIN`, `CUSIP` and so on; empty where the contract is described otherwise.
    public var secIdType = ""
    /// The instrument's identifier of that kind.
    public var secId = ""
    /// How it is traded.
    public var order = Order()
    /// The legs, for a combination.
    public var combo = ComboTerms()
    /// The stock side of a combination traded neutral to its delta.
    public var deltaNeutralContract: DeltaNeutralContract?

    /// With nothing set.
    public init() {}

    /// An order for `contract` under the number `orderId`.
    public init(_ orderId: APIOrderID, _ contract: Contract, _ order: Order) {
        self.orderId = orderId
        self.contract = contract
        self.order = order
    }

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.id("orderId", &orderId)
        contract.fields(&coder)
        coder.text("secIdType", &secIdType)
        coder.text("secId", &secId)
        order.terms(&coder)
        order.handling(&coder)
        coder.only(if: contract.secType == .combo) { combo.fields(&$0) }
        // Was the old text of shares by account.
        coder.constant("")
        order.sharing(&coder)
        order.restrictions(&coder)
        order.pricing(&coder)
        order.clearing(&coder)
        DeltaNeutralContract.fields(of: &deltaNeutralContract, &coder)
        order.algorithm(&coder)
        order.options(&coder)
        order.benchmarkPeg(&coder)
        order.conditionList(&coder)
        order.$adjusted.fields(&coder)
        order.lateFields(&coder)
        order.gatedFields(&coder, exchange: contract.exchange)
    }
}

/// Groups of attributes in the order of this message.
extension Order {
    fileprivate mutating func handling(_ coder: inout some FieldCoder & ~Copyable) {
        coder.flag("transmit", &transmit)
        coder.id("parentId", &parentId, or: 0)
        coder.flag("blockOrder", &blockOrder)
        coder.flag("sweepToFill", &sweepToFill)
        coder.integer("displaySize", &displaySize, .sentinel)
        coder.code("triggerMethod", &triggerMethod, or: .standard)
        coder.flag("outsideRth", &outsideRth)
        coder.flag("hidden", &hidden)
    }

    fileprivate mutating func sharing(_ coder: inout some FieldCoder & ~Copyable) {
        // The one price that IBKR's client keeps as a whole number until it is set: 0, not 0.0.
        var discretion: DecimalValue? = discretionaryAmt
        coder.decimal("discretionaryAmt", &discretion, .empty)
        discretionaryAmt = discretion ?? .zero
        coder.time("goodAfterTime", &goodAfterTime)
        coder.time("goodTillDate", &goodTillDate)
        $advisor.fields(&coder)
        coder.text("modelCode", &modelCode)
        $shortSale.fields(&coder)
    }

    fileprivate mutating func restrictions(_ coder: inout some FieldCoder & ~Copyable) {
        coder.code("ocaType", &ocaType, or: .none)
        coder.text("rule80A", &rule80A)
        coder.text("settlingFirm", &settlingFirm)
        coder.flag("allOrNone", &allOrNone)
        coder.integer("minQty", &minQty, .empty)
        coder.double("percentOffset", &percentOffset, .empty)
        // eTradeOnly, firmQuoteOnly and nbboPriceCap: no longer looked at.
        coder.constant("0")
        coder.constant("0")
        coder.constant("")
        $auction.fields(&coder)
        coder.flag("overridePercentageConstraints", &overridePercentageConstraints)
    }

    fileprivate mutating func pricing(_ coder: inout some FieldCoder & ~Copyable) {
        $volatilityTerms.fields(&coder)
        trailing(&coder)
        $scale.fields(&coder)
        $scaleSchedule.fields(&coder)
        hedge(&coder)
    }

    fileprivate mutating func clearing(_ coder: inout some FieldCoder & ~Copyable) {
        coder.flag("optOutSmartRouting", &optOutSmartRouting)
        coder.account("clearingAccount", &clearingAccount)
        coder.text("clearingIntent", &clearingIntent)
        coder.flag("notHeld", &notHeld)
    }

    fileprivate mutating func options(_ coder: inout some FieldCoder & ~Copyable) {
        coder.text("algoId", &algoId)
        coder.flag("whatIf", &whatIf)
        coder.tagText("orderMiscOptions", &orderMiscOptions)
        coder.flag("solicited", &solicited)
        coder.flag("randomizeSize", &randomizeSize)
        coder.flag("randomizePrice", &randomizePrice)
    }

    fileprivate mutating func lateFields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.text("extOperator", &extOperator)
        $softDollarTier.walk(&coder) { $0.request(&$1) }
        coder.double("cashQty", &cashQty, .sentinel)
        $decisionMakers.fields(&coder)
        coder.flag("dontUseAutoPriceForHedge", &dontUseAutoPriceForHedge)
        coder.flag("isOmsContainer", &isOmsContainer)
        coder.flag("discretionaryUpToLimitPrice", &discretionaryUpToLimitPrice)
        coder.flag("usePriceMgmtAlgo", &usePriceMgmtAlgo)
    }

    fileprivate mutating func gatedFields(
        _ coder: inout some FieldCoder & ~Copyable, exchange: String
    ) {
        coder.since(158) { $0.integer("duration", &duration, .sentinel) }
        coder.since(160) { $0.integer("postToAts", &postToAts, .sentinel) }
        coder.since(162) { $0.flag("autoCancelParent", &autoCancelParent) }
        coder.since(166) { $0.text("advancedErrorOverride", &advancedErrorOverride) }
        coder.since(169) { $0.time("manualOrderTime", &manualOrderTime) }
        coder.since(170) {
            let orderType = orderType
            $pegOffsets.walk(&$0) { $0.fields(&$1, exchange: exchange, orderType: orderType) }
        }
        customer(&coder)
        // Two fields of requests for quotes, in three versions only.
        coder.during(187..<190) {
            $0.constant("")
            $0.constant("2147483647")
        }
        coder.since(189) { $0.flag("includeOvernight", &includeOvernight) }
        coder.since(192) { $0.integer("manualOrderIndicator", &manualOrderIndicator, .sentinel) }
        coder.since(199) { $0.flag("imbalanceOnly", &imbalanceOnly) }
    }
}
