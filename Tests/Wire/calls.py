"""What a client can ask for: one entry a call, with the values of its fields by name.

A value differs from every other of its call wherever its kind allows, so that a swap of two fields shows.
"""
from dataclasses import dataclass, field


@dataclass
class Call:
    """`name` for people, the official client's method, the wire's name of the message, the fields."""
    name: str
    method: str
    message: str
    values: dict
    # Fields that do not travel at all versions: the first, or the first and the one behind the last.
    gates: dict = field(default_factory=dict)
    first: int = 157


STOCK = dict(conId=265598, symbol="AAPL", secType="STK", exchange="SMART", primaryExchange="ISLAND",
             currency="USD", localSymbol="AAPL.L", tradingClass="NMS")
OPTION = dict(conId=731001, symbol="SPX", secType="OPT", lastTradeDateOrContractMonth="20260619",
              strike=4512.5, right="P", multiplier="100", exchange="CBOE", primaryExchange="CFE",
              currency="EUR", localSymbol="SPXW  260619P", tradingClass="SPXW")
FUTURE = dict(symbol="ES", secType="FUT", lastTradeDateOrContractMonth="202609", multiplier="50",
              exchange="CME", currency="USD", localSymbol="ESU6")
FOREX = dict(symbol="EUR", secType="CASH", exchange="IDEALPRO", currency="GBP")
BOND = dict(symbol="US-T", secType="BOND", exchange="SMART", currency="USD", secIdType="CUSIP",
            secId="91282CDK4")
BAG = dict(symbol="IBKR,MCD", secType="BAG", exchange="SMART", currency="USD")
LEGS = [dict(conId=43645865, ratio=2, action="BUY", exchange="ARCA"),
        dict(conId=9408, ratio=3, action="SELL", exchange="NYSE")]

CALLS = []


def call(method, values=None, name=None, message=None, **rest):
    CALLS.append(Call(name or method, method, message or method, values or {}, **rest))


def request(number, contract=None, **values):
    return dict(reqId=number, **(contract or {}), **values)


# Session.
call("startApi", dict(clientId=7, optionalCapabilities="abc"))
call("startApi", dict(clientId=0), name="startApi of client 0")
call("reqIds", dict(numIds=3))
call("reqManagedAccts")
call("reqCurrentTime")
call("reqCurrentTimeInMillis", first=197)
for level in range(1, 6):
    call("setServerLogLevel", dict(logLevel=level), name=f"setServerLogLevel {level}")
call("reqUserInfo", request(11), first=167)
call("verifyRequest", dict(apiName="trader", apiVersion="2.7"))
call("verifyMessage", dict(apiData="challenge"))
call("verifyAndAuthRequest", dict(apiName="trader", apiVersion="2.7", opaqueIsvKey="isv"))
call("verifyAndAuthMessage", dict(apiData="challenge", xyzResponse="response"))

# Accounts.
call("reqAccountUpdates", dict(subscribe=True, acctCode="DU1234567"))
call("reqAccountUpdates", dict(subscribe=False), name="reqAccountUpdates, ended")
call("reqAccountSummary", request(21, group="All", tags="NetLiquidation,$LEDGER:USD"))
call("cancelAccountSummary", request(22))
call("reqPositions")
call("cancelPositions")
call("reqPositionsMulti", request(23, account="DU1234567", modelCode="Core"))
call("cancelPositionsMulti", request(24))
call("reqAccountUpdatesMulti", request(25, account="DU1234567", modelCode="Core", ledgerAndNLV=True))
call("cancelAccountUpdatesMulti", request(26))
call("reqPnL", request(27, account="DU1234567", modelCode="Core"))
call("cancelPnL", request(28))
call("reqPnLSingle", request(29, account="DU1234567", modelCode="Core", conId=265598))
call("cancelPnLSingle", request(30))

# Market data.
for label, contract in (("stock", STOCK), ("option", OPTION), ("future", FUTURE), ("forex", FOREX)):
    call("reqMktData", request(41, contract, genericTickList="233,236", snapshot=False,
                               regulatorySnapshot=True), name=f"reqMktData of {label}")
call("reqMktData", request(42, BAG, comboLegs=LEGS, snapshot=True), name="reqMktData of a combination")
call("reqMktData", request(43, STOCK, deltaNeutralContract=True, deltaNeutralContractConId=55,
                           deltaNeutralContractDelta=0.25, deltaNeutralContractPrice=101.5),
     name="reqMktData, delta neutral")
call("cancelMktData", request(44))
for kind in range(1, 5):
    call("reqMarketDataType", dict(marketDataType=kind), name=f"reqMarketDataType {kind}")
