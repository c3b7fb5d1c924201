#!/usr/bin/env bash
# Buys and holds every symbol of a folder that has splits or dividends, on raw, split-adjusted and total-adjusted prices,
# and prints by how much the runs differ: Scripts/reconcile-adjustments.sh FOLDER
# FOLDER holds daily SYMBOL.csv or SYMBOL.csv.gz files as traded, with the columns dividend and split.
set -euo pipefail
folder=$(cd "${1:?the folder of daily bars as traded}" && pwd)
cd "$(dirname "$0")/.."

mkdir -p .build
ln -sfn "$folder" .build/reconcile
trap 'rm -f .build/reconcile' EXIT
flags="--scratch-path .build-test $(cat Scripts/test-flags) --explicit-target-dependency-import-check error"
swift build --build-tests $flags > /dev/null
swift test --skip-build $flags --filter AdjustmentTests
