#!/usr/bin/env bash
# Table 3 of Golovashkin, Malysheva 2010: seconds of 400 steps of a plane grid, four ways.
# See docs/notebook/2026-11-22-planes.md.
set -euo pipefail

usage() {
  cat <<'HELP'
Usage: scripts/bench/plane_table3.sh BUNDLE [options]
BUNDLE: the folder that `cmake --install build/release --component bundle --prefix BUNDLE` made, or a build's folder.
Checks that the methods agree, then prints seconds of 400 steps on N x N cells, single precision, with the paper's.
  --skip COLUMN    scalar, cublas-vector, cublas-matrix or native; may be repeated
  --nodes "N..."   rows of the table (100 to 1000 by 100, 1500 to 4000 by 500)
  --seconds S      to measure each for, at least (0.2)
  --cpu            no GPU: native on the CPU's threads, the cuBLAS columns skipped
A figure is 400 times the mean step of the fastest of three stretches of S / 3 s, two steps at least, so long runs
need less than their 400 steps. Set-up and output are not included.
HELP
}

fail() {
  echo "plane_table3.sh: $1" >&2
  exit 2
}

steps=400
columns=(scalar cublas-vector cublas-matrix native)
nodes="100 200 300 400 500 600 700 800 900 1000 1500 2000 2500 3000 3500 4000"
seconds=0.2
native_backend=cuda
skipped=" "
bundle=
while [[ $# -gt 0 ]]; do
  case $1 in
    --help | -h) usage; exit 0 ;;
    --skip | --nodes | --seconds)
      [[ $# -ge 2 ]] || fail "$1 needs a value"
      if [[ $1 == --nodes ]]; then nodes=$2
      elif [[ $1 == --seconds ]]; then seconds=$2
      else
        [[ " ${columns[*]} " == *" $2 "* ]] || fail "--skip $2: allowed are ${columns[*]}"
        skipped+="$2 "
      fi
      shift ;;
    --cpu) native_backend=cpu; skipped+="cublas-vector cublas-matrix " ;;
    -*) fail "unknown option $1; see --help" ;;
    *) [[ -z $bundle ]] || fail "one BUNDLE, not $bundle and $1"; bundle=$1 ;;
  esac
  shift
done
[[ -n $bundle ]] || { usage; exit 2; }
for program in dgtd dgtd-bench; do [[ -x $bundle/bin/$program ]] || fail "there is no $bundle/bin/$program"; done
for n in $nodes; do [[ $n =~ ^[1-9][0-9]*$ ]] || fail "--nodes $n: must be integers"; done

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# Libraries of CUDA that the loader does not know by itself.
for folder in /usr/local/cuda/lib64 /usr/local/cuda/targets/x86_64-linux/lib; do
  if [[ -d $folder ]]; then export LD_LIBRARY_PATH=${LD_LIBRARY_PATH:+$LD_LIBRARY_PATH:}$folder; fi
done

uses() { [[ $skipped != *" $1 "* ]]; }
backend_of() {
  case $1 in
    scalar) echo cpu ;;
    native) echo "$native_backend" ;;
    *) echo cuda ;;
  esac
}
# One thread where one is meant: the others would only wait.
threads_of() { [[ $1 == scalar ]] && echo 1 || echo "${OMP_NUM_THREADS:-$(nproc)}"; }

# The paper's: vacuum between electric walls, a sine at a point. 10 cells a wavelength.
write_case() {  # column nodes file
  local method=fdtd2d
  [[ $1 == native ]] || method=fdtd2d-$1
  cat > "$3" <<CASE
[solver]
method = $method
polarisation = ez
backend = $(backend_of "$1")
[grid]
cells = $2 $2
spacing = 1e-3
[boundary.*]
type = pec
[source.point]
type = dipole
position = 0 0
direction = 0 0 1
waveform = sine
frequency = 3e10
[probe.near]
position = 0.0125 0.0075
[time]
steps = $steps
[output]
directory = $work/$1
fields = none
CASE
}

