"""Orders in many shapes, as further entries of `calls.CALLS`."""
from calls import BAG, BOND, CALLS, FOREX, FUTURE, LEGS, OPTION, STOCK, call

GATES = dict(duration=158, postToAts=160, autoCancelParent=162, advancedErrorOverride=166, manualOrderTime=169,
             minTradeQty=170, minCompeteSize=170, competeAgainstBestOffset=170, midOffsetAtWhole=170,
             midOffsetAtHalf=170, customerAccount=183, professionalCustomer=184, includeOvernight=189,
             manualOrderIndicator=192, imbalanceOnly=199)

number = 1000


def place(name, contract=STOCK, first=157, **terms):
    """An order; limit for the day where nothing else is said."""
    global number
    number += 1
    values = dict(orderId=number, action="BUY", totalQuantity=137, orderType="LMT", lmtPrice=187.25, tif="DAY")
    values |= contract | terms
    values = {name: value for name, value in values.items() if value is not None}
    call("placeOrder", values, name=f"placeOrder: {name}", gates=GATES, first=first)


# Types.
place("market", orderType="MKT", lmtPrice=None)
place("limit")
place("nothing said beside the type", dict(symbol="X", secType="STK"), tif=None, lmtPrice=None, orderType="MKT")
for kind in ("STP", "MIT", "STP PRT", "TRAIL", "PEG MKT", "PEG PRI", "PASSV REL", "REL"):
    place(kind, orderType=kind, lmtPrice=None, auxPrice=180.5, action="SELL")
for kind in ("STP LMT", "LIT", "REL + LMT", "SNAP MKT", "SNAP MID", "SNAP PRIM", "PEG STK"):
    place(kind, orderType=kind, auxPrice=180.5)
for kind in ("MOC", "MKT PRT", "BOX TOP", "MIDPRICE", "FUNARI"):
    place(kind, orderType=kind, lmtPrice=None)
place("LOC", orderType="LOC")
place("market on open", orderType="MKT", lmtPrice=None, tif="OPG")
place("limit on open", tif="OPG")
place("trail by percent", orderType="TRAIL", lmtPrice=None, trailingPercent=2.5, trailStopPrice=181.75)
place("trail limit", orderType="TRAIL LIMIT", auxPrice=1.25, lmtPriceOffset=0.15, trailStopPrice=181.75)
place("relative with an offset", orderType="REL", auxPrice=0.02, percentOffset=0.0125)

# Times in force.
for tif in ("GTC", "IOC", "FOK", "DTC", "AUC", "Minutes"):
    place(tif, tif=tif, duration=45 if tif == "Minutes" else None, first=158)
place("GTD", tif="GTD", goodTillDate="20260619 15:30:00 US/Eastern")
place("good after", goodAfterTime="20260618-13:30:00", tif="GTC")
place("outside regular hours", outsideRth=True, includeOvernight=True)

# Sizes, prices and texts at their limits.
place("a fraction of a share", totalQuantity=0.00012345)
place("a million", totalQuantity=1000000)
place("a small price", lmtPrice=0.00001)
place("a large price", lmtPrice=12345678901234567890.0)
place("a negative price", BAG, lmtPrice=-0.05, comboLegs=[])
place("cash", orderType="MKT", contract=FOREX, lmtPrice=None, cashQty=1500.5)
place("sell short", action="SSHORT", shortSaleSlot=2, designatedLocation="DESK7", exemptCode=3)

# Groups.
place("OCA", ocaGroup="group1", ocaType=2)
place("parent", transmit=False)
place("child", parentId=1042, transmit=True, autoCancelParent=True)
for kind in ("D", "B", "F", "P"):
    place(f"hedge {kind}", hedgeType=kind, hedgeParam=f"beta={kind}")

# Many flags and texts together.
place("every plain field", OPTION | dict(secIdType="ISIN", secId="US0378331005"), auxPrice=180.5,
      account="DU1234567", openClose="C", origin=1, orderRef="ref-9", parentId=1043, blockOrder=True,
      sweepToFill=True, displaySize=12, triggerMethod=7, outsideRth=True, hidden=True, discretionaryAmt=0.07,
      goodAfterTime="20260618-13:30:00", goodTillDate="20260619-20:00:00", modelCode="Core", rule80A="I",
      settlingFirm="FIRM", allOrNone=True, minQty=11, percentOffset=0.0125, overridePercentageConstraints=True,
      clearingAccount="CLR99", clearingIntent="Away", notHeld=True, optOutSmartRouting=True, algoId="algo-id",
      solicited=True, randomizeSize=True, randomizePrice=True, orderMiscOptions="a=b;c=d;",
      dontUseAutoPriceForHedge=True, isOmsContainer=True, discretionaryUpToLimitPrice=True)
