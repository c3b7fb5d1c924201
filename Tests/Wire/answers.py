"""What a gateway can say: one entry a message, with the values of its fields by name, and the names under which
the official client hands them to its user."""
from dataclasses import dataclass, field

from orders import CONDITIONS, ORDER_LEGS, PEG_BENCH, tags


@dataclass
class Answer:
    """`name` for people, the wire's name of the message, the official client's callback, the fields."""
    name: str
    message: str
    callback: str
    values: dict
    # The official client's names where they are others.
    aliases: dict = field(default_factory=dict)
    # As a call's.
    gates: dict = field(default_factory=dict)
    first: int = 157
    # Fields the official client does not hand on.
    hidden: set = field(default_factory=set)


ANSWERS = []


def answer(message, values=None, callback=None, name=None, **rest):
    ANSWERS.append(Answer(name or message, message, callback or message, values or {}, **rest))


# What most answers say of an instrument: no primary exchange.
HELD = dict(conId=731001, symbol="SPX", secType="OPT", lastTradeDateOrContractMonth="20260619", strike=4512.5,
            right="P", multiplier="100", exchange="CBOE", currency="EUR", localSymbol="SPXW  260619P",
            tradingClass="SPXW")
LISTED = {("primaryExchange" if name == "exchange" else name): value for name, value in HELD.items()}
REQUEST = dict(reqId="tickerId")
LATER = dict(reqId="requestId")

# Session.
answer("nextValidId", dict(orderId=17))
answer("managedAccounts", dict(accountsList=["DU1234567", "DU7654321"]))
answer("error", dict(id=41, errorCode=201, errorString="Order rejected: no\npermission \u00e9\u20ac",
                     advancedOrderRejectJson='{"rejects":[]}', errorTime=1752508800123),
       aliases=dict(id="reqId"), gates=dict(advancedOrderRejectJson=166, errorTime=194))
answer("error", dict(id=-1, errorCode=2104, errorString="Market data farm connection is OK:usfarm"),
       aliases=dict(id="reqId"), name="error of no request")
answer("currentTime", dict(time=1752508800))
answer("currentTimeInMillis", dict(timeInMillis=1752508800123), first=197)
answer("userInfo", dict(reqId=11, whiteBrandingId="brand"), first=167)
answer("verifyMessageApi", dict(apiData="challenge"), "verifyMessageAPI")
answer("verifyCompleted", dict(isSuccessful="true", errorText="none"))
answer("verifyAndAuthMessageApi", dict(apiData="challenge", xyzChallenge="xyz"), "verifyAndAuthMessageAPI",
       aliases=dict(xyzChallenge="xyzChallange"))
answer("verifyAndAuthCompleted", dict(isSuccessful="false", errorText="refused"))

# Accounts.
answer("accountValue", dict(key="NetLiquidation-S", value="1000.25", currency="USD", accountName="DU1234567"),
       "updateAccountValue", aliases=dict(value="val"))
answer("portfolioValue", LISTED | dict(position=-12.5, marketPrice=187.25, marketValue=-2340.625,
                                       averageCost=180.5, unrealizedPNL=-84.375, realizedPNL=3.125,
                                       accountName="DU1234567"), "updatePortfolio")
answer("accountUpdateTime", dict(timeStamp="12:34"), "updateAccountTime")
answer("accountDownloadEnd", dict(accountName="DU1234567"))
answer("accountSummary", dict(reqId=21, account="DU1234567", tag="BuyingPower", value="4000.5", currency="USD"))
answer("accountSummaryEnd", dict(reqId=22))
answer("position", HELD | dict(account="DU1234567", position=13.25, avgCost=99.75))
answer("positionEnd")
answer("positionMulti", HELD | dict(reqId=23, account="DU1234567", position=13.25, avgCost=99.75,
                                    modelCode="Core"), aliases=dict(position="pos"))
answer("positionMultiEnd", dict(reqId=24))
answer("accountUpdateMulti", dict(reqId=25, account="DU1234567", modelCode="Core", key="Cash", value="55.5",
                                  currency="CHF"))
