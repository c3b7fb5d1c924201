#!/usr/bin/env bash
# Makes the virtual environment that a test's Python programs run in, and prints its interpreter's path.
#
#   Scripts/python.sh REQUIREMENTS FOLDER
#
# Needs python3, 3.10 or later. What it does meanwhile it says on standard error.
set -euo pipefail
requirements=$1 venv=$2

if ! python3 -c 'import ensurepip, venv' 2> /dev/null; then
    if ! command -v apt-get > /dev/null; then
        echo "please install Python 3.10 or later with its venv module" >&2
        exit 1
    fi
    sudo=
    [ "$(id -u)" -eq 0 ] || sudo=sudo
    echo "installing python3-venv" >&2
    $sudo apt-get update -qq >&2
    DEBIAN_FRONTEND=noninteractive $sudo apt-get install -y -qq python3-venv > /dev/null
fi

# Made anew when a version changes; half an environment has no stamp.
if ! cmp -s "$requirements" "$venv/stamp"; then
    rm -rf "$venv"
    python3 -m venv "$venv" >&2
    "$venv/bin/python" -m pip install -q --disable-pip-version-check -r "$requirements" >&2
    cp "$requirements" "$venv/stamp"
fi
echo "$venv/bin/python"
