"""Holds the program's bytes to other programs': what IBKR's own Python client sends and reads, and what ib_async
reads.

    official.py MARTLET

MARTLET is the program. Each request is made by both sides from the same values by name, at each server version;
the bytes must be equal. Each answer is written by the program and read by the others; their callbacks must get
what was given. Ends non-zero when anything differs.
"""
import logging
import sys

import calls
import client
import gateway
import orders  # noqa: F401  (its orders are among the calls)
from answers import ANSWERS
from wire import VERSIONS, Martlet, Tally


def main():
    # The clients log what is tallied here.
    logging.disable(logging.CRITICAL)
    martlet = Martlet(sys.argv[1])
    messages = {answer.message for answer in ANSWERS}
    requests, answers, others = Tally(), Tally(), Tally()

    changes = client.check(martlet, calls.CALLS, requests)
    made = sum(1 for call in calls.CALLS for version in VERSIONS if version >= call.first)
    print(f"requests: {len(calls.CALLS)} calls of {len({call.message for call in calls.CALLS})} messages, "
          f"{made} with their versions, byte for byte; the bytes change at "
          f"{', '.join(str(version) for version in sorted(changes))}")
    report(requests)

    gateway.check(martlet, ANSWERS, answers)
    made = sum(1 for answer in ANSWERS for version in VERSIONS if version >= answer.first)
    print(f"answers: {len(ANSWERS)} of {len(messages)} messages, {made} with their versions, "
          "through the official decoder")
    report(answers)

    compared = gateway.check_other(martlet, ANSWERS, others)
    print(f"answers to 178 through ib_async: {compared} values")
    report(others)

    failed = sum(len(tally.differences) for tally in (requests, answers, others))
    passed = sum(tally.checks for tally in (requests, answers, others)) - failed
    print(f"wire: {passed} passed, {failed} failed")
    return min(failed, 1)


def report(tally):
    for line in tally.differences[:100]:
        print("  " + line)
    if len(tally.differences) > 100:
        print(f"  and {len(tally.differences) - 100} more")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
