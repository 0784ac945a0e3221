#!/usr/bin/env python3
"""Convergence of the power that a sphere absorbs from a dipole, against the exact series (layered_sphere.py).

  sphere_convergence.py [--cases homogeneous four-layers] [--levels 1 2 3] [--orders 1 2 3] [--output FOLDER]

Each level is a mesh by `dgtd-mesh spheres`, finer around the dipole (--refine). Prints the relative errors of absorbed
over emitted power, of each layer's share, and of the emitted power over that in free space, as tables for documents.
"""
import argparse
import math
import json
import pathlib

import study

NAMES = {1: ["tissue"], 4: ["brain", "csf", "skull", "skin"]}
DENSITY = {"tissue": 1000, "brain": 1050, "csf": 1000, "skull": 1200, "skin": 1100}
# Element sizes, m: in the innermost ball, in the shells around it, at the dipole.
LEVELS = {
    "homogeneous": {1: (0.020, 0, 0.003), 2: (0.014, 0, 0.0025), 3: (0.010, 0, 0.002), 4: (0.007, 0, 0.0015)},
    "four-layers": {1: (0.024, 0.012, 0.003), 2: (0.016, 0.008, 0.0025), 3: (0.011, 0.0055, 0.002), 4: (0.008, 0.004, 0.0015)},
}
LIGHT = 299792458.0
MOMENT = 1e-3  # A m


def exact(case, distance, folder):
    """Of layered_sphere.py; kept in a file, since it takes seconds and a library that a GPU's host may not have."""
    file = folder / f"exact_{case}_{1e3 * distance:g}mm.json"
    if not file.exists():
        import layered_sphere

        layered_sphere.mp.mp.dps = 40
        frequency, layers = layered_sphere.CASES[case]
        found = {"frequency": frequency, "layers": layers, **layered_sphere.rows(layers, frequency, distance)}
        folder.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(found, indent=1))
    return json.loads(file.read_text())


def case_text(frequency, layers, names, mesh, distance, periods):
    text = f"[mesh]\nfile = {mesh}\n\n[time]\nfrequency = {frequency:g}\nperiods = {periods}\n\n"
    for (_, eps_r, sigma), name in zip(layers, names):
        text += f"[material.{name}]\neps_r = {eps_r}\nsigma = {sigma}\ndensity = {DENSITY[name]}\n\n"
    return text + (
        "[material.air]\n\n[boundary.absorbing]\ntype = silver-muller\n\n[source.feed]\ntype = dipole\n"
        f"position = 0 0 {layers[-1][0] + distance:.6g}\ndirection = 0 0 1\nmoment = {MOMENT}\n"
        "waveform = ramped-sine\nramp = 2\n\n[sar]\nnormalise = emitted\n\n"
        "[output]\nfields = none\nreport_pictures = off\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", nargs="+", choices=LEVELS, default=list(LEVELS))
    parser.add_argument("--levels", nargs="+", type=int, choices=(1, 2, 3, 4), default=[1, 2, 3])
    parser.add_argument("--orders", nargs="+", type=int, default=[1, 2, 3])
    parser.add_argument("--distance", type=float, default=0.015, help="of the dipole from the surface, m (0.015)")
    parser.add_argument("--gap", type=float, default=1, help="of surface and absorbing boundary, wavelengths (1)")
    parser.add_argument("--periods", type=int, default=8)
    study.add_arguments(parser)
    arguments = parser.parse_args()
    folder = pathlib.Path(arguments.output)
    runs, rows = [], []
    for case in arguments.cases:
        reference = exact(case, arguments.distance, folder)
        frequency, layers = reference["frequency"], reference["layers"]
        names = NAMES[len(layers)]
        wavelength = LIGHT / frequency
        for level in arguments.levels:
            inner, shells, at_dipole = LEVELS[case][level]
            name = f"{case}_{level}_gap{arguments.gap:g}"
            mesh = folder / f"{name}.msh"
            study.make_mesh(arguments, mesh, [
                "spheres", "--radius", *(layer[0] for layer in layers), layers[-1][0] + arguments.gap * wavelength,
                "--size", inner, *[shells] * (len(layers) - 1), 0.18 * wavelength, "--name", *names, "air",
                "--refine", 0, 0, layers[-1][0] + arguments.distance, at_dipole])
            file = folder / f"{name}.cfg"
            file.write_text(case_text(frequency, layers, names, mesh.name, arguments.distance, arguments.periods))
            for order in arguments.orders:
                for kind, direction in (("radial", "0 0 1"), ("tangential", "1 0 0")):
                    settings = {"solver.order": order, "source.feed.direction": direction,
                                **study.common_settings(arguments)}
                    run = study.Run(f"{name}_P{order}_{kind}", file, settings, folder / f"{name}_P{order}_{kind}")
                    runs.append(run)
                    rows.append((run, case, level, order, kind, reference, names, frequency))
    study.run_all(runs, arguments)
    for case in arguments.cases:
        names = NAMES[1 if case == "homogeneous" else 4]
        shares = names if len(names) > 1 else []
        print(f"\n{case}: errors in %\n| level | tetrahedra | order | dipole | absorbed / emitted | "
              + "".join(f"{n} | " for n in shares) + "emitted | balance |\n|" + " --- |" * (7 + len(shares)))
        for run, of, level, order, kind, reference, names, frequency in rows:
            if of != case:
                continue
            summary, wanted = run.summary(), reference[kind]
            power = summary["power"]
            free = 4e-7 * math.pi * LIGHT * (2 * math.pi * frequency / LIGHT * MOMENT) ** 2 / (12 * math.pi)
            share = {n: summary["tissues"][n]["absorbed_W"] / summary["sar"]["chosen_power_W"] for n in names}
            errors = [sum(share.values()) / wanted["absorbed_over_emitted"] - 1]
            if shares:
                errors += [share[n] / w - 1 for n, w in zip(names, wanted["absorbed_over_emitted_in_layer"])]
            errors += [power["source_W"] / free / wanted["emitted_over_free_space"] - 1, power["defect"]]
            print(f"| {level} | {summary['elements']} | P{order} | {kind} | "
                  + " | ".join(f"{100 * e:+.2f}" for e in errors) + " |")


if __name__ == "__main__":
    main()
