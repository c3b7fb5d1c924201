"""Measures every client at the relay, one after the other, and prints a table.

    latency.py MARTLET TOOLS [--ticks 100000] [--warm 2000] [--gap 1000] [--only NAME,...] [--python PYTHON]

TOOLS is the folder with the compiled relay, echo and sync; PYTHON an interpreter that has the foreign clients.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
# When session time begins: 30 minutes behind an open, so that the longest measurement ends before the close.
START = "2026-01-05T10:00:00-05:00"


def first_line(process):
    line = process.stdout.readline().strip()
    if not line:
        raise SystemExit(f"{process.args[0]} does not start")
    return line


class Bench:
    def __init__(self, options):
        self.options = options

    def tool(self, name):
        return os.path.join(self.options.tools, name)

    def measure(self, command, environment=None, needs_gateway=True):
        """What the relay says of a client; `{port}` in its command is the relay's."""
        folder = tempfile.mkdtemp(prefix="latency-")
        gateway = relay = client = None
        try:
            port = 0
            if needs_gateway:
                gateway = subprocess.Popen(
                    [self.options.martlet, "gateway", "run", "--port", "0", "--market", "synthetic", "--seed", "7",
                     "--start", START, "--max-server-version", "178", "--pacing", "off"],
                    stdout=subprocess.PIPE, text=True)
                port = int(first_line(gateway).rsplit(":", 1)[1])
            relay = subprocess.Popen(
                [self.tool("relay"), str(port), str(self.options.ticks), str(self.options.warm),
                 str(self.options.gap)], stdout=subprocess.PIPE, text=True)
            relay_port = first_line(relay).split()[1]
            words = [word.format(port=relay_port, folder=folder) for word in command]
            with open(os.path.join(folder, "words"), "w") as log:
                client = subprocess.Popen(words, stdout=log, stderr=log, env=environment)
                answer = relay.stdout.readline()
            if not answer:
                with open(os.path.join(folder, "words")) as log:
                    raise SystemExit(f"no measurement of {words[0]}: {log.read()[-2000:]}")
            return json.loads(answer)
        finally:
            for process in (client, relay, gateway):
                if process is not None:
                    process.kill()
                    process.wait()
            shutil.rmtree(folder)

    def martlet(self, durability):
        return self.measure(
            [self.options.martlet, "run", "--mode", "sim", "--connect", "-q", "-c",
             os.path.join(HERE, "session.yaml"), "--start", START, "--journal", "{folder}/journal",
             "--set", "ibkr.port={port}", "--set", f"system.journal_durability={durability}"])

    def python(self, name):
        return self.measure(
            [self.options.python, "-B", os.path.join(HERE, f"client_{name}.py"), "{port}"])

    def sync(self):
        folder = tempfile.mkdtemp(prefix="latency-")
        try:
            command = [self.tool("sync"), folder, "5000", str(self.options.gap)]
            return json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
        finally:
            shutil.rmtree(folder)


def clients(bench):
    return {
        "echo": ("C, echo", lambda: bench.measure([bench.tool("echo"), "{port}"], needs_gateway=False)),
        "off": ("Martlet, journal off", lambda: bench.martlet("off")),
        "normal": ("Martlet, journal normal", lambda: bench.martlet("normal")),
        "full": ("Martlet, journal full", lambda: bench.martlet("full")),
        "ib_async": ("ib_async", lambda: bench.python("ib_async")),
        "ibapi": ("IBKR's Python client", lambda: bench.python("ibapi")),
    }


def table(results, names, sync):
    echo = results["echo"]["order"]
    print("| client | orders | p50 gross | p99 gross | p50 net | p99 net | cancel p50 gross |")
    print("|---|---|---|---|---|---|---|")
    for key, result in results.items():
        order, cancel = result["order"], result["cancel"]
        print(f"| {names[key]} | {order['ticks']} | {order['p50_us']:.1f} | {order['p99_us']:.1f} "
              f"| {order['p50_us'] - echo['p50_us']:.1f} | {order['p99_us'] - echo['p99_us']:.1f} "
              f"| {cancel['p50_us']:.1f} |")
    print(f"\nMicroseconds; net is less the echo's. A write to this disk (fdatasync): p50 {sync['p50_us']:.1f}, "
          f"p99 {sync['p99_us']:.1f}.")


def verdict(results, sync):
    """The targets, as far as what they compare was measured."""
    echo = results["echo"]["order"]
    net = {key: result["order"]["p50_us"] - echo["p50_us"] for key, result in results.items()}
    peers = [net[key] for key in ("ib_async", "ibapi") if key in net]
    held = True
    if "off" in net and peers:
        ratio = min(peers) / net["off"]
        held &= ratio >= 20
        print(f"without durability {ratio:.1f} times quicker than the quicker Python client at p50, net (target: 20)")
    if "off" in net:
        gross = results["off"]["order"]["p99_us"]
        held &= gross < 1000
        print(f"without durability p99 {gross:.1f} us gross (target: below 1000)")
    if "full" in net:
        more = net["full"] - sync["p50_us"]
        held &= more <= 200
        print(f"with full durability {more:.1f} us beside the disk's own sync at p50, net (target: at most 200)")
    print("targets: held" if held else "targets: missed")
    return held


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("martlet")
    parser.add_argument("tools")
    parser.add_argument("--ticks", type=int, default=100_000)
    parser.add_argument("--warm", type=int, default=2_000)
    parser.add_argument("--gap", type=int, default=1_000, help="microseconds between answer and next tick")
    parser.add_argument("--only", help="names, joined by commas; the echo is always measured")
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--json", action="store_true", help="print all figures instead of the table")
    options = parser.parse_args()
    bench = Bench(options)
    listed = clients(bench)
    wanted = ["echo"] + (options.only.split(",") if options.only else list(listed)[1:])
    print(f"load {os.getloadavg()[0]:.2f}, {os.cpu_count()} processors", file=sys.stderr)
    sync, results = bench.sync(), {}
    for key in wanted:
        results[key] = listed[key][1]()
        print(f"{listed[key][0]}: {json.dumps(results[key])}; load {os.getloadavg()[0]:.2f}", file=sys.stderr)
    if options.json:
        print(json.dumps({"sync": sync, "results": results}))
        return 0
    table(results, {key: words for key, (words, _) in listed.items()}, sync)
    return 0 if verdict(results, sync) else 1


if __name__ == "__main__":
    sys.exit(main())