for kind in ("Last", "AllLast", "BidAsk", "MidPoint"):
    call("reqTickByTickData", request(45, OPTION, tickType=kind, numberOfTicks=9, ignoreSize=True),
         name=f"reqTickByTickData {kind}")
call("cancelTickByTickData", request(46))
call("reqRealTimeBars", request(47, OPTION, barSize=5, whatToShow="MIDPOINT", useRTH=True,
                                realTimeBarsOptions="u=v;"))
call("cancelRealTimeBars", request(48))
call("reqMktDepth", request(49, OPTION, numRows=6, isSmartDepth=True))
call("cancelMktDepth", request(50, isSmartDepth=True))
call("reqMktDepthExchanges")
call("reqSmartComponents", request(51, bboExchange="9c0001"))
call("calculateImpliedVolatility", request(52, OPTION, optionPrice=12.25, underPrice=4500.75))
call("calculateOptionPrice", request(53, OPTION, volatility=0.31, underPrice=4500.75))
call("cancelCalculateImpliedVolatility", request(54), message="cancelCalcImpliedVolat")
call("cancelCalculateOptionPrice", request(55), message="cancelCalcOptionPrice")

# History.
call("reqHistoricalData", request(
    61, OPTION, includeExpired=True, endDateTime="20250714 16:00:00 US/Eastern", barSizeSetting="5 mins",
    durationStr="2 D", useRTH=True, whatToShow="BID_ASK", formatDate=2, chartOptions="a=b;c=d;"))
call("reqHistoricalData", request(62, STOCK, barSizeSetting="30 secs", durationStr="3600 S",
                                  whatToShow="TRADES", useRTH=False, formatDate=1, keepUpToDate=True),
     name="reqHistoricalData, kept up to date")
call("reqHistoricalData", request(63, STOCK, endDateTime="20250714-16:00:00", barSizeSetting="1 day",
                                  durationStr="3 M", whatToShow="SCHEDULE", useRTH=True, formatDate=1),
     name="reqHistoricalData, schedule", first=165)
call("reqHistoricalData", request(64, BAG, comboLegs=LEGS, barSizeSetting="1 hour", durationStr="1 W",
                                  whatToShow="MIDPOINT", useRTH=False, formatDate=1),
     name="reqHistoricalData of a combination")
call("cancelHistoricalData", request(65))
call("reqHeadTimeStamp", request(66, OPTION, includeExpired=True, useRTH=False, whatToShow="TRADES",
                                 formatDate=2), message="reqHeadTimestamp")
call("cancelHeadTimeStamp", request(67), message="cancelHeadTimestamp")
call("reqHistogramData", request(68, OPTION, includeExpired=True, useRTH=False, timePeriod="3 days"))
call("cancelHistogramData", request(69))
call("reqHistoricalTicks", request(
    70, OPTION, includeExpired=True, startDateTime="20250714 09:30:00 US/Eastern", numberOfTicks=500,
    whatToShow="BID_ASK", useRTH=False, ignoreSize=True, miscOptions="x=y;"))
call("reqHistoricalTicks", request(71, STOCK, endDateTime="20250714-20:00:00", numberOfTicks=1000,
                                   whatToShow="TRADES", useRTH=False), name="reqHistoricalTicks backwards")

# Contracts and reference data.
call("reqContractDetails", request(81, dict(OPTION, secIdType="ISIN", secId="US0378331005"),
                                   includeExpired=True, issuerId="e1234"), gates=dict(issuerId=176))
call("reqContractDetails", request(82, BOND), name="reqContractDetails of a bond")
call("reqContractDetails", request(83, dict(secType="STK", conId=265598)),
     name="reqContractDetails by number")
call("reqMatchingSymbols", request(84, pattern="inter"))
call("reqSecDefOptParams", request(85, underlyingSymbol="ES", futFopExchange="CME", underlyingSecType="FUT",
                                   underlyingConId=495512563))
call("reqMarketRule", dict(marketRuleId=26))
call("reqScannerParameters")
SCANNER = dict(
    numberOfRows=17, instrument="STK", locationCode="STK.US.MAJOR", scanCode="TOP_PERC_GAIN",
    abovePrice=5.25, belowPrice=250.5, aboveVolume=100001, marketCapAbove=1000000000.0,
    marketCapBelow=50000000000.0, moodyRatingAbove="Aa1", moodyRatingBelow="Baa2", spRatingAbove="AA",
    spRatingBelow="BB", maturityDateAbove="20270101", maturityDateBelow="20310101", couponRateAbove=1.5,
    couponRateBelow=7.25, excludeConvertible=True, averageOptionVolumeAbove=333,
    scannerSettingPairs="Annual,true", stockTypeFilter="CORP",
    scannerSubscriptionFilterOptions="usdMarketCapAbove=10000;", scannerSubscriptionOptions="o=p;")