answer("accountUpdateMultiEnd", dict(reqId=26))
answer("pnl", dict(reqId=27, dailyPnL=12.5, unrealizedPnL=-3.25, realizedPnL=8.75))
answer("pnl", dict(reqId=27, dailyPnL=12.5, unrealizedPnL=None, realizedPnL=None), name="pnl without figures")
answer("pnlSingle", dict(reqId=28, position=200.5, dailyPnL=12.5, unrealizedPnL=-3.25, realizedPnL=8.75,
                         value=9999.25), aliases=dict(position="pos"))

# Market data.
answer("tickPrice", dict(reqId=41, tickType=1, price=187.25, size=300, attrMask=3))
answer("tickPrice", dict(reqId=41, tickType=68, price=187.25, size=7.5, attrMask=4), name="tickPrice, delayed")
answer("tickSize", dict(reqId=42, tickType=8, size=123456.5))
answer("tickGeneric", dict(reqId=43, tickType=49, value=1.5))
answer("tickString", dict(reqId=44, tickType=45, value="1752508800"))
answer("tickEFP", dict(reqId=45, tickType=38, basisPoints=1.25, formattedBasisPoints="1.25 bp",
                       totalDividends=2.5, holdDays=33, futureLastTradeDate="20260619", dividendImpact=3.75,
                       dividendsToLastTradeDate=4.125))
answer("tickOptionComputation", dict(reqId=46, tickType=13, tickAttrib=1, impliedVol=0.31, delta=-0.42,
                                     optPrice=12.25, pvDividend=0.75, gamma=0.0125, vega=1.5, theta=-0.875,
                                     undPrice=4500.5))
answer("tickOptionComputation", dict(reqId=46, tickType=10, tickAttrib=0, impliedVol=-1, delta=-2,
                                     optPrice=-1, pvDividend=-1, gamma=-2, vega=-2, theta=-2,
                                     undPrice=-1), name="tickOptionComputation, nothing computed")
answer("tickSnapshotEnd", dict(reqId=47))
answer("marketDataType", dict(reqId=48, marketDataType=3))
answer("tickReqParams", dict(reqId=49, minTick=0.01, bboExchange="9c0001", snapshotPermissions=3),
       aliases=REQUEST)
answer("tickNews", dict(reqId=50, timeStamp=1752508800123, providerCode="BRFG", articleId="BRFG$1",
                        headline="Head", extraData="K:1"), aliases=REQUEST)
TRADE = dict(price=187.25, size=33.5, mask=2, exchange="ARCA", specialConditions="T")
answer("tickByTick", dict(TRADE, reqId=51, tickType=1, time=1752508800), "tickByTickAllLast",
       name="tickByTick of trades")
answer("tickByTick", dict(TRADE, reqId=51, tickType=2, time=1752508800, mask=1), "tickByTickAllLast",
       name="tickByTick of all trades")
answer("tickByTick", dict(reqId=52, tickType=3, time=1752508800, bidPrice=187.25, askPrice=187.5, bidSize=300,
                          askSize=200.5, mask=1), "tickByTickBidAsk", name="tickByTick of quotes")
answer("tickByTick", dict(reqId=53, tickType=4, time=1752508800, midPoint=187.375), "tickByTickMidPoint",
       name="tickByTick of midpoints")
answer("realTimeBar", dict(reqId=54, time=1752508800, open=10.5, high=11.75, low=9.25, close=11.5,
                           volume=1234.5, wap=10.875, count=77), "realtimeBar", aliases=dict(open="open_"))
answer("marketDepth", dict(reqId=55, position=3, operation=1, side=0, price=187.25, size=44.5),
       "updateMktDepth")
answer("marketDepthL2", dict(reqId=56, position=4, marketMaker="NSDQ", operation=2, side=1, price=187.25,
                             size=44.5, isSmartDepth=True), "updateMktDepthL2")
