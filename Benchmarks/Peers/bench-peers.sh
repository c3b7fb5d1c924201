#!/bin/bash
# bench-peers.sh [OPTIONS]: sets everything up in .bench at the repository's root (quick after the first time), builds Martlet's
# release binary when there is none, and runs the comparison on W1. Options go to compare.py: --rounds 3, --skip NAME,
# --pick NAME, --only w1,w3, --json FILE, ...
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
repo=$(cd "$here/../.." && pwd)
bench=$repo/.bench
build=yes before=
for x in "$@"; do
  case $x in -h | --help) exec python3 "$here/compare.py" --help ;; --martlet | --martlet=*) build=no ;; esac
  if [ "$before" = --skip ]; then x=--skip=$x; fi
  if [[ $x =~ ^--skip=(.*,)?(ours|martlet)(,|$) ]]; then build=no; fi
  before=$x
done
"$here/setup.sh" "$bench/venvs" "$bench/bin" "$bench/data"
if [ $build = yes ] && [ ! -x "$repo/.build/release/martlet" ]; then
  (cd "$repo" && swift build -c release $(cat Scripts/release-flags) --product martlet)
fi
if [ $build = yes ] && [[ " $* " =~ w5 ]]; then
  (cd "$repo/Benchmarks/Indicators" && swift build -c release)
fi
if [ $build = yes ] && [[ " $* " =~ w6 ]]; then
  (cd "$repo/Benchmarks/Wire" && swift build -c release --product WireBenchmark)
fi
exec python3 "$here/compare.py" --data "$bench/data" --bin "$bench/bin" --venvs "$bench/venvs" --only w1 "$@"
