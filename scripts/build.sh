#!/usr/bin/env bash
# Configures and builds the release preset with Ninja on all cores.
set -euo pipefail

if [[ ${1-} == --help || ${1-} == -h ]]; then
  cat <<'HELP'
Usage: scripts/build.sh [TARGET...]
Configures the preset "release" and builds it, or only the given targets, in build/release.
The programs are in build/release/bin. scripts/setup.sh installs the packages that the build needs.
DGTD_MAX_ORDER=N in the environment builds the orders of method dgtd up to N (6), and their tests. DGTD_QUICK=ON takes
half of the time, for tests where no GPU is: kernels of tetrahedra with -O1, CUDA code as PTX, sources in groups.
HELP
  exit 0
fi

cd "$(dirname "${BASH_SOURCE[0]}")/.."
options=()
if [[ -n ${DGTD_MAX_ORDER-} ]]; then
  options=("-DDGTD_MAX_ORDER=$DGTD_MAX_ORDER")
fi
quick=OFF
[[ ${DGTD_QUICK-} != ON ]] || quick=ON
options+=("-DDGTD_QUICK_KERNELS=$quick" "-DDGTD_UNITY=$quick" "-DDGTD_PRECOMPILE=$quick")
cmake --preset release "${options[@]}"
targets=()
if (($# > 0)); then
  targets=(--target "$@")
fi
cmake --build --preset release --parallel "$(nproc)" "${targets[@]}"
