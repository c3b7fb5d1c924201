#!/bin/bash
# Measures recovery: a session of 85 synthetic stocks at bars of five seconds writes a journal of about a million events,
# and `martlet replay --verify` reads it, verifies its chain and answers every event once more, as a start does.
#
#   Benchmarks/Journal/recover.sh PROGRAM [MINUTES]
#
# PROGRAM is a release build. The session lasts MINUTES (by default 1800) of session time, at 300 times its speed.
# The target is five seconds for a million events.
set -euo pipefail
program=$1
minutes=${2:-1800}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$program" run --mode sim -q -c "$(dirname "$0")/session.yaml" --speed 300 --minutes "$minutes" \
    --journal "$folder/journal"
du -b "$folder"/journal/*.sqlite* | sort -k2
time "$program" replay "$folder/journal" --verify
