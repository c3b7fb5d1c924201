#!/usr/bin/env bash
# Has the journals of live sessions answered once more by the debug and the release build, each in a process of its own:
# both must find every answer as recorded. A byte that is changed in a copy must be found by both, at the same event.
#
#   Scripts/verify-journals.sh FOLDER-OF-JOURNALS
set -euo pipefail
cd "$(dirname "$0")/.."

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
count=0
for journal in "$1"/*/; do
    for build in debug release; do
        ".build/$build/martlet" replay "$journal" --verify > "$work/$build.txt"
        # Which build wrote it is said, and differs.
        sed 's/, by another build of the program//' "$work/$build.txt" > "$work/$build.answers"
    done
    diff "$work/debug.answers" "$work/release.answers"

    rm -rf "$work/damaged"
    cp -r "$journal" "$work/damaged"
    file=$(ls "$work/damaged"/*.sqlite | tail -1)
    # What is still in the log goes into the file first.
    python3 - "$file" <<'PYTHON'
import os, sqlite3, sys
path = sys.argv[1]
database = sqlite3.connect(path)
database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
payloads = [row[0] for row in database.execute("SELECT payload FROM batch ORDER BY first_seq DESC LIMIT 100")]
database.close()
content = open(path, "rb").read()
# Long ones lie in several pieces.
payload = next(payload for payload in payloads if payload in content)
at = content.rindex(payload) + len(payload) // 2
with open(path, "r+b") as file:
    file.seek(at)
    file.write(bytes([content[at] ^ 0x55]))
PYTHON
    for build in debug release; do
        status=0
        ".build/$build/martlet" replay "$work/damaged" --verify > "$work/$build.txt" || status=$?
        [ "$status" = 8 ]
        grep -o 'damaged at event [0-9]*' "$work/$build.txt" > "$work/$build.damage"
    done
    diff "$work/debug.damage" "$work/release.damage"
    count=$((count + 1))
done
[ "$count" -gt 0 ]
echo "journals: $count passed, 0 failed"
