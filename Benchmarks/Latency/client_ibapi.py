"""An order at each second bid and its cancellation at the others, with IBKR's own client: client_ibapi.py PORT."""

import logging
import sys

from ibapi.client import EClient
from ibapi.contract import Contract
from ibapi.order import Order
from ibapi.order_cancel import OrderCancel
from ibapi.wrapper import EWrapper


class App(EWrapper, EClient):
    def __init__(self):
        EClient.__init__(self, wrapper=self)
        self.next = self.bid = None
        self.working = None
        self.apple = Contract()
        self.apple.symbol, self.apple.secType = "AAPL", "STK"
        self.apple.exchange, self.apple.currency = "SMART", "USD"

    def error(self, reqId, errorTime, errorCode, errorString, advancedOrderRejectJson=""):
        pass

    def nextValidId(self, orderId):
        self.next = orderId
        self.reqMktData(1, self.apple, "", False, False, [])

    def tickPrice(self, reqId, tickType, price, attrib):
        if tickType != 1 or price == self.bid:
            return
        self.bid = price
        if self.working is not None:
            self.cancelOrder(self.working, OrderCancel())
            return
        order = Order()
        order.action, order.orderType, order.tif = "BUY", "LMT", "DAY"
        order.totalQuantity, order.lmtPrice = 1, price
        self.working, self.next = self.next, self.next + 1
        self.placeOrder(self.working, self.apple, order)

    def orderStatus(self, orderId, status, *rest):
        if status == "Cancelled" and orderId == self.working:
            self.working = None


if __name__ == "__main__":
    # What it would write of each message is no part of the way.
    logging.disable(logging.CRITICAL)
    app = App()
    app.connect("127.0.0.1", int(sys.argv[1]), clientId=5)
    app.run()
