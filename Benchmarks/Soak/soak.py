"""A live session of 500 symbols at a simulated gateway in a process of its own, faster than any broker sends: whether
anything queues, and whether memory grows.

    soak.py MARTLET [--symbols 500] [--speed 33] [--minutes 385] [--rate 60000]

The broker's data of a symbol are a bar each five seconds and, four times a second, what has changed of its quote; at
33 times their speed that is seven bars and some 120 quotes a second of a symbol, 63,000 events a second of 500. Behind
the open it lasts MINUTES of session time, and before it as long as the broker's limit on streams takes. Prints a row
each ten seconds, and in the last line whether it held; the exit code is 1 where it did not.

`data/s` is what the session reads, in events of 117 bytes, which is what a change of a quote takes on the wire (price,
size, the last trade; measured). `journal/s` is fewer: of a quote's changes in one turn the newest is shown.
"""

import argparse
import json
import os
import re
import shutil
import socket
import string
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
# 60 streams of bars in ten minutes: those of 500 symbols are there at half past nine.
START, OPEN = "2026-01-05T08:00:00-05:00", 90
INTERVAL = 10
# What counts as a queue, and as growth.
BACKLOG_BYTES, ANSWER_SECONDS, GROWTH = 4 << 20, 1.0, 1.1
TROUBLE = re.compile(r"DATA_SHED|FALLING_BEHIND|STRATEGY_SLOW|STRATEGY_STUCK|MEMORY_HIGH|PROCESS_PAUSED|RATE_EXCEEDED")
EVENT_BYTES = 117
PAGE, TICKS = os.sysconf("SC_PAGE_SIZE"), os.sysconf("SC_CLK_TCK")


