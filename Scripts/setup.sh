#!/usr/bin/env bash
# Installs what building and testing need on Debian or Ubuntu; says what is missing elsewhere.
set -euo pipefail

if ! command -v swift > /dev/null; then
    echo "swift is not on the PATH: install a Swift toolchain, 6.2 or later (https://www.swift.org/install/linux/)" >&2
    exit 1
fi
version=$(swift --version 2>&1 | sed -n 's/.*Swift version \([0-9]*\.[0-9]*\).*/\1/p' | head -n 1)
if [ "$(printf '%s\n6.2\n' "$version" | sort -V | head -n 1)" != 6.2 ]; then
    echo "this Swift toolchain is $version: 6.2 or later is needed (https://www.swift.org/install/linux/)" >&2
    exit 1
fi

missing=()
[ -e /usr/include/zlib.h ] || missing+=(zlib1g-dev)
[ -e /usr/include/openssl/evp.h ] || missing+=(libssl-dev)
[ -e /usr/include/sqlite3.h ] || missing+=(libsqlite3-dev)
[ -e /usr/share/zoneinfo/America/New_York ] || missing+=(tzdata)
[ ${#missing[@]} -gt 0 ] || exit 0

if ! command -v apt-get > /dev/null; then
    echo "please install the packages that this system calls like Debian's ${missing[*]}" >&2
    exit 1
fi
sudo=
[ "$(id -u)" -eq 0 ] || sudo=sudo
echo "installing ${missing[*]}"
$sudo apt-get update -qq
DEBIAN_FRONTEND=noninteractive $sudo apt-get install -y -qq "${missing[@]}" > /dev/null
