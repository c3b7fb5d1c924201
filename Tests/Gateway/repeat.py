"""Plays one client script against several runs of the simulated gateway: every byte must be the same.

    repeat.py MARTLET
    repeat.py MARTLET --running

Session time stands still but for control commands, so nothing may depend on this machine's speed. Each run is a
process of its own. One run gets its time in pieces of a second, which may change nothing; one has another seed, which
must change something.

With --running session time runs as it does by default, and a shorter script answers to what it is told (half a
minute a run). Session time goes in steps of 250 ms: the bytes are the same as long as this machine carries out what
the script asks within the step it belongs to, so this is no test for a busy machine.
"""

import json
import socket
import struct
import subprocess
import sys

from gateway import Checks, Gateway

VERSION = 178
LIMIT = 60  # seconds of this machine the gateway may take for an answer
STOCK = dict(symbol="AAPL", secType="STK", exchange="SMART", currency="USD")
OTHER = dict(symbol="MSFT", secType="STK", exchange="SMART", currency="USD")


def say(message, **fields):
    return {"message": message, "fields": fields}


def order(number, action, quantity, kind, price=None, **terms):
    if price is not None:
        terms["auxPrice" if kind == "STP" else "lmtPrice"] = price
    return say("placeOrder", orderId=number, action=action, totalQuantity=quantity, orderType=kind,
               tif=terms.pop("tif", "DAY"), **STOCK, **terms)


# What happens: seconds that pass, control commands, or the number of a client and what it sends.
SCRIPT = [
    (1, say("reqContractDetails", reqId=1, **STOCK)),
    (1, say("reqContractDetails", reqId=2, symbol="ES", secType="FUT", exchange="CME", currency="USD")),
    (1, say("reqSecDefOptParams", reqId=3, underlyingSymbol="AAPL", underlyingSecType="STK",
            underlyingConId=265598)),
    (1, say("reqMatchingSymbols", reqId=4, pattern="AA")),
    (1, say("reqHistoricalData", reqId=5, durationStr="1 Y", barSizeSetting="1 day", **STOCK)),
    (1, say("reqHistoricalData", reqId=6, durationStr="2 D", barSizeSetting="1 min", useRTH=False, **STOCK)),
    (1, say("reqHistoricalData", reqId=7, durationStr="600 S", barSizeSetting="5 secs", keepUpToDate=True,
            **STOCK)),
    (1, say("reqMktData", reqId=8, genericTickList="233,236", **STOCK)),
    (1, say("reqMktData", reqId=9, symbol="EUR", secType="CASH", exchange="IDEALPRO", currency="USD")),
    (1, say("reqTickByTickData", reqId=10, tickType="AllLast", numberOfTicks=20, **STOCK)),
    (1, say("reqMktDepth", reqId=11, numRows=5, isSmartDepth=True, **STOCK)),
    (1, say("reqRealTimeBars", reqId=12, barSize=5, whatToShow="TRADES", useRTH=True, **STOCK)),
    (1, say("reqAccountUpdates", subscribe=True, acctCode="DU1234567")),
    (1, say("reqPnL", reqId=13, account="DU1234567")),
    (1, say("reqPositions")),
    30,
    (1, order(1, "BUY", 100, "MKT", orderRef="first")),
    (2, say("reqMktData", reqId=1, **OTHER)),
    2,
    (1, order(2, "BUY", 2000, "LMT", 400, orderRef="large")),
    20,
    (1, order(3, "BUY", 10, "LMT", 100, tif="GTC")),
    (1, order(4, "SELL", 50, "STP", 100, tif="GTC", outsideRth=True)),
    2,
    (1, order(3, "BUY", 20, "LMT", 101, tif="GTC")),
    2,
    (1, say("cancelOrder", orderId=3)),
    2,
    (1, order(5, "BUY", 40, "MKT", transmit=False)),
    (1, order(6, "SELL", 40, "LMT", 900, parentId=5, tif="GTC", transmit=False)),
    (1, order(7, "SELL", 40, "STP", 90, parentId=5, tif="GTC")),
    (1, order(8, "BUY", 100, "MKT", whatIf=True)),
    (1, order(9, "BUY", 5_000_000, "MKT")),
    10,
    {"do": "lose-link"},
    5,
    {"do": "fill", "share": 0.5},
    5,
    {"do": "restore-link"},
    5,
    {"do": "scenario", "name": "callback-permutations"},
    (1, order(10, "BUY", 200, "MKT")),
    (2, say("reqAllOpenOrders")),
    10,
    {"do": "heal"},
    (1, say("reqExecutions", reqId=20)),
    (1, say("reqCompletedOrders")),
    (1, say("reqAccountSummary", reqId=21, group="All", tags="NetLiquidation,BuyingPower,TotalCashValue")),
    300,
    (1, say("reqGlobalCancel")),
    2,
    {"do": "delay", "seconds": 0.5, "most": 3},
    30,
    {"do": "heal"},
    10,
    {"do": "status"},
    {"do": "ledger"},
]

