#!/usr/bin/env bash
# Kills live sessions of the tests' build at a sample of 42 boundaries and at 8 random points, lets them hang, stops them, takes
# their disk and its power away, and judges what is left by the simulated gateway's own ledger. `make soak-kill` does it at all
# boundaries and at a thousand points. Needs python3.
set -euo pipefail
cd "$(dirname "$0")/.."

if ! command -v python3 > /dev/null; then
    # Installs it where it is missing.
    Scripts/python.sh Tests/Wire/requirements.txt .venv/wire > /dev/null
fi
swift build --product martlet --scratch-path .build-test $(cat Scripts/test-flags) \
    --explicit-target-dependency-import-check error > /dev/null
python3 -B Tests/Kill/kill.py .build-test/debug/martlet --points 42 --random 8 --losses 24 "$@"
