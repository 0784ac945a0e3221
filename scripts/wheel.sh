#!/usr/bin/env bash
# Makes wheels of the programs (dgtd_bin, with their libraries) and, where pip is there, of the Python package dgtd.
# Usage: scripts/wheel.sh [FOLDER [BUILD]]; the default is dist, of build/release. A wheel for other CPUs than this one
# needs a build with -DDGTD_NATIVE=OFF.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
folder=${1:-dist}
build=${2:-$root/build/release}
if [[ ! -f $build/CMakeCache.txt ]]; then
  echo "wheel.sh: $build: there is no build; scripts/build.sh makes build/release" >&2
  exit 2
fi
version=$(sed -n 's/^version = "\(.*\)"$/\1/p' "$root/scripts/python/pyproject.toml")
bundle=$(mktemp -d)
trap 'rm -rf "$bundle"' EXIT
cmake --install "$build" --component bundle --prefix "$bundle" >/dev/null
python3 "$root/scripts/wheel/make_wheel.py" "$bundle" "$version" "$folder"
if python3 -m pip --version >/dev/null 2>&1; then
  cp -r "$root/scripts/python" "$bundle/package"  # setuptools leaves its files beside the sources
  python3 -m pip wheel --quiet --no-deps --wheel-dir "$folder" "$bundle/package"
  ls "$folder"/dgtd-"$version"-*.whl
else
  echo "wheel.sh: no wheel of the package dgtd, because pip is missing (Debian: apt-get install python3-pip)" >&2
fi
