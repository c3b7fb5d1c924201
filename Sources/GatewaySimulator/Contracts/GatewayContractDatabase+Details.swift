package import MarketState
import Model
package import Primitives
package import TWSProtocol

extension GatewayContractDatabase {
    /// A contract's details, as a gateway sends them. The caller sets the request's number, and the exchange
    /// where another one was asked for.
    ///
    /// - Parameters:
    ///   - day: the first of the six days whose hours are listed, in New York.
    ///   - calendar: the sessions of its market.
    package func details(
        of listed: ListedContract, on day: Day, calendar: SessionCalendar
    ) -> ContractData {
        var data = ContractData()
        data.contract = listed.contract
        // Contracts without a strike have one of 0 here.
        data.contract.strike = listed.contract.strike ?? .zero
        data.marketName = listed.marketName
        data.minTick = DecimalValue(listed.instrument.tickSize.smallest)
        data.orderTypes = listed.orderTypes
        data.validExchanges = listed.exchanges.joined(separator: ",")
        data.marketRuleIds = listed.exchanges.map { _ in String(listed.marketRule) }
            .joined(separator: ",")
        data.longName = listed.longName
        data.industry = listed.business.industry
        data.category = listed.business.category
        data.subcategory = listed.business.subcategory
        data.stockType = listed.stockType
        data.timeZoneId = listed.hours.zone
        data.tradingHours = listed.hours.all(from: day, calendar)
        data.liquidHours = listed.hours.regular(from: day, calendar)
        data.evMultiplier = .zero
        if !listed.isin.isEmpty { data.secIdList = [TagValue("ISIN", listed.isin)] }
        addSizes(of: listed, to: &data)
        addTerms(of: listed, to: &data)
        return data
    }

    private func addSizes(of listed: ListedContract, to data: inout ContractData) {
        let step: DecimalValue
        switch listed.contract.secType {
        case .stock:
            step = 0.0001
            data.mdSizeMultiplier = 100
            data.aggGroup = 1
        case .forex:
            step = 0.01
            data.mdSizeMultiplier = 1
            data.aggGroup = 4
        default:
            step = 1
            data.mdSizeMultiplier = 1
        }
        data.sizeMinTick = step
        data.minSize = step
        data.sizeIncrement = step
        data.suggestedSizeIncrement = listed.contract.secType == .stock ? 100 : step
    }

    private func addTerms(of listed: ListedContract, to data: inout ContractData) {
        guard let expiry = listed.expiry else { return }
        data.realExpirationDate = expiry.compact
        data.lastTradeDate = .day(expiry)
        data.contractMonth = String(expiry.compact.prefix(6))
        data.underSymbol = listed.contract.symbol
        if let underlying = listed.underlying {
            data.underConId = self[underlying].contract.conId
            data.underSecType = self[underlying].contract.secType
        } else {
            // What a future ends on is an index of its own, which the listing lacks.
            data.underSecType = .index
            data.contractMonth = listed.deliveryMonth
            data.lastTradeTime = "08:30:00"
            data.lastTradeZone = listed.hours.zone
        }
    }
}

extension ListedContract {
    /// The product's name at its market.
    var marketName: String {
        contract.tradingClass.isEmpty ? contract.symbol : contract.tradingClass
    }

    /// A future's month, `202612`: the code behind its symbol says it, the last day may be a month early.
    fileprivate var deliveryMonth: String {
        guard let expiry else { return "" }
        let suffix = contract.localSymbol.suffix(2)
        let (year, month, _) = expiry.date
        let months = [
            ContractMonth(year: year, month: month), ContractMonth(year: year, month: month).next,
        ]
        return months.first { $0.code == suffix }?.compact ?? String(expiry.compact.prefix(6))
    }

    /// Kinds of orders and attributes it can be traded with, as recorded from gateways of 2026.
    fileprivate var orderTypes: String {
        switch contract.secType {
        case .stock: Self.stockOrderTypes
        case .option: Self.optionOrderTypes
        case .future: Self.futureOrderTypes
        case .forex: Self.forexOrderTypes
        default: ""
        }
    }

    private static let stockOrderTypes =
        "ACTIVETIM,AD,ADDONT,ADJUST,ALERT,ALGO,ALLOC,AON,AVGCOST,BASKET,BENCHPX,CASHQTY,COND,"
        + "CONDORDER,DARKONLY,DARKPOLL,DAY,DEACT,DEACTDIS,DEACTEOD,DIS,DUR,GAT,GTC,GTD,GTT,HID,"
        + "IBKRATS,ICE,IMB,IOC,LIT,LMT,LOC,MIDPX,MIT,MKT,MOC,MTL,NGCOMB,NODARK,NONALGO,OCA,OPG,"
        + "OPGREROUT,PEGBENCH,PEGMID,POSTATS,POSTONLY,PREOPGRTH,PRICECHK,REL,REL2MID,RELPCTOFS,RPI,"
        + "RTH,SCALE,SCALEODD,SCALERST,SIZECHK,SNAPMID,SNAPMKT,SNAPREL,STP,STPLMT,SWEEP,TRAIL,"
        + "TRAILLIT,TRAILLMT,TRAILMIT,WHATIF"

    private static let optionOrderTypes =
        "ACTIVETIM,AD,ADJUST,ALERT,ALGO,ALLOC,AVGCOST,BASKET,COND,CONDORDER,DAY,DEACT,DEACTDIS,"
        + "DEACTEOD,DIS,FOK,GAT,GTC,GTD,GTT,HID,ICE,IOC,LIT,LMT,MIT,MKT,MTL,NGCOMB,NONALGO,OCA,"
        + "OPENCLOSE,PEGMID,REL,RELPCTOFS,SCALE,SCALERST,SNAPMID,SNAPMKT,SNAPREL,STP,STPLMT,TRAIL,"
        + "TRAILLIT,TRAILLMT,TRAILMIT,VOLAT,WHATIF"

    private static let futureOrderTypes =
        "ACTIVETIM,AD,ADJUST,ALERT,ALGO,ALLOC,AVGCOST,BASKET,BENCHPX,COND,CONDORDER,DAY,DEACT,"
        + "DEACTDIS,DEACTEOD,GAT,GTC,GTD,GTT,HID,ICE,IOC,LIT,LMT,LTH,MIT,MKT,MKTPROT,MTL,NGCOMB,"
        + "NONALGO,OCA,PEGBENCH,SCALE,SCALERST,SNAPMID,SNAPMKT,SNAPREL,STP,STPLMT,STPPROT,TRAIL,"
        + "TRAILLIT,TRAILLMT,TRAILMIT,WHATIF"

    private static let forexOrderTypes =
        "ACTIVETIM,AD,ADJUST,ALERT,ALGO,ALLOC,AVGCOST,BASKET,BENCHPX,CASHQTY,COND,CONDORDER,DAY,"
        + "DEACT,DEACTDIS,DEACTEOD,GAT,GTC,GTD,GTT,HID,IOC,LIT,LMT,MIT,MKT,NONALGO,OCA,REL,"
        + "RELPCTOFS,SCALE,SCALERST,STP,STPLMT,TRAIL,TRAILLIT,TRAILLMT,TRAILMIT,WHATIF"
}
