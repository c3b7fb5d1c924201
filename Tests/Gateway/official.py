"""The steps of a trading day with IBKR's own Python client, as it comes from PyPI."""

import logging
import threading
import time
from decimal import Decimal

from ibapi.client import EClient
from ibapi.contract import Contract
from ibapi.execution import ExecutionFilter
from ibapi.order import Order
from ibapi.order_cancel import OrderCancel
from ibapi.wrapper import EWrapper

LIMIT = 20  # seconds of this machine a step may take


class Log(logging.Handler):
    """Keeps what a library warns of."""

    def __init__(self):
        super().__init__(level=logging.WARNING)
        self.records = []

    def emit(self, record):
        self.records.append(record.getMessage())


class App(EWrapper, EClient):
    """Keeps every call the client makes, in order."""

    def __init__(self):
        EClient.__init__(self, wrapper=self)
        self.calls = []
        self.news = threading.Condition()

    def note(self, name, *values):
        with self.news:
            self.calls.append((name, *values))
            self.news.notify_all()

    def error(self, reqId, errorTime, errorCode, errorString, advancedOrderRejectJson=""):
        self.note("error", reqId, errorCode, errorString)

    def since(self, mark, name):
        return [call for call in self.calls[mark:] if call[0] == name]

    def wait(self, condition, limit=LIMIT):
        """Waits until `condition()` is true; tells whether it became so."""
        end = time.monotonic() + limit
        with self.news:
            while not condition():
                left = end - time.monotonic()
                if left <= 0:
                    return False
                self.news.wait(min(left, 0.5))
        return True


def keep(name):
    def call(self, *values):
        self.note(name, *values)

    return call


for name in """nextValidId managedAccounts contractDetails contractDetailsEnd tickPrice tickSize
tickString tickGeneric tickReqParams marketDataType tickSnapshotEnd realtimeBar historicalData
historicalDataEnd historicalDataUpdate headTimestamp openOrder openOrderEnd orderStatus execDetails
execDetailsEnd commissionAndFeesReport position positionEnd accountSummary accountSummaryEnd
updateAccountValue updatePortfolio updateAccountTime accountDownloadEnd pnl pnlSingle completedOrder
completedOrdersEnd currentTime symbolSamples marketRule updateMktDepth updateMktDepthL2
tickByTickAllLast tickByTickBidAsk tickByTickMidPoint historicalTicks historicalTicksBidAsk
historicalTicksLast securityDefinitionOptionParameter securityDefinitionOptionParameterEnd
historicalSchedule histogramData mktDepthExchanges smartComponents newsProviders familyCodes
softDollarTiers userInfo scannerData scannerDataEnd scannerParameters positionMulti positionMultiEnd
accountUpdateMulti accountUpdateMultiEnd connectionClosed orderBound""".split():
    setattr(App, name, keep(name))


def stock(symbol):
    contract = Contract()
    contract.symbol, contract.secType = symbol, "STK"
    contract.exchange, contract.currency = "SMART", "USD"
    return contract


def order(action, quantity, kind, **terms):
    made = Order()
    made.action, made.totalQuantity, made.orderType = action, Decimal(quantity), kind
    made.tif = "DAY"
    for name, value in terms.items():
        setattr(made, name, value)
    return made