def names(count):
    letters = string.ascii_uppercase
    return ["S" + letters[i // 676] + letters[i // 26 % 26] + letters[i % 26] for i in range(count)]


def used(pid):
    """Resident bytes and seconds of processor time."""
    with open(f"/proc/{pid}/statm") as file:
        resident = int(file.read().split()[1]) * PAGE
    with open(f"/proc/{pid}/stat") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return resident, (int(fields[11]) + int(fields[12])) / TICKS


def read(pid):
    """Bytes that a process has read, of which a session's are its connection's."""
    with open(f"/proc/{pid}/io") as file:
        return int(file.readline().split()[1])


def unread(path):
    """Bytes that the gateway has for the session, and the session has not read."""
    with socket.socket(socket.AF_UNIX) as pipe:
        pipe.settimeout(60)
        pipe.connect(path)
        pipe.sendall(b'{"do":"status"}\n')
        answer = b""
        while not answer.endswith(b"\n"):
            answer += pipe.recv(65536)
    return json.loads(answer)["unread"]


def events(journal):
    """How many events the journal has: its mark ends in the number of the next."""
    with open(os.path.join(journal, "head")) as file:
        return int(file.read().split()[1]) - 1


class Soak:
    def __init__(self, options, folder):
        self.options, self.folder = options, folder
        self.journal = os.path.join(folder, "journal")
        self.control = os.path.join(folder, "control")
        self.rows, self.faults = [], []

    def start(self):
        program, listed = self.options.martlet, names(self.options.symbols)
        data = os.path.join(self.folder, "data")
        subprocess.run(
            [program, "data", "generate", "--symbols", ",".join(listed), "--bars", "780", "--bar-size", "1m",
             "--from", "2026-01-02", "--seed", "7", "--volatility", "0.3", "-o", data, "-q"], check=True)
        self.gateway = subprocess.Popen(
            [program, "gateway", "run", "--port", "0", "--market", "replay", "--data", data, "--start", START,
             "--speed", str(self.options.speed), "--lines", "1000", "--control", self.control],
            stdout=subprocess.PIPE, text=True)
        port = self.gateway.stdout.readline().strip().rsplit(":", 1)[1]
        self.words = open(os.path.join(self.folder, "words"), "w+")
        self.session = subprocess.Popen(
            [program, "run", "--mode", "sim", "--connect", "-c", os.path.join(HERE, "session.yaml"),
             "--set", f"trading.symbols=[{','.join(listed)}]", "--set", f"ibkr.port={port}",
             "--speed", str(self.options.speed), "--minutes", str(OPEN + self.options.minutes),
             "--journal", self.journal], stdout=self.words, stderr=self.words)

    def status(self):
        begun = time.monotonic()
        answer = subprocess.run(
            [self.options.martlet, "ctl", "status", "--json", "--journal", self.journal], capture_output=True)
        return json.loads(answer.stdout or "{}"), time.monotonic() - begun

    def watch(self):
        print("seconds  session time         state         resident MB  gateway MB  data/s  journal/s  session cpu"
              "  gateway cpu  unread kB  answer ms")
        begun = last = time.monotonic()
        before = (0, 0, 0.0, 0.0)
        while self.session.poll() is None:
            time.sleep(INTERVAL)
            if self.session.poll() is not None:
                break
            try:
                status, answer = self.status()
                (resident, spent), (room, cost) = used(self.session.pid), used(self.gateway.pid)
                backlog, count, wire = unread(self.control), events(self.journal), read(self.session.pid)
                now = time.monotonic()
            except (OSError, ValueError, IndexError) as error:
                if self.session.poll() is None and time.monotonic() - begun > 60:
                    self.faults.append(f"not to be asked: {error!r}")
                continue
            passed, last = now - last, now
            counts = (wire, count, spent, cost)
            rates = [(new - old) / passed for new, old in zip(counts, before)]
            before = counts
            data = rates[0] / EVENT_BYTES
            row = {"resident": resident, "events": data, "unread": backlog, "answer": answer,
                   "now": status.get("now", ""), "conditions": status.get("conditions", [])}
            self.rows.append(row)
            print(f"{now - begun:7.0f}  {row['now'][:19]:19}  {status.get('state', ''):12}  {resident / 1e6:11.1f}  "
                  f"{room / 1e6:10.1f}  {data:6.0f}  {rates[1]:9.0f}  {rates[2]:11.2f}  {rates[3]:11.2f}  "
                  f"{backlog / 1e3:9.1f}  "
                  f"{answer * 1e3:9.0f}", flush=True)

    def judge(self):
        # The first two minutes of session time behind the open are the opening's own.
        steady = [row for row in self.rows if row["now"] >= "2026-01-05T14:32"]
        if len(steady) < 10:
            self.faults.append(f"only {len(steady)} rows behind the open")
            return
        self.words.seek(0)
        for line in self.words:
            if TROUBLE.search(line):
                self.faults.append(line.strip())
        rate = sum(row["events"] for row in steady) / len(steady)
        if rate < self.options.rate:
            self.faults.append(f"{rate:.0f} events a second: fewer than {self.options.rate} came")
        tenth = max(len(steady) // 10, 1)
        first = max(row["resident"] for row in steady[:tenth])
        newest = max(row["resident"] for row in steady[-tenth:])
        if newest > GROWTH * first:
            self.faults.append(f"memory grew from {first / 1e6:.0f} to {newest / 1e6:.0f} MB")
        backlog = max(row["unread"] for row in steady)
        if backlog > BACKLOG_BYTES:
            self.faults.append(f"{backlog / 1e6:.1f} MB waited at the gateway")
        answer = max(row["answer"] for row in steady)
        if answer > ANSWER_SECONDS:
            self.faults.append(f"an answer took {answer:.2f} s")
        if self.session.returncode != 0:
            self.faults.append(f"the session's exit code is {self.session.returncode}")
        print(f"{rate:.0f} events a second; resident {first / 1e6:.1f} MB at first, {newest / 1e6:.1f} MB at last; "
              f"at most {backlog / 1e3:.1f} kB unread, {answer * 1e3:.0f} ms for an answer")

    def end(self):
        for process in (getattr(self, "session", None), getattr(self, "gateway", None)):
            if process is not None and process.poll() is None:
                process.terminate()
                process.wait()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("martlet")
    parser.add_argument("--symbols", type=int, default=500)
    parser.add_argument("--speed", type=float, default=33)
    parser.add_argument("--minutes", type=int, default=385, help="session time behind the open")
    parser.add_argument("--rate", type=int, default=60_000, help="events a second that it is held to")
    parser.add_argument("--keep", help="keep words and journal in this folder")
    options = parser.parse_args()
    folder = options.keep or tempfile.mkdtemp(prefix="soak-")
    os.makedirs(folder, exist_ok=True)
    print(f"load {os.getloadavg()[0]:.2f}, {os.cpu_count()} processors", flush=True)
    soak = Soak(options, folder)
    try:
        soak.start()
        soak.watch()
        soak.judge()
    finally:
        soak.end()
        if not options.keep:
            shutil.rmtree(folder)
    for fault in soak.faults[:20]:
        print(f"FAILED {fault}")
    print(f"soak of {options.symbols} symbols: {'failed' if soak.faults else 'passed'}")
    return 1 if soak.faults else 0


if __name__ == "__main__":
    sys.exit(main())
