#!/bin/bash
# setup.sh VENVS BIN DATA: builds the virtual environments named in requirements.txt under VENVS, the C limits in BIN and the
# data in DATA. What is there already and passes its check is left as it is, so a second call takes a few seconds.
# A section's python is looked for on PATH (python3.12, ...) and among pyenv's versions; one that is missing is skipped with a line.
# Ends with 1 when the C programs cannot be built or the data differs from reference/MANIFEST.json; an environment that could not
# be made gives a line, and compare.py leaves its entries out.
set -u
[ $# -eq 3 ] || { sed -n '2,3s/^# //p' "$0" >&2; exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1" "$2" "$3" || exit 1
venvs=$(cd "$1" && pwd) bin=$(cd "$2" && pwd) data=$(cd "$3" && pwd)

# find_python 3.12 -> a command that runs that version; "any" takes the first there is
find_python() {
  local v p
  if [ "$1" = any ]; then
    for v in 3.12 3.13 3.11; do find_python $v && return; done
    return 1
  fi
  # a shim of pyenv's can be on PATH and yet refuse, so the version is started, not only found; then its folders are looked through
  for p in "python$1" $(ls -d "${PYENV_ROOT:-$HOME/.pyenv}"/versions/"$1".*/bin/python"$1" 2> /dev/null | sort -rV); do
    "$p" -c 'import ensurepip, venv' > /dev/null 2>&1 && { echo "$p"; return; }
  done
  return 1
}

# The C limits are built for this very processor (-march=native): the stamp names it, the compiler and the sources.
command -v gcc > /dev/null || { echo "setup.sh: gcc is needed (apt-get install gcc libc6-dev)" >&2; exit 1; }
stamp=$( (cat "$here"/limits/*.c; gcc --version; grep -m1 -E '^(flags|Features)' /proc/cpuinfo) | sha256sum)
if [ "$(cat "$bin/stamp" 2> /dev/null)" != "$stamp" ] || [ "$(ls "$bin" | grep -c '_limit$')" -ne 6 ]; then
  rm -f "$bin/stamp"
  for w in 1 2 3 4 5 6; do
    gcc -O3 -march=native -ffp-contract=off -o "$bin/w${w}_limit" "$here/limits/w${w}_limit.c" -lm || exit 1
  done
  echo "$stamp" > "$bin/stamp"
fi

# One environment a section. It is done when its stamp holds the section and each package's version is the one pinned.
check='
import sys
from importlib.metadata import version
for line in open(sys.argv[1]):
    name, _, want = line.strip().partition("==")
    assert version(name) == want, name
'
environment() { # name python, and the requirements on standard input
  local name=$1 dir=$venvs/$1 py list
  list=$(mktemp) && { cat > "$list"; } || return
  if cmp -s "$list" "$dir/stamp" && "$dir/bin/python" -c "$check" "$list" 2> /dev/null; then rm "$list"; return; fi
  if ! py=$(find_python "$2"); then
    echo "skipped $name: no python$2 (with its venv module)"
  else
    # made anew unless it was made by this version: half an environment is worse than none
    rm -f "$dir/stamp"
    case "$("$dir/bin/python" -m pip --version 2> /dev/null)" in
      *"(python $2)"*) ;;
      *) rm -rf "$dir"; "$py" -m venv "$dir" || { echo "failed: $name"; rm "$list"; return; } ;;
    esac
    echo "installing $name"
    if "$dir/bin/python" -m pip install -q --disable-pip-version-check -r "$list" && "$dir/bin/python" -c "$check" "$list"
    then cp "$list" "$dir/stamp"; else echo "failed: $name"; fi
  fi
  rm "$list"
}
for section in $(sed -n 's/^\[\([a-z]*\) \(.*\)\]$/\1=\2/p' "$here/requirements.txt"); do
  name=${section%=*}
  sed -n "/^\[$name /,/^\[/p" "$here/requirements.txt" | grep '==' | environment "$name" "${section#*=}"
done

# The data: made when a file is missing or differs, then held to the manifest.
gen=$venvs/gen/bin/python
[ -x "$gen" ] || { echo "setup.sh: the data cannot be made without python3.11, 3.12 or 3.13 and its venv module" >&2; exit 1; }
if [ -f "$data/MANIFEST.json" ] && [ -f "$data/d_ticks.npz" ] && "$gen" "$here/gen_data.py" "$data" --only '' --check "$here/reference/MANIFEST.json"; then exit 0; fi
rm -f "$data/MANIFEST.json"
echo "making the data (0.6 GB; less than a minute)"
"$gen" "$here/gen_data.py" "$data" --check "$here/reference/MANIFEST.json" || { rm -f "$data/MANIFEST.json"; exit 1; }
