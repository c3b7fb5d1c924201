"""Sends unmodified foreign clients through the whole list of steps, at several server versions."""

import sys

import asynchronous
import official
from gateway import Checks, Gateway

CEILINGS = (157, 163, 176, 178, 200)


def main(program):
    passed = failed = 0
    for ceiling in CEILINGS:
        for name, steps in (("ibapi", official.Steps), ("ib_async", asynchronous.Steps)):
            check = Checks(f"{name} at {ceiling}")
            with Gateway(program, "--market", "synthetic", "--seed", "7", "--speed", "20",
                         "--max-server-version", str(ceiling)) as gateway:
                try:
                    steps(gateway, 5, ceiling, check).run()
                except Exception as error:  # the list must end whatever a client throws
                    check(False, f"ended by {error!r}")
                status, words = gateway.stop()
            check(status == 0 and words == "", f"the gateway ends well: {status} {words[-500:]}")
            print(f"{check.name}: {check.passed} steps held", flush=True)
            passed += check.passed
            failed += len(check.failures)
    print(f"foreign clients: {passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
