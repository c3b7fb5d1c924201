/// A fill. One that was wrong comes again with the last part of its `execId` raised.
public struct ExecDetails: FieldRecord {
    /// The request it answers; -1 for a fill as it happens.
    public var reqId: RequestID = -1
    /// The order's number at its client; 2147483647 or 0 for some orders entered by hand.
    public var orderId: APIOrderID = 0
    /// What was traded; without `primaryExchange`.
    public var contract = Contract()
    /// The fill's identifier: parts joined by points, the last of them the revision.
    public var execId = ""
    /// When it was filled.
    public var time = WireTime.none
    /// The account (`acctNumber`) it was for.
    public var account = AccountID.none
    /// The exchange (`exchange` a second time) it happened on.
    public var executionExchange = ""
    /// Bought or sold.
    public var side = ExecutionSide.none
    /// How much, in shares or contracts.
    public var shares: DecimalValue = .zero
    /// The price, without costs.
    public var price: DecimalValue = .zero
    /// The order's number in the account.
    public var permId: PermID = 0
    /// The client that placed the order.
    public var clientId: ClientID = 0
    /// 1 where the broker liquidated the position.
    public var liquidation: Int32 = 0
    /// What the order has filled so far.
    public var cumQty: DecimalValue?
    /// The average price of that.
    public var avgPrice: DecimalValue?
    /// The client's own text on the order.
    public var orderRef = ""
    /// The rule for the economic value, where it is not price times quantity.
    public var evRule = ""
    /// The factor of that rule.
    public var evMultiplier: DecimalValue?
    /// The advisor's model it belongs to.
    public var modelCode = ""
    /// Whether it added or removed liquidity.
    public var lastLiquidity = Liquidity.none
    /// Whether the price may still be corrected.
    public var pendingPriceRevision = false
    /// Who sent the order.
    public var submitter = ""

    /// With nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.id("reqId", &reqId, or: -1)
        coder.id("orderId", &orderId, or: 0)
        contract.fieldsWithoutPrimaryExchange(&coder)
        coder.text("execId", &execId)
        coder.time("time", &time)
        coder.account("account", &account)
        coder.text("executionExchange", &executionExchange)
        coder.word("side", &side)
        coder.decimal("shares", &shares)
        coder.double("price", &price)
        orderFields(&coder)
        coder.since(178) { $0.flag("pendingPriceRevision", &pendingPriceRevision) }
        coder.since(198) { $0.text("submitter", &submitter) }
    }

    /// The order behind the fill.
    private mutating func orderFields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.id("permId", &permId, or: 0)
        coder.id("clientId", &clientId, or: 0)
        coder.integer("liquidation", &liquidation, or: 0)
        coder.decimal("cumQty", &cumQty, .empty)
        coder.double("avgPrice", &avgPrice, .empty)
        coder.text("orderRef", &orderRef)
        coder.text("evRule", &evRule)
        coder.double("evMultiplier", &evMultiplier, .empty)
        coder.text("modelCode", &modelCode)
        coder.code("lastLiquidity", &lastLiquidity, or: .none)
    }
}

/// The last fill a request asked for was sent.
public struct ExecDetailsEnd: FieldRecord {
    /// The request.
    public var reqId: RequestID = 0

    /// With nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.constant("1")
        coder.id("reqId", &reqId)
    }
}

/// What a fill cost. Follows its fill, with other messages between them at times.
public struct CommissionAndFeesReport: FieldRecord {
    /// The fill's identifier.
    public var execId = ""
    /// Commission and fees; negative for a rebate.
    public var commission: DecimalValue = .zero
    /// Their currency.
    public var currency = ""
    /// The profit the fill realised; `nil` where it opened a position.
    public var realizedPNL: DecimalValue?
    /// A bond's yield.
    public var yield: DecimalValue?
    /// The day that yield is reckoned to, as the number yyyymmdd.
    public var yieldRedemptionDate: Int32?

    /// With nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.constant("1")
        coder.text("execId", &execId)
        coder.double("commission", &commission)
        coder.text("currency", &currency)
        coder.double("realizedPNL", &realizedPNL, .sentinel)
        coder.double("yield", &yield, .sentinel)
        coder.integer("yieldRedemptionDate", &yieldRedemptionDate, .empty)
    }
}

/// Asks for fills: all clients' since midnight, or those that match.
public struct ReqExecutions: FieldRecord {
    /// The request.
    public var reqId: RequestID = 0
    /// Only this client's; 0 for all.
    public var clientId: ClientID = 0
    /// Only this account's.
    public var acctCode = AccountID.none
    /// Only those at or after this time.
    public var time = WireTime.none
    /// Only this symbol's.
    public var symbol = ""
    /// Only this kind of instrument.
    public var secType = SecurityType.none
    /// Only this exchange's.
    public var exchange = ""
    /// Only this side's.
    public var side = OrderAction.none
    /// Only those of so many days back.
    public var lastNDays: Int32?
    /// Only those of these days.
    public var specificDates: [ExecutionDay] = []

    /// With nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.constant("3")
        coder.id("reqId", &reqId)
        coder.id("clientId", &clientId, or: 0)
        coder.account("acctCode", &acctCode)
        coder.time("time", &time)
        coder.text("symbol", &symbol)
        coder.word("secType", &secType)
        coder.text("exchange", &exchange)
        coder.word("side", &side)
        coder.since(200) {
            $0.integer("lastNDays", &lastNDays, .sentinel)
            $0.list("specificDates", &specificDates)
        }
    }
}

/// A day whose fills are asked for.
public struct ExecutionDay: FieldRecord {
    /// The day as the number yyyymmdd.
    public var date: Int32 = 0

    /// With nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.integer("date", &date)
    }
}