# The same while time runs: how many bars of five seconds are awaited, or what is sent then.
RUNNING = [
    say("reqContractDetails", reqId=1, **STOCK),
    say("reqMktData", reqId=8, genericTickList="233,236", **STOCK),
    say("reqTickByTickData", reqId=10, tickType="AllLast", numberOfTicks=20, **STOCK),
    say("reqMktDepth", reqId=11, numRows=5, isSmartDepth=True, **STOCK),
    say("reqHistoricalData", reqId=7, durationStr="600 S", barSizeSetting="5 secs", keepUpToDate=True, **STOCK),
    say("reqRealTimeBars", reqId=12, barSize=5, whatToShow="TRADES", useRTH=True, **STOCK),
    say("reqAccountUpdates", subscribe=True, acctCode="DU1234567"),
    say("reqPnL", reqId=13, account="DU1234567"),
    say("reqPositions"),
    1,
    order(1, "BUY", 100, "MKT", orderRef="first"),
    order(2, "BUY", 2000, "LMT", 400, orderRef="large"),
    order(3, "BUY", 10, "LMT", 100, tif="GTC"),
    1,
    say("cancelOrder", orderId=3),
    order(5, "BUY", 40, "MKT", transmit=False),
    order(6, "SELL", 40, "LMT", 900, parentId=5, tif="GTC", transmit=False),
    order(7, "SELL", 40, "STP", 90, parentId=5, tif="GTC"),
    2,
    say("reqExecutions", reqId=20),
    say("reqCompletedOrders"),
    say("reqAccountSummary", reqId=21, group="All", tags="NetLiquidation,BuyingPower,TotalCashValue"),
    say("reqGlobalCancel"),
    1,
]

# What the first client must have been told, so that equal silence is no success.
TOLD = ("contractData", "historicalData", "tickPrice", "tickSize", "tickByTick", "marketDepthL2", "realTimeBar",
        "historicalDataUpdate", "openOrder", "orderStatus", "execDetails", "commissionAndFeesReport", "position",
        "accountValue", "portfolioValue", "pnl", "completedOrder", "accountSummary", "error")


class Client:
    """A connection that keeps every byte it is sent."""

    def __init__(self, gateway, number):
        self.gateway = gateway
        self.socket = socket.create_connection((gateway.host, gateway.port), timeout=LIMIT)
        self.received = bytearray()
        self.place = 0
        offer = f"v157..{VERSION}".encode()
        self.socket.sendall(b"API\0" + struct.pack(">I", len(offer)) + offer)
        self.until(lambda frame: True)
        self.send([say("startApi", clientId=number)])

    def send(self, messages):
        self.socket.sendall(self.gateway.frames(messages))

    def until(self, condition):
        """Reads frames until one is what is waited for."""
        while True:
            while self.place + 4 <= len(self.received):
                length = int.from_bytes(self.received[self.place:self.place + 4], "big")
                if self.place + 4 + length > len(self.received):
                    break
                frame = bytes(self.received[self.place + 4:self.place + 4 + length])
                self.place += 4 + length
                if condition(frame):
                    return
            data = self.socket.recv(1 << 20)
            if not data:
                raise RuntimeError("the gateway closed the connection")
            self.received += data

    def settle(self):
        """Asks what time it is: before the answer stands everything that was told before."""
        self.send([say("reqCurrentTime")])
        self.until(lambda frame: frame.startswith(b"49\0"))


class Encoded(Gateway):
    """A gateway with the bytes of messages as `wire encode` makes them."""

    known = {}

    def __init__(self, program, seed, *options):
        super().__init__(program, "--market", "synthetic", "--seed", str(seed), *options)
        self.program = program

    def frames(self, messages):
        lines = "".join(json.dumps(message) + "\n" for message in messages)
        if lines not in self.known:
            command = [self.program, "wire", "encode", "--server-version", str(VERSION), "--from", "client", "-"]
            self.known[lines] = subprocess.run(
                command, input=lines.encode(), capture_output=True, check=True).stdout
        return self.known[lines]


