#!/usr/bin/env python3
"""Pictures of power spectra: flux_NAME.csv files of a run with method = fdtd3d.

Draws minus the outward cross section (what a box absorbs) over the wavelength, or the outward energy where a
file has no cross section. --scale multiplies: 4 for a quarter of a symmetric problem, over pi r^2 for an efficiency.
"""
import argparse
import csv
import pathlib
import sys


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", type=pathlib.Path, help="flux_NAME.csv")
    parser.add_argument("--scale", type=float, default=1, help="factor of the values (1)")
    parser.add_argument("--label", default="", help="of the vertical axis")
    parser.add_argument("--output", type=pathlib.Path, default=pathlib.Path("spectrum.png"))
    arguments = parser.parse_args()
    import matplotlib
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
    figure, axis = plt.subplots(figsize=(6, 4))
    label = arguments.label
    for path in arguments.files:
        try:
            rows = list(csv.DictReader(path.open()))
            wavelength = [1e9 * float(r["wavelength_m"]) for r in rows]
            if "outward_cross_section_m2" in rows[0]:
                values = [-arguments.scale * float(r["outward_cross_section_m2"]) for r in rows]
                label = label or "absorbed cross section, m$^2$"
            else:
                values = [arguments.scale * float(r["outward_energy_J_per_Hz"]) for r in rows]
                label = label or "outward energy, J/Hz"
        except (OSError, KeyError, IndexError, ValueError) as error:
            sys.exit(f"spectrum.py: {path}: not a flux table: {error}")
        axis.plot(wavelength, values, label=path.stem)
    axis.set(xlabel="wavelength, nm", ylabel=label)
    axis.grid(alpha=0.3)
    if len(arguments.files) > 1:
        axis.legend()
    figure.tight_layout()
    figure.savefig(arguments.output, dpi=150)
    print(arguments.output)


if __name__ == "__main__":
    main()
