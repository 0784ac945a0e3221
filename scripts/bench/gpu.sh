#!/usr/bin/env bash
# Checks and measures a bundle on a GPU node; builds nothing. See docs/performance.md.
set -uo pipefail

if [[ ${1-} == --help || ${1-} == -h || $# -lt 1 ]]; then
  cat <<'HELP'
Usage: scripts/bench/gpu.sh BUNDLE [OUT]
BUNDLE: the folder that `cmake --install build/release --component bundle --prefix BUNDLE` made.
Runs dg_cuda_test, then dgtd-bench on a box. Results are written as JSON to OUT (default: gpu_results).
HELP
  exit 0
fi

bundle=$1
out=${2:-gpu_results}
mkdir -p "$out"
export OMP_NUM_THREADS=${OMP_NUM_THREADS:-$(nproc)}
nvidia-smi --query-gpu=name,memory.total,driver_version --format=csv,noheader
"$bundle/bin/dg_cuda_test" --gtest_brief=1 || echo "FAILED: dg_cuda_test"
"$bundle/bin/dgtd-bench" --cells 89 --precisions single --output "$out/box_single.json"
"$bundle/bin/dgtd-bench" --cells 89 --precisions double --kernels fused --output "$out/box_double.json"