answer("mktDepthExchanges", dict(depthMktDataDescriptions=[
    dict(exchange="DTB", secType="OPT", listingExch="EUREX", serviceDataType="Deep", aggGroup=2),
    dict(exchange="LSEETF", secType="STK", listingExch="LSE", serviceDataType="Deep2", aggGroup=None)]))
answer("smartComponents", dict(reqId=57, components=[
    dict(bitNumber=1, exchange="AMEX", exchangeLetter="A"), dict(bitNumber=14, exchange="ISLAND",
                                                                 exchangeLetter="Q")]),
    aliases=dict(components="smartComponentMap"))
answer("rerouteMktDataReq", dict(reqId=58, conId=8314, exchange="NYSE"))
answer("rerouteMktDepthReq", dict(reqId=59, conId=9408, exchange="ARCA"))

# History.
BARS = [dict(date="20250714 09:30:00 US/Eastern", open=10.5, high=11.75, low=9.25, close=11.5, volume=1234.5,
             wap=10.875, barCount=77),
        dict(date="20250715", open=12.5, high=13.75, low=11.25, close=13.5, volume=4321, wap=12.875,
             barCount=78)]
answer("historicalData", dict(reqId=61, start="20250713  09:30:00", end="20250714  16:00:00", bars=BARS),
       gates=dict(start=(157, 196), end=(157, 196)))
answer("historicalData", dict(reqId=61, bars=[]), name="historicalData without bars")
answer("historicalDataEnd", dict(reqId=62, start="20250713 09:30:00 US/Eastern",
                                 end="20250714 16:00:00 US/Eastern"), first=196)
answer("historicalDataUpdate", dict(BARS[0], reqId=63))
answer("headTimestamp", dict(reqId=64, headTimestamp="19801212-14:30:00"))
answer("histogramData", dict(reqId=65, items=[dict(price=10.5, size=100), dict(price=10.75, size=250)]))
answer("historicalTicks", dict(reqId=66, done=True, ticks=[dict(time=1752508800, price=10.5, size=1.5),
                                                           dict(time=1752508801, price=10.75, size=2)]))
answer("historicalTicksBidAsk", dict(reqId=67, done=False, ticks=[
    dict(time=1752508800, mask=1, priceBid=10.5, priceAsk=10.75, sizeBid=3.5, sizeAsk=4),
    dict(time=1752508801, mask=2, priceBid=11.5, priceAsk=11.75, sizeBid=5, sizeAsk=6)]))
answer("historicalTicksLast", dict(reqId=68, done=True, ticks=[
    dict(time=1752508800, mask=2, price=10.5, size=3.5, exchange="ARCA", specialConditions="I"),
    dict(time=1752508801, mask=1, price=10.75, size=4, exchange="NYSE", specialConditions="T")]))
answer("historicalSchedule", dict(
    reqId=69, startDateTime="20250714-09:30:00", endDateTime="20250715-16:00:00", timeZone="US/Eastern",
    sessions=[dict(startDateTime="20250714-09:30:00", endDateTime="20250714-16:00:00", refDate="20250714"),
              dict(startDateTime="20250715-09:31:00", endDateTime="20250715-16:01:00", refDate="20250715")]),
    first=165)

# Contracts and reference data.
SIZES = dict(mdSizeMultiplier=(157, 164), minSize=164, sizeIncrement=164, suggestedSizeIncrement=164)
DETAILS = dict(
    reqId=81, symbol="SPX", secType="OPT", lastTradeDateOrContractMonth="20260619 08:30 US/Central",
    lastTradeDate="20260618", strike=4512.5, right="C", exchange="CBOE",
    currency="EUR", localSymbol="SPXW  260619C", marketName="SPXW", tradingClass="SPXQ", conId=731001,
    minTick=0.05, mdSizeMultiplier=100, multiplier="10", orderTypes="ACTIVETIM,ADJUST",
    validExchanges="SMART,CBOE", priceMagnifier=3, underConId=416904, longName="S&P 500 \u00e9 Index",
    primaryExchange="CFE", contractMonth="202606", industry="Indices", category="Broad", subcategory="Range",
    timeZoneId="US/Eastern", tradingHours="20250714:0930-20250714:1600", liquidHours="20250715:CLOSED",
    evRule="aussieBond", evMultiplier=12, secIdList=[dict(tag="ISIN", value="US1"), dict(tag="CUSIP", value="2")],
    aggGroup=4, underSymbol="SPX.U", underSecType="IND", marketRuleIds="32,26", realExpirationDate="20260620",
    stockType="COMMON", sizeMinTick=0.0003, minSize=0.0001, sizeIncrement=0.0002, suggestedSizeIncrement=100,
    ineligibilityReasonList=[dict(id="r1", reasonDescription="first"), dict(id="r2", reasonDescription="second")])
