"""The steps of a trading day with ib_async, as it comes from PyPI."""

import asyncio
import logging
import math

from ib_async import IB, LimitOrder, MarketOrder, Order, Stock, StopLimitOrder, StopOrder

from official import LIMIT, Log

# What a step provokes on purpose: ib_async logs every refusal.
PROVOKED = ("Error 200,", "Error 201,", "Error 110,", "Error 202,", "Error 10147,", "Error 10148,",
            "Error 161,", "Error 162,", "Unknown contract", "Canceled order:", "Order rejected")


class Steps:
    """One client going through the whole list."""

    def __init__(self, gateway, client_id, version, check):
        self.gateway, self.client_id, self.version, self.check = gateway, client_id, version, check
        self.log = Log()

    def run(self):
        logger = logging.getLogger("ib_async")
        logger.addHandler(self.log)
        try:
            asyncio.run(self.steps())
        finally:
            logger.removeHandler(self.log)
        stray = [text for text in self.log.records if not any(part in text for part in PROVOKED)]
        self.check(stray == [], f"the client's log has nothing unexpected: {stray[:5]}")

    async def steps(self):
        self.ib = IB()
        self.errors = []
        self.ib.errorEvent += lambda *values: self.errors.append(values)
        try:
            await self.connect()
            await self.contracts()
            await self.market_data()
            await self.bars()
            await self.orders()
            await self.account()
            await self.reconnect()
        finally:
            self.ib.disconnect()

    async def connect(self):
        await self.ib.connectAsync(
            self.gateway.host, self.gateway.port, clientId=self.client_id, timeout=LIMIT)
        self.check(self.ib.isConnected(), "connects")
        self.check(self.ib.client.serverVersion() == min(self.version, 178),
                   f"version {self.ib.client.serverVersion()}")
        self.account_name = self.ib.managedAccounts()[0]
        self.check(bool(self.ib.accountValues()), "account values are there from the start")
        now = await self.ib.reqCurrentTimeAsync()
        self.check(now is not None, "the gateway's clock")

    async def until(self, condition, what, limit=LIMIT):
        """Waits until `condition()` is true."""
        end = asyncio.get_running_loop().time() + limit
        while not condition():
            if asyncio.get_running_loop().time() > end:
                return self.check(False, f"{what}; errors {self.errors[-3:]}")
            await asyncio.sleep(0.01)
        return self.check(True, what)

    # Contracts

    async def contracts(self):
        self.apple = (await self.ib.qualifyContractsAsync(Stock("AAPL", "SMART", "USD")))[0]
        self.check(self.apple is not None and self.apple.conId == 265598, f"AAPL is {self.apple}")
        details = await self.ib.reqContractDetailsAsync(self.apple)
        self.check(len(details) == 1 and details[0].minTick == 0.01, "contract details")
        none = await self.ib.qualifyContractsAsync(Stock("NOSUCHTHING", "SMART", "USD"))
        self.check(none in ([], [None]), f"no contract: {none}")
        self.check(len(await self.ib.reqMatchingSymbolsAsync("AAP") or []) >= 1, "matching symbols")
        self.check(len(await self.ib.reqMarketRuleAsync(26) or []) >= 1, "a market rule")
        chains = await self.ib.reqSecDefOptParamsAsync("AAPL", "", "STK", self.apple.conId)
        self.check(len(chains) >= 1, "option parameters")

    # Market data

    async def market_data(self):
        ticker = self.ib.reqMktData(self.apple, "233")
        await self.until(lambda: ticker.bid > 0 and ticker.ask > 0 and ticker.last > 0, "a quote")
        self.check(ticker.ask > ticker.bid, f"ask above bid: {ticker.bid} {ticker.ask}")
        self.bid, self.ask = ticker.bid, ticker.ask
        seen = []
        ticker.updateEvent += lambda t: seen.append(t.time)
        await self.until(lambda: len(seen) >= 5, "a stream of ticks")
        self.ib.cancelMktData(self.apple)
        [snapshot] = await self.ib.reqTickersAsync(self.apple)
        self.check(snapshot.bid > 0, "a snapshot")
        ticker = self.ib.reqTickByTickData(self.apple, "BidAsk")
        ticks = []
        ticker.updateEvent += lambda t: ticks.extend(t.tickByTicks)
        await self.until(lambda: len(ticks) >= 3, "tick by tick")
        self.ib.cancelTickByTickData(self.apple, "BidAsk")
        ticker = self.ib.reqMktDepth(self.apple, 5, isSmartDepth=True)
        await self.until(lambda: ticker.domBids and ticker.domAsks, "an order book")
        self.check(all(a.price > b.price for a in ticker.domAsks for b in ticker.domBids),
                   "the book's sides do not cross")
        self.ib.cancelMktDepth(self.apple, isSmartDepth=True)

    async def bars(self):
        live = self.ib.reqRealTimeBars(self.apple, 5, "TRADES", True)
        await self.until(lambda: len(live) >= 2, "5-second bars")
        self.check(all(bar.time.second % 5 == 0 for bar in live), "bars start at multiples of 5 s")
        self.ib.cancelRealTimeBars(live)
        days = await self.ib.reqHistoricalDataAsync(self.apple, "", "1 M", "1 day", "TRADES", True)
        self.check(15 <= len(days) <= 24, f"a month of days: {len(days)}")
        minutes = await self.ib.reqHistoricalDataAsync(self.apple, "", "1 D", "1 min", "TRADES", True)
        self.check(len(minutes) >= 10, f"minutes: {len(minutes)}")
        kept = await self.ib.reqHistoricalDataAsync(
            self.apple, "", "60 S", "5 secs", "TRADES", True, keepUpToDate=True)
        updates = []
        kept.updateEvent += lambda bars, isNew: updates.append(isNew)
        await self.until(lambda: updates, "an update of kept-up history")
        self.ib.cancelHistoricalData(kept)
        head = await self.ib.reqHeadTimeStampAsync(self.apple, "TRADES", True, 1)
        self.check(bool(head), "head timestamp")

    # Orders

    async def done(self, trade, status, what):
        await self.until(lambda: trade.orderStatus.status == status, f"{what}: {status}")

    async def works(self, trade, what):
        await self.until(lambda: trade.orderStatus.status in ("Submitted", "PreSubmitted"),
                         f"{what} works, not {trade.orderStatus.status}")

    async def orders(self):
        trade = self.ib.placeOrder(self.apple, MarketOrder("BUY", 100, tif="DAY", orderRef="first"))
        await self.done(trade, "Filled", "a market order")
        await self.until(lambda: trade.fills and all(
            f.commissionReport.commission > 0 for f in trade.fills), "each fill gets its commission")
        self.check(sum(f.execution.shares for f in trade.fills) == 100, "100 shares are executed")
        self.check(trade.order.permId > 0, "the order has a permanent id")

        low = round(self.bid * 0.8, 2)
        trade = self.ib.placeOrder(self.apple, LimitOrder("BUY", 10, low, tif="DAY"))
        await self.works(trade, "a limit order")
        trade.order.lmtPrice, trade.order.totalQuantity = round(self.bid * 0.85, 2), 20
        known = len(trade.log)
        self.ib.placeOrder(self.apple, trade.order)
        await self.until(lambda: len(trade.log) > known, "a change is told")
        self.ib.cancelOrder(trade.order)
        await self.done(trade, "Cancelled", "a cancelled limit order")

        below = round(self.bid * 0.9, 2)
        for made in (
            StopOrder("SELL", 10, below, tif="GTC"),
            StopLimitOrder("SELL", 10, round(below - 1, 2), below, tif="GTC"),
            Order(action="SELL", totalQuantity=10, orderType="TRAIL", auxPrice=5.0, tif="GTC"),
            Order(action="SELL", totalQuantity=10, orderType="TRAIL", trailingPercent=5.0, tif="GTC"),
        ):
            trade = self.ib.placeOrder(self.apple, made)
            await self.works(trade, made.orderType)
            self.ib.cancelOrder(made)
            await self.done(trade, "Cancelled", made.orderType)

        high = round(self.ask * 1.2, 2)
        bracket = self.ib.bracketOrder(
            "BUY", 50, round(self.ask * 1.05, 2), high, below, tif="GTC")
        parent, target, stop = [self.ib.placeOrder(self.apple, part) for part in bracket]
        await self.done(parent, "Filled", "a bracket's parent")
        await self.works(target, "a bracket's target")
        await self.works(stop, "a bracket's stop")
        self.ib.cancelOrder(stop.order)
        await self.done(stop, "Cancelled", "a bracket's stop")
        self.ib.cancelOrder(target.order)
        await self.done(target, "Cancelled", "a bracket's target")

        pair = [LimitOrder("BUY", 10, low, tif="DAY"), MarketOrder("BUY", 10, tif="DAY")]
        self.ib.oneCancelsAll(pair, f"pair-{self.client_id}-{self.version}", 1)
        resting = self.ib.placeOrder(self.apple, pair[0])
        await self.works(resting, "an order in a group")
        taking = self.ib.placeOrder(self.apple, pair[1])
        await self.done(taking, "Filled", "the group's taker")
        await self.done(resting, "Cancelled", "the group's other order")

        trade = self.ib.placeOrder(
            self.apple, LimitOrder("BUY", 2000, round(self.ask * 1.02, 2), tif="DAY"))
        await self.until(lambda: trade.orderStatus.status == "Filled", "a large order fills", 60)
        self.check(len(trade.fills) >= 2, f"in parts: {len(trade.fills)}")
        self.check(sum(f.execution.shares for f in trade.fills) == 2000, "that add up")

        state = await self.ib.whatIfOrderAsync(self.apple, MarketOrder("BUY", 100, tif="DAY"))
        margin = float(state.initMarginChange) if state else math.nan
        self.check(0 < margin < 1e9, f"what-if margin {margin}")

        trade = self.ib.placeOrder(
            self.apple, LimitOrder("BUY", 500_000, round(self.bid, 2), tif="DAY"))
        await self.until(lambda: trade.isDone() or trade.orderStatus.status == "Inactive",
                         "an order beyond the margin is rejected")
        self.check(any(e[1] == 201 for e in self.errors), "by 201")

        first = self.ib.placeOrder(self.apple, LimitOrder("BUY", 1, low, tif="DAY"))
        await self.works(first, "an order before a global cancel")
        self.ib.reqGlobalCancel()
        await self.done(first, "Cancelled", "a global cancel")
        completed = await self.ib.reqCompletedOrdersAsync(False)
        self.check(len(completed) >= 3, f"completed orders: {len(completed)}")
        fills = await self.ib.reqExecutionsAsync()
        self.check(len(fills) >= 2, f"executions: {len(fills)}")
        self.check(not await self.ib.reqAllOpenOrdersAsync(), "nothing is open")

    # Account

    async def account(self):
        held = {p.contract.symbol: p.position for p in await self.ib.reqPositionsAsync()}
        self.check(held.get("AAPL", 0) >= 2000, f"the position: {held}")
        summary = {v.tag: v.value for v in await self.ib.accountSummaryAsync()}
        self.check({"NetLiquidation", "BuyingPower"} <= set(summary), f"summary {list(summary)[:5]}")
        await self.until(lambda: any(i.contract.symbol == "AAPL" for i in self.ib.portfolio()),
                         "the portfolio has the position")
        pnl = self.ib.reqPnL(self.account_name)
        await self.until(lambda: not math.isnan(pnl.unrealizedPnL), "profit and loss")
        self.ib.cancelPnL(self.account_name)
        single = self.ib.reqPnLSingle(self.account_name, "", self.apple.conId)
        await self.until(lambda: single.position > 0, "profit and loss of a position")
        self.ib.cancelPnLSingle(self.account_name, "", self.apple.conId)

    # Reconnect

    async def reconnect(self):
        low = round(self.bid * 0.6, 2)
        trade = self.ib.placeOrder(
            self.apple, LimitOrder("BUY", 7, low, tif="GTC", orderRef="stays"))
        await self.works(trade, "an order before a reconnect")
        perm = trade.order.permId
        self.ib.disconnect()
        await asyncio.sleep(0.1)
        await self.connect()
        again = [t for t in self.ib.openTrades() if t.order.permId == perm]
        self.check(len(again) == 1 and again[0].order.orderRef == "stays",
                   "the order is there again under its permanent id")
        if again:
            self.ib.cancelOrder(again[0].order)
            await self.done(again[0], "Cancelled", "the order found again")
