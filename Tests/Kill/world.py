"""A simulated gateway, the proxy before it, and sessions that trade at it one after the other on one journal."""

import json
import os
import random
import shutil
import signal
import socket
import subprocess
import tempfile
import time

from proxy import Proxy

HERE = os.path.dirname(os.path.abspath(__file__))
ACCOUNT = "DU1234567"
ENDED = ("Filled", "Cancelled", "ApiCancelled", "Inactive")


class World:
    """Is made for one point of the test, or for a row of random ones; `close` ends everything that it started."""

    def __init__(self, program, shim, seed, speed, configuration):
        self.program, self.shim, self.speed = program, shim, speed
        self.configuration = os.path.join(HERE, configuration)
        self.is_protected = configuration == "trade.yaml"
        self.random = random.Random(seed)
        self.folder = tempfile.mkdtemp(prefix="kill-")
        self.journal = os.path.join(self.folder, "journal")
        self.control = os.path.join(self.folder, "ctl")
        self.session = None
        self.errors = []
        # What sessions are started with besides: further options, what starts them, and their environment.
        self.options, self.prefix, self.environment = [], [], {}
        self.gateway = subprocess.Popen(
            [program, "gateway", "run", "--port", "0", "--seed", str(seed), "--speed", str(speed),
             "--cash", "100000", "--control", self.control],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, cwd=self.folder,
            start_new_session=True)
        line = self.gateway.stdout.readline()
        if ":" not in line:
            raise RuntimeError("the gateway did not start")
        self.port = int(line.strip().split(":")[-1])
        self.proxy = Proxy(self.port)

    def close(self, keeps=False):
        if self.session and self.session.poll() is None:
            self.session.kill()
            self.session.wait()
        self.gateway.terminate()
        self.gateway.wait()
        self.gateway.stdout.close()
        self.proxy.close()
        if not keeps:
            shutil.rmtree(self.folder, ignore_errors=True)

    # The gateway

    def ctl(self, command):
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(20)
            connection.connect(self.control)
            connection.sendall(json.dumps(command).encode() + b"\n")
            answer = b""
            while not answer.endswith(b"\n"):
                data = connection.recv(1 << 20)
                if not data:
                    break
                answer += data
        value = json.loads(answer)
        if isinstance(value, dict) and "error" in value:
            raise RuntimeError(f"{command}: {value['error']}")
        return value

    def fault(self, name, **parameters):
        return self.ctl({"do": name, **{key.rstrip("_"): value for key, value in parameters.items()}})

    def fill(self):
        """Lets the broker fill what works. Of a stop and its target the first takes all of the second, which ends it."""
        try:
            self.fault("fill", orders="each")
        except RuntimeError:
            pass

    # Sessions

    def arguments(self, *more):
        return [self.program, "run", "--mode", "sim", "--connect", "--json", "-c", self.configuration,
                "--set", f"ibkr.port={self.proxy.port}", "--set", f"ibkr.account_id={ACCOUNT}",
                "--journal", self.journal, "--speed", str(self.speed), "--minutes", "1000000", "--set", "system.exit_policy=leave",
                *self.options, *more]

    def start(self, point=None, forgives=True):
        """Starts a session; one with a point is killed there by its own calls."""
        starts = os.path.join(self.journal, "starts")
        if forgives and os.path.exists(starts):
            # Somebody has looked: a session that dies so often does not start by itself.
            os.remove(starts)
        environment = {**os.environ, **self.environment}
        if point:
            environment["LD_PRELOAD"] = self.shim
            environment["KILL_POINT"] = point
            environment["KILL_REPORT"] = os.path.join(self.folder, "report")
        self.proxy.bars = 0
        # The clock is asked for before the session connects: what is under way of the former is not its own.
        self.proxy.drop_all()
        self.output = open(os.path.join(self.folder, "output"), "w+")
        self.complaints = open(os.path.join(self.folder, "complaints"), "w+")
        self.begun = time.monotonic()
        # The proxy has to answer while the session starts, so nothing waits here.
        self.session = subprocess.Popen(
            self.prefix + self.arguments(), stdout=self.output, stderr=self.complaints, cwd=self.folder, env=environment,
            start_new_session=True)

    def pump(self, condition, limit):
        """Passes bytes on until a condition holds; False if it does not within a time or the session ends first."""
        end = time.monotonic() + limit
        while not condition():
            if time.monotonic() > end:
                return False
            if self.session.poll() is not None:
                return condition()
            self.proxy.pump(0.005)
        return True

    def kill(self):
        """Ends the session as a crash does, and with it its connections."""
        if self.session.poll() is None:
            self.session.send_signal(signal.SIGKILL)
        self.session.wait()
        self.proxy.trap = None
        self.proxy.drop_all()
        self.close_output()

    def close_output(self):
        for file in (self.output, self.complaints):
            file.seek(0)
        result = self.output.read(), self.complaints.read()
        self.output.close()
        self.complaints.close()
        return result

    def finish(self):
        """Ends the session in order: what it has come to."""
        self.session.send_signal(signal.SIGINT)
        end = time.monotonic() + 30
        while self.session.poll() is None and time.monotonic() < end:
            self.proxy.pump(0.005)
        if self.session.poll() is None:
            self.session.kill()
            self.session.wait()
            self.close_output()
            return None, "it did not end within 30 seconds"
        text, complaints = self.close_output()
        if self.session.returncode != 0:
            return None, f"it ended with {self.session.returncode}: {complaints[-600:]}"
        return json.loads(text), complaints

    # Judgement

    def settle(self, during=None):
        """Starts sessions until one of them has all as the gateway has it.

        `during` is called with the seconds since the first was started, until it returns True. Returns the outcome
        of the last, and what is wrong with it.
        """
        outcome, faults = None, ["no session came to its end"]
        first = time.monotonic()
        is_over = during is None
        for minimum in (1.2, 2.5, 4, 6, 8):
            self.start()
            limit = time.monotonic() + 25 + minimum
            while True:
                self.proxy.pump(0.01)
                now = time.monotonic()
                if not is_over:
                    is_over = during(now - first)
                is_quiet = now - self.proxy.newest_order_frame > 0.3
                if self.session.poll() is not None:
                    _, complaints = self.close_output()
                    return None, [f"the session ended with {self.session.returncode}: {complaints[-600:]}"]
                if is_over and self.proxy.bars and now - self.begun > minimum and is_quiet or now > limit:
                    break
            outcome, complaints = self.finish()
            if outcome is None:
                return None, [f"a session did not end in order: {complaints}"]
            outcome["complaints"] = complaints
            faults = self.compare(outcome)
            if not faults:
                break
        return outcome, faults

    def compare(self, outcome):
        ledger = self.ctl({"do": "ledger"})
        self.ledger = ledger
        with open(os.path.join(self.folder, "ledger.json"), "w") as file:
            json.dump(ledger, file, indent=1)
        account = ledger["accounts"][0]
        faults = []
        cash = account["cash"]["USD"]["total"]
        if outcome["cash"] != cash:
            faults.append(f"cash is {outcome['cash']}, and {cash} at the gateway")
        held = {row["symbol"]: row["quantity"] for row in account["positions"] if row["quantity"] != 0}
        if outcome["positions"] != held:
            faults.append(f"positions are {outcome['positions']}, and {held} at the gateway")
        if outcome["unknown"]:
            faults.append(f"it is not known what became of {outcome['unknown']}")
        if outcome["state"] != "trading":
            faults.append(f"it does not trade: {outcome['state']}")
        faults += self.doubled(ledger)
        if self.is_protected:
            faults += self.unprotected(ledger, held, outcome["latched"])
        return faults

    def doubled(self, ledger):
        """Orders that are there twice, or were filled beyond what they are for."""
        faults = []
        if ledger["violations"]["repeatedReferences"]:
            faults.append(f"references twice: {ledger['violations']['repeatedReferences']}")
        if self.proxy.resent:
            faults.append(f"sent twice: {self.proxy.resent}")
        seen = set()
        for order in ledger["orders"]:
            if order["byHand"]:
                continue
            if order["orderRef"] in seen:
                faults.append(f"two orders with the reference {order['orderRef']}")
            seen.add(order["orderRef"])
            if sum(one["quantity"] for one in order["executions"]) > order["quantity"]:
                faults.append(f"{order['orderRef']} was filled beyond its quantity")
        return faults

    @staticmethod
    def unprotected(ledger, held, latched):
        faults = []
        for symbol, quantity in held.items():
            stops = sum(
                order["quantity"] - order["filled"] for order in ledger["orders"]
                if order["symbol"] == symbol and order["type"] == "STP" and order["status"] not in ENDED)
            if stops != quantity and symbol not in latched:
                faults.append(f"{quantity} {symbol} are held, and stops are there for {stops}")
        return faults

    def verify(self):
        """Has a second engine answer the whole journal."""
        run = subprocess.run([self.program, "replay", self.journal, "--verify"], capture_output=True, text=True)
        return [] if run.returncode == 0 else [f"the journal: {run.stdout[-400:]}{run.stderr[-200:]}"]
