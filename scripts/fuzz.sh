#!/usr/bin/env bash
# Reads damaged files of every format under the address and undefined-behaviour sanitizers.
set -euo pipefail

if [[ ${1-} == --help || ${1-} == -h ]]; then
  cat <<'HELP'
Usage: scripts/fuzz.sh [TARGET|all] [COUNT [FIRST]]
Builds dgtd-fuzz in build/asan and lets it read COUNT (10,000) damaged files for each target: case, mesh, surface, layout,
step, nifti, metaimage, nrrd, picture, profile, field, field_profile, permittivity, checkpoint. Damaged files have numbers: a later
run goes on with FIRST, and a finding is repeated by its number. They are made of tests/fuzz/corpus, checkpoints of those
that a small run writes. What was a finding is kept in tests/fuzz/findings, which fuzz_test reads.
Findings are in build/asan/fuzz; the exit code is then 1.
DGTD_FUZZ_PRESET=release reads them without sanitizers, some five times as fast, with a limit of 4 GB.
HELP
  exit 0
fi

cd "$(dirname "${BASH_SOURCE[0]}")/.."
preset=${DGTD_FUZZ_PRESET:-asan}
cmake --preset "$preset" > /dev/null
cmake --build "build/$preset" --parallel "$(nproc)" --target dgtd-fuzz
export LSAN_OPTIONS="suppressions=$PWD/tests/lsan_suppressions.txt:detect_leaks=0" UBSAN_OPTIONS=print_stacktrace=1
export ASAN_OPTIONS="exitcode=99:log_path=$PWD/build/$preset/fuzz/sanitizer:max_allocation_size_mb=4096:detect_leaks=0"
mkdir -p "build/$preset/fuzz"
exec "build/$preset/bin/dgtd-fuzz" "${1:-all}" --count "${2:-10000}" --first "${3:-0}" --scratch "build/$preset/fuzz"
