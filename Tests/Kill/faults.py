"""What happens to the process of a session besides its death: it hangs, it is stopped, its signals, its disk, its user, a
busy machine, quick starts, and the loss of power."""

import json
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time

import power
from world import World

PLACE = b"3"
# Open orders of every client, executions, positions and completed orders.
LISTS = {b"16", b"7", b"61", b"99"}


def world(arguments, seed, configuration="plain.yaml"):
    return World(arguments.program, arguments.shim, seed, arguments.speed, configuration)


def until(world, condition, limit, what, faults):
    """Passes bytes on until a condition holds; otherwise that is a fault."""
    if world.pump(condition, limit):
        return True
    faults.append(f"this did not happen: {what}; the session is {world.session.poll()}")
    return False


def ended(world, faults, limit=30):
    """Waits for the end of the session: its code, and what it has written to both."""
    until(world, lambda: world.session.poll() is not None, limit, "its end", faults)
    if world.session.poll() is None:
        world.kill()
        return None, "", ""
    world.proxy.drop_all()
    return world.session.returncode, *world.close_output()


def bought(world):
    """The references of all purchases."""
    return sorted(order["orderRef"] for order in world.ctl({"do": "ledger"})["orders"] if order["action"] == "BUY")


def report(world):
    return os.path.join(world.folder, "report")


def a_loop_that_hangs(arguments):
    """A loop that does not come back: its stack is written, the program starts again as the same process, entries are
    halted, and nothing is lost."""
    one, faults = world(arguments, 81), []
    try:
        one.options = ["--set", "system.hang_limit_seconds=3"]
        one.start("hang:place")
        if not until(one, lambda: os.path.exists(report(one)), 60, "an order", faults):
            return 0, "", faults
        process = one.session.pid
        mark, stack = os.path.join(one.journal, "hung"), os.path.join(one.journal, "hung-stack")
        if not until(one, lambda: os.path.exists(mark), 20, "that it was ended", faults):
            return 0, "", faults
        one.proxy.bars, before = 0, bought(one)
        until(one, lambda: one.proxy.bars > 0 and not os.path.exists(mark), 40, "that it trades again", faults)
        if one.session.pid != process:
            faults.append("it is another process")
        with open(stack) as file:
            frames = file.read()
        if "shim.so" not in frames or frames.count("\n") < 5:
            faults.append(f"the stack does not say where it hung: {frames}")
        with open(os.path.join(one.journal, "starts")) as file:
            starts = file.read().count("\n")
        if starts != 2:
            faults.append(f"{starts} starts are counted")
        one.pump(lambda: False, 4)
        if bought(one) != before:
            faults.append(f"an entry has left: {bought(one)}, and before {before}")
        outcome, complaints = one.finish()
        if outcome is None:
            return 0, "", faults + [complaints]
        if "has been stuck for 3 seconds" not in complaints:
            faults.append(f"nobody was told: {complaints}")
        if outcome["halts"] != ["program_hung"]:
            faults.append(f"halts are {outcome['halts']}")
        return 0, "started again, halted", faults + one.compare(outcome) + one.verify()
    finally:
        one.close()


def owner(one):
    """The process that has the journal; `None` where none is written down."""
    try:
        with open(os.path.join(one.journal, "lock")) as file:
            return int(file.read() or 0) or None
    except FileNotFoundError:
        return None


def close_supervised(one):
    """Ends a supervisor and its child, which would go on without it."""
    if one.session and one.session.poll() is None:
        one.session.kill()
        one.session.wait()
    child = owner(one)
    try:
        with open(f"/proc/{child}/cmdline") as file:
            # Another process may have its number by now.
            if one.journal in file.read():
                os.kill(child, signal.SIGKILL)
    except (FileNotFoundError, ProcessLookupError):
        pass
    one.close()