class Steps:
    """One client going through the whole list."""

    def __init__(self, gateway, client_id, version, check):
        self.gateway, self.client_id, self.version, self.check = gateway, client_id, version, check
        self.log = Log()
        logging.getLogger().addHandler(self.log)
        self.next_request = 9000

    def run(self):
        try:
            self.connect()
            self.contracts()
            self.market_data()
            self.bars()
            self.orders()
            self.account()
            self.reconnect()
        finally:
            self.app.disconnect()
            logging.getLogger().removeHandler(self.log)
        self.check(self.log.records == [], f"the client's log is empty: {self.log.records[:5]}")

    # Session

    def connect(self):
        # The client's reader keeps its socket for a second after a disconnect: until then its number is
        # in use, and 326 is the right answer.
        for self.refusals in range(10):
            self.app = App()
            self.app.connect(self.gateway.host, self.gateway.port, self.client_id)
            self.thread = threading.Thread(target=self.app.run, daemon=True)
            self.thread.start()
            self.app.wait(lambda: self.app.since(0, "nextValidId") or self.app.since(0, "error"))
            if not any(call[2] == 326 for call in self.app.since(0, "error")):
                break
            self.app.disconnect()
            time.sleep(0.5)
        self.check(self.app.wait(
            lambda: self.app.since(0, "nextValidId") and self.app.since(0, "managedAccounts")),
            "connects: next id and accounts")
        self.check(self.app.serverVersion() == self.version, f"version {self.app.serverVersion()}")
        farms = {call[2] for call in self.app.since(0, "error")}
        self.check(self.app.wait(
            lambda: {2104, 2106, 2158} <= {call[2] for call in self.app.since(0, "error")}),
            f"farms are announced: {farms}")
        self.account_name = self.app.since(0, "managedAccounts")[0][1].split(",")[0]
        self.next_order = self.app.since(0, "nextValidId")[0][1]
        mark = self.mark()
        self.app.reqCurrentTime()
        self.until(mark, "currentTime", what="the gateway's clock")

    def mark(self):
        return len(self.app.calls)

    def request(self):
        self.next_request += 1
        return self.next_request

    def until(self, mark, name, count=1, what=None, match=lambda call: True, limit=LIMIT):
        """Waits for calls; gives them."""
        def found():
            return [call for call in self.app.since(mark, name) if match(call)]

        self.app.wait(lambda: len(found()) >= count, limit)
        self.check(len(found()) >= count, f"{what or name}: {len(found())} of {count}; errors "
                   f"{[call for call in self.app.since(mark, 'error')][:3]}")
        return found()

    # Contracts

    def contracts(self):
        mark, number = self.mark(), self.request()
        self.app.reqContractDetails(number, stock("AAPL"))
        self.until(mark, "contractDetailsEnd", what="contract details end")
        details = self.until(mark, "contractDetails", what="contract details")[0][2]
        self.check(details.contract.conId == 265598, f"AAPL is 265598: {details.contract.conId}")
        self.check(details.contract.primaryExchange == "NASDAQ", "AAPL's primary exchange")
        self.check(details.minTick == 0.01, f"AAPL's tick {details.minTick}")
        self.check("CLOSED" in details.tradingHours or "-" in details.tradingHours, "hours")
        self.apple = details.contract
        mark, number = self.mark(), self.request()
        self.app.reqContractDetails(number, stock("NOSUCHTHING"))
        self.until(mark, "error", what="200 for no contract", match=lambda c: c[1:3] == (number, 200))
        mark, number = self.mark(), self.request()
        self.app.reqMatchingSymbols(number, "AAP")
        self.until(mark, "symbolSamples")
        mark = self.mark()
        self.app.reqMarketRule(26)
        self.until(mark, "marketRule")
        mark, number = self.mark(), self.request()
        self.app.reqSecDefOptParams(number, "AAPL", "", "STK", 265598)
        self.until(mark, "securityDefinitionOptionParameterEnd")

    # Market data

    def market_data(self):
        mark, number = self.mark(), self.request()
        self.app.reqMktData(number, stock("AAPL"), "233", False, False, [])
        for kind, name in ((1, "bid"), (2, "ask"), (4, "last")):
            ticks = self.until(mark, "tickPrice", what=name, match=lambda c, k=kind: c[2] == k)
            if ticks:
                self.check(ticks[0][3] > 0, f"{name} is a price: {ticks[0]}")
                setattr(self, name, ticks[0][3])
        self.until(mark, "tickSize", count=3, what="sizes")
        self.until(mark, "tickPrice", count=12, what="a stream of prices")
        self.app.cancelMktData(number)
        time.sleep(0.2)
        after = self.mark()
        time.sleep(0.5)
        self.check(not [c for c in self.app.since(after, "tickPrice") if c[1] == number],
                   "no tick after the cancel")
        mark, number = self.mark(), self.request()
        self.app.reqMktData(number, stock("MSFT"), "", True, False, [])
        self.until(mark, "tickSnapshotEnd", what="snapshot end")
        mark, number = self.mark(), self.request()
        self.app.reqTickByTickData(number, stock("AAPL"), "BidAsk", 0, False)
        self.until(mark, "tickByTickBidAsk", count=3)
        self.app.cancelTickByTickData(number)
        mark, number = self.mark(), self.request()
        self.app.reqMktDepth(number, stock("AAPL"), 5, True, [])
        self.app.wait(lambda: self.app.since(mark, "updateMktDepth")
                      or self.app.since(mark, "updateMktDepthL2"))
        self.check(self.app.since(mark, "updateMktDepth") or self.app.since(mark, "updateMktDepthL2"),
                   "an order book")
        self.app.cancelMktDepth(number, True)

    def bars(self):
        mark, number = self.mark(), self.request()
        self.app.reqRealTimeBars(number, stock("AAPL"), 5, "TRADES", True, [])
        bars = self.until(mark, "realtimeBar", count=2, what="5-second bars")
        self.check(all(bar[2] % 5 == 0 for bar in bars), "bars start at multiples of 5 s")
        self.app.cancelRealTimeBars(number)
        mark, number = self.mark(), self.request()
        self.app.reqHistoricalData(number, stock("AAPL"), "", "1 M", "1 day", "TRADES", 1, 1, False, [])
        self.until(mark, "historicalDataEnd", what="history end")
        days = self.app.since(mark, "historicalData")
        self.check(15 <= len(days) <= 24, f"a month of days: {len(days)}")
        self.check(all(d[2].low <= d[2].open <= d[2].high and d[2].low <= d[2].close <= d[2].high
                       for d in days), "prices of bars go together")
        mark, number = self.mark(), self.request()
        self.app.reqHistoricalData(number, stock("AAPL"), "", "1 D", "1 min", "TRADES", 1, 1, False, [])
        self.until(mark, "historicalDataEnd", what="minutes end")
        minutes = self.app.since(mark, "historicalData")
        self.check(len(minutes) >= 10, f"minutes: {len(minutes)}")
        mark, number = self.mark(), self.request()
        self.app.reqHistoricalData(number, stock("AAPL"), "", "60 S", "5 secs", "TRADES", 1, 2, True, [])
        self.until(mark, "historicalDataEnd", what="kept-up history's first bars")
        self.until(mark, "historicalDataUpdate", what="an update of kept-up history")
        self.app.cancelHistoricalData(number)
        mark, number = self.mark(), self.request()
        self.app.reqHeadTimeStamp(number, stock("AAPL"), "TRADES", 1, 1)
        self.until(mark, "headTimestamp")
        self.app.cancelHeadTimeStamp(number)

    # Orders

    def place(self, contract, placed):
        number = self.next_order
        self.next_order += 1
        mark = self.mark()
        self.app.placeOrder(number, contract, placed)
        return number, mark

    def reaches(self, mark, number, *words, limit=LIMIT):
        return self.until(mark, "orderStatus", what=f"order {number} becomes {words}", limit=limit,
                          match=lambda c: c[1] == number and c[2] in words)

    def orders(self):
        self.market_order()
        self.limit_modified_and_cancelled()
        self.stops()
        self.bracket()
        self.one_cancels_all()
        self.partial_fills()
        self.what_if()
        self.rejects()
        self.global_cancel()
        mark = self.mark()
        self.app.reqCompletedOrders(False)
        self.until(mark, "completedOrdersEnd")
        self.check(len(self.app.since(mark, "completedOrder")) >= 3, "completed orders")
        mark, number = self.mark(), self.request()
        self.app.reqExecutions(number, ExecutionFilter())
        self.until(mark, "execDetailsEnd")
        fills = [c for c in self.app.since(mark, "execDetails") if c[1] == number]
        self.check(len(fills) >= 2, f"executions are told again: {len(fills)}")

    def market_order(self):
        number, mark = self.place(stock("AAPL"), order("BUY", 100, "MKT", orderRef="first"))
        self.reaches(mark, number, "Filled")
        fills = self.until(mark, "execDetails", match=lambda c: c[3].orderId == number)
        self.check(sum(f[3].shares for f in fills) == 100, "100 shares are executed")
        self.check(fills and fills[0][3].orderRef == "first", "the execution has the reference")
        self.check(fills and fills[0][3].execId.count(".") == 3, "an execution id has four parts")
        costs = self.until(mark, "commissionAndFeesReport")
        ids = {f[3].execId for f in fills}
        self.check(costs and costs[0][1].execId in ids, "the commission is of this fill")
        opens = [c for c in self.app.since(mark, "openOrder") if c[1] == number]
        self.check(opens and opens[0][3].permId > 0, "the order has a permanent id")

    def limit_modified_and_cancelled(self):
        far = round(self.bid * 0.8, 2)
        number, mark = self.place(stock("AAPL"), order("BUY", 10, "LMT", lmtPrice=far))
        self.reaches(mark, number, "Submitted", "PreSubmitted")
        mark = self.mark()
        nearer = round(self.bid * 0.85, 2)
        self.app.placeOrder(number, stock("AAPL"), order("BUY", 20, "LMT", lmtPrice=nearer))
        self.until(mark, "openOrder", what="the change is told", match=lambda c: c[1] == number
                   and c[3].lmtPrice == nearer and c[3].totalQuantity == 20)
        mark = self.mark()
        self.app.cancelOrder(number, OrderCancel())
        self.reaches(mark, number, "Cancelled")
        self.until(mark, "error", what="202", match=lambda c: c[1:3] == (number, 202))
        mark = self.mark()
        self.app.cancelOrder(number, OrderCancel())
        self.until(mark, "error", what="a second cancel is refused",
                   match=lambda c: c[1] == number and c[2] in (161, 10147, 10148))

    def stops(self):
        terms = [
            order("SELL", 10, "STP", auxPrice=round(self.bid * 0.9, 2)),
            order("SELL", 10, "STP LMT", auxPrice=round(self.bid * 0.9, 2),
                  lmtPrice=round(self.bid * 0.89, 2)),
            order("SELL", 10, "TRAIL", auxPrice=5.0),
            order("SELL", 10, "TRAIL", trailingPercent=5.0),
            order("SELL", 10, "MIT", auxPrice=round(self.bid * 1.2, 2)),
            order("SELL", 10, "LIT", auxPrice=round(self.bid * 1.2, 2),
                  lmtPrice=round(self.bid * 1.2, 2)),
        ]
        for made in terms:
            made.tif = "GTC"
            number, mark = self.place(stock("AAPL"), made)
            self.reaches(mark, number, "PreSubmitted", "Submitted")
            mark = self.mark()
            self.app.cancelOrder(number, OrderCancel())
            self.reaches(mark, number, "Cancelled")
        number, mark = self.place(
            stock("AAPL"), order("SELL", 10, "STP", auxPrice=round(self.bid * 1.1, 2)))
        self.reaches(mark, number, "Filled")

    def bracket(self):
        parent = order("BUY", 50, "MKT", transmit=False)
        target = order("SELL", 50, "LMT", lmtPrice=round(self.ask * 1.2, 2), tif="GTC", transmit=False)
        stop = order("SELL", 50, "STP", auxPrice=round(self.bid * 0.8, 2), tif="GTC", transmit=True)
        first = self.next_order
        target.parentId = stop.parentId = first
        mark = self.mark()
        for made in (parent, target, stop):
            self.place(stock("AAPL"), made)
        self.reaches(mark, first, "Filled")
        self.reaches(mark, first + 1, "Submitted", "PreSubmitted")
        self.reaches(mark, first + 2, "Submitted", "PreSubmitted")
        for number in (first + 1, first + 2):
            mark = self.mark()
            self.app.cancelOrder(number, OrderCancel())
            self.reaches(mark, number, "Cancelled")

    def one_cancels_all(self):
        group = f"group-{self.next_order}"
        resting, mark = self.place(stock("AAPL"), order(
            "BUY", 10, "LMT", lmtPrice=round(self.bid * 0.7, 2), ocaGroup=group, ocaType=1))
        self.reaches(mark, resting, "Submitted", "PreSubmitted")
        taking, later = self.place(stock("AAPL"), order("BUY", 10, "MKT", ocaGroup=group, ocaType=1))
        self.reaches(later, taking, "Filled")
        self.reaches(mark, resting, "Cancelled")

    def partial_fills(self):
        number, mark = self.place(
            stock("AAPL"), order("BUY", 2000, "LMT", lmtPrice=round(self.ask * 1.02, 2)))
        self.reaches(mark, number, "Filled", limit=60)
        fills = self.until(mark, "execDetails", match=lambda c: c[3].orderId == number, count=2)
        self.check(sum(f[3].shares for f in fills) == 2000, "parts add up to the order")
        self.check(fills and fills[-1][3].cumQty == 2000, "the last part knows the sum")
        partly = [c for c in self.app.since(mark, "orderStatus")
                  if c[1] == number and c[3] > 0 and c[4] > 0]
        self.check(partly, "the order is told of while it is partly filled")
        self.until(mark, "commissionAndFeesReport", count=len(fills))

    def what_if(self):
        number, mark = self.place(stock("AAPL"), order("BUY", 100, "MKT", whatIf=True))
        answers = self.until(mark, "openOrder", what="what-if", match=lambda c: c[1] == number)
        if answers:
            state = answers[0][4]
            self.check(0 < float(state.initMarginChange) < 1e9, f"margin {state.initMarginChange}")
            self.check(state.status == "PreSubmitted", f"what-if is {state.status}")

    def rejects(self):
        number, mark = self.place(
            stock("AAPL"), order("BUY", 500_000, "LMT", lmtPrice=round(self.bid, 2)))
        self.until(mark, "error", what="201 beyond the margin", match=lambda c: c[1:3] == (number, 201))
        number, mark = self.place(stock("AAPL"), order("BUY", 10, "LMT", lmtPrice=self.bid + 0.005))
        self.until(mark, "error", what="110 off the tick", match=lambda c: c[1:3] == (number, 110))
        mark = self.mark()
        self.app.placeOrder(self.next_order - 5, stock("AAPL"), order("BUY", 1, "MKT"))
        self.until(mark, "error", what="an old number is refused",
                   match=lambda c: c[1] == self.next_order - 5 and c[2] in (103, 104, 105, 201))

    def global_cancel(self):
        numbers = []
        for part in (0.7, 0.75):
            number, mark = self.place(
                stock("AAPL"), order("BUY", 1, "LMT", lmtPrice=round(self.bid * part, 2)))
            self.reaches(mark, number, "Submitted", "PreSubmitted")
            numbers.append(number)
        mark = self.mark()
        self.app.reqGlobalCancel(OrderCancel())
        for number in numbers:
            self.reaches(mark, number, "Cancelled")
        mark = self.mark()
        self.app.reqAllOpenOrders()
        self.until(mark, "openOrderEnd")
        self.check(not self.app.since(mark, "openOrder"), "nothing is open after a global cancel")

    # Account

    def account(self):
        mark = self.mark()
        self.app.reqPositions()
        self.until(mark, "positionEnd")
        held = {c[2].symbol: c[3] for c in self.app.since(mark, "position")}
        self.check(held.get("AAPL", 0) >= 2000, f"the position is told: {held}")
        self.app.cancelPositions()
        mark, number = self.mark(), self.request()
        self.app.reqAccountSummary(number, "All", "NetLiquidation,TotalCashValue,BuyingPower")
        self.until(mark, "accountSummaryEnd")
        tags = {c[3]: float(c[4]) for c in self.app.since(mark, "accountSummary")}
        self.check({"NetLiquidation", "TotalCashValue", "BuyingPower"} <= set(tags), f"summary {tags}")
        self.app.cancelAccountSummary(number)
        mark = self.mark()
        self.app.reqAccountUpdates(True, self.account_name)
        self.until(mark, "accountDownloadEnd")
        values = {(c[1], c[3]): c[2] for c in self.app.since(mark, "updateAccountValue")}
        self.check(abs(float(values.get(("NetLiquidation", "USD"), 0)) - tags.get("NetLiquidation", 0))
                   < 20_000, "updates and summary agree on the net liquidation")
        self.until(mark, "updatePortfolio", what="portfolio")
        self.app.reqAccountUpdates(False, self.account_name)
        mark, number = self.mark(), self.request()
        self.app.reqPnL(number, self.account_name, "")
        self.until(mark, "pnl", count=2)
        self.app.cancelPnL(number)
        mark, number = self.mark(), self.request()
        self.app.reqPnLSingle(number, self.account_name, "", self.apple.conId)
        self.until(mark, "pnlSingle")
        self.app.cancelPnLSingle(number)

    # Reconnect

    def reconnect(self):
        number, mark = self.place(stock("AAPL"), order(
            "BUY", 7, "LMT", lmtPrice=round(self.bid * 0.6, 2), tif="GTC", orderRef="stays"))
        self.reaches(mark, number, "Submitted", "PreSubmitted")
        opened = [c for c in self.app.since(mark, "openOrder") if c[1] == number]
        for _ in range(3):
            reader = self.app.reader
            self.app.disconnect()
            self.thread.join(timeout=5)
            # With its reader the client lets go of its socket.
            reader.join(timeout=5)
            self.check(not self.thread.is_alive() and not reader.is_alive(), "the client's threads end")
            self.connect()
            self.check(self.refusals == 0, f"back at once without a 326, not after {self.refusals}")
        self.check(self.next_order > number, "the next id is above all that were used")
        mark = self.mark()
        self.app.reqOpenOrders()
        self.until(mark, "openOrderEnd")
        again = [c for c in self.app.since(mark, "openOrder") if c[1] == number]
        self.check(again and opened and again[0][3].permId == opened[0][3].permId,
                   "the order is there again under its permanent id")
        self.check(again and again[0][3].orderRef == "stays", "with its reference")
        mark = self.mark()
        self.app.cancelOrder(number, OrderCancel())
        self.reaches(mark, number, "Cancelled")
