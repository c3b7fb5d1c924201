#!/usr/bin/env bash
# Holds the wire bytes of the debug build to other programs', which it installs in a virtual environment of its own
# (.venv/wire). Needs python3, 3.10 or later.
set -euo pipefail
cd "$(dirname "$0")/.."

if ! python3 -c 'import ensurepip, venv' 2> /dev/null; then
    if ! command -v apt-get > /dev/null; then
        echo "please install Python 3.10 or later with its venv module" >&2
        exit 1
    fi
    sudo=
    [ "$(id -u)" -eq 0 ] || sudo=sudo
    echo "installing python3-venv"
    $sudo apt-get update -qq
    DEBIAN_FRONTEND=noninteractive $sudo apt-get install -y -qq python3-venv > /dev/null
fi

venv=.venv/wire
# Made anew when a version changes; half an environment has no stamp.
if ! cmp -s Tests/Wire/requirements.txt "$venv/stamp"; then
    rm -rf "$venv"
    python3 -m venv "$venv"
    "$venv/bin/python" -m pip install -q --disable-pip-version-check -r Tests/Wire/requirements.txt
    cp Tests/Wire/requirements.txt "$venv/stamp"
fi

swift build --product martlet > /dev/null
"$venv/bin/python" -B Tests/Wire/official.py .build/debug/martlet