def a_trap_is_started_again(arguments):
    """A trap (an illegal instruction, as Swift's are) in the middle of an order, and a kill -9 behind it: each time the
    supervisor starts the session again, which goes on from its journal, and nothing is lost or doubled."""
    one, faults = world(arguments, 89), []
    try:
        one.options = ["--supervise"]
        one.start("trap:place")
        if not until(one, lambda: os.path.exists(report(one)), 60, "an order", faults):
            return 0, "", faults
        first = owner(one)
        one.proxy.bars = 0
        until(one, lambda: one.proxy.bars > 3 and owner(one) != first, 40, "a second process that trades", faults)
        second = owner(one)
        os.kill(second, signal.SIGKILL)
        one.proxy.drop_all()
        one.proxy.bars = 0
        placed = one.proxy.requests.count(PLACE)
        until(one, lambda: one.proxy.bars > 3 and one.proxy.requests.count(PLACE) > placed, 60,
              "orders of a third process", faults)
        if len({first, second, owner(one), one.session.pid}) != 4:
            faults.append(f"the processes are {first}, {second} and {owner(one)}, of {one.session.pid}")
        one.pump(lambda: time.monotonic() - one.proxy.newest_order_frame > 0.3, 20)
        outcome, complaints = one.finish()
        if outcome is None:
            return 0, "", faults + [complaints]
        for words in (f"process {first}) has died: signal 4", f"process {second}) has died: signal 9"):
            if words not in complaints:
                faults.append(f"nobody was told that {words}: {complaints}")
        if "is not started again" in complaints or os.path.exists(os.path.join(one.journal, "starts")):
            faults.append(f"it did not end in order: {complaints}")
        more = one.compare(outcome)
        if more:
            one.options = []
            _, more = one.settle()
        return 2, "started again, and ended with 0", faults + more + one.verify()
    finally:
        close_supervised(one)


def a_crash_loop_ends(arguments):
    """A session that dies at its first order, over and over: three deaths, one alarm, exit code 10; a supervisor that is
    started then ends with 10 at once, and behind a look a session trades."""
    one, faults = world(arguments, 90), []
    latch = os.path.join(one.journal, "crash-loop")
    try:
        one.options = ["--supervise"]
        one.start("row:place")
        code, output, complaints = ended(one, faults, 300)
        if code is None:
            return 0, "", faults
        if code != 10 or output or complaints.count("has died: signal 9") != 3:
            faults.append(f"it ended with {code}: {output}{complaints}")
        if complaints.count("critical: the session of") != 1 or latch not in complaints or not os.path.exists(latch):
            faults.append(f"the alarm is {complaints}")
        one.start()
        code, _, complaints = ended(one, faults)
        if code != 10 or complaints.count("critical: the session of") != 1 or "has died:" in complaints:
            faults.append(f"the next start ended with {code}: {complaints}")
        # Somebody has looked.
        os.remove(latch)
        one.options = []
        _, more = one.settle()
        return 3, "three deaths, then 10", faults + more + one.verify()
    finally:
        close_supervised(one)


def a_hang_under_a_supervisor(arguments):
    """A session that hangs starts itself again as the same process: the supervisor sees no death."""
    one, faults = world(arguments, 91), []
    try:
        one.options = ["--supervise", "--set", "system.hang_limit_seconds=3"]
        one.start("hang:place")
        if not until(one, lambda: os.path.exists(report(one)), 60, "an order", faults):
            return 0, "", faults
        child, mark = owner(one), os.path.join(one.journal, "hung")
        if not until(one, lambda: os.path.exists(mark), 20, "that it was ended", faults):
            return 0, "", faults
        one.proxy.bars = 0
        until(one, lambda: one.proxy.bars > 0 and not os.path.exists(mark), 40, "that it trades again", faults)
        if owner(one) != child:
            faults.append("it is another process")
        outcome, complaints = one.finish()
        if outcome is None:
            return 0, "", faults + [complaints]
        if outcome["halts"] != ["program_hung"] or "has died" in complaints:
            faults.append(f"halts are {outcome['halts']}: {complaints}")
        return 0, "started again by itself", faults + one.compare(outcome) + one.verify()
    finally:
        close_supervised(one)


