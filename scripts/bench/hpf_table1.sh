#!/usr/bin/env bash
# Table 1 of D. Tartarini and A. Massaro (2011): times of 192 steps of 1024 x 1024 points on a GPU, over block_timesteps,
# precision, with and without defects; the paper's scheme beside ours. Needs bash and a bundle's programs only.
set -euo pipefail

if [[ ${1-} == --help || ${1-} == -h || $# -lt 1 ]]; then
  cat <<'HELP'
Usage: scripts/bench/hpf_table1.sh BIN [BLOCK_SIZE] [BACKEND]
BIN: the folder of dgtd and dgtd-bench (BUNDLE/bin). BLOCK_SIZE: threads per block of the paper's scheme (32).
BACKEND: cuda (default), or cpu to try the script without a GPU.
Compares the potentials of all schedules with the CPU's, bit by bit, and then prints the table, in ms.
HELP
  exit 0
fi
bin=$1
block=${2:-32}
backend=${3:-cuda}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

write_case() {  # FILE STENCIL DEFECTS
  cat > "$1" <<CASE
[solver]
method = hpf2d
stencil = $2
block_size = $block
[grid]
cells = 1024 1023
spacing = 1e-9
[boundary.xmin]
type = periodic
[boundary.xmax]
type = periodic
[boundary.*]
type = mur
[source.light]
type = sheet
centre = 0 -509.5e-9
size = 2e-6 0
direction = 0 1 0
polarisation = 0 0 1
waveform = ramped-sine
frequency = 193414489032258
[time]
steps = 192
[output]
fields = none
energy_interval = 1000
CASE
  [[ $3 == yes ]] || return 0
  cat >> "$1" <<CASE
[material.defect]
eps_r = 1.999396
CASE
  # Rods across all lines and defects beside each other: every warp meets both media.
  local n=0 y
  for y in -420 -300 -180 -60 60 180 300 420; do
    n=$((n + 1))
    printf '[shape.rod%d]\ntype = box\nmaterial = defect\ncentre = 0 %de-9\nsize = 1000e-9 30e-9\n' "$n" "$y" >> "$1"
  done
  for y in -480 -352 -224 -96 32 160 288 416; do
    n=$((n + 1))
    printf '[shape.rod%d]\ntype = box\nmaterial = defect\ncentre = %de-9 0\nsize = 50e-9 1000e-9\n' "$n" "$y" >> "$1"
  done
}
for stencil in line laplacian; do
  write_case "$work/${stencil}_no.cfg" "$stencil" no
  write_case "$work/${stencil}_yes.cfg" "$stencil" yes
done

hash_of() {  # CASE --set…: the potential's hash after 192 steps
  local case=$1
  shift
  rm -rf "$work/out"
  "$bin/dgtd" "$case" "$@" --set output.directory="$work/out" > "$work/log" 2>&1 || { cat "$work/log" >&2; exit 1; }
  grep -o '"fields_hash": *[^,]*' "$work/out/summary.json"
}
echo "== agreement with the CPU, bit by bit"
failed=0
for stencil in line laplacian; do
  for defects in no yes; do
    for precision in single double; do
      case=$work/${stencil}_$defects.cfg
      expected=$(hash_of "$case" --set solver.precision=$precision --set solver.backend=cpu)
      kernels="fused split"
      [[ $stencil == line ]] && kernels="fused split diagonal"
      for k in $kernels; do
        found=$(hash_of "$case" --set solver.precision=$precision --set solver.backend="$backend" --set solver.kernels="$k")
        [[ $found == "$expected" ]] && verdict=same || { verdict=DIFFERENT; failed=1; }
        echo "$stencil, defects $defects, $precision, $k: $verdict"
      done
    done
  done
done
[[ $failed == 0 ]] || echo "WARNING: schedules differ; the times below are of wrong results"

milliseconds() {  # CASE PRECISION KERNELS STEPS: of 192 steps; a dash where it cannot be
  "$bin/dgtd-bench" "$1" --precisions "$2" --kernels "$3" --backend "$backend" --seconds 0.5 --set solver.block_timesteps="$4" --output "$work/bench.json" \
      > "$work/log" 2>&1 || { printf -- '-'; return 0; }
  grep -o '"seconds_per_step": *[0-9.e+-]*' "$work/bench.json" | awk '{ printf "%.4f", 192e3 * $2 }'
}
echo
echo "== ms for 192 steps of 1024 x 1024 points (defects: no, yes)"
printf '%-28s %10s %10s %10s %10s\n' "schedule, block_timesteps" "single no" "single yes" "double no" "double yes"
row() {  # STENCIL KERNELS STEPS LABEL
  local cells=() precision defects
  for precision in single double; do
    for defects in no yes; do
      cells+=("$(milliseconds "$work/$1_$defects.cfg" "$precision" "$2" "$3")")
    done
  done
  printf '%-28s %10s %10s %10s %10s\n' "$4" "${cells[@]}"
}
for steps in 6 8 10 12 14 16 18 20; do row line diagonal $steps "paper, diagonals, $steps"; done
row line split 0 "lines, a launch a step"
for steps in 6 20 64 192; do row line fused $steps "lines in registers, $steps"; done
row laplacian split 0 "five points, a launch a step"
for steps in 2 4 6 8 10 12 16; do row laplacian fused $steps "tiles in registers, $steps"; done
exit $failed
