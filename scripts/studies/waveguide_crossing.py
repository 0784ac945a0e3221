#!/usr/bin/python3
"""Draws transmission, crosstalk, reflection and radiation of cases/waveguide_crossing.cfg from a directory of results.

Usage: waveguide_crossing.py OUT [PICTURE]
"""
import csv
import glob
import os
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from python_packages import pyplot, required

np, plt = required("numpy"), pyplot()


def flux(out, name):
    """Wavelengths (um, rising) and energies per frequency along +normal (J/Hz)."""
    with open(os.path.join(out, f"flux_{name}.csv"), newline="") as file:
        rows = list(csv.DictReader(file))
    wavelength = np.array([float(r["wavelength_m"]) for r in rows]) * 1e6
    energy = np.array([float(r["outward_energy_J_per_Hz"]) for r in rows])
    order = np.argsort(wavelength)
    return wavelength[order], energy[order]


def shares(out):
    """Wavelengths (um) and shares of the incident energy."""
    of = {}
    for name in ("west", "east", "south", "north", "bottom", "top", "behind"):
        wavelength, of[name] = flux(out, name)
    reflected = -of["behind"]
    incident = of["west"] + reflected
    result = {
        "through": of["east"] / incident,
        "crosstalk, each side": 0.5 * (of["north"] - of["south"]) / incident,
        "radiated up and down": (of["top"] - of["bottom"]) / incident,
        "reflected": reflected / incident,
    }
    outward = of["east"] - of["west"] + of["north"] - of["south"] + of["top"] - of["bottom"]
    return wavelength, result, outward / incident


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    out = sys.argv[1]
    picture = sys.argv[2] if len(sys.argv) == 3 else os.path.join(out, "waveguide_crossing.png")
    wavelength, share, defect = shares(out)
    middle = np.argmin(abs(wavelength - 1.55))
    for name, values in share.items():
        print(f"{name:22s} {values[middle]:.6f}   {10 * np.log10(max(abs(values[middle]), 1e-12)):.2f} dB")
    print(f"sum of all faces       {defect[middle]:.2e}, at most {abs(defect).max():.2e} of the incident energy")

    figure, (left, right) = plt.subplots(1, 2, figsize=(11, 4.4))
    for name, values in share.items():
        left.plot(wavelength, 10 * np.log10(np.maximum(abs(values), 1e-6)), label=name)
    left.set_xlabel("wavelength, um")
    left.set_ylabel("share of the incident power, dB")
    left.grid(alpha=0.3)
    left.legend(loc="center right", bbox_to_anchor=(1, 0.8))
    snapshots = sorted(glob.glob(os.path.join(out, "snapshot_middle_*_E.npy")))
    if snapshots:
        electric = np.load(snapshots[0])[1, :, :, 0]
        most = abs(electric).max()
        half = 0.5 * 0.04 * np.array(electric.shape)
        image = right.imshow(electric.T, origin="lower", extent=(-half[0], half[0], -half[1], half[1]), cmap="RdBu",
                             vmin=-most, vmax=most)
        for edge in (-2, 2):  # where the absorbers begin
            right.axvline(edge, color="0.6", linewidth=0.7, linestyle="--")
            right.axhline(edge, color="0.6", linewidth=0.7, linestyle="--")
        right.set_xlabel("x, um")
        right.set_ylabel("y, um")
        figure.colorbar(image, ax=right, label="E along y, V/m")
    figure.tight_layout()
    figure.savefig(picture, dpi=120)


if __name__ == "__main__":
    main()