def signals_to_a_supervisor(arguments):
    """TERM, INT and HUP to the supervisor end its session in order with 0; asked twice, both end at once; USR1 kills the
    session's trading; an error that needs a person is not tried again."""
    one, faults = world(arguments, 92), []
    try:
        one.options = ["--supervise"]
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            one.start()
            until(one, lambda: one.proxy.bars > 3, 40, "bars", faults)
            child = owner(one)
            one.session.send_signal(number)
            code, output, complaints = ended(one, faults)
            if code != 0 or json.loads(output)["state"] != "trading" or "has died" in complaints:
                faults.append(f"{number!r}: it ended with {code}: {output}{complaints}")
            if os.path.exists(f"/proc/{child}"):
                faults.append(f"{number!r}: its session goes on")
        one.start("hang:place")
        if until(one, lambda: os.path.exists(report(one)), 60, "an order", faults):
            child = owner(one)
            one.session.send_signal(signal.SIGTERM)
            one.pump(lambda: False, 1)
            one.session.send_signal(signal.SIGTERM)
            code, _, _ = ended(one, faults)
            if code != -signal.SIGTERM or os.path.exists(f"/proc/{child}"):
                faults.append(f"asked twice, it ended with {code}")
        one.start()
        until(one, lambda: one.proxy.bars > 0, 40, "bars", faults)
        one.session.send_signal(signal.SIGUSR1)
        until(one, lambda: os.path.exists(os.path.join(one.journal, "kill")), 10, "that it is killed", faults)
        outcome, complaints = one.finish()
        if outcome is None or outcome["halts"] != ["killed"]:
            faults.append(f"it is not killed: {outcome} {complaints}")
        run = subprocess.run(
            [one.program, "run", "--supervise", "--mode", "sim", "-c", one.configuration, "--set", "nonsense=1"],
            capture_output=True, text=True, cwd=one.folder, timeout=60)
        if run.returncode != 3 or "has died" in run.stderr:
            faults.append(f"a wrong configuration: {run.returncode} {run.stderr}")
        return 0, "in order with 0, twice at once", faults + one.verify()
    finally:
        close_supervised(one)


def a_sync_that_fails(arguments):
    """A failed fsync ends the session with 1, nothing of that row has left, and the next start goes on."""
    one, faults = world(arguments, 82), []
    try:
        one.start("nosync:place")
        if not until(one, lambda: os.path.exists(report(one)), 60, "an order", faults):
            return 0, "", faults
        placed = one.proxy.requests.count(PLACE)
        code, _, complaints = ended(one, faults)
        if code != 1 or "fsync" not in complaints:
            faults.append(f"it ended with {code}: {complaints}")
        if one.proxy.requests.count(PLACE) != placed:
            faults.append("an order has left")
        _, more = one.settle()
        return 0, "ended with 1, and went on", faults + more + one.verify()
    finally:
        one.close()


def a_process_that_is_stopped(arguments):
    """SIGSTOP for longer than a link may be silent: behind SIGCONT all lists are read before an order leaves."""
    one, faults = world(arguments, 83, "trade.yaml"), []
    try:
        one.start()
        if not until(one, lambda: one.proxy.requests.count(PLACE) >= 2, 60, "orders", faults):
            return 0, "", faults
        # An order that is decided when the process is stopped leaves at once behind that.
        one.pump(lambda: time.monotonic() - one.proxy.newest_order_frame > 0.3, 20)
        one.session.send_signal(signal.SIGSTOP)
        one.pump(lambda: False, 12)
        one.proxy.requests.clear()
        one.session.send_signal(signal.SIGCONT)
        until(one, lambda: PLACE in one.proxy.requests, 40, "an order behind the standstill", faults)
        before = one.proxy.requests[:one.proxy.requests.index(PLACE)] if PLACE in one.proxy.requests else []
        if not LISTS <= set(before):
            faults.append(f"an order left before these lists were read: {LISTS - set(before)}")
        one.pump(lambda: time.monotonic() - one.proxy.newest_order_frame > 0.3, 20)
        outcome, complaints = one.finish()
        if outcome is None:
            return 0, "", faults + [complaints]
        if "stood still" not in complaints:
            faults.append(f"nobody was told: {complaints}")
        more = one.compare(outcome)
        if more:
            _, more = one.settle()
        return 0, "all was read again", faults + more + one.verify()
    finally:
        one.close()


