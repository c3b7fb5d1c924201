#!/usr/bin/env bash
# Feeds the wire's readers with damaged messages, guided by what code they reach, and then whole sessions to the
# simulated gateway and to the client.
#
#     Scripts/fuzz.sh [INPUTS [MESSAGES]]      2,000,000 inputs and 100,000 messages each way unless told
#
# The readers begin with the seeds in Fuzz/Corpus; what is found on the way stays in .build-fuzz/corpus. Sessions
# follow from a seed (Fuzz/Sources/SessionFuzzer): every kind of message, extremes of every field, control commands,
# jumps of time, broken connections. Ends with 1 at the first input or session that traps, and names the file that
# holds the input, or the command that plays the session again.
set -euo pipefail
cd "$(dirname "$0")/.."
inputs=${1:-2000000}
messages=${2:-100000}
seed=1
build=$PWD/.build-fuzz
mkdir -p "$build/corpus"

# As Scripts/test-identical-runs.sh and the Makefile build the program: nothing is compiled twice.
swift build -c release $(cat Scripts/release-flags) --product SessionFuzzer > "$build/sessions.log" 2>&1 || {
    tail -n 40 "$build/sessions.log"
    exit 1
}
play() {
    .build/release/SessionFuzzer "$1" --messages "$messages" --seed "$seed" 2> "$build/$1.log" || {
        echo "fuzz: the $1 did not bear $(grep '^case' "$build/$1.log" | tail -n 1)"
        tail -n 20 "$build/$1.log"
        last=$(sed -n 's/^case \([0-9]*\).*/\1/p' "$build/$1.log" | tail -n 1)
        echo "again: .build/release/SessionFuzzer $1 --seed $seed --case $last --print"
        return 1
    }
}
play gateway &
gateway=$!
play client
wait "$gateway"

swift build --package-path Fuzz --scratch-path "$build" -c release --sanitize=fuzzer \
    --product WireFuzzer
# Without Swift's own backtrace, which would end the process before the fuzzer has kept the input.
SWIFT_BACKTRACE=enable=no "$build/release/WireFuzzer" -runs="$inputs" -max_len=4096 -timeout=10 -rss_limit_mb=2048 \
    -artifact_prefix="$build/" -print_final_stats=1 "$build/corpus" Fuzz/Corpus 2>"$build/log" || {
    tail -n 40 "$build/log"
    exit 1
}
grep -E '^stat::(number_of_executed_units|average_exec_per_sec|peak_rss_mb)' "$build/log"
echo "fuzz: $inputs inputs, no trap"
