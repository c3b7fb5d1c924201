#!/usr/bin/env bash
# Runs the bundled backtests twice in the debug build and twice in the release build, each verified by a second
# engine. All artefacts must be the same bytes, the digest of all commands and decisions among them: no clock, hash
# order, address or optimisation may show in a result. Then each build trades a live session, and both answer the
# journals of both once more; and sessions with faults leave the same journals in both.
set -euo pipefail
cd "$(dirname "$0")/.."

swift build --product martlet > /dev/null
swift build -c release $(cat Scripts/release-flags) --product martlet
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

compared=0
for config in Samples/*.yaml; do
    name=$(basename "$config" .yaml)
    first=
    for build in debug release; do
        for run in 1 2; do
            out=$work/$name-$build-$run
            ".build/$build/martlet" backtest --config "$config" --output "$out" --decisions --verify --quiet
            if [ -z "$first" ]; then
                first=$out
                continue
            fi
            diff --recursive --brief "$first" "$out"
            compared=$((compared + $(ls "$out" | wc -l)))
        done
    done
    state=$(sed -n 's/.*"state_hash": "\([0-9a-f]*\)".*/\1/p' "$first/summary.json")
    answers=$(sed -n 's/.*"output_digest": "\([0-9a-f]*\)".*/\1/p' "$first/summary.json")
    [ -n "$state" ] && [ -n "$answers" ]
    echo "$name: four runs alike, state $state, answers $answers"
done
[ "$compared" -gt 0 ]
echo "identical runs: $compared files passed, 0 failed"

for build in debug release; do
    ".build/$build/martlet" run --mode sim --config Samples/momentum-session.yaml --data Samples/data/minute \
        --speed 200 --minutes 40 --journal "$work/journals/$build" --quiet
done
Scripts/verify-journals.sh "$work/journals"

for build in debug release; do
    ".build/$build/martlet" chaos run --config Samples/momentum-session.yaml --seeds 2 --json > "$work/chaos-$build.json"
done
diff "$work/chaos-debug.json" "$work/chaos-release.json"
[ "$(grep -o '"journal"' "$work/chaos-debug.json" | wc -l)" = 2 ]
echo "sessions with faults: 2 journals alike in both builds"