# Each flag alone: in an order with all of them a swap would not show.
for flag in ("blockOrder", "sweepToFill", "outsideRth", "hidden", "allOrNone", "overridePercentageConstraints",
             "continuousUpdate", "optOutSmartRouting", "notHeld", "whatIf", "solicited", "randomizeSize",
             "randomizePrice", "dontUseAutoPriceForHedge", "isOmsContainer", "discretionaryUpToLimitPrice",
             "autoCancelParent", "professionalCustomer", "includeOvernight", "imbalanceOnly"):
    place(f"{flag} alone", **{flag: True})
place("advisor's group", faGroup="Group1", faMethod="PctChange", faPercentage="35", tif="GTC")
place("auction", OPTION, auctionStrategy=2, startingPrice=11.5, stockRefPrice=12.5, delta=0.4,
      stockRangeLower=10.25, stockRangeUpper=14.75)
place("soft dollars", softDollarTierName="Maximize", softDollarTierValue="100")
place("MiFID", mifid2DecisionMaker="maker", mifid2DecisionAlgo="decision", mifid2ExecutionTrader="trader",
      mifid2ExecutionAlgo="execution")
place("late fields", duration=30, postToAts=2, autoCancelParent=True, advancedErrorOverride="8229=IDEM",
      manualOrderTime="20250714-12:00:00", customerAccount="C77", professionalCustomer=True,
      includeOvernight=True, manualOrderIndicator=1, extOperator="desk", imbalanceOnly=True)
place("price management", usePriceMgmtAlgo=True)
place("no price management", usePriceMgmtAlgo=False)
place("bond", BOND, lmtPrice=98.5)
place("future", FUTURE, lmtPrice=6012.25)

# Volatility and delta-neutral orders.
place("volatility", OPTION, orderType="VOL", lmtPrice=None, volatility=31.5, volatilityType=2,
      continuousUpdate=True, referencePriceType=1)
place("volatility, delta neutral", OPTION, orderType="VOL", lmtPrice=None, volatility=31.5, volatilityType=1,
      deltaNeutralOrderType="LMT", deltaNeutralAuxPrice=4.75, deltaNeutralConId=77,
      deltaNeutralSettlingFirm="SETTLE", deltaNeutralClearingAccount="CLR1", deltaNeutralClearingIntent="PTA",
      deltaNeutralOpenClose="O", deltaNeutralShortSale=True, deltaNeutralShortSaleSlot=2,
      deltaNeutralDesignatedLocation="DESK8", continuousUpdate=False, referencePriceType=2)
place("delta-neutral contract", OPTION, deltaNeutralContract=True, deltaNeutralContractConId=55,
      deltaNeutralContractDelta=0.25, deltaNeutralContractPrice=101.5)

# Scales.
place("scale", scaleInitLevelSize=21, scaleSubsLevelSize=22, scalePriceIncrement=0.5,
      scalePriceAdjustValue=0.125, scalePriceAdjustInterval=23, scaleProfitOffset=0.75, scaleAutoReset=True,
      scaleInitPosition=24, scaleInitFillQty=25, scaleRandomPercent=True, scaleTable="table",
      activeStartTime="20260618-13:30:00", activeStopTime="20260618-20:00:00")
place("scale without adjustment", scaleInitLevelSize=21, scaleSubsLevelSize=22, scalePriceIncrement=0.5)
place("scale without increment", scaleInitLevelSize=21, scaleSubsLevelSize=22)

# Combinations.
ORDER_LEGS = [dict(LEGS[0], openClose=1, shortSaleSlot=2, designatedLocation="DESK9", exemptCode=5),
              dict(LEGS[1], openClose=2, exemptCode=-1)]
place("combination", BAG, comboLegs=LEGS)
place("combination with all of a leg", BAG, comboLegs=ORDER_LEGS)
place("combination with prices", BAG, comboLegs=LEGS, orderComboLegs=[dict(price=1.25), dict(price=None)],
      lmtPrice=None)
place("combination, not guaranteed", BAG, comboLegs=LEGS,
      smartComboRoutingParams=[dict(tag="NonGuaranteed", value="1"), dict(tag="LeginPrio", value="2")])

# Algorithms.
def tags(**pairs):
    return [dict(tag=tag, value=value) for tag, value in pairs.items()]


for priority in ("Urgent", "Normal", "Patient"):
    place(f"Adaptive {priority}", algoStrategy="Adaptive", algoParams=tags(adaptivePriority=priority))
