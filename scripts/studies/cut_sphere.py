#!/usr/bin/env python3
"""A quarter of a dielectric sphere between two mirrors in a plane wave: cross section with and without exact volumes.

  cut_sphere.py --program build/release/bin/dgtd --output FOLDER [--elements 2.5 4] [--orders 2 3]

Sphere of radius 100 nm and eps_r = 12.25, whose magnetic dipole resonates at 730 nm. Prints the shift of the peak of the
scattering cross section and its largest error from 650 to 800 nm, against the exact series (bistatic_sphere.py), for
mesh.exact_volumes = on, which leaves bodies alone that a mirror cuts, and all. mesh.per_wavelength is --elements.
"""
import argparse
import csv
import pathlib
import subprocess

RADIUS, EPS_R = 100e-9, 12.25
CASE = """[solver]
order = 2
[mesh]
generator = shapes
[domain]
origin = 0 0 -400e-9
size = 400e-9 400e-9 800e-9
[material.silicon]
eps_r = 12.25
[shape.ball]
type = sphere
material = silicon
radius = 100e-9
[boundary.xmin]
type = pec
[boundary.ymin]
type = pmc
[boundary.*]
type = silver-muller
[source.wave]
type = plane-wave
direction = 0 0 1
polarisation = 1 0 0
amplitude = 1
waveform = modulated-gaussian
frequency = 4.1e14
bandwidth = 4e14
box_min = -1 -1 -160e-9
box_max = 160e-9 160e-9 160e-9
[flux.scattered]
type = box
centre = 105e-9 105e-9 0
size = 210e-9 210e-9 420e-9
wavelengths = 650e-9 800e-9 61
[time]
end = 120e-15
[output]
fields = none
"""


def peak(x, y):
    """Of a parabola through the three highest samples."""
    k = max(range(1, len(y) - 1), key=lambda i: y[i])
    a, b, c = y[k - 1], y[k], y[k + 1]
    return x[k] + (x[k + 1] - x[k]) * 0.5 * (a - c) / (a - 2 * b + c)


def main():
    from bistatic_sphere import amplitudes

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default="dgtd")
    parser.add_argument("--output", type=pathlib.Path, required=True)
    parser.add_argument("--elements", type=float, nargs="+", default=[2.5, 4])
    parser.add_argument("--orders", type=int, nargs="+", default=[2])
    options = parser.parse_args()
    options.output.mkdir(parents=True, exist_ok=True)
    case = options.output / "cut_sphere.cfg"
    case.write_text(CASE)
    exact = None
    print("| order | elements per wavelength | exact_volumes | shift of the peak, % | largest error, % |")
    for order in options.orders:
        for elements in options.elements:
            for volumes in ("on", "all"):
                folder = options.output / f"p{order}_{elements:g}_{volumes}"
                settings = {"solver.order": order, "mesh.per_wavelength": elements, "mesh.exact_volumes": volumes,
                            "output.directory": folder.resolve()}
                command = [options.program, str(case)]
                for key, value in settings.items():
                    command += ["--set", f"{key}={value}"]
                subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
                with open(folder / "flux_scattered.csv") as file:
                    rows = list(csv.DictReader(file))
                x = [float(row["wavelength_m"]) for row in rows]
                found = [4 * float(row["outward_cross_section_m2"]) for row in rows]  # the mirrors leave a quarter
                exact = exact or [amplitudes(float(row["frequency_Hz"]), RADIUS, EPS_R)[-1] for row in rows]
                error = max(abs(f / e - 1) for f, e in zip(found, exact))
                print(f"| {order} | {elements:g} | {volumes} | {100 * (peak(x, found) / peak(x, exact) - 1):+.2f} |"
                      f" {100 * error:.1f} |", flush=True)


if __name__ == "__main__":
    main()