def play(program, seed, piece=None):
    """Plays the script; gives what each client received and what control commands were answered."""
    answers = []
    with Encoded(program, seed, "--speed", "0") as gateway:
        clients = {number: Client(gateway, number) for number in (1, 2)}
        for client in clients.values():
            client.settle()
        for step in SCRIPT:
            if isinstance(step, dict):
                answers.append(json.dumps(gateway.control(**step)))
            elif isinstance(step, tuple):
                clients[step[0]].send([step[1]])
                clients[step[0]].settle()
            else:
                for seconds in [piece] * (step // piece) if piece else [step]:
                    answer = gateway.control(do="advance", seconds=seconds)
                answers.append(json.dumps(answer))
        for client in clients.values():
            client.settle()
        status, words = gateway.stop()
        if status or words:
            raise RuntimeError(f"the gateway ended with {status}: {words}")
        for client in clients.values():
            while data := client.socket.recv(1 << 20):
                client.received += data
            client.socket.close()
    return [bytes(client.received) for client in clients.values()], answers


def play_running(program, seed):
    """Plays the script of running time; gives what the client received up to the last bar it awaits."""
    with Encoded(program, seed) as gateway:
        parts = [[]]
        for step in RUNNING:
            if isinstance(step, int):
                parts += [step, []]
            else:
                parts[-1].append(step)
        for part in parts:
            if isinstance(part, list) and part:
                gateway.frames(part)
        client = Client(gateway, 1)
        for part in parts:
            if isinstance(part, int):
                for _ in range(part):
                    client.until(lambda frame: frame.startswith(b"50\0"))
            elif part:
                client.send(part)
        return bytes(client.received[:client.place])


def main_running(program):
    check = Checks("repetition while time runs")
    first, again, other = (play_running(program, seed) for seed in (7, 7, 8))
    names = decoded(program, first)
    for name in TOLD:
        if name != "error":
            check(name in names, f"the script is told {name}")
    at = next((i for i, (a, b) in enumerate(zip(first, again)) if a != b), min(len(first), len(again)))
    check(first == again, f"another process: {len(first)} and {len(again)} bytes, different from {at} on: "
          f"{first[at - 40:at + 40]} {again[at - 40:at + 40]}")
    check(other != first, "another seed is another market")
    print(f"repeated sessions while time runs: {len(first)} bytes in {len(names)} messages, {len(again)} bytes; "
          f"{check.passed} passed, {len(check.failures)} failed")
    return 1 if check.failures else 0


def decoded(program, data):
    """The names of the messages in a stream of bytes."""
    command = [program, "wire", "decode", "--server-version", str(VERSION), "--from", "server", "-"]
    lines = subprocess.run(command, input=data, capture_output=True, check=True).stdout.splitlines()
    return [json.loads(line)["message"] for line in lines]


def main(program):
    check = Checks("repetition")
    first, answers = play(program, 7)
    names = [decoded(program, data) for data in first]
    for name in TOLD:
        check(name in names[0], f"the script is told {name}")
    for what, piece in (("another process", None), ("time in pieces of a second", 1)):
        again, answered = play(program, 7, piece)
        for number, (one, other) in enumerate(zip(first, again, strict=True), 1):
            at = next((i for i, (a, b) in enumerate(zip(one, other)) if a != b), min(len(one), len(other)))
            check(one == other, f"{what}: client {number} gets {len(one)} and {len(other)} bytes, "
                  f"different from {at} on: {one[at - 40:at + 40]} {other[at - 40:at + 40]}")
        check(answers == answered, f"{what}: control commands are answered alike")
    other, _ = play(program, 8)
    check(other[0] != first[0], "another seed is another market")
    print(f"repeated sessions: {sum(map(len, first))} bytes in {sum(map(len, names))} messages alike in 3 runs; "
          f"{check.passed} passed, {len(check.failures)} failed")
    return 1 if check.failures else 0


if __name__ == "__main__":
    if sys.argv[2:] == ["--running"]:
        sys.exit(main_running(sys.argv[1]))
    sys.exit(main(*sys.argv[1:]))