place("Twap", algoStrategy="Twap", algoParams=tags(
    strategyType="Marketable", startTime="20260618-13:30:00", endTime="20260618-20:00:00", allowPastEndTime="1"))
place("Vwap", algoStrategy="Vwap", algoParams=tags(maxPctVol="0.1", noTakeLiq="1", speedUp="0"))
place("ArrivalPx", algoStrategy="ArrivalPx", algoParams=tags(maxPctVol="0.1", riskAversion="Aggressive"))
place("algorithm without parameters", algoStrategy="DarkIce")

# Pegs.
PEG_BENCH = dict(referenceContractId=8314, isPeggedChangeAmountDecrease=True, peggedChangeAmount=0.2,
                 referenceChangeAmount=0.35, referenceExchangeId="ARCA")
place("PEG BENCH", orderType="PEG BENCH", lmtPrice=None, startingPrice=33.5, stockRefPrice=34.5,
      stockRangeLower=30.5, stockRangeUpper=36.5, **PEG_BENCH)
place("PEG BENCH, plain", orderType="PEG BENCH", lmtPrice=None)
place("PEG BEST", dict(STOCK, exchange="IBKRATS"), orderType="PEG BEST", minTradeQty=41, minCompeteSize=42,
      competeAgainstBestOffset=0.03)
place("PEG BEST up to mid", dict(STOCK, exchange="IBKRATS"), orderType="PEG BEST", minTradeQty=41,
      minCompeteSize=42, competeAgainstBestOffset="Infinity", midOffsetAtWhole=0.01, midOffsetAtHalf=0.005,
      first=170)
place("PEG MID", dict(STOCK, exchange="IBKRATS"), orderType="PEG MID", minTradeQty=41, midOffsetAtWhole=0.01,
      midOffsetAtHalf=0.005)
place("IBKRATS limit", dict(STOCK, exchange="IBKRATS"), minTradeQty=41)
place("PEG BEST elsewhere", orderType="PEG BEST", minCompeteSize=42, competeAgainstBestOffset=0.03)

# Adjusted orders.
place("adjusted", orderType="STP", lmtPrice=None, auxPrice=180.5, adjustedOrderType="TRAIL LIMIT",
      triggerPrice=195.5, lmtPriceOffset=0.15, adjustedStopPrice=185.5, adjustedStopLimitPrice=184.25,
      adjustedTrailingAmount=3.5, adjustableTrailingUnit=1)
place("adjusted to a stop", orderType="STP", lmtPrice=None, auxPrice=180.5, adjustedOrderType="STP",
      triggerPrice=195.5, adjustedStopPrice=185.5)

# Conditions.
CONDITIONS = {
    "price": dict(type=1, conjunction="a", isMore=True, price=150.25, conId=265598, exchange="SMART",
                  triggerMethod=4),
    "time": dict(type=3, conjunction="o", isMore=False, time="20260618 13:30:00 US/Eastern"),
    "margin": dict(type=4, conjunction="a", isMore=True, percent=30),
    "execution": dict(type=5, conjunction="o", secType="STK", exchange="ISLAND", symbol="MSFT"),
    "volume": dict(type=6, conjunction="a", isMore=False, volume=1000000, conId=8314, exchange="NYSE"),
    "percent change": dict(type=7, conjunction="o", isMore=True, changePercent=2.75, conId=9408,
                           exchange="ARCA"),
}
for kind, condition in CONDITIONS.items():
    place(f"condition on {kind}", conditions=[condition], conditionsIgnoreRth=True)
place("six conditions", conditions=list(CONDITIONS.values()), conditionsCancelOrder=True)

# As many together as one order can have.
place("much together", OPTION, tif="GTD", goodTillDate="20260619-20:00:00", auxPrice=180.5, ocaGroup="group1",
      ocaType=3, hedgeType="B", hedgeParam="beta=0.9", algoStrategy="Adaptive",
      algoParams=tags(adaptivePriority="Urgent"), conditions=[CONDITIONS["time"], CONDITIONS["price"]],
      scaleInitLevelSize=21, scalePriceIncrement=0.5, scaleProfitOffset=0.75, trailStopPrice=1.5,
      adjustedOrderType="STP", triggerPrice=195.5, adjustedStopPrice=185.5, cashQty=99.5, duration=30,
      deltaNeutralContract=True, deltaNeutralContractConId=55, deltaNeutralContractDelta=0.25,
      deltaNeutralContractPrice=101.5, softDollarTierName="Tier", usePriceMgmtAlgo=True)

assert len({each.name for each in CALLS}) == len(CALLS), "two calls have one name"
