#!/usr/bin/env bash
# Sets up, builds and runs all tests; the last lines printed are CTest's summary.
set -euo pipefail

if [[ ${1-} == --help || ${1-} == -h ]]; then
  cat <<'HELP'
Usage: scripts/test.sh [CTEST ARGUMENT...]
Installs missing packages, builds dgtd and runs the tests on all cores. Arguments are passed to ctest:
  scripts/test.sh -L unit        only the tests with this label: unit, mpi, verification, gpu, cli
  scripts/test.sh -R halo        only the tests whose name matches
HELP
  exit 0
fi

cd "$(dirname "${BASH_SOURCE[0]}")/.."
scripts/setup.sh
scripts/build.sh
exec ctest --test-dir build/release --output-on-failure -j "$(nproc)" "$@"