# The one size of version 163 is passed over by the official client.
CONTRACT_GATES = dict(SIZES, sizeMinTick=(163, 164), lastTradeDate=182, ineligibilityReasonList=186)
answer("contractData", DETAILS, "contractDetails", gates=CONTRACT_GATES,
       hidden={"mdSizeMultiplier", "sizeMinTick"})
FUND = dict(
    fundName="Fund", fundFamily="Family", fundType="Type", fundFrontLoad="1.5", fundBackLoad="2.5",
    fundBackLoadTimeInterval="3 years", fundManagementFee="0.5", fundClosed=True, fundClosedForNewInvestors=False,
    fundClosedForNewMoney=True, fundNotifyAmount="1000", fundMinimumInitialPurchase="2000",
    fundSubsequentMinimumPurchase="300", fundBlueSkyStates="CA", fundBlueSkyTerritories="PR",
    fundDistributionPolicyIndicator="N", fundAssetType="002")
answer("contractData", dict(DETAILS, secType="FUND", **FUND), "contractDetails", name="contractData of a fund",
       gates=CONTRACT_GATES | {name: 179 for name in FUND}, hidden={"mdSizeMultiplier", "sizeMinTick"})
for flag in ("fundClosed", "fundClosedForNewInvestors", "fundClosedForNewMoney"):
    others = dict.fromkeys(["fundClosed", "fundClosedForNewInvestors", "fundClosedForNewMoney"], False)
    answer("contractData", dict(DETAILS, secType="FUND") | FUND | others | {flag: True}, "contractDetails",
           name=f"contractData of a fund, {flag} alone", gates=ANSWERS[-1].gates, hidden=ANSWERS[-1].hidden)
answer("bondContractData", dict(
    reqId=82, symbol="US-T", secType="BOND", cusip="91282CDK4", coupon=1.25, maturity="20261130 08:31 US/Central",
    issueDate="20211130", ratings="AAA", bondType="GOVT",
    couponType="FIXED", convertible=True, callable=False, putable=True, descAppend="appended", exchange="SMART",
    currency="USD", marketName="US Treasury", tradingClass="UST", conId=526263864, minTick=0.001,
    mdSizeMultiplier=100, orderTypes="LMT,MKT", validExchanges="SMART,BONDDESK", nextOptionDate="20251130",
    nextOptionType="CALL", nextOptionPartial=True, notes="none", longName="United States", timeZoneId="US/Eastern",
    tradingHours="20250714:0930-20250714:1600", liquidHours="20250715:CLOSED", evRule="bond", evMultiplier=12,
    secIdList=[dict(tag="ISIN", value="US2")], aggGroup=4, marketRuleIds="299", minSize=0.1, sizeIncrement=0.2,
    suggestedSizeIncrement=1), "bondContractDetails",
    gates=dict(SIZES, timeZoneId=188, tradingHours=188, liquidHours=188),
    hidden={"mdSizeMultiplier"})
BOND = ANSWERS[-1]
for flag in ("convertible", "callable", "putable", "nextOptionPartial"):
    others = dict.fromkeys(["convertible", "callable", "putable", "nextOptionPartial"], False)
    answer("bondContractData", BOND.values | others | {flag: True}, BOND.callback,
           name=f"bondContractData, {flag} alone", gates=BOND.gates, hidden=BOND.hidden)
