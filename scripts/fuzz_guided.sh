#!/usr/bin/env bash
# Fuzzes the readers of files with libFuzzer under the address and undefined-behaviour sanitizers.
set -euo pipefail

if [[ ${1-} == --help || ${1-} == -h ]]; then
  cat <<'HELP'
Usage: scripts/fuzz_guided.sh TARGET|all [SECONDS]
Builds dgtd-fuzz-guided with clang in build/fuzzer and lets libFuzzer read files of TARGET (scripts/fuzz.sh has the names)
for SECONDS (300). Coverage guides it: a file that reaches a new edge of the code is stored in build/fuzzer/corpus/TARGET
and changed further, also by later runs. Runs begin with these files and tests/fuzz/corpus.
A finding ends the run of its target. Its file is stored in tests/fuzz/findings/TARGET, where fuzz_test reads it, and
the exit code is 1. Logs are build/fuzzer/logs/TARGET.log. The packages are installed by scripts/setup.sh --fuzzer.
DGTD_FUZZ_JOBS is the number of parallel compilations (all cores).
HELP
  exit 0
fi

cd "$(dirname "${BASH_SOURCE[0]}")/.."
wanted=${1:?TARGET is missing, see --help}
seconds=${2:-300}
build=build/fuzzer
program=$build/bin/dgtd-fuzz-guided
cmake --preset fuzzer > /dev/null
cmake --build "$build" --parallel "${DGTD_FUZZ_JOBS:-$(nproc)}" --target dgtd-fuzz-guided
export ASAN_OPTIONS=max_allocation_size_mb=4096:detect_leaks=0 UBSAN_OPTIONS=print_stacktrace=1 OMP_NUM_THREADS=1
ASAN_SYMBOLIZER_PATH=$(command -v llvm-symbolizer-14 llvm-symbolizer | head -1 || true)
export ASAN_SYMBOLIZER_PATH
scratch=$(mktemp -d -p "$([[ -w /dev/shm ]] && echo /dev/shm || echo "${TMPDIR:-/tmp}")" dgtd-fuzz.XXXXXX)
# Removes, besides, what clang's OpenMP leaves there for each child process that has ended.
clean_up() {
  rm -rf "$scratch"
  local file process
  for file in /dev/shm/__KMP_REGISTERED_LIB_*_"$UID"; do
    process=${file#*_LIB_}
    [[ ! -f $file || -d /proc/${process%_*} ]] || rm -f "$file"
  done
}
trap clean_up EXIT
mkdir -p "$build/logs"

# The edges that the files of earlier runs and tests have reached, and all files: "A to B".
edges() {
  awk '/^#[0-9]+.* cov: / { inited = /INITED/; sub(/.* cov: /, ""); last = $1 + 0; if (inited) first = last }
       END { print first + 0, "to", last + 0 }' "$1"
}

failed=0 known=0
while read -r target extension limit; do
  [[ $wanted == all || $wanted == "$target" ]] || continue
  known=1
  own=$build/corpus/$target log=$build/logs/$target.log
  mkdir -p "$own" "$scratch/artifacts"
  whole=tests/fuzz/corpus/$target
  if [[ ! -d $whole ]]; then
    whole=$scratch/whole
    "$program" --target="$target" --write-whole="$whole" > "$log" 2>&1
  fi
  "$program" --target="$target" --scratch="$scratch" -max_total_time="$seconds" -timeout="$limit" -rss_limit_mb=4096 \
    -malloc_limit_mb=1000000 -artifact_prefix="$scratch/artifacts/" -close_fd_mask=1 -print_final_stats=1 \
    -reload=0 "$own" "$whole" > "$log" 2>&1 || true
  findings=0
  for artifact in "$scratch"/artifacts/{crash,timeout,oom}-*; do
    [[ -f $artifact ]] || continue
    name=$(basename "$artifact")
    mkdir -p "tests/fuzz/findings/$target"
    cp "$artifact" "tests/fuzz/findings/$target/${name:0:16}$extension"
    findings=$((findings + 1)) failed=1
    echo "  tests/fuzz/findings/$target/${name:0:16}$extension: $(grep -m1 -oE '(finding|ERROR|runtime error): .*' "$log")"
  done
  if ((!findings)) && ! grep -q '^Done ' "$log"; then
    echo "fuzz_guided.sh: $target has not been fuzzed to the end: $log" >&2
    failed=1
  fi
  rm -rf "$scratch/artifacts"
  # The number of files, which a run that ends by a finding has in its last line of progress only.
  executions=$(awk '/^#[0-9]+/ { sub(/#/, ""); n = $1 + 0 } /number_of_executed_units/ { n = $2 } END { print n + 0 }' "$log")
  echo "$target: $executions files, edges $(edges "$log"), corpus of $(find "$own" -type f | wc -l), $findings findings"
done < <("$program" --list)
if ((!known)); then
  echo "fuzz_guided.sh: no such target: $wanted; allowed are all, $("$program" --list | awk '{ printf "%s%s", (NR > 1 ? ", " : ""), $1 }')" >&2
  exit 2
fi
exit $failed
