#!/usr/bin/env bash
# From a tick to the order that it causes, for this program, ib_async, IBKR's Python client and a C program that only
# echoes, at a relay that measures both at its own socket. See docs/performance.md.
#
#   Benchmarks/Latency/run.sh MARTLET [--ticks 100000] [--only off,ib_async] ...
#
# MARTLET is a release build. Needs a C compiler and python3, 3.10 or later. On an idle machine: three quarters of an hour.
set -euo pipefail
martlet=$(realpath "$1")
shift
cd "$(dirname "$0")/../.."

python=$(Scripts/python.sh Tests/Wire/requirements.txt .venv/wire)
tools=.bench/latency
mkdir -p "$tools"
for name in relay echo sync; do
    ${CC:-cc} -O2 -Wall -Wextra -Werror -o "$tools/$name" "Benchmarks/Latency/$name.c"
done
exec python3 -B Benchmarks/Latency/latency.py "$martlet" "$tools" --python "$python" "$@"