answer("contractDataEnd", dict(reqId=83), "contractDetailsEnd")
answer("symbolSamples", dict(reqId=84, contractDescriptions=[
    dict(conId=265598, symbol="AAPL", secType="STK", primaryExchange="NASDAQ", currency="USD",
         derivativeSecTypes=["CFD", "OPT"], description="APPLE INC", issuerId="e1"),
    dict(conId=-1, symbol="", secType="BOND", primaryExchange="X", currency="EUR", derivativeSecTypes=[],
         description="Issuer", issuerId="e2")]))
answer("marketRule", dict(marketRuleId=26, priceIncrements=[dict(lowEdge=0, increment=0.01),
                                                            dict(lowEdge=3.5, increment=0.05)]))
answer("secDefOptParameter", dict(
    reqId=85, exchange="CBOE", underlyingConId=416904, tradingClass="SPXW", multiplier="100",
    expirations=["20260619", "20260717"], strikes=[dict(strike=4512.5), dict(strike=4525)]), "securityDefinitionOptionParameter")
answer("secDefOptParameterEnd", dict(reqId=86), "securityDefinitionOptionParameterEnd")
answer("scannerParameters", dict(xml="<ScanParameterResponse>\n</ScanParameterResponse>"))
answer("scannerData", dict(reqId=87, rows=[
    dict(HELD, rank=0, marketName="SPXM", distance="d1", benchmark="b1", projection="p1", legsStr="l1"),
    dict(HELD, rank=1, symbol="X", marketName="N", distance="d2", benchmark="b2", projection="p2", legsStr="l2")]))
for row in ANSWERS[-1].values["rows"]:
    del row["multiplier"]
answer("newsProviders", dict(newsProviders=[dict(providerCode="BRFG", providerName="Briefing"),
                                            dict(providerCode="DJNL", providerName="Dow Jones")]))
answer("newsArticle", dict(reqId=88, articleType=1, articleText="<p>text</p>"), aliases=LATER)
answer("historicalNews", dict(reqId=89, time="2025-07-14 12:34:56.0", providerCode="BRFG", articleId="BRFG$2",
                              headline="Head"), aliases=LATER)
answer("historicalNewsEnd", dict(reqId=90, hasMore=True), aliases=LATER)
answer("newsBulletin", dict(msgId=91, msgType=2, newsMessage="closed \u00e9", originExch="NYSE"),
       "updateNewsBulletin")
answer("familyCodes", dict(familyCodes=[dict(accountID="DU1234567", familyCodeStr="F1"),
                                        dict(accountID="DU7654321", familyCodeStr="F2")]))
answer("softDollarTiers", dict(reqId=92, tiers=[
    dict(softDollarTierName="n1", softDollarTierValue="v1", softDollarTierDisplayName="d1"),
    dict(softDollarTierName="n2", softDollarTierValue="v2", softDollarTierDisplayName="d2")]))
answer("receiveFA", dict(faDataType=3, xml="<ListOfAccountAliases/>"), aliases=dict(faDataType="faData",
                                                                                  xml="cxml"))
answer("replaceFaEnd", dict(reqId=93, text="taken"), "replaceFAEnd")
answer("displayGroupList", dict(reqId=94, groups="3|1|2"))
answer("displayGroupUpdated", dict(reqId=95, contractInfo="8314@SMART"))
answer("wshMetaData", dict(reqId=96, dataJson='{"meta_data":{}}'), first=161)
answer("wshEventData", dict(reqId=97, dataJson='[{"event":1}]'), first=161)

# Orders.
answer("orderStatus", dict(orderId=201, status="Submitted", filled=12.5, remaining=87.5, avgFillPrice=187.25,
                           permId=1376327563, parentId=3, lastFillPrice=187.5, clientId=7, whyHeld="locate",
                           mktCapPrice=188.75))
answer("orderStatus", dict(orderId=202, status="PreSubmitted", filled=0, remaining=100, permId=99999999999),
       name="orderStatus of a long number")
