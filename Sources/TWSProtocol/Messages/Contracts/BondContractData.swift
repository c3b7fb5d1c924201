/// A bond's details.
public struct BondContractData: FieldRecord {
    /// The request.
    public var reqId: RequestID = 0
    /// The bond.
    public var contract = Contract()
    /// The time of day that stands behind the last trading date; empty where none does.
    public var lastTradeTime = ""
    /// The zone of that time; empty where none is named.
    public var lastTradeZone = ""
    /// Its CUSIP number.
    public var cusip = ""
    /// Interest in percent a year.
    public var coupon: DecimalValue?
    /// The day it is paid back.
    public var maturity = ""
    /// The day it was issued.
    public var issueDate = ""
    /// Ratings.
    public var ratings = ""
    /// The kind of bond.
    public var bondType = ""
    /// The kind of interest.
    public var couponType = ""
    /// Can be turned into stock.
    public var convertible = false
    /// Can be called by the issuer.
    public var callable = false
    /// Can be given back by the holder.
    public var putable = false
    /// The description.
    public var descAppend = ""
    /// The product's name at its market.
    public var marketName = ""
    /// The smallest step of the price.
    public var minTick: DecimalValue?
    /// Units in a unit of market data sizes; before server version 164 only.
    public var mdSizeMultiplier: Int32?
    /// Kinds of orders and attributes it can be traded with, joined by commas.
    public var orderTypes = ""
    /// Exchanges, joined by commas.
    public var validExchanges = ""
    /// The next day of a call or put.
    public var nextOptionDate = ""
    /// What happens then.
    public var nextOptionType = ""
    /// For a part only.
    public var nextOptionPartial = false
    /// Remarks.
    public var notes = ""
    /// The issuer's name.
    public var longName = ""
    /// The zone of the hours (server version 188).
    public var timeZoneId = ""
    /// All sessions of the next days (server version 188).
    public var tradingHours = ""
    /// Regular sessions (server version 188).
    public var liquidHours = ""
    /// The rule of its economic value.
    public var evRule = ""
    /// The factor of that rule.
    public var evMultiplier: DecimalValue?
    /// Numbers in other systems.
    public var secIdList: [TagValue] = []
    /// A number shared by instruments whose data are gathered.
    public var aggGroup: Int32?
    /// The market rule at each of `validExchanges`, joined by commas.
    public var marketRuleIds = ""
    /// The smallest size of an order (server version 164).
    public var minSize: DecimalValue?
    /// The step of an order's size (server version 164).
    public var sizeIncrement: DecimalValue?
    /// The step the broker advises (server version 164).
    public var suggestedSizeIncrement: DecimalValue?

    /// Nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.until(164) { $0.constant("6") }
        coder.id("reqId", &reqId)
        coder.text("symbol", &contract.symbol)
        coder.word("secType", &contract.secType)
        coder.text("cusip", &cusip)
        coder.double("coupon", &coupon, .empty)
        var last = LastTrade(date: maturity, time: lastTradeTime, zone: lastTradeZone)
        last.field("maturity", &coder)
        maturity = last.date
        lastTradeTime = last.time
        lastTradeZone = last.zone
        coder.text("issueDate", &issueDate)
        coder.text("ratings", &ratings)
        coder.text("bondType", &bondType)
        coder.text("couponType", &couponType)
        coder.flag("convertible", &convertible)
        coder.flag("callable", &callable)
        coder.flag("putable", &putable)
        coder.text("descAppend", &descAppend)
        coder.text("exchange", &contract.exchange)
        coder.text("currency", &contract.currency)
        coder.text("marketName", &marketName)
        coder.text("tradingClass", &contract.tradingClass)
        coder.id("conId", &contract.conId, or: 0)
        coder.double("minTick", &minTick, .empty)
        coder.until(164) { $0.integer("mdSizeMultiplier", &mdSizeMultiplier, .empty) }
        coder.text("orderTypes", &orderTypes)
        coder.text("validExchanges", &validExchanges)
        coder.text("nextOptionDate", &nextOptionDate)
        coder.text("nextOptionType", &nextOptionType)
        coder.flag("nextOptionPartial", &nextOptionPartial)
        coder.text("notes", &notes)
        coder.text("longName", &longName)
        coder.since(188) {
            $0.text("timeZoneId", &timeZoneId)
            $0.text("tradingHours", &tradingHours)
            $0.text("liquidHours", &liquidHours)
        }
        coder.text("evRule", &evRule)
        coder.decimal("evMultiplier", &evMultiplier, .empty)
        coder.list("secIdList", &secIdList)
        coder.integer("aggGroup", &aggGroup, .sentinel)
        coder.text("marketRuleIds", &marketRuleIds)
        coder.since(164) {
            $0.decimal("minSize", &minSize, .empty)
            $0.decimal("sizeIncrement", &sizeIncrement, .empty)
            $0.decimal("suggestedSizeIncrement", &suggestedSizeIncrement, .empty)
        }
    }
}
