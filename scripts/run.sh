#!/usr/bin/env bash
# Sets up, builds and runs a case under mpirun; dgtd then lists the results.
set -euo pipefail

usage() {
  cat <<'HELP'
Usage: scripts/run.sh [CASE] [-np N] [-- DGTD ARGUMENT...]
Installs missing packages, builds dgtd and runs CASE (default: cases/head_m0.cfg) on N ranks.
Default of N: the number of GPUs if dgtd is built with CUDA and there are GPUs (one rank per GPU),
else the number of cores, with one OpenMP thread per rank (unless OMP_NUM_THREADS is set).
Arguments after -- are passed to dgtd:
  scripts/run.sh cases/cavity.cfg -np 2 -- --set solver.order=3 --steps 100
HELP
}

fail() {
  echo "run.sh: $1" >&2
  exit 2
}

# The value that a case file, or else a file that it includes, has for a key SECTION.NAME; nothing without one.
value_in() {
  local wanted=$1 file=$2 depth=$3 value base
  [[ -f $file ]] && ((depth < 20)) || return 0
  value=$(awk -F= -v wanted="$wanted" '
    /^[ \t]*\[/ { section = $0; gsub(/[][ \t\r]|#.*/, "", section) }
    { key = $1; gsub(/[ \t]/, "", key); if (section != "" && key !~ /[.]/) key = section "." key }
    key == wanted { value = $2; sub(/[ \t]#.*/, "", value); gsub(/^[ \t]+|[ \t\r]+$/, "", value); print value; exit }
  ' "$file")
  if [[ -z $value ]]; then
    while read -r base; do
      value=$(value_in "$wanted" "$(dirname "$file")/$base" $((depth + 1)))
      [[ -z $value ]] || break
    done < <(sed -n '/^[ \t]*\[/q; s/[ \t]#.*//; s/^[ \t]*include[ \t]*=[ \t]*//p' "$file" | tr -d '\r' | tac)
  fi
  echo "$value"
}

# The value of a key SECTION.NAME: --set (the last one), else the case file's; nothing if neither has it. It is searched
# for here and not printed by `dgtd CASE --print KEY`, because the options of the build follow from it: there is no program
# yet, or one that was built from older sources.
value_of() {
  local wanted=$1 file=$2 value argument
  shift 2
  value=$(value_in "$wanted" "$file" 0)
  for argument in "$@"; do
    argument=${argument#--set=}
    [[ $argument != "$wanted="* ]] || value=${argument#"$wanted="}
  done
  echo "$value"
}

# Builds the program, and sets `program`. Where scripts/build.sh has built it before, that build is brought up to date.
# Else build/run receives what this case and earlier ones need: no tests, no CUDA code unless there is a GPU, kernels of
# orders above 2 and the methods on grids only for cases that have them.
build_program() {
  if [[ -x $root/build/release/bin/dgtd ]]; then
    "$root/scripts/build.sh" dgtd
    program=$root/build/release/bin/dgtd
    return
  fi
  local order highest=2 method grids=OFF cache=$root/build/run/CMakeCache.txt
  for order in "$(value_of solver.order "$@")" "$(sed -n 's/^DGTD_MAX_ORDER:STRING=//p' "$cache" 2>/dev/null)"; do
    [[ ! $order =~ ^[3-6]$ ]] || ((order <= highest)) || highest=$order
  done
  method=$(value_of solver.method "$@")
  if [[ ${method:-dgtd} != dgtd ]] || grep -qs '^DGTD_GRID_METHODS:BOOL=ON' "$cache"; then grids=ON; fi
  (
    cd "$root"
    cmake --preset run -DDGTD_MAX_ORDER="$highest" -DDGTD_GRID_METHODS="$grids" \
      -DDGTD_CUDA="$([[ $devices == 0 ]] && echo OFF || echo AUTO)"
    cmake --build --preset run --parallel "$(nproc)"
  )
  program=$root/build/run/bin/dgtd
}

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
case_file=""
ranks=""
while (($# > 0)); do
  case $1 in
    -h | --help) usage; exit 0 ;;
    -np | -n)
      [[ ${2-} =~ ^[1-9][0-9]*$ ]] || fail "$1 needs a number of ranks, 1 or more, not '${2-}'"
      ranks=$2
      shift 2 ;;
    --) shift; break ;;
    -*) fail "unknown option '$1' (known: -np N, --help; arguments of dgtd follow --)" ;;
    *)
      [[ -z $case_file ]] || fail "two cases, '$case_file' and '$1'; one is allowed"
      case_file=$1
      shift ;;
  esac
done
case_file=${case_file:-$root/cases/head_m0.cfg}
# A case by its name, as dgtd finds it: results of a shipped one are in ./out/NAME.
shipped=""
if [[ ! -f $case_file ]]; then
  if [[ -f $case_file.cfg ]]; then
    case_file=$case_file.cfg
  elif [[ $case_file != */* && -f $root/cases/${case_file%.cfg}.cfg ]]; then
    shipped=$case_file
    case_file=$root/cases/${case_file%.cfg}.cfg
  else
    fail "no case file '$case_file', and no case of this name in $root/cases"
  fi
fi

devices=0
if command -v nvidia-smi >/dev/null; then
  devices=$(nvidia-smi --list-gpus 2>/dev/null | grep -c '^GPU' || true)
fi
program=""
"$root/scripts/setup.sh"
build_program "$case_file" "$@"

# Open MPI offers one slot a core that this process may use, not one a hardware thread.
cores=$(lscpu --parse=CORE,SOCKET | grep -v '^#' | sort -u | wc -l)
((cores <= $(nproc))) || cores=$(nproc)
gpus=0
if command -v nvcc >/dev/null; then
  gpus=$devices
fi
if [[ -z $ranks ]]; then
  ranks=$((gpus > 0 ? gpus : cores))
fi
if ((gpus == 0)); then
  export OMP_NUM_THREADS=${OMP_NUM_THREADS:-1}
fi

mpi_options=(-np "$ranks")
((EUID != 0)) || mpi_options+=(--allow-run-as-root)
((ranks <= cores)) || mpi_options+=(--oversubscribe)
[[ ! -t 1 ]] || export DGTD_PROGRESS=bar
command_line=(mpirun "${mpi_options[@]}" "$program" "${shipped:-$case_file}" "$@")
echo "run: ${command_line[*]}"

# A second after SIGINT or SIGTERM mpirun kills the ranks. SIGUSR2, which it passes on, ends them with results and a
# checkpoint: so does the first Ctrl-C here; the second one ends all. In a session of its own mpirun gets no Ctrl-C itself.
setsid "${command_line[@]}" </dev/null &
run=$!
request=USR2
trap 'kill -s "$request" "$run" 2>/dev/null || true; request=TERM' INT TERM
while
  code=0
  wait "$run" || code=$?
  kill -0 "$run" 2>/dev/null
do :; done
exit "$code"
