/// Asks for every contract that fits a description.
public struct ReqContractDetails: FieldRecord {
    /// The request.
    public var reqId: RequestID = 0
    /// What is known of it.
    public var contract = Contract()
    /// Also instruments that have expired.
    public var includeExpired = false
    /// The kind of `secId`: `ISIN`, `CUSIP`, `FIGI`.
    public var secIdType = ""
    /// The instrument's number in that system.
    public var secId = ""
    /// A bond's issuer (server version 176).
    public var issuerId = ""

    /// Nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.constant("8")
        coder.id("reqId", &reqId)
        contract.fields(&coder)
        coder.flag("includeExpired", &includeExpired)
        coder.text("secIdType", &secIdType)
        coder.text("secId", &secId)
        coder.since(176) { $0.text("issuerId", &issuerId) }
    }
}

/// The last contract was sent.
public struct ContractDataEnd: FieldRecord {
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

/// Why an instrument cannot be traded.
public struct IneligibilityReason: FieldRecord {
    /// The reason's name.
    public var id = ""
    /// The reason in words.
    public var reasonDescription = ""

    /// Nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.text("id", &id)
        coder.text("reasonDescription", &reasonDescription)
    }
}

/// The details that mutual funds alone have. Amounts are texts as the broker words them.
public struct FundDetails: FieldRecord {
    /// The fund's name.
    public var fundName = ""
    /// The family of funds.
    public var fundFamily = ""
    /// The kind of fund.
    public var fundType = ""
    /// Charge at purchase.
    public var fundFrontLoad = ""
    /// Charge at sale.
    public var fundBackLoad = ""
    /// For how long a sale is charged.
    public var fundBackLoadTimeInterval = ""
    /// Annual charge.
    public var fundManagementFee = ""
    /// Not sold any more.
    public var fundClosed = false
    /// Not sold to new investors.
    public var fundClosedForNewInvestors = false
    /// No further purchases by those who hold it.
    public var fundClosedForNewMoney = false
    /// Amount from which the manager wants notice.
    public var fundNotifyAmount = ""
    /// Smallest first purchase.
    public var fundMinimumInitialPurchase = ""
    /// Smallest further purchase.
    public var fundSubsequentMinimumPurchase = ""
    /// States in which it may be sold.
    public var fundBlueSkyStates = ""
    /// Territories in which it may be sold.
    public var fundBlueSkyTerritories = ""
    /// `N` accumulates, `Y` pays out.
    public var fundDistributionPolicyIndicator = ""
    /// The letter of what it invests in.
    public var fundAssetType = ""

    /// Nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.text("fundName", &fundName)
        coder.text("fundFamily", &fundFamily)
        coder.text("fundType", &fundType)
        coder.text("fundFrontLoad", &fundFrontLoad)
        coder.text("fundBackLoad", &fundBackLoad)
        coder.text("fundBackLoadTimeInterval", &fundBackLoadTimeInterval)
        coder.text("fundManagementFee", &fundManagementFee)
        coder.flag("fundClosed", &fundClosed)
        coder.flag("fundClosedForNewInvestors", &fundClosedForNewInvestors)
        coder.flag("fundClosedForNewMoney", &fundClosedForNewMoney)
        coder.text("fundNotifyAmount", &fundNotifyAmount)
        coder.text("fundMinimumInitialPurchase", &fundMinimumInitialPurchase)
        coder.text("fundSubsequentMinimumPurchase", &fundSubsequentMinimumPurchase)
        coder.text("fundBlueSkyStates", &fundBlueSkyStates)
        coder.text("fundBlueSkyTerritories", &fundBlueSkyTerritories)
        coder.text("fundDistributionPolicyIndicator", &fundDistributionPolicyIndicator)
        coder.text("fundAssetType", &fundAssetType)
    }
}