call("reqScannerSubscription", request(86, **SCANNER))
call("reqScannerSubscription", request(87, instrument="STK", locationCode="STK.NASDAQ",
                                       scanCode="MOST_ACTIVE"), name="reqScannerSubscription, plain")
call("cancelScannerSubscription", request(88))
call("reqNewsProviders")
call("reqNewsArticle", request(89, providerCode="BRFG", articleId="BRFG$04507322", newsArticleOptions="q=r;"))
call("reqHistoricalNews", request(
    90, conId=8314, providerCodes="BRFG+DJNL", startDateTime="2025-07-01 10:00:00.0",
    endDateTime="2025-07-14 11:00:00.0", totalResults=10, historicalNewsOptions="s=t;"))
call("reqNewsBulletins", dict(allMsgs=True))
call("cancelNewsBulletins")
call("reqFamilyCodes")
call("reqSoftDollarTiers", request(91))
for kind in (1, 3):
    call("requestFA", dict(faDataType=kind), name=f"requestFA {kind}")
call("replaceFA", request(92, faDataType=1, xml="<ListOfGroups>\n</ListOfGroups>"))
call("queryDisplayGroups", request(93))
call("subscribeToGroupEvents", request(94, groupId=4))
call("updateDisplayGroup", request(95, contractInfo="8314@SMART"))
call("unsubscribeFromGroupEvents", request(96))
call("reqWshMetaData", request(97), first=161)
call("cancelWshMetaData", request(98), first=161)
WSH = dict(filter=171, fillWatchlist=171, fillPortfolio=171, fillCompetitors=171, startDate=173,
           endDate=173, totalLimit=173)
call("reqWshEventData", request(99, conId=8314, fillWatchlist=True, fillPortfolio=True,
                                fillCompetitors=True, startDate="20250701", endDate="20250714",
                                totalLimit=25), gates=WSH, first=161)
call("reqWshEventData", request(100, filter='{"country":"All"}'), gates=WSH, first=171,
     name="reqWshEventData by filter")
for flag in ("fillWatchlist", "fillPortfolio", "fillCompetitors"):
    call("reqWshEventData", request(100, **{flag: True}), gates=WSH, first=171,
         name=f"reqWshEventData, {flag} alone")
call("cancelWshEventData", request(101), first=161)

# Orders.
CME = dict(extOperator=192, manualOrderIndicator=192)
call("cancelOrder", dict(orderId=201), name="cancelOrder, plain")
call("cancelOrder", dict(orderId=202, manualOrderCancelTime="20250714-12:00:00", extOperator="desk",
                         manualOrderIndicator=1), gates=dict(manualOrderCancelTime=169, **CME))
call("reqGlobalCancel", name="reqGlobalCancel, plain")
call("reqGlobalCancel", dict(extOperator="desk", manualOrderIndicator=1), gates=CME)
call("reqOpenOrders")
call("reqAllOpenOrders")
call("reqAutoOpenOrders", dict(autoBind=True))
call("reqCompletedOrders", dict(apiOnly=True))
call("exerciseOptions", request(
    203, {name: value for name, value in OPTION.items() if name != "primaryExchange"}, exerciseAction=2,
    exerciseQuantity=13, account="DU1234567", override=True, manualOrderTime="20250714-12:00:00",
    customerAccount="C77", professionalCustomer=True),
    gates=dict(manualOrderTime=180, customerAccount=183, professionalCustomer=184))
DAYS = dict(lastNDays=200, specificDates=200)
call("reqExecutions", request(204), name="reqExecutions, all")
call("reqExecutions", request(205, clientId=3, acctCode="DU1234567", time="20250714 09:30:00 US/Eastern",
                              symbol="MSFT", secType="STK", exchange="ISLAND", side="BUY", lastNDays=5),
     gates=DAYS, name="reqExecutions of days")
call("reqExecutions", request(206, side="SELL", specificDates=[dict(date=20250711), dict(date=20250714)]),
     gates=DAYS, name="reqExecutions of dates")

# What the program can send and the official client cannot: it leaves these options empty, and has dropped the
# advisors' profiles that old versions carry.
NOT_SENT = {
    "reqMktData": {"mktDataOptions"}, "reqMktDepth": {"mktDepthOptions"},
    "calculateImpliedVolatility": {"impliedVolatilityOptions"}, "calculateOptionPrice": {"optionPriceOptions"},
    "placeOrder": {"faProfile"},
}
