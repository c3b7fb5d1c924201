#!/usr/bin/env bash
# Lets IBKR's Python client and ib_async, unmodified, trade a day at the debug build's simulated gateway, and holds
# two runs of it to the same bytes. The clients are those of Scripts/test-wire.sh. Needs python3, 3.10 or later.
set -euo pipefail
cd "$(dirname "$0")/.."

python=$(Scripts/python.sh Tests/Wire/requirements.txt .venv/wire)
swift build --product martlet > /dev/null
"$python" -B Tests/Gateway/foreign.py .build/debug/martlet
"$python" -B Tests/Gateway/repeat.py .build/debug/martlet