def signals(arguments):
    """TERM, INT and HUP end a session in order with 0, PIPE does not; asked twice, one that hangs ends at once."""
    one, faults = world(arguments, 84), []
    try:
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            one.start()
            until(one, lambda: one.proxy.bars > 3, 40, "bars", faults)
            one.session.send_signal(signal.SIGPIPE)
            bars = one.proxy.bars
            until(one, lambda: one.proxy.bars > bars + 1, 10, "bars behind SIGPIPE", faults)
            asked = time.monotonic()
            # A service's manager and a supervisor both ask: within half a second that is one request.
            one.session.send_signal(number)
            one.pump(lambda: False, 0.1)
            if one.session.poll() is None:
                one.session.send_signal(number)
            code, output, complaints = ended(one, faults)
            if code != 0 or time.monotonic() - asked > 10:
                faults.append(f"{number!r}: it ended with {code} after {time.monotonic() - asked} s: {complaints}")
            elif json.loads(output)["state"] != "trading":
                faults.append(f"{number!r}: {output}")
            faults += one.verify()
        for number in (signal.SIGTERM, signal.SIGINT):
            if os.path.exists(report(one)):
                os.remove(report(one))
            one.start("hang:place")
            if not until(one, lambda: os.path.exists(report(one)), 60, "an order", faults):
                break
            one.session.send_signal(number)
            one.pump(lambda: False, 1)
            if one.session.poll() is not None:
                faults.append(f"{number!r}: one that hangs has ended")
            one.session.send_signal(number)
            code, _, _ = ended(one, faults)
            # A shell shows that as 128 and the number.
            if code != -number:
                faults.append(f"{number!r}, twice: it ended with {code}")
        _, more = one.settle()
        return 0, "in order with 0, twice at once", faults + more + one.verify()
    finally:
        one.close()


def a_folder_that_can_only_be_read(arguments):
    """A file system that can only be read and a folder without the right to write are refused in a sentence."""
    one, faults = world(arguments, 85), []
    folder = tempfile.mkdtemp(prefix="kill-read-", dir="/tmp")
    try:
        os.chmod(folder, 0o755)
        is_root = os.geteuid() == 0
        journal = os.path.join(folder, "journal")
        os.mkdir(journal, 0o700)

        def refused(sentence, prefix, path):
            run = subprocess.run(
                prefix + one.arguments("--journal", path), capture_output=True, text=True, cwd=folder, timeout=60)
            if run.returncode != 1 or sentence not in run.stderr or path not in run.stderr:
                faults.append(f"{prefix}: {run.returncode} {run.stderr}")

        mount = ["unshare", "-m" if is_root else "-rm", "sh", "-c",
                 f"mount --bind {journal} {journal} && mount -o remount,bind,ro {journal} && exec \"$@\"", "sh"]
        # The clock is asked for first.
        with Pumped(one):
            refused("file system that can only be read", mount, journal)
            refused("file system that can only be read", mount, os.path.join(journal, "new"))
            prefix = []
            if is_root:
                prefix = ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"]
                os.chown(journal, 65534, 65534)
            os.chmod(journal, 0o500)
            refused("may not write there", prefix, journal)
            refused("may not write there", prefix, os.path.join(journal, "new"))
        return 0, "refused with 1", faults
    finally:
        one.close()
        shutil.rmtree(folder, ignore_errors=True)


class Pumped:
    """Passes a proxy's bytes on beside what is waited for."""

    def __init__(self, world):
        self.is_over = False
        self.thread = threading.Thread(target=self.run, args=(world.proxy,))

    def __enter__(self):
        self.thread.start()

    def run(self, proxy):
        while not self.is_over:
            proxy.pump(0.02)

    def __exit__(self, *_):
        self.is_over = True
        self.thread.join()


def a_busy_machine(arguments):
    """Under nice -n 19, beside two loops that take most of the machine, everything comes later and is as right."""
    one, faults = world(arguments, 86, "trade.yaml"), []
    # They get seven times as much as the session: two at the usual priority would leave it nothing to start with.
    loops = [subprocess.Popen(["nice", "-n", "10", sys.executable, "-c", "while True: pass"]) for _ in range(2)]
    try:
        one.prefix = ["nice", "-n", "19"]
        one.start()
        until(one, lambda: one.proxy.requests.count(PLACE) >= 4, 240, "orders", faults)
        one.pump(lambda: False, 6)
        one.pump(lambda: time.monotonic() - one.proxy.newest_order_frame > 0.3, 20)
        outcome, complaints = one.finish()
        if outcome is None:
            return 0, "", faults + [complaints]
        more = one.compare(outcome)
        if more:
            _, more = one.settle()
        return 0, f"{len(one.ledger['orders'])} orders", faults + more + one.verify()
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()
        one.close()


