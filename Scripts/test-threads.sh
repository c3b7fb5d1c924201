#!/usr/bin/env bash
# Runs what has threads under the thread sanitizer: sessions of the built program at a gateway of their own process and
# of another, operated, killed and started again meanwhile; then the tests with threads. Any report of a data race fails.
# Builds everything once more, in .build-tsan: an hour on two cores.
#
#   Scripts/test-threads.sh [JOBS] [sessions]
#
# JOBS compilers run at a time; with `sessions` the tests are neither built nor run, which is half of it.
set -euo pipefail
cd "$(dirname "$0")/.."
jobs=${1:-$(nproc)} only=${2:-}
out=.build-tsan tree=.build-tsan/tree
build=(swift build --sanitize=thread --package-path "$tree" --scratch-path "$out" -j "$jobs")

# Swift 6.3 fails at one line under this sanitizer ("Invalid bitcast"), optimised or not, and takes the same in other
# words: the sources are a copy with that line.
mkdir -p "$tree"
cp -ru Package.swift Sources Tests Fuzz Samples docs "$tree"
line=Sources/Primitives/FixedArray.swift
sed 's|yield &base\[index\]|yield \&(base + index).pointee|' "$line" > "$tree/line"
cmp -s "$tree/line" "$tree/$line" || cp "$tree/line" "$tree/$line"
rm "$tree/line"
"${build[@]}" --product martlet
[ "$only" = sessions ] || "${build[@]}" --build-tests

# The compiler's own clang knows Swift's calling convention.
"$(dirname "$(readlink -f "$(command -v swift)")")/clang" -O1 -shared -fPIC -o "$out/mutex.so" Scripts/tsan-mutex.c
export LD_PRELOAD=$PWD/$out/mutex.so

# Reports go to files, so that none is lost with a process that is killed.
rm -f "$out"/report.*
export TSAN_OPTIONS="log_path=$PWD/$out/report exitcode=0 history_size=4"
martlet=$out/debug/martlet
work=$(mktemp -d)
pids=()
finish() {
    for pid in "${pids[@]}"; do kill -9 "$pid" 2> /dev/null || true; done
    rm -rf "$work"
}
trap finish EXIT

# operate FOLDER: asks and commands a session as its user does, from several terminals at once.
operate() {
    for _ in $(seq 100); do
        "$martlet" ctl status -q --journal "$1" 2> /dev/null && break
        sleep 0.3
    done
    for command in status positions "orders --finished" "decisions 50"; do
        for _ in 1 2 3; do "$martlet" ctl $command -q --journal "$1" || true; done &
    done
    wait $!
    "$martlet" ctl halt --reason "to see" -q --journal "$1" || true
    "$martlet" ctl resume all --reason "seen" -q --journal "$1" || true
    sleep 5
}

# session FOLDER SIGNAL OPTION...: runs a session, operates it, and ends it by a signal.
session() {
    local folder=$1 signal=$2
    shift 2
    "$martlet" run --mode sim -q --journal "$folder" "$@" > "$work/words" 2>&1 &
    local pid=$!
    pids+=("$pid")
    operate "$folder"
    if ! kill "-$signal" "$pid"; then
        cat "$work/words"
        exit 1
    fi
    wait "$pid" || true
}

own=(-c Samples/momentum-session.yaml --data Samples/data/minute --speed 30)
session "$work/own" KILL "${own[@]}"
session "$work/own" TERM "${own[@]}" --scenario link-lost-data-lost
"$martlet" gateway run --port 0 --market synthetic --seed 7 --speed 10 > "$work/port" &
pids+=($!)
until grep -q listening "$work/port"; do sleep 0.2; done
# Quotes by the hundred, orders with each of them.
other=(-c Benchmarks/Latency/session.yaml --connect --speed 10 --set "ibkr.port=$(sed 's/.*://' "$work/port")")
session "$work/other" KILL "${other[@]}" --set system.journal_durability=normal
session "$work/other" TERM "${other[@]}"

if [ "$only" != sessions ]; then
    "$out/debug/martletPackageTests.xctest" --testing-library swift-testing --filter \
        'TWSClientTests|ControlServerTests|TurnMonitorTests|OverloadTests|SocketLoopTests|CtlCommandTests'
fi

reports=$(find "$out" -maxdepth 1 -name 'report.*' | sort)
if [ -n "$reports" ]; then
    grep -h -A 12 "^WARNING" $reports | head -200
    echo "threads: $(cat $reports | grep -c '^WARNING') reports of data races in $out/report.*"
    exit 1
fi
echo "threads: no data race"
