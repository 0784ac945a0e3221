#!/usr/bin/env bash
# Builds the unit tests with the address and undefined-behaviour sanitizers and runs them.
set -euo pipefail

if [[ ${1-} == --help || ${1-} == -h ]]; then
  cat <<'HELP'
Usage: scripts/sanitize.sh [--core] [CTEST ARGUMENT...]
Configures the preset "asan" (orders up to 2, no CUDA code), builds its unit tests in build/asan and runs them
on all cores. Arguments are passed to ctest. A finding of a sanitizer ends its test, which then has failed.
--core builds and runs the tests with label core only: what reads input and addresses arrays.
HELP
  exit 0
fi

cd "$(dirname "${BASH_SOURCE[0]}")/.."
targets=tests_unit
if [[ ${1-} == --core ]]; then
  targets=tests_core
  shift
  set -- -L core "$@"
fi
cmake --preset asan
cmake --build --preset asan --parallel "$(nproc)" --target "$targets"
exec ctest --preset asan -j "$(nproc)" "$@"