def quick_starts(arguments):
    """Twenty sessions that are stopped while they start or soon behind that: no order leaves before all lists were read."""
    one, faults = world(arguments, 87, "trade.yaml"), []
    chance = random.Random(arguments.seed)
    placed = 0
    try:
        for number in range(20):
            one.proxy.requests.clear()
            one.start()
            one.pump(lambda: False, chance.choice([chance.uniform(0.02, 1), chance.uniform(1, 4)]))
            number = chance.choice([signal.SIGINT, signal.SIGTERM])
            one.session.send_signal(number)
            code, _, complaints = ended(one, faults)
            # Before it listens a signal ends it, and before the gateway has answered there is no session.
            if code not in (0, 4, -number):
                faults.append(f"it ended with {code}: {complaints[-400:]}")
            if PLACE in one.proxy.requests:
                placed += 1
                missing = LISTS - set(one.proxy.requests[:one.proxy.requests.index(PLACE)])
                if missing:
                    faults.append(f"an order left before these lists were read: {missing}")
        _, more = one.settle()
        return 0, f"{placed} of 20 had ordered", faults + more + one.verify()
    finally:
        one.close()


def a_loss_of_power(arguments):
    """At any call, with what was not durable lost, kept or torn, the journal can be read and has every order that had left;
    a session that goes on from what is left has all as the gateway has it."""
    one, faults = world(arguments, 88, "trade.yaml"), []
    chance = random.Random(arguments.seed)
    log = os.path.join(one.folder, "log")
    orders = 0
    try:
        one.environment = {"LD_PRELOAD": arguments.shim, "KILL_LOG": log, "KILL_FOLDER": one.journal}
        one.start()
        until(one, lambda: one.proxy.requests.count(PLACE) >= 6, 150, "orders", faults)
        one.pump(lambda: False, chance.uniform(0.5, 3))
        one.kill()
        one.environment = {}
        records = power.read(log)
        left = [index for index, record in enumerate(records) if record.call == "out" and b"mt:" in record.data]
        if not left:
            return 0, "", faults + ["no order was taken down"]
        syncs = [index for index, record in enumerate(records) if record.call == "sync" and index > left[0]]
        cuts = [chance.choice(left) + 1 for _ in range(arguments.losses // 2)]
        cuts += [chance.choice(syncs) + chance.choice([0, 1]) for _ in range(arguments.losses // 4)]
        cuts += [chance.randrange(left[0], len(records)) for _ in range(arguments.losses // 4)]
        for cut in cuts:
            orders += lost_at(one, records[:cut], chance, faults)
        if orders == 0:
            faults.append("nothing had left at any of them")
        target = os.path.join(one.folder, "after")
        power.rebuild(records, one.journal, target, chance)
        shutil.rmtree(one.journal)
        os.rename(target, one.journal)
        _, more = one.settle()
        return 1, f"{len(cuts)} losses, {orders} orders found", faults + more + one.verify()
    finally:
        one.close(keeps=arguments.keep and bool(faults))


def lost_at(one, records, chance, faults):
    """One loss: how many orders had left, all of which have to be there."""
    sent = {int(reference.split(":")[2]) for reference in power.sent_orders(records)}
    target = tempfile.mkdtemp(prefix="lost-", dir=one.folder)
    folder, tables = os.path.join(target, "journal"), os.path.join(target, "tables.sqlite")
    power.rebuild(records, one.journal, folder, chance)
    for more in (["--verify"], ["--tables", tables]):
        run = subprocess.run([one.program, "replay", folder, *more], capture_output=True, text=True)
        if run.returncode != 0:
            faults.append(f"behind {len(records)} calls: {run.stdout[-300:]}{run.stderr[-300:]}")
            return 0
    with sqlite3.connect(tables) as database:
        known = {int(row[0]) for row in database.execute("SELECT order_id FROM orders")}
    if not sent <= known:
        faults.append(f"behind {len(records)} calls orders had left that are lost: {sorted(sent - known)}")
    shutil.rmtree(target)
    return len(sent)


ALL = (
    a_loop_that_hangs, a_sync_that_fails, a_process_that_is_stopped, signals, a_folder_that_can_only_be_read,
    quick_starts, a_loss_of_power, a_trap_is_started_again, a_crash_loop_ends, a_hang_under_a_supervisor,
    signals_to_a_supervisor,
)
# What is done with nothing beside it.
ALONE = (a_busy_machine,)
