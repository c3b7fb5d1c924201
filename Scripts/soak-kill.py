#!/usr/bin/env python3
"""Kills a live session at random moments, over and over, and compares it with the simulated gateway's own ledger.

The gateway runs in a process of its own and keeps its state. Each session is killed (SIGKILL) some seconds after it was
started; the last one runs to its end. Then: every order that the gateway was sent was placed once, no two orders carry
one reference, and the session's cash and positions are the gateway's.

    Scripts/soak-kill.py [--program .build/release/martlet] [--kills 100] [--seed 1] [--speed 60]
"""

import argparse
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", default=os.path.join(ROOT, ".build/release/martlet"))
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--speed", type=int, default=60)
    arguments = parser.parse_args()
    folder = tempfile.mkdtemp(prefix="soak-kill-")
    faults = []
    try:
        faults = run(arguments, folder)
    finally:
        if not faults:
            shutil.rmtree(folder, ignore_errors=True)
    for fault in faults:
        print(fault)
    if faults:
        print("the journal and the gateway's state are kept in", folder)
    print(f"{arguments.kills} kills, {len(faults)} faults")
    sys.exit(1 if faults else 0)


def run(arguments, folder):
    random.seed(arguments.seed)
    program = os.path.abspath(arguments.program)
    data = os.path.join(ROOT, "Samples/data/minute")
    control = os.path.join(folder, "ctl")
    gateway = subprocess.Popen(
        [program, "gateway", "run", "--port", "0", "--market", "replay", "--data", data,
         "--speed", str(arguments.speed), "--cash", "100000", "--control", control,
         "--state", os.path.join(folder, "state")],
        stdout=subprocess.PIPE, text=True)
    try:
        port = gateway.stdout.readline().strip().split(":")[-1]

        def session(minutes):
            return subprocess.Popen(
                [program, "run", "--mode", "sim", "--connect", "--json",
                 "-c", os.path.join(ROOT, "Samples/momentum-session.yaml"),
                 "--set", f"ibkr.port={port}", "--set", "ibkr.account_id=DU1234567",
                 "--journal", os.path.join(folder, "journal"), "--speed", str(arguments.speed),
                 "--minutes", str(minutes)],
                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=folder)

        faults = []
        for number in range(arguments.kills):
            # Somebody has looked: a session that dies so often does not start by itself.
            starts = os.path.join(folder, "journal", "starts")
            if os.path.exists(starts):
                os.remove(starts)
            process = session(1_000_000)
            time.sleep(random.uniform(0.1, 4))
            if process.poll() is not None:
                faults.append(f"session {number} ended by itself: {process.communicate()[1]}")
                return faults
            process.send_signal(signal.SIGKILL)
            process.wait()
            print(f"\r{number + 1} of {arguments.kills} killed", end="", file=sys.stderr, flush=True)
        print(file=sys.stderr)
        # What fills while a session ends is in the next one's ledger.
        for _ in range(6):
            last = session(5)
            output, errors = last.communicate()
            if last.returncode != 0:
                return [f"the last session ended with {last.returncode}: {errors}"]
            answer = subprocess.run(
                [program, "gateway", "ctl", "--socket", control, '{"do":"ledger"}'],
                capture_output=True, text=True, check=True)
            faults = compare(json.loads(output), json.loads(answer.stdout))
            if not faults:
                break
        return faults
    finally:
        gateway.terminate()


def compare(outcome, ledger):
    faults = []
    account = ledger["accounts"][0]
    if outcome["cash"] != account["cash"]["USD"]["total"]:
        faults.append(f"cash is {outcome['cash']}, and {account['cash']['USD']['total']} at the gateway")
    held = {p["symbol"]: p["quantity"] for p in account["positions"] if p["quantity"] != 0}
    if outcome["positions"] != held:
        faults.append(f"positions are {outcome['positions']}, and {held} at the gateway")
    if ledger["violations"]["repeatedReferences"]:
        faults.append(f"references twice: {ledger['violations']['repeatedReferences']}")
    twice = [order["orderRef"] for order in ledger["asked"] if order["placements"] != 1]
    if twice:
        faults.append(f"placed more than once: {twice}")
    filled = sum(len(order["executions"]) for order in ledger["orders"])
    print(f"{len(ledger['asked'])} orders asked for, {filled} executions, cash {outcome['cash']}")
    if filled == 0:
        faults.append("nothing was filled: the sessions did not trade")
    return faults


if __name__ == "__main__":
    main()
