#!/usr/bin/env bash
# Sets up, builds and runs all tests; the last lines printed are CTest's summary.
set -euo pipefail

if [[ ${1-} == --help || ${1-} == -h ]]; then
  cat <<'HELP'
Usage: scripts/test.sh [CTEST ARGUMENT...]
Installs missing packages, builds dgtd and runs the tests on all cores. Arguments are passed to ctest:
  scripts/test.sh -L unit        only the tests with this label: unit, mpi, verification, gpu, cli
  scripts/test.sh -R halo        only the tests whose name matches
On two cores all of it takes some hours, most of it the kernels of orders 4 to 6 and the tests' own sources.
DGTD_QUICK=ON DGTD_MAX_ORDER=3 scripts/test.sh takes about an hour: orders up to 3, less optimisation, no ptxas.
HELP
  exit 0
fi

cd "$(dirname "${BASH_SOURCE[0]}")/.."
if [[ ${DGTD_QUICK-} != ON && $(nproc) -lt 16 ]]; then
  echo "test.sh: builds all orders and all tests, some hours on two cores; about an hour with DGTD_QUICK=ON DGTD_MAX_ORDER=3"
fi
scripts/setup.sh
scripts/build.sh
exec ctest --test-dir build/release --output-on-failure -j "$(nproc)" "$@"