answer("openOrderEnd")
answer("completedOrdersEnd")
answer("orderBound", dict(permId=99999999999, clientId=8, orderId=203))
answer("execDetails", HELD | dict(
    reqId=-1, orderId=204, execId="00025b46.63f8f39c.01.01", time="20250714 12:34:56 US/Eastern",
    account="DU1234567", executionExchange="ISLAND", side="SLD", shares=12.5, price=187.25, permId=1376327563,
    clientId=7, liquidation=1, cumQty=37.5, avgPrice=187.125, orderRef="ref-9", evRule="rule", evMultiplier=2.5,
    modelCode="Core", lastLiquidity=2, pendingPriceRevision=True, submitter="me"),
    aliases=dict(account="acctNumber", executionExchange="execution.exchange"),
    gates=dict(pendingPriceRevision=178, submitter=198))
answer("execDetailsEnd", dict(reqId=205))
answer("commissionAndFeesReport", {
    "execId": "00025b46.63f8f39c.01.01", "commission": 1.25, "currency": "USD", "realizedPNL": 33.5,
    "yield": 4.75, "yieldRedemptionDate": 20261130},
    aliases={"commission": "commissionAndFees", "yield": "yield_"})
answer("commissionAndFeesReport", dict(execId="e2", commission=0.5, currency="USD", realizedPNL=None,
                                       yieldRedemptionDate=None), aliases=dict(commission="commissionAndFees"),
       name="commissionAndFeesReport of an opening fill")
DELTA_HEDGE = dict(deltaNeutralContractConId="contract.deltaNeutralContract.conId",
                   deltaNeutralContractDelta="contract.deltaNeutralContract.delta",
                   deltaNeutralContractPrice="contract.deltaNeutralContract.price")
answer("deltaNeutralValidation", dict(reqId=206, deltaNeutralContractConId=55, deltaNeutralContractDelta=0.25,
                                      deltaNeutralContractPrice=101.5),
       aliases={name: path.removeprefix("contract.") for name, path in DELTA_HEDGE.items()})

# Fields that openOrder and completedOrder share, each set.
ORDER = HELD | dict(
    action="SELL", totalQuantity=137.5, orderType="LMT", lmtPrice=187.25, auxPrice=180.5, tif="GTD",
    ocaGroup="group1", account="DU1234567", openClose="C", origin=1, orderRef="ref-9", permId=1376327563,
    outsideRth=True, hidden=True, discretionaryAmt=0.07, goodAfterTime="20260618-13:30:00", faGroup="Group1",
    faMethod="PctChange", faPercentage="35", faProfile="profile", modelCode="Core",
    goodTillDate="20260619-20:00:00", rule80A="I", percentOffset=0.0125, settlingFirm="FIRM", shortSaleSlot=2,
    designatedLocation="DESK7", exemptCode=3, startingPrice=11.5, stockRefPrice=12.5, delta=0.4,
    stockRangeLower=10.25, stockRangeUpper=14.75, displaySize=12, sweepToFill=True, allOrNone=True, minQty=11,
    ocaType=2, triggerMethod=7, volatility=31.5, volatilityType=1, deltaNeutralOrderType="MKT",
    deltaNeutralAuxPrice=4.75, deltaNeutralConId=77, deltaNeutralShortSale=True, deltaNeutralShortSaleSlot=2,
    deltaNeutralDesignatedLocation="DESK8", continuousUpdate=True, referencePriceType=2, trailStopPrice=181.75,
    trailingPercent=2.5, comboLegsDescrip="leg1,leg2", comboLegs=ORDER_LEGS,
    orderComboLegs=[dict(price=1.25), dict(price=None)],
    smartComboRoutingParams=tags(NonGuaranteed="1", LeginPrio="2"), scaleInitLevelSize=21, scaleSubsLevelSize=22,
    scalePriceIncrement=0.5, scalePriceAdjustValue=0.125, scalePriceAdjustInterval=23, scaleProfitOffset=0.75,
    scaleAutoReset=True, scaleInitPosition=24, scaleInitFillQty=25, scaleRandomPercent=True, hedgeType="B",
    hedgeParam="beta=0.9", clearingAccount="CLR99", clearingIntent="Away", notHeld=True,
    deltaNeutralContract=True, deltaNeutralContractConId=55, deltaNeutralContractDelta=0.25,
    deltaNeutralContractPrice=101.5, algoStrategy="Adaptive", algoParams=tags(adaptivePriority="Urgent", x="y"),
    solicited=True, status="Submitted", randomizeSize=True, randomizePrice=False,
    conditions=list(CONDITIONS.values()), conditionsIgnoreRth=True, conditionsCancelOrder=False,
    adjustedTrailStopPrice=182.25, lmtPriceOffset=0.15, cashQty=1500.5, dontUseAutoPriceForHedge=True,
    isOmsContainer=False, autoCancelParent=True, imbalanceOnly=True, minTradeQty=41, minCompeteSize=42,
    competeAgainstBestOffset=0.03, midOffsetAtWhole=0.01, midOffsetAtHalf=0.005, customerAccount="C77",
    professionalCustomer=True, submitter="me")
