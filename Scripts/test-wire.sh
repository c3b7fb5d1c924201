#!/usr/bin/env bash
# Holds the wire bytes of the debug build to other programs', which it installs in a virtual environment of its own
# (.venv/wire). Needs python3, 3.10 or later.
set -euo pipefail
cd "$(dirname "$0")/.."

python=$(Scripts/python.sh Tests/Wire/requirements.txt .venv/wire)
swift build --product martlet > /dev/null
"$python" -B Tests/Wire/official.py .build/debug/martlet
