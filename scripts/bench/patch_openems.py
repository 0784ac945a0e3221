#!/usr/bin/env python3
"""The patch antenna of cases/patch_antenna.cfg by openEMS, on the lines of a run of dgtd.

  patch_openems.py cases/out/patch_antenna      with the lines of that run
  patch_openems.py FOLDER... --results          resonance, gain and efficiency of runs of dgtd, found in the same way
  patch_openems.py --settings EDGE              lines with cells of EDGE mm at the patch's edges, one option of dgtd per line

Needs openEMS 0.0.35 and Python's packages for it (Debian: apt-get install python3-openems, /usr/bin/python3). Prints the
frequency of the smallest |S11|, by a parabola through three frequencies 1 MHz apart, and at the nearest multiple of 10 MHz
gain (over the accepted power), directivity and radiation efficiency.
"""
import argparse
import os
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from python_packages import required

np = required("numpy")

PATCH, SUBSTRATE, THICKNESS, FEED = (32.0, 40.0), 60.0, 1.524, -6.0  # mm
PERMITTIVITY, CONDUCTIVITY = 3.38, 4.607e-4  # S/m
INSIDE = 0.35  # of the cell at an edge
FAR_BOX = ([-45.0, -45.0, -24.0], [45.0, 45.0, 26.0])  # mm
LAYERS, LARGEST, GROWTH = 8, 5.0, 1.3  # cells of the absorbing layers; mm; from one cell to the next in air
AIR = 75.0  # mm between the substrate and the end of the grid


def evenly(first, last, cell):
    """Lines from `first` to `last`, both included, at most about `cell` apart."""
    return np.linspace(first, last, max(1, round((last - first) / cell)) + 1)


def outwards(start, cell):
    """Distances of lines from `start` outwards: cells that grow to the largest one, to the end of the grid."""
    cells = []
    while sum(cells) < AIR:
        cell = min(LARGEST, cell * GROWTH)
        cells.append(cell)
    return start + np.cumsum(cells)


def both_sides(lines):
    """Lines on both sides of 0, from those at and above it."""
    return np.unique(np.round(np.concatenate([-lines, lines]), 6))


def case_lines(edge):
    """Lines along x, y and z, mm."""
    along = []
    for half, inner in ((0.5 * PATCH[0], -FEED), (0.5 * PATCH[1], 0.0)):
        inside, outside = half - INSIDE * edge, half + (1 - INSIDE) * edge
        beside = evenly(outside, 0.5 * SUBSTRATE, 1.5 * edge)
        lines = [evenly(0, inner, 1.5 * edge) if inner else [0.0], evenly(inner, inside, 1.65 * edge), beside,
                 outwards(beside[-1], np.diff(beside)[-1])]
        along.append(both_sides(np.concatenate(lines)))
    within = np.linspace(0, THICKNESS, round(4 / edge) + 1)
    above = outwards(THICKNESS, within[1])
    along.append(np.concatenate([THICKNESS - above[::-1], within, above]))
    return along


def lines_of_run(folder):
    """Lines along x, y and z, mm, of resolved.cfg in the output folder of a run of dgtd."""
    keys = dict(line.split(" = ", 1) for line in (folder / "resolved.cfg").read_text().splitlines() if " = " in line)
    lines = []
    for axis, origin in zip("xyz", keys["origin"].split()):
        cells = []
        for word in keys[f"spacings_{axis}"].split():
            count, _, size = word.rpartition("*")
            cells += [float(size)] * int(count or 1)
        lines.append(1e3 * (float(origin) + np.concatenate([[0], np.cumsum(cells)])))
    # Lines on faces of the substrate and in the feed are there to the last bit.
    return [np.where(abs(x - np.round(x, 3)) < 1e-5, np.round(x, 3), x) for x in lines]


def settings(lines):
    """The lines as options of dgtd."""
    text = [f"--set grid.spacings_{axis}={' '.join(f'{d:.9g}' for d in np.diff(values))} mm" for axis, values in zip("xyz", lines)]
    return [*text, f"--set grid.origin={' '.join(f'{values[0]:.6f}' for values in lines)} mm"]


def resonance(frequency, reflected):
    """Frequency of the smallest |S11|: the vertex of a parabola through the smallest sample and its neighbours."""
    at = int(np.clip(np.argmin(reflected), 1, len(frequency) - 2))
    before, least, after = reflected[at - 1:at + 2]
    return frequency[at] + 0.5 * (before - after) / (before - 2 * least + after) * (frequency[1] - frequency[0])