# The paper's seconds for a row: scalar, cublas-vector, cublas-matrix, native.
paper() {
  case $1 in
    100) echo 0.09 2.99 0.23 0.10 ;;
    200) echo 0.59 6.00 1.12 0.10 ;;
    300) echo 1.93 9.02 3.06 0.11 ;;
    400) echo 4.29 12.00 7.07 0.18 ;;
    500) echo 7.28 14.92 12.97 0.26 ;;
    600) echo 9.82 17.85 21.82 0.37 ;;
    700) echo 12.75 20.80 33.57 0.49 ;;
    800) echo 15.80 23.78 51.09 0.65 ;;
    900) echo 20.17 26.70 72.26 0.79 ;;
    1000) echo 24.65 29.63 97.49 0.97 ;;
    1500) echo 54.57 44.38 319.82 2.17 ;;
    2000) echo 102.82 59.02 758.59 3.80 ;;
    2500) echo 158.56 73.75 1484.20 5.99 ;;
    3000) echo 244.68 88.40 2530.93 8.55 ;;
    3500) echo 399.46 103.27 4029.10 11.65 ;;
    4000) echo 653.72 118.97 - 15.23 ;;
    *) echo - - - - ;;
  esac
}

# 400 steps on 200 x 200 cells, Ez of the probe against native's. The tolerance is that of tests/reproductions/plane_problem.hpp:
# 3 eps a step that leap-frog at a Courant number of 0.95 lets grow 3.2 times; a field at its peak, so of the largest value.
check_agreement() {
  local column
  for column in native scalar cublas-vector cublas-matrix; do
    [[ $column == native ]] || uses "$column" || continue
    write_case "$column" 200 "$work/$column.cfg"
    OMP_NUM_THREADS=$(threads_of "$column") "$bundle/bin/dgtd" "$work/$column.cfg" > "$work/$column.log" 2>&1 ||
      { cat "$work/$column.log" >&2; fail "$column did not run"; }
    [[ $column == native ]] && continue
    paste -d, "$work/native/probe_near.csv" "$work/$column/probe_near.csv" | awk -F, -v column="$column" -v steps=$steps '
      NR > 1 && NF == 14 { a = $4; b = $11; d = a > b ? a - b : b - a; if (d > worst) worst = d; if (a < 0) a = -a; if (a > peak) peak = a; rows++ }
      END {
        tolerance = 3 * 3.2 * steps * 1.2e-7
        if (rows != steps || !(peak > 0)) { print "plane_table3.sh: " column ": the probe has " rows " rows with a peak of " peak " V/m"; exit 1 }
        printf "%s agrees with native: %.2g of the largest Ez, allowed %.2g\n", column, worst / peak, tolerance
        exit !(worst / peak < tolerance)
      }' || fail "$column does not agree with native"
  done
}

measure() {  # column nodes: seconds of all steps
  write_case "$1" "$2" "$work/run.cfg"
  OMP_NUM_THREADS=$(threads_of "$1") "$bundle/bin/dgtd-bench" "$work/run.cfg" --precisions single --kernels fused --backend "$(backend_of "$1")" \
    --seconds "$seconds" --output "$work/run.json" > "$work/run.log" 2>&1 || { cat "$work/run.log" >&2; fail "$1 with $2 nodes did not run"; }
  awk -F'[:,]' -v steps=$steps '/"seconds_per_step"/ { printf "%.3g", steps * $2 }' "$work/run.json"
}

echo "CPU: $(awk -F': *' '/^model name/ { print $2; exit }' /proc/cpuinfo), native on $native_backend"
if [[ $native_backend == cuda ]]; then nvidia-smi --query-gpu=name,driver_version --format=csv,noheader | head -1; fi
check_agreement
echo
echo "Seconds of $steps steps, single precision; in brackets the paper's (Core Duo E6500, GeForce GT 240)"
echo
echo "| nodes a side | CPU, scalar | cuBLAS, vectors | cuBLAS, matrices | native |"
echo "| --- | --- | --- | --- | --- |"
for n in $nodes; do
  read -ra theirs <<< "$(paper "$n")"
  line="| $n |"
  for i in 0 1 2 3; do
    ours=-
    if uses "${columns[i]}"; then ours=$(measure "${columns[i]}" "$n"); fi
    line+=" $ours (${theirs[i]}) |"
  done
  echo "$line"
done
