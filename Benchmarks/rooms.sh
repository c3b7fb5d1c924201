#!/bin/bash
# rooms.sh [BARS.csv]: what each room of the engine costs a bar, in instructions, which do not depend on what else the machine does.
# Runs workload W1 of Benchmarks/Peers under callgrind, by default over its a_100k.csv (made by `make bench-peers`), and sums the
# instructions by source folder with rooms.py. Needs valgrind. Start-up and the report are in the figures: a longer file
# makes their share smaller.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
repo=$(cd "$here/.." && pwd)
bars=${1:-$repo/.bench/data/a_100k.csv}
[ -r "$bars" ] || { echo "rooms.sh: no file $bars (make bench-peers makes it)" >&2; exit 2; }
command -v valgrind > /dev/null || { echo "rooms.sh: valgrind is needed" >&2; exit 2; }
bars=$(realpath "$bars")
cd "$repo"
# the release build with line tables, in a folder of its own so that the usual one stays as it is
# DWARF 4: valgrind 3.19 gives up on what newer compilers write by default
swift build -c release -Xswiftc -g -Xcc -gdwarf-4 -Xcxx -gdwarf-4 --scratch-path .build-rooms --product martlet
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
mkdir "$tmp/run"
valgrind --tool=callgrind --dump-instr=no --collect-systime=no --callgrind-out-file="$tmp/callgrind.out" \
  .build-rooms/release/martlet backtest -c Benchmarks/Peers/configs/w1.yaml --data "$bars" -o "$tmp/run" --json \
  > "$tmp/stdout" 2> "$tmp/stderr" || { cat "$tmp/stdout" "$tmp/stderr" >&2; exit 1; }
tail -n 1 "$tmp/stdout"
python3 "$here/rooms.py" "$tmp/callgrind.out" $(($(wc -l < "$bars") - 1)) --root "$repo"
