"""Loads a simulated gateway with 32 clients of 100 instruments each, and tells what it costs.

    load.py MARTLET [--messages 10000000] [--speed 2] [--clients 32] [--symbols 100]

Prints one JSON object: messages a second, processor time, the gateway's resident memory over the run,
the longest round trip of a question asked meanwhile, and what clients have not read at the end.
"""

import argparse
import json
import os
import selectors
import socket
import struct
import subprocess
import sys
import tempfile
import time

VERSION = 178
SYMBOLS = """
AAPL DELL HPQ IBM ACN MSFT CRM ADBE NOW INTU PLTR SNOW ORCL ADP PYPL NVDA AMD INTC AVGO QCOM TXN MU
ADI AMAT LRCX KLAC GOOGL GOOG META NFLX AMZN EBAY BKNG UBER ABNB T VZ TMUS CSCO CMCSA CHTR DIS TSLA
GM HD LOW WMT TGT COST DG BBY TJX ROST MCD SBUX CMG YUM NKE DAL UAL AAL MAR KO PEP MDLZ KHC GIS PG
MO PM JNJ PFE MRK ABBV LLY BMY CVS ZTS AMGN GILD REGN VRTX MRNA ABT MDT ISRG TMO DHR SYK UNH ELV JPM
BAC GS MS WFC USB PNC MA AXP
""".split()


def frames(program, messages):
    """The bytes of messages, as the program's own `wire encode` writes them."""
    lines = "".join(json.dumps(message) + "\n" for message in messages)
    command = [program, "wire", "encode", "--server-version", str(VERSION), "--from", "client", "-"]
    return subprocess.run(command, input=lines.encode(), capture_output=True, check=True).stdout


class Client:
    """A connection that counts the messages it is sent."""

    def __init__(self, address, number, opening):
        self.socket = socket.create_connection(address)
        offer = f"v157..{VERSION}".encode()
        self.socket.sendall(b"API\0" + struct.pack(">I", len(offer)) + offer)
        self.rest = b""
        self.count = 0
        self.answered = None
        while self.count == 0:
            self.read()
        self.count = 0
        start = f"71\0002\000{number}\000\000".encode()
        self.socket.sendall(struct.pack(">I", len(start)) + start)
        self.socket.sendall(opening)

    def read(self):
        data = self.rest + self.socket.recv(1 << 20)
        if len(data) == len(self.rest):
            raise SystemExit("the gateway closed a connection")
        place, end = 0, len(data)
        while place + 4 <= end:
            length = int.from_bytes(data[place:place + 4], "big")
            if place + 4 + length > end:
                break
            # 49: the answer to what time it is.
            if data.startswith(b"49\0", place + 4):
                self.answered = time.monotonic()
            self.count += 1
            place += 4 + length
        self.rest = data[place:]


def status_of(pid):
    with open(f"/proc/{pid}/status") as file:
        memory = next(int(line.split()[1]) for line in file if line.startswith("VmRSS"))
    with open(f"/proc/{pid}/stat") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return memory, (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("--messages", type=int, default=10_000_000)
    parser.add_argument("--speed", type=float, default=2)
    parser.add_argument("--clients", type=int, default=32)
    parser.add_argument("--symbols", type=int, default=100)
    options = parser.parse_args()

    folder = tempfile.mkdtemp(prefix="load-")
    control = os.path.join(folder, "control")
    gateway = subprocess.Popen(
        ["taskset", "-c", "0", options.program, "gateway", "run", "--port", "0", "--market",
         "synthetic", "--seed", "7", "--speed", str(options.speed), "--lines",
         str(options.clients * options.symbols), "--control", control],
        stdout=subprocess.PIPE, text=True)
    host, port = gateway.stdout.readline().strip().removeprefix("listening on ").rsplit(":", 1)
    listed = SYMBOLS[:options.symbols]
    opening = frames(options.program, [
        {"message": "reqMktData", "fields": {
            "reqId": 1000 + place, "symbol": symbol, "secType": "STK", "exchange": "SMART",
            "currency": "USD"}} for place, symbol in enumerate(listed)])
    clients = [Client((host, int(port)), number + 1, opening) for number in range(options.clients)]
    question = struct.pack(">I", 5) + b"49\0001\000"

    selector = selectors.DefaultSelector()
    for client in clients:
        selector.register(client.socket, selectors.EVENT_READ, client)
    begun = last = time.monotonic()
    _, processor = status_of(gateway.pid)
    asked, longest, trips, memory = None, 0.0, 0, []
    total = 0
    while total < options.messages:
        for key, _ in selector.select(timeout=1):
            key.data.read()
        now = time.monotonic()
        if asked and clients[0].answered:
            longest, trips = max(longest, clients[0].answered - asked), trips + 1
            asked = clients[0].answered = None
        if now - last >= 1:
            last = now
            memory.append(status_of(gateway.pid)[0])
            if asked is None:
                asked = now
                clients[0].socket.sendall(question)
        total = sum(client.count for client in clients)
    seconds = time.monotonic() - begun
    status = ask(control, {"do": "status"})
    spent = status_of(gateway.pid)[1] - processor
    gateway.terminate()
    gateway.wait()
    tenth = max(len(memory) // 10, 1)
    print(json.dumps({
        "clients": len(clients), "symbols": len(listed), "messages": total,
        "seconds": round(seconds, 1), "messages_per_second": round(total / seconds),
        "processor_seconds": round(spent, 1), "core_share": round(spent / seconds, 3),
        "us_per_message": round(spent / total * 1e6, 3),
        "resident_kb_first_tenth": max(memory[:tenth]), "resident_kb_last_tenth": max(memory[-tenth:]),
        "resident_kb_max": max(memory), "round_trips": trips,
        "longest_round_trip_ms": round(longest * 1000, 1), "unread_bytes": status["unread"],
    }))


def ask(path, command):
    with socket.socket(socket.AF_UNIX) as pipe:
        pipe.connect(path)
        pipe.sendall(json.dumps(command).encode() + b"\n")
        answer = b""
        while not answer.endswith(b"\n"):
            answer += pipe.recv(65536)
    return json.loads(answer)


if __name__ == "__main__":
    sys.exit(main())
