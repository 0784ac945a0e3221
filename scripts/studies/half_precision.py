#!/usr/bin/env python3
"""What `solver.precision = half` changes, against single precision, after 10,000 and 100,000 steps.

  half_precision.py [--cells 20 80 320] [--steps 10000 100000] [--output FOLDER]

Closed cavity: the mode (1, 1, 0) of a metal box, so many cells along an edge. Three probes in the last two periods give
the difference of the fields relative to their size, and by least squares the amplitude and the phase of the mode, hence
the shift of its resonance.
Filter: a layer between two mirrors of two pairs of layers each (eps_r 12 and 1), under a pulse; its transmitted energy
over that without layers near the resonance: the largest difference, the height of the peak and its frequency.
Prints tables for documents; some 10 minutes on two cores.
"""
import argparse
import csv
import math
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import study
from python_packages import required

np = required("numpy")

LIGHT = 299792458.0
PRECISIONS = ("half", "single", "double")


def cavity_text(cells, steps):
    edge = 1.0
    period = math.sqrt(2) * edge / LIGHT
    step = 0.95 * edge / cells / (LIGHT * math.sqrt(3))  # about
    every = max(1, round(period / step / 40))
    probes = "".join(f"[probe.p{i}]\nposition = {x} {y} 0\nevery = {every}\n\n"
                     for i, (x, y) in enumerate(((0.5, 0.5), (0.26, 0.41), (0.71, 0.13))))
    return (f"[solver]\nmethod = fdtd3d\n\n[grid]\ncells = {cells} {cells} 3\nspacing = {edge / cells!r}\n"
            f"origin = 0 0 0\n\n[boundary.*]\ntype = pec\n\n"
            f"[initial]\ntype = formula\nEz = sin(pi * x) * sin(pi * y)\n\n"
            f"{probes}[time]\nsteps = {steps}\n\n[output]\nfields = none\nenergy_interval = {max(1, steps // 100)}\n")


def filter_text(steps, layers):
    """Along x, in a cell with periodic sides; 40 cells per wavelength in vacuum at 5e14 Hz, 12 in the layers."""
    h, high = 15e-9, 12.0
    dense, thin = 3 * h, 10 * h  # about a quarter of a wavelength each
    shapes, x = [], 0.0

    def add(width):
        nonlocal x
        shapes.append((x + 0.5 * width, width))
        x += width

    for n in range(2):
        add(dense)
        x += thin
    x += thin  # with the gaps beside it half a wavelength
    for n in range(2):
        add(dense)
        x += thin
    middle = 0.5 * (x - thin)
    text = (f"[solver]\nmethod = fdtd3d\n\n[grid]\ncells = 240 3 3\nspacing = {h!r}\npml = 20\n\n"
            + "".join(f"[boundary.{s}]\ntype = periodic\n\n" for s in ("ymin", "ymax", "zmin", "zmax"))
            + f"[material.dense]\neps_r = {high if layers else 1}\n\n")
    for i, (centre, width) in enumerate(shapes):
        text += (f"[shape.layer{i}]\ntype = box\nmaterial = dense\ncentre = {centre - middle!r} 0 0\n"
                 f"size = {width!r} 1 1\n\n")
    return text + (
        f"[source.wave]\ntype = sheet\ncentre = {-90 * h!r} 0 0\nsize = 0 1 1\ndirection = 1 0 0\n"
        "polarisation = 0 0 1\nwaveform = modulated-gaussian\nfrequency = 5e14\nbandwidth = 1.5e14\n\n"
        f"[flux.transmitted]\ntype = plane\ncentre = {80 * h!r} 0 0\nsize = 0 1 1\nfrequencies = "
        + " ".join(f"{4e14 + i * 5e11:.6g}" for i in range(401)) +
        f"\n\n[time]\nsteps = {steps}\n\n[output]\nfields = none\nenergy_interval = {max(1, steps // 100)}\n")


def rows(file):
    with open(file, newline="") as stream:
        return list(csv.DictReader(stream))


def probe_values(folder, points):
    """Times (s) and Ez of the probes (V/m) in the last points."""
    values, times = [], None
    for i in range(3):
        table = rows(folder / f"probe_p{i}.csv")[-points:]
        names = list(table[0])
        ez = next(name for name in names if name.startswith("Ez") or name.startswith("E_z"))
        times = np.array([float(r["t_s"]) for r in table])
        values.append([float(r[ez]) for r in table])
    return times, np.array(values)