def simulate(arguments):
    np.float = float  # openEMS 0.0.35 uses the name that NumPy 1.24 does not have
    csxcad, openems = required("CSXCAD"), required("openEMS")
    solver = openems.openEMS(NrTS=arguments.steps, EndCriteria=10 ** (arguments.decay / 10))
    csx = csxcad.ContinuousStructure()
    solver.SetCSX(csx)
    csx.GetGrid().SetDeltaUnit(1e-3)
    solver.SetGaussExcite(2.4e9, 1.2e9)
    corners = [[-0.5 * n for n in PATCH], [0.5 * n for n in PATCH]]
    ground_to = 0.5 * SUBSTRATE
    substrate = csx.AddMaterial("substrate", epsilon=PERMITTIVITY, kappa=CONDUCTIVITY)
    substrate.AddBox(priority=0, start=[-ground_to, -ground_to, 0], stop=[ground_to, ground_to, THICKNESS])
    ground, patch = csx.AddMetal("ground"), csx.AddMetal("patch")
    ground.AddBox(start=[-ground_to, -ground_to, 0], stop=[ground_to, ground_to, 0], priority=10)
    patch.AddBox(start=[*corners[0], THICKNESS], stop=[*corners[1], THICKNESS], priority=10)
    solver.SetBoundaryCond([f"PML_{LAYERS}"] * 6)
    for axis, values in zip("xyz", lines_of_run(arguments.runs[0])):
        csx.GetGrid().AddLine(axis, values)
    port = solver.AddLumpedPort(1, 50, [FEED, 0, 0], [FEED, 0, THICKNESS], "z", 1.0, priority=5)
    far = solver.CreateNF2FFBox(frequency=[1e7 * n for n in range(235, 256)], start=FAR_BOX[0], stop=FAR_BOX[1])
    folder = pathlib.Path(arguments.output).resolve()
    cells = [len(csx.GetGrid().GetLines(axis)) - 1 for axis in "xyz"]
    print(f"{' x '.join(map(str, cells))} = {np.prod(cells)} cells", flush=True)
    before = os.getcwd()  # Run() changes to the folder
    solver.Run(str(folder), cleanup=False, numThreads=arguments.threads)
    os.chdir(before)
    frequency = np.linspace(2.3e9, 2.6e9, 301)
    port.CalcPort(str(folder), frequency)
    reflected = np.abs(port.uf_ref / port.uf_inc)
    at = resonance(frequency, reflected)
    near = round(at / 1e7) * 1e7
    theta, phi = np.arange(0, 181, 5.0), np.arange(0, 360, 10.0)
    field = far.CalcNF2FF(str(folder), near, theta, phi)
    directivity, radiated = field.Dmax[0], field.Prad[0]
    efficiency = radiated / np.interp(near, frequency, port.P_acc)
    report("openEMS", at, 20 * np.log10(reflected.min()), near, 10 * np.log10(directivity * efficiency), 10 * np.log10(directivity), efficiency)


def report(name, at, reflected, near, gain, directivity, efficiency):
    print(f"{name}: resonance {at / 1e9:.5f} GHz, |S11| {reflected:.1f} dB; at {near / 1e9:.2f} GHz gain {gain:.3f} dBi, directivity "
          f"{directivity:.3f} dBi, radiation efficiency {100 * efficiency:.2f} %")


def report_run(folder):
    """The same figures of a run of dgtd."""
    port, antenna = (np.genfromtxt(folder / name, delimiter=",", names=True) for name in ("port_feed.csv", "antenna_pattern.csv"))
    incident, left = (np.hypot(port[f"{wave}_real_s_sqrtW"], port[f"{wave}_imag_s_sqrtW"]) for wave in "ab")
    at = resonance(port["frequency_Hz"], left / incident)
    row = antenna[np.argmin(abs(antenna["frequency_Hz"] - at))]
    report(folder, at, 20 * np.log10((left / incident).min()), row["frequency_Hz"], row["gain_dBi"], row["directivity_dBi"],
           row["radiation_efficiency"])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("runs", nargs="*", type=pathlib.Path, help="output folders of runs of dgtd")
    parser.add_argument("--results", action="store_true", help="print the figures of these runs, simulate nothing")
    parser.add_argument("--settings", type=float, metavar="EDGE", help="print options of dgtd for cells of EDGE mm, simulate nothing")
    parser.add_argument("--decay", type=float, default=-60.0, help="end of the run: energy over its largest, dB (-60)")
    parser.add_argument("--steps", type=int, default=22000, help="at most (22000, 22 ns of the lines of the case)")
    parser.add_argument("--threads", type=int, default=0, help="of openEMS (0: all)")
    parser.add_argument("--output", default="patch_openems", help="folder of openEMS's files (patch_openems)")
    arguments = parser.parse_args()
    if arguments.settings:
        print("\n".join(settings(case_lines(arguments.settings))))
    elif arguments.results:
        for folder in arguments.runs:
            report_run(folder)
    elif len(arguments.runs) == 1:
        simulate(arguments)
    else:
        parser.error("one run is needed")


if __name__ == "__main__":
    main()
