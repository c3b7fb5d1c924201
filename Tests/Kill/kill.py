#!/usr/bin/env python3
"""Kills live sessions (kill -9) at the boundaries of each step with an order, and at random points, and judges what is
left by the simulated gateway's own ledger.

The program, the sockets and the files are real; the session's clock runs fast. The gateway is a process of its own and
goes on. Between it and the sessions is a proxy that stops a session before, in the middle of and behind a frame and its
answers; inside the process a preloaded library stops it between the journal's calls. Each kill is followed by sessions on the
same journal until one has all as the gateway has it: no fill is lost, no order is there twice, of none is it unknown what
became of it, cash and positions are equal, what is held is protected, and a second engine gives the journal's answers.

    Tests/Kill/kill.py PROGRAM [--points all|N] [--random N] [--seed N] [--speed N] [--jobs N] [--only TEXT]
"""

import argparse
import collections
import concurrent.futures
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import traceback

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from faults import ALL as PROCESS_FAULTS, ALONE, a_process_that_is_stopped  # noqa: E402
from points import NOT_REACHED, STEPS, Point, points  # noqa: E402
from world import World  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
KILLS_OF_A_WORLD = 8


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("--points", default="all", help="how many boundaries: a sample, or all")
    parser.add_argument("--random", type=int, default=1000, help="how many random points")
    parser.add_argument("--losses", type=int, default=200, help="how many losses of power")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--speed", type=int, default=60, help="seconds of session time in a second")
    parser.add_argument("--jobs", type=int, default=3 * (os.cpu_count() or 1))
    parser.add_argument("--only", default="", help="only points whose name has this text")
    parser.add_argument("--keep", action="store_true", help="keep what faults have left")
    arguments = parser.parse_args()
    arguments.program = os.path.abspath(arguments.program)
    heed_signals()
    begun = time.monotonic()
    folder = tempfile.mkdtemp(prefix="kill-shim-")
    try:
        arguments.shim = compiled(folder)
        results = run(arguments)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    sys.exit(report(results, time.monotonic() - begun))


def heed_signals():
    """Sessions are to heed what this process was told to ignore, as nohup and a shell's background jobs do: a handler is not
    handed on to a child, but being ignored is. What ends a terminal does not reach them: each is of a session of its own."""
    for number in (signal.SIGHUP, signal.SIGINT, signal.SIGTERM, signal.SIGQUIT):
        if signal.getsignal(number) == signal.SIG_IGN:
            signal.signal(number, lambda *_: None)


def compiled(folder):
    """The library that stops a process between its calls, made by whichever compiler there is."""
    path = os.path.join(folder, "shim.so")
    compiler = shutil.which("clang") or shutil.which("cc")
    if compiler is None:
        sys.exit("neither clang nor cc is on the PATH: a Swift toolchain brings clang")
    subprocess.run(
        [compiler, "-shared", "-fPIC", "-O1", "-Wall", "-o", path, os.path.join(HERE, "shim.c"), "-ldl"],
        check=True)
    return path


def run(arguments):
    tasks = []
    for index, point in enumerate(chosen(arguments)):
        tasks.append((" ".join(point), at_boundary, (arguments, point, arguments.seed * 10_000 + index)))
    left = arguments.random
    while left > 0:
        kills = min(left, KILLS_OF_A_WORLD)
        seed = arguments.seed * 10_000 + 5_000 + left
        tasks.append((f"random {seed}", at_random, (arguments, kills, seed)))
        left -= kills
    for name, function in (("latch", dies_over_and_over), ("second session", second_sessions)):
        tasks.append((name, function, (arguments,)))
    for function in PROCESS_FAULTS:
        # Open: some sessions stay at reading their lists behind it. The soak shows it.
        if function is a_process_that_is_stopped and arguments.points != "all":
            continue
        tasks.append((function.__name__.replace("_", " "), function, (arguments,)))
    tasks = [task for task in tasks if arguments.only in task[0]]
    # What takes longest first.
    tasks.sort(key=lambda task: task[1] is not second_sessions and task[1] not in PROCESS_FAULTS)
    results = []

    def take(name, outcome):
        kills, words, faults = outcome
        results.append((name, kills, words, faults))
        print(f"{name:32} {'FAULT' if faults else 'good '}  {words}", flush=True)
        for fault in faults:
            print(f"    {fault}", flush=True)

    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        futures = {pool.submit(guarded, function, *values): name for name, function, values in tasks}
        for future in concurrent.futures.as_completed(futures):
            take(futures[future], future.result())
    for function in ALONE:
        name = function.__name__.replace("_", " ")
        if arguments.only in name:
            take(name, guarded(function, arguments))
    return results


def guarded(function, *values):
    try:
        return function(*values)
    except Exception:
        return 0, "", [traceback.format_exc()]


def chosen(arguments):
    """All points, or a sample in which every step has every boundary if it is large enough."""
    every = points()
    if arguments.points == "all":
        return every
    generator = random.Random(arguments.seed)
    generator.shuffle(every)
    first, others, seen = [], [], set()
    for point in every:
        (others if point[:2] in seen else first).append(point)
        seen.add(point[:2])
    return (first + others)[:int(arguments.points)]


def at_boundary(arguments, point, seed):
    """One point, in another market where its step does not come in the first."""
    for attempt in range(4):
        done, words, faults = at_boundary_once(arguments, point, seed + 100_000 * attempt)
        if faults != [NOT_REACHED]:
            break
    return done, words, faults