PEGS = dict(minTradeQty=170, minCompeteSize=170, competeAgainstBestOffset=170, midOffsetAtWhole=170,
            midOffsetAtHalf=170)
ORDER_GATES = dict(PEGS, faProfile=(157, 177), customerAccount=183, professionalCustomer=184, submitter=198)
# The trail's stop price comes twice; the official client keeps the second.
ORDER_ALIASES = dict(DELTA_HEDGE, adjustedTrailStopPrice="trailStopPrice", status="orderState.status",
                     delta="order.delta")
ORDER_HIDDEN = {"faProfile", "trailStopPrice", "deltaNeutralContract"}
MARGINS = ["initMarginBefore", "maintMarginBefore", "equityWithLoanBefore", "initMarginChange",
           "maintMarginChange", "equityWithLoanChange", "initMarginAfter", "maintMarginAfter",
           "equityWithLoanAfter"]
PREVIEW = dict(
    {f"{name}OutsideRTH": 2000.5 + place for place, name in enumerate(MARGINS)}, marginCurrency="CHF",
    suggestedSize=66.5, rejectReason="too large", orderAllocations=[
        dict(account="DU1234567", position=1.5, positionDesired=2.5, positionAfter=3.5, desiredAllocQty=4.5,
             allowedAllocQty=5.5, isMonetary=True),
        dict(account="DU7654321", position=6.5, positionDesired=7.5, positionAfter=8.5, desiredAllocQty=9.5,
             allowedAllocQty=10.5, isMonetary=False)])
OPEN_GATES = ORDER_GATES | {name: 195 for name in PREVIEW} | dict(
    duration=158, postToAts=160, autoCancelParent=162, bondAccruedInterest=185, includeOvernight=189,
    extOperator=193, manualOrderIndicator=193, imbalanceOnly=199)
OPEN_ALIASES = ORDER_ALIASES | dict(
    commission="commissionAndFees", minCommission="minCommissionAndFees", maxCommission="maxCommissionAndFees",
    commissionCurrency="commissionAndFeesCurrency", softDollarTierName="order.softDollarTier.name",
    softDollarTierValue="order.softDollarTier.val", softDollarTierDisplayName="order.softDollarTier.displayName")
OPEN_ORDER = ORDER | PREVIEW | {name: 1000.5 + place for place, name in enumerate(MARGINS)} | dict(
    orderId=207, clientId=7, sharesAllocation="1376327563.0/DU1234567/100", auctionStrategy=3, blockOrder=True,
    parentId=208, deltaNeutralSettlingFirm="SETTLE", deltaNeutralClearingAccount="CLR1",
    deltaNeutralClearingIntent="PTA", deltaNeutralOpenClose="O", basisPoints=6.25, basisPointsType=9,
    optOutSmartRouting=True, whatIf=True, commission=1.25, minCommission=0.75, maxCommission=2.25,
    commissionCurrency="USD", warningText="careful", adjustedOrderType="STP", triggerPrice=195.5,
    adjustedStopPrice=185.5, adjustedStopLimitPrice=184.25, adjustedTrailingAmount=3.5, adjustableTrailingUnit=1,
    softDollarTierName="Maximize", softDollarTierValue="100", softDollarTierDisplayName="Max",
    discretionaryUpToLimitPrice=True, usePriceMgmtAlgo=True, duration=30, postToAts=2,
    bondAccruedInterest="17.5", includeOvernight=True, extOperator="desk", manualOrderIndicator=1)
