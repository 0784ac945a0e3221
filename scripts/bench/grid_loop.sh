#!/usr/bin/env bash
# What bounds the loop of a voxel model on a GPU: head_voxels.cfg with one cause taken away at a time, at 2 and 1 mm.
# usage: grid_loop.sh [BIN_DIR]     prints one line per run: name, cells, steps, seconds of the loop, of its steps and
# of its observers, Gcells/s. Some 60 s on one H200.
set -euo pipefail
bin=${1:-build/release/bin}
root=$(cd "$(dirname "$0")/../.." && pwd)
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

run() {  # name, then arguments of dgtd
  local name=$1; shift
  "$bin/dgtd" "$root/cases/head_voxels.cfg" --set output.fields=none --set "output.directory=$out/$name" "$@" > "$out/$name.log" ||
    { tail -1 "$out/$name.log"; return; }
  python3 - "$name" "$out/$name/summary.json" <<'P'
import json, sys
s = json.load(open(sys.argv[2])); t = s["timers"]; work = s["cells"] * s["steps"]
print(f"{sys.argv[1]:24} {s['cells']:9} cells {s['steps']:5} steps  loop {t['loop']:.3f} s  steps {t['loop/step']:.3f}  "
      f"observers {t['loop/observers']:.3f}  {work / t['loop'] / 1e9:.1f} Gcells/s, steps alone {work / t['loop/step'] / 1e9:.1f}")
P
}

fine=(--set grid.spacing=1e-3 --set "grid.cells=300 300 380")
for size in 2mm 1mm; do
  grid=(); [ $size = 1mm ] && grid=("${fine[@]}")
  run "$size"                   "${grid[@]}"                                  # as it is
  run "$size-energy-rarely"     "${grid[@]}" --set output.energy_interval=100000
  run "$size-no-sums"           "${grid[@]}" --set output.energy_interval=100000 --steps 140   # below a period: no sums
  run "$size-few-classes"       "${grid[@]}" --set output.energy_interval=100000 --set grid.subpixel=off
  run "$size-thin-layers"       "${grid[@]}" --set output.energy_interval=100000 --set grid.pml=1
done
# The empty box, with the layers of the case and with mirrors on all sides.
"$bin/dgtd-bench" --method fdtd3d --cells 160 --precisions single --kernels fused
"$bin/dgtd-bench" --method fdtd3d --cells 320 --precisions single --kernels fused