def phasor(times, values, omega):
    """Of amplitude Re(a exp(-i omega t)) by least squares."""
    basis = np.stack([np.cos(omega * times), np.sin(omega * times)], axis=1)
    (c, s), *_ = np.linalg.lstsq(basis, values, rcond=None)
    return complex(c, s)


def cavity_rows(runs):
    for (cells, steps), of in runs.items():
        points = 80
        times, single = probe_values(of["single"].folder, points)
        omega = math.sqrt(2) * math.pi * LIGHT
        reference = phasor(times, single[0], omega)
        result = []
        for precision in ("half", "double"):
            _, values = probe_values(of[precision].folder, points)
            field = np.linalg.norm(values - single) / np.linalg.norm(single)
            ratio = phasor(times, values[0], omega) / reference
            result.append((field, abs(ratio) - 1, np.angle(ratio) / (omega * times[-1])))
        yield cells, steps, result


def spectrum(run):
    table = rows(run.folder / "flux_transmitted.csv")
    f = np.array([float(r["frequency_Hz"]) for r in table])
    e = np.array([float(r["outward_energy_J_per_Hz"]) for r in table])
    order = np.argsort(f)
    return f[order], e[order]


def peak(f, t):
    """Frequency and height of the highest peak, by a parabola through three points."""
    n = int(np.clip(np.argmax(t), 1, len(t) - 2))
    a, b, c = t[n - 1:n + 2]
    shift = 0.5 * (a - c) / (a - 2 * b + c)
    return f[n] + shift * (f[1] - f[0]), b - 0.25 * (a - c) * shift


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cells", nargs="+", type=int, default=[20, 80, 320])
    parser.add_argument("--steps", nargs="+", type=int, default=[10000, 100000])
    parser.add_argument("--most", type=float, default=3e9, help="cells times steps of a run; larger ones are left out")
    study.add_arguments(parser)
    arguments = parser.parse_args()
    folder = pathlib.Path(arguments.output).resolve()
    folder.mkdir(parents=True, exist_ok=True)

    def runs_of(name, text):
        case = folder / f"{name}.cfg"
        case.write_text(text)
        return {p: study.Run(f"{name}, {p}", case, {"solver.precision": p, **study.common_settings(arguments)},
                             folder / name / p) for p in PRECISIONS}

    cavities = {(cells, steps): runs_of(f"cavity_{cells}_{steps}", cavity_text(cells, steps))
                for cells in arguments.cells for steps in arguments.steps if 3 * cells**2 * steps <= arguments.most}
    filters = {(steps, layers): runs_of(f"filter_{steps}_{'layers' if layers else 'vacuum'}", filter_text(steps, layers))
               for steps in arguments.steps for layers in (True, False)}
    study.run_all([r for of in (*cavities.values(), *filters.values()) for r in of.values()], arguments)

    print("\n| cells per edge | steps | difference of E | amplitude | resonance | single and double differ by |")
    print("| --- | --- | --- | --- | --- | --- |")
    for cells, steps, (half, double) in cavity_rows(cavities):
        print(f"| {cells} | {steps} | {half[0]:.2g} | {half[1]:+.1e} | {half[2]:+.1e} | {double[0]:.1g} |")

    print("\n| steps | largest difference of the transmission | peak | height | its frequency | single and double |")
    print("| --- | --- | --- | --- | --- | --- |")
    for steps in arguments.steps:
        shares = {}
        for p in PRECISIONS:
            f, through = spectrum(filters[steps, True][p])
            shares[p] = through / spectrum(filters[steps, False][p])[1]
        half, single, double = (shares[p] for p in PRECISIONS)
        (f_half, t_half), (f_single, t_single) = peak(f, half), peak(f, single)
        print(f"| {steps} | {np.max(np.abs(half - single)):.1e} | {f_single / 1e12:.3f} THz, {t_single:.4f} "
              f"| {t_half - t_single:+.1e} | {f_half / f_single - 1:+.1e} | {np.max(np.abs(single - double)):.1e} |")


if __name__ == "__main__":
    main()
