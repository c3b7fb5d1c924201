#!/usr/bin/env bash
# Feeds the wire's readers with damaged messages, guided by what code they reach.
#
#     Scripts/fuzz.sh [INPUTS]      2,000,000 unless told
#
# Begins with the seeds in Fuzz/Corpus; what it finds on the way stays in .build-fuzz/corpus. Ends with 1
# at the first input that traps, and names the file that holds it.
set -euo pipefail
cd "$(dirname "$0")/.."
inputs=${1:-2000000}
build=$PWD/.build-fuzz
swift build --package-path Fuzz --scratch-path "$build" -c release --sanitize=fuzzer \
    --product WireFuzzer
mkdir -p "$build/corpus"
"$build/release/WireFuzzer" -runs="$inputs" -max_len=4096 -timeout=10 -rss_limit_mb=2048 \
    -artifact_prefix="$build/" -print_final_stats=1 "$build/corpus" Fuzz/Corpus 2>"$build/log" || {
    tail -n 40 "$build/log"
    exit 1
}
grep -E '^stat::(number_of_executed_units|average_exec_per_sec|peak_rss_mb)' "$build/log"
echo "fuzz: $inputs inputs, no trap"