OPEN = dict(aliases=OPEN_ALIASES, gates=OPEN_GATES, hidden=ORDER_HIDDEN | {"sharesAllocation"})
answer("openOrder", OPEN_ORDER, **OPEN)
answer("openOrder", OPEN_ORDER | dict(orderType="PEG BENCH") | PEG_BENCH, name="openOrder of a peg", **OPEN)
PLAIN = HELD | dict(orderId=209, action="BUY", totalQuantity=100, orderType="MKT", tif="DAY", clientId=7,
                    permId=99999999999, status="PreSubmitted")
NOTHING = dict.fromkeys(["lmtPrice", "auxPrice", "percentOffset", "minQty", "volatility", "trailingPercent",
                         "scalePriceIncrement", "basisPoints", "commission", "minCommission", "maxCommission"])
answer("openOrder", PLAIN | NOTHING, name="openOrder, plain", **OPEN)
answer("openOrder", PLAIN | dict.fromkeys(MARGINS) | dict.fromkeys(
    ["triggerPrice", "lmtPriceOffset", "adjustedStopPrice", "adjustedTrailingAmount", "cashQty", "duration",
     "postToAts", "minTradeQty", "competeAgainstBestOffset"]), name="openOrder, unset", **OPEN)
COMPLETED_ONLY = dict(
    autoCancelDate="20260701", filledQuantity=136.5, refFuturesConId=88, shareholder="holder",
    routeMarketableToBbo=True, parentPermId=99999999998, completedTime="20250714 12:34:56 America/Los_Angeles",
    completedStatus="Filled Size: 100")
COMPLETED = dict(aliases=ORDER_ALIASES, gates=ORDER_GATES, hidden=ORDER_HIDDEN)
answer("completedOrder", ORDER | COMPLETED_ONLY, **COMPLETED)
answer("completedOrder", ORDER | COMPLETED_ONLY | dict(orderType="PEG BENCH") | PEG_BENCH,
       name="completedOrder of a peg", **COMPLETED)
answer("completedOrder", HELD | dict(action="BUY", totalQuantity=0, orderType="LMT", lmtPrice=3.5, tif="GTC",
                                     permId=3, filledQuantity=None, parentPermId=None, refFuturesConId=None,
                                     completedStatus="Cancelled by Trader"), name="completedOrder, plain",
       **COMPLETED)

# Each flag alone: in an order with all of them a swap would not show.
HAS_BLOCKS = {"deltaNeutralShortSale": dict(deltaNeutralOrderType="MKT"),
              "scaleAutoReset": dict(scalePriceIncrement=0.5), "scaleRandomPercent": dict(scalePriceIncrement=0.5),
              "conditionsIgnoreRth": dict(conditions=[CONDITIONS["margin"]]),
              "conditionsCancelOrder": dict(conditions=[CONDITIONS["margin"]])}
for message, values, options in (("openOrder", OPEN_ORDER, OPEN),
                                 ("completedOrder", ORDER | COMPLETED_ONLY, COMPLETED)):
    flags = [name for name, value in values.items() if isinstance(value, bool) and name not in ORDER_HIDDEN]
    for flag in flags:
        first = HELD | dict(action="BUY", orderType="LMT") | (dict(orderId=210) if message == "openOrder" else {})
        answer(message, first | HAS_BLOCKS.get(flag, {}) | {
            name: name == flag for name in flags if name == flag or name not in HAS_BLOCKS},
            name=f"{message}, {flag} alone", **options)

assert len({each.name for each in ANSWERS}) == len(ANSWERS), "two answers have one name"