/// An instrument's details. The last trading date is in `contract`, without the time that gateways put
/// behind it.
public struct ContractData: FieldRecord {
    /// The request.
    public var reqId: RequestID = 0
    /// The instrument.
    public var contract = Contract()
    /// The time of day that stands behind the last trading date; empty where none does.
    public var lastTradeTime = ""
    /// The zone of that time; empty where none is named.
    public var lastTradeZone = ""
    /// The last trading day (server version 182).
    public var lastTradeDate = WireTime.none
    /// The product's name at its market.
    public var marketName = ""
    /// The smallest step of the price at any exchange; see `marketRuleIds`.
    public var minTick: DecimalValue?
    /// Shares in a unit of market data sizes; before server version 164 only.
    public var mdSizeMultiplier: Int32?
    /// Kinds of orders and attributes it can be traded with, joined by commas.
    public var orderTypes = ""
    /// Exchanges, joined by commas.
    public var validExchanges = ""
    /// By how much quotes are divided for prices in the currency; 100 for quotes in cents.
    public var priceMagnifier: Int32 = 1
    /// The underlying; 0 for none.
    public var underConId: ContractID = 0
    /// The name of the company or product.
    public var longName = ""
    /// A derivative's month.
    public var contractMonth = ""
    /// The industry.
    public var industry = ""
    /// The category within the industry.
    public var category = ""
    /// The subcategory.
    public var subcategory = ""
    /// The zone of the hours.
    public var timeZoneId = ""
    /// All sessions of the next days: `20221229:0400-20221229:2000;20221231:CLOSED`.
    public var tradingHours = ""
    /// Regular sessions, in the same form.
    public var liquidHours = ""
    /// The rule of its economic value.
    public var evRule = ""
    /// The factor of that rule.
    public var evMultiplier: DecimalValue?
    /// Numbers in other systems.
    public var secIdList: [TagValue] = []
    /// A number shared by instruments whose data are gathered.
    public var aggGroup: Int32?
    /// The underlying's symbol.
    public var underSymbol = ""
    /// The underlying's kind.
    public var underSecType = SecurityType.none
    /// The market rule at each of `validExchanges`, joined by commas.
    public var marketRuleIds = ""
    /// A derivative's day of expiry.
    public var realExpirationDate = ""
    /// The kind of stock: `COMMON`, `ETF`, `ADR`.
    public var stockType = ""
    /// The step of sizes; at server version 163 only.
    public var sizeMinTick: DecimalValue?
    /// The smallest size of an order (server version 164).
    public var minSize: DecimalValue?
    /// The step of an order's size (server version 164).
    public var sizeIncrement: DecimalValue?
    /// The step the broker advises (server version 164).
    public var suggestedSizeIncrement: DecimalValue?
    /// The details that mutual funds alone have (server version 179); `nil` for all others.
    public var fund: FundDetails?
    /// Why it cannot be traded (server version 186).
    public var ineligibilityReasonList: [IneligibilityReason] = []

    /// Nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.until(164) { $0.constant("8") }
        coder.id("reqId", &reqId)
        coder.text("symbol", &contract.symbol)
        coder.word("secType", &contract.secType)
        var last = LastTrade(
            date: contract.lastTradeDateOrContractMonth, time: lastTradeTime, zone: lastTradeZone)
        last.field("lastTradeDateOrContractMonth", &coder)
        contract.lastTradeDateOrContractMonth = last.date
        lastTradeTime = last.time
        lastTradeZone = last.zone
        coder.since(182) { $0.time("lastTradeDate", &lastTradeDate) }
        coder.double("strike", &contract.strike, .empty)
        coder.word("right", &contract.right)
        coder.text("exchange", &contract.exchange)
        coder.text("currency", &contract.currency)
        coder.text("localSymbol", &contract.localSymbol)
        coder.text("marketName", &marketName)
        coder.text("tradingClass", &contract.tradingClass)
        coder.id("conId", &contract.conId, or: 0)
        coder.double("minTick", &minTick, .empty)
        coder.until(164) { $0.integer("mdSizeMultiplier", &mdSizeMultiplier, .empty) }
        coder.text("multiplier", &contract.multiplier)
        coder.text("orderTypes", &orderTypes)
        coder.text("validExchanges", &validExchanges)
        coder.integer("priceMagnifier", &priceMagnifier, or: 1)
        coder.id("underConId", &underConId, or: 0)
        coder.escapedText("longName", &longName)
        coder.text("primaryExchange", &contract.primaryExchange)
        coder.text("contractMonth", &contractMonth)
        coder.text("industry", &industry)
        coder.text("category", &category)
        coder.text("subcategory", &subcategory)
        coder.text("timeZoneId", &timeZoneId)
        coder.text("tradingHours", &tradingHours)
        coder.text("liquidHours", &liquidHours)
        coder.text("evRule", &evRule)
        coder.decimal("evMultiplier", &evMultiplier, .empty)
        coder.list("secIdList", &secIdList)
        coder.integer("aggGroup", &aggGroup, .sentinel)
        coder.text("underSymbol", &underSymbol)
        coder.word("underSecType", &underSecType)
        coder.text("marketRuleIds", &marketRuleIds)
        coder.text("realExpirationDate", &realExpirationDate)
        coder.text("stockType", &stockType)
        coder.during(163..<164) { $0.decimal("sizeMinTick", &sizeMinTick, .empty) }
        coder.since(164) {
            $0.decimal("minSize", &minSize, .empty)
            $0.decimal("sizeIncrement", &sizeIncrement, .empty)
            $0.decimal("suggestedSizeIncrement", &suggestedSizeIncrement, .empty)
        }
        coder.since(179) { fundFields(&$0) }
        coder.since(186) { $0.list("ineligibilityReasonList", &ineligibilityReasonList) }
    }
}

extension ContractData {
    private mutating func fundFields(_ coder: inout some FieldCoder & ~Copyable) {
        guard contract.secType == .fund else {
            fund = nil
            return
        }
        var details = fund ?? FundDetails()
        details.fields(&coder)
        fund = details
    }
}
