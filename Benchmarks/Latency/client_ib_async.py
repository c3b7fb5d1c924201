"""An order at each second bid and its cancellation at the others, with ib_async: client_ib_async.py PORT."""

import asyncio
import logging
import sys

from ib_async import IB, LimitOrder, Stock

DONE = ("Cancelled", "ApiCancelled", "Inactive", "Filled")


async def main(port):
    # What it would write of each order is no part of the way.
    logging.getLogger("ib_async").setLevel(logging.CRITICAL)
    ib = IB()
    await ib.connectAsync("127.0.0.1", port, clientId=5)
    ib.client.MaxRequests = 0
    apple = (await ib.qualifyContractsAsync(Stock("AAPL", "SMART", "USD")))[0]
    ticker = ib.reqMktData(apple)
    state = {"bid": None, "trade": None}

    def changed(ticker):
        if ticker.bid == state["bid"]:
            return
        state["bid"] = ticker.bid
        trade = state["trade"]
        if trade is None or trade.orderStatus.status in DONE:
            state["trade"] = ib.placeOrder(apple, LimitOrder("BUY", 1, ticker.bid, tif="DAY"))
        else:
            ib.cancelOrder(trade.order)

    ticker.updateEvent += changed
    while ib.isConnected():
        await asyncio.sleep(1)


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1])))
