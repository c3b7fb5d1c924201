#!/usr/bin/env bash
# Compiles Examples/, a package of a user's own, against this one: what a user imports is enough.
set -euo pipefail
cd "$(dirname "$0")/.."
swift build --package-path Examples --scratch-path .build-examples
echo "examples: compiled"
