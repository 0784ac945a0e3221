#!/usr/bin/env bash
# Repeats Table 4 of D. L. Golovashkin, S. A. Malysheva, "Implementation of FDTD-method by means of CUDA-technology" (2010),
# and what its formula says, with method fdtd1d-subdomains (docs/theory.md, docs/notebook/2026-11-22-lines.md).
set -uo pipefail

if [[ ${1-} == --help || ${1-} == -h || $# -lt 1 ]]; then
  cat <<'HELP'
Usage: scripts/bench/line_table4.sh DGTD [BACKEND] [N...]
DGTD: the program; BACKEND: cpu or cuda (default cpu); N: wavelengths of the line, of 10 100 200 300 (default: all).
Times are wall times of the sweeps on a device, and CPU times of the one thread on a CPU.
Compares the probe behind each cut line with that of the whole line. Then prints, least of three runs each, ms:
 1. Table 4: N wavelengths, M = 5 N periods, each of D subdomains solved for M / D periods
 2. the same, each subdomain solved until its state repeats (D = 1: the whole line, or on a device its tiles)
 3. with a slab and G re-reflections: measured speed-up beside the formula, as printed and with a plus
Environment: PRECISION (single), REPEATS (3); ENGINE=1 also times the engine of all grids (fdtd1d).
HELP
  exit 0
fi

dgtd=$1
backend=${2:-cpu}
[[ $# -gt 2 ]] && sizes=("${@:3}") || sizes=(10 100 200 300)
precision=${PRECISION:-single}
repeats=${REPEATS:-3}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export OMP_WAIT_POLICY=passive
failures=0

# make_case N M EXTRA-SOLVER-LINES [SLAB]: the case file of a line.
make_case() {
  awk -v n="$1" -v m="$2" -v extra="$3" -v slab="${4-}" -v backend="$backend" -v precision="$precision" 'BEGIN {
    printf "[solver]\nmethod = %s\ncfl_fraction = 0.5\nbackend = %s\nprecision = %s\n%s\n", extra == "" ? "fdtd1d" : "fdtd1d-subdomains", backend, precision, extra
    printf "[grid]\ncells = %d\nspacing = 10e-9\npml = 100\n", 100 * (n + 2)
    printf "[source.wave]\ntype = sheet\ncentre = %.2fe-6\nsize = 0\ndirection = 1 0 0\npolarisation = 0 0 1\nwaveform = ramped-sine\n", -n / 2 + 0.1
    printf "[probe.behind]\nposition = %.3fe-6\n", n / 2 - 0.105
    if (slab != "") printf "[material.glass]\neps_r = 4\n[shape.slab]\ntype = box\nmaterial = glass\nsize = %se-6\n", slab
    printf "[time]\nfrequency = 2.99792458e14\nperiods = %d\n[output]\ndirectory = out\nfields = none\n", m
  }' > "$folder/line.cfg"
}
figure() { sed -n "s/.*\"$1\": \([0-9.e+-]*\).*/\1/p" "$folder/out/summary.json" | head -n 1; }
# run: the least wall time of the case in ms in $ms, its cell steps in $steps.
run() {
  ms= steps=
  for ((r = 0; r < repeats; ++r)); do
    if ! "$dgtd" "$folder/line.cfg" > "$folder/log" 2>&1; then
      ms=- steps=-
      note=$(grep -m 1 error "$folder/log" | cut -c 1-160)
      return 1
    fi
    local wall
    wall=$(figure cpu_s)
    [[ -n $wall ]] || wall=$(figure wall_s)
    ms=$(awk -v a="$wall" -v b="$ms" 'BEGIN { a *= 1000; print (b == "" || a < b + 0) ? a : b }')
    steps=$(figure cell_steps)
  done
}
# difference FILE: the largest difference of E_z in the last period to FILE, of the largest value there.
difference() {
  paste -d , "$1" "$folder/out/probe_behind.csv" | tail -n 200 | awk -F , '{ d = $4 - $11; if (d < 0) d = -d; e = $4 < 0 ? -$4 : $4; if (d > w) w = d; if (e > s) s = e } END { printf "%.2g", w / s }'
}
# agrees VALUE LIMIT WHAT
agrees() {
  awk -v a="$1" -v b="$2" 'BEGIN { exit !(a + 0 <= b + 0) }' && return
  echo "FAILED: $3 differs by $1, allowed is $2"
  failures=$((failures + 1))
}
shown() { awk -v x="$1" 'BEGIN { if (x == "-") print x; else printf x < 10 ? "%.2f" : "%.0f", x }'; }
ratio() { awk -v a="$1" -v b="$2" 'BEGIN { if (a == "-" || b == "-") print "-"; else printf "%.2f", a / b }'; }

paper() {  # backend N D: Table 4, ms
  awk -v key="$1 $2 $3" 'BEGIN {
    split("cpu 10 1=250,cpu 10 2=160,cpu 10 3=125,cpu 10 5=103,cpu 10 10=85,cpu 100 1=22690,cpu 100 2=11770,cpu 100 3=8075,cpu 100 5=5154,cpu 100 10=2890," \
          "cpu 200 1=90015,cpu 200 2=45885,cpu 200 3=31120,cpu 200 5=19300,cpu 200 10=10390,cpu 300 1=200750,cpu 300 2=102290,cpu 300 3=69130,cpu 300 5=42330,cpu 300 10=23310," \
          "cuda 10 1=2460,cuda 10 2=2466,cuda 10 3=2460,cuda 10 5=2470,cuda 10 10=2475,cuda 100 1=29750,cuda 100 2=29620,cuda 100 3=29050,cuda 100 5=28510,cuda 100 10=26995," \
          "cuda 200 1=49300,cuda 200 2=49190,cuda 200 3=49180,cuda 200 5=48780,cuda 200 10=43380,cuda 300 1=73848,cuda 300 2=73828,cuda 300 3=73270,cuda 300 5=65064,cuda 300 10=65061", t, ",")
    for (i in t) { split(t[i], p, "="); if (p[1] == key) { print p[2]; found = 1 } }
    if (!found) print "-"
  }'
}

echo "backend $backend, $precision precision, least of $repeats runs"
for mode in "M / D periods each" "until the state repeats"; do
  echo
  echo "$mode"
  echo "   N     M   D         ms   speed-up        D   with layers   cell steps saved   difference   paper ms   its speed-up"
  for n in "${sizes[@]}"; do
    m=$((5 * n))
    counts=(1 2 3 5 10)
    ((n >= 100)) && counts+=(33)
    if [[ ${ENGINE-} == 1 && $mode == M* ]]; then
      make_case "$n" "$m" ""
      run
      printf '%4s %5s   engine of all grids: %s ms\n' "$n" "$m" "$(shown "$ms")"
    fi
    for d in "${counts[@]}"; do
      window=
      [[ $mode == M* ]] && window="window = $(awk -v m="$m" -v d="$d" 'BEGIN { printf "%d", m / d + 0.5 }')"
      make_case "$n" "$m" "subdomains = $d"$'\n'"$window"
      note=
      run
      gap=-
      if [[ $d == 1 ]]; then
        whole=$ms whole_steps=$steps
        cp "$folder/out/probe_behind.csv" "$folder/whole.csv" 2> /dev/null
      elif [[ $ms != - ]]; then
        gap=$(difference "$folder/whole.csv")
        agrees "$gap" 1e-2 "N = $n, D = $d, $mode"
      fi
      theirs=$(paper "$backend" "$n" "$d")
      printf '%4d %5d %3d %10s %10s %8d %13.2f %18s %12s %10s %14s %s\n' "$n" "$m" "$d" "$(shown "$ms")" "$(ratio "$whole" "$ms")" "$d" \
        "$(awk -v n="$n" -v d="$d" 'BEGIN { print d * (n + 2) / (n + 2 * d) }')" "$(ratio "$whole_steps" "$steps")" "$gap" "$theirs" "$(ratio "$(paper "$backend" "$n" 1)" "$theirs")" "$note"
    done
  done
done

n=${sizes[-1]}
((n > 100)) && n=100
m=$((5 * n))
echo
echo "a slab of eps_r = 4 and one wavelength in the middle, N = $n, M = $m, M / D periods each"
echo "   D   G         ms   speed-up   D^2/(D+2(D-1)G)   with layers   as printed, with a minus   difference"
make_case "$n" "$m" "subdomains = 1"$'\n'"window = $m" 1
run
whole=$ms
cp "$folder/out/probe_behind.csv" "$folder/whole.csv"
for d in 2 3 5 10; do
  for g in 0 1 2; do
    make_case "$n" "$m" "subdomains = $d"$'\n'"reflections = $g"$'\n'"window = $(awk -v m="$m" -v d="$d" 'BEGIN { printf "%d", m / d + 0.5 }')" 1
    run
    printf '%4d %3d %10s %10s %17s %13s %26s %12s\n' "$d" "$g" "$(shown "$ms")" "$(ratio "$whole" "$ms")" "$(awk -v d="$d" -v g="$g" 'BEGIN { printf "%.2f", d * d / (d + 2 * (d - 1) * g) }')" \
      "$(awk -v d="$d" -v g="$g" -v n="$n" 'BEGIN { printf "%.2f", d * d / (d + 2 * (d - 1) * g) * (n + 2) / (n + 2 * d) }')" \
      "$(awk -v d="$d" -v g="$g" 'BEGIN { s = d - 2 * (d - 1) * g; if (s > 0) printf "%.2f", d * d / s; else print "not defined" }')" "$(difference "$folder/whole.csv")"
  done
done
((failures == 0)) || { echo "FAILED: $failures"; exit 1; }