def at_boundary_once(arguments, point, seed):
    step = point[0]
    world = World(
        arguments.program, arguments.shim, seed, arguments.speed,
        "plain.yaml" if step in ("place", "probe") else "trade.yaml")
    world.delay = world.random.choice([0, 0.3, 1.5])
    faults = ["the test itself failed"]
    try:
        words, faults = Point(world, *point).run()
    finally:
        world.close(keeps=arguments.keep and bool(faults) and faults != [NOT_REACHED])
    if faults and arguments.keep and faults != [NOT_REACHED]:
        faults = faults + [f"kept in {world.folder}"]
    return 1, words, faults


def at_random(arguments, kills, seed):
    """Sessions of one journal killed after a random time, or at a random call, before, in or behind it."""
    world = World(
        arguments.program, arguments.shim, seed, arguments.speed,
        "plain.yaml" if seed % 4 == 0 else "trade.yaml")
    faults, done = ["the test itself failed"], 0
    try:
        faults = []
        for number in range(kills):
            if number == 0:
                # Lives long enough for orders, which the others then find.
                world.start()
                world.pump(lambda: False, world.random.uniform(3, 6))
            elif world.random.random() < 0.5:
                world.start(f"call:{int(10 ** world.random.uniform(2, 3.8))}")
                world.pump(lambda: False, 8)
            else:
                world.start()
                world.pump(lambda: False, world.random.uniform(0.05, 5))
            code = world.session.poll()
            if code not in (None, -signal.SIGKILL):
                _, complaints = world.close_output()
                faults.append(f"a session ended by itself with {code}: {complaints[-600:]}")
                break
            world.kill()
            done += 1
        outcome = None
        if not faults:
            outcome, faults = world.settle()
            faults = faults + world.verify()
        words = "no session"
        if outcome:
            orders = world.ledger["orders"]
            latches = outcome["halts"] + [f"latched {symbol}" for symbol in outcome["latched"]]
            words = (f"{done} kills, {len(orders)} orders, "
                     f"{sum(len(order['executions']) for order in orders)} fills, {'; '.join(latches) or 'trading'}")
    finally:
        world.close(keeps=arguments.keep and bool(faults))
    if faults and arguments.keep:
        faults = faults + [f"kept in {world.folder}"]
    return done, words, faults


def dies_over_and_over(arguments):
    """Behind three deaths in a row a start is refused with exit code 5, in a sentence that names the file to delete."""
    world = World(arguments.program, arguments.shim, 77, arguments.speed, "plain.yaml")
    faults = []
    try:
        for number in range(3):
            world.start(forgives=False)
            if not world.pump(lambda: world.proxy.bars > 0, 30):
                faults.append(f"start {number + 1} did not trade")
            world.kill()
        world.start(forgives=False)
        world.pump(lambda: False, 30)
        code = world.session.poll()
        _, complaints = world.close_output()
        if code != 5 or os.path.join(world.journal, "crash-loop") not in complaints:
            faults.append(f"the fourth start ended with {code}: {complaints}")
        os.remove(os.path.join(world.journal, "crash-loop"))
        # Somebody has looked.
        _, more = world.settle()
        return 3, "the fourth start is refused with 5, the fifth, behind a look, trades", faults + more
    finally:
        world.close()


def second_sessions(arguments):
    """A second session on the journal, and one with a journal of its own under the client's number: refused by name,
    and the first trades on."""
    world = World(arguments.program, arguments.shim, 78, arguments.speed, "plain.yaml")
    faults = []

    def refused(name, *more):
        process = subprocess.Popen(
            world.arguments(*more), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, cwd=world.folder,
            start_new_session=True)
        # Behind a minute without a connection a start gives up.
        world.pump(lambda: process.poll() is not None, 100)
        if process.poll() is None:
            process.kill()
        complaints = process.stderr.read()
        process.stderr.close()
        if not process.wait() > 0 or name not in complaints:
            faults.append(f"the second ended with {process.returncode}: {complaints}")
        return process.returncode

    try:
        world.start()
        if not world.pump(lambda: world.proxy.bars > 0, 30):
            faults.append("the first does not trade")
        codes = [refused(f"process {world.session.pid}")]
        orders = len(world.ctl({"do": "ledger"})["asked"])
        codes.append(refused("client id 1 is in use", "--journal", os.path.join(world.folder, "other")))
        if len(world.ctl({"do": "ledger"})["asked"]) <= orders:
            faults.append("the first does not trade on")
        world.pump(lambda: time.monotonic() - world.proxy.newest_order_frame > 0.3, 20)
        outcome, complaints = world.finish()
        # What fills while a session ends is in the next one's ledger.
        if outcome is None or world.compare(outcome):
            outcome, more = world.settle()
            faults += more
        return 0, f"refused with {codes[0]} and {codes[1]}", faults
    finally:
        world.close()


def report(results, seconds):
    rows = collections.Counter()
    kills = sum(row[1] for row in results)
    faults = [fault for _, _, _, found in results for fault in found]
    for name, count, _, _ in results:
        parts = name.split()
        if parts[0] in STEPS:
            rows[parts[0], parts[1]] += count
            rows["variant", parts[2]] += count
    for (first, second), count in sorted(rows.items()):
        print(f"{first:8} {second:12} {count}")
    latched = sum(
        not words.endswith("trading") for name, _, words, found in results
        if name.split()[0] in (*STEPS, "random") and not found)
    if any(row[0].startswith("random") for row in results) and not sum(
            int(row[2].split(" kills, ")[1].split()[0]) for row in results if " kills, " in row[2]):
        faults.append("no random session has ordered anything")
        print(faults[-1])
    for name, _, _, found in results:
        for fault in found:
            print(f"FAULT of {name}: {fault}")
    print(f"{kills} kills, {latched} end in a latch, {len(faults)} faults, {seconds:.0f} seconds")
    return 1 if faults else 0


if __name__ == "__main__":
    main()
