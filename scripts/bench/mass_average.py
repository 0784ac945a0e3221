#!/usr/bin/env python3
"""Times dgtd-sar on a head-like body of layered tissue with cavities.

Usage: scripts/bench/mass_average.py [--voxels 247] [--backend cpu cuda] [--program build/release/bin/dgtd-sar]

A cube of N x N x N voxels of 1 mm, 35 % of them tissue (247: 15.07 million voxels). Prints the seconds of the averages
over 1 g and over 10 g without reading and writing files, and the peaks, which must not depend on the backend.
"""
import argparse
import os
import pathlib
import re
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from python_packages import required

np = required("numpy")


def body(n):
    """Densities (kg/m^3) and SAR (W/kg), [z][y][x]: skin, bone, fluid, brain, two cavities; SAR falls from one side."""
    x = (np.arange(n) + 0.5) / n - 0.5
    z, y, x = np.meshgrid(x, x, x, indexing="ij", sparse=True)
    radius = 2 * np.sqrt(x**2 / 0.81 + y**2 / 0.64 + z**2)
    density = np.select([radius > 0.98, radius > 0.93, radius > 0.85, radius > 0.8], [0, 1109, 1908, 1007], 1040)
    density[(x - 0.2) ** 2 + y**2 + 4 * (z + 0.15) ** 2 < 0.006] = 0
    density[(np.abs(x - 0.35) < 0.01) & (np.abs(y) < 0.2) & (np.abs(z) < 0.3)] = 0
    noise = np.random.default_rng(1).random(density.shape, dtype=np.float32)
    sar = np.exp(-12 * (0.5 - x)) * (0.8 + 0.4 * noise)
    return density.astype(np.float32), np.where(density > 0, sar, 0).astype(np.float32)


def write_image(path, arrays, n, edge):
    """VTK ImageData with raw appended cell arrays."""
    declarations, place = "", 0
    for name, values in arrays.items():
        declarations += f'<DataArray type="Float32" Name="{name}" format="appended" offset="{place}"/>\n'
        place += 8 + values.nbytes
    extent = f"0 {n} 0 {n} 0 {n}"
    with open(path, "wb") as file:
        file.write(
            f'<?xml version="1.0"?>\n<VTKFile type="ImageData" version="1.0" byte_order="LittleEndian" '
            f'header_type="UInt64">\n<ImageData WholeExtent="{extent}" Origin="0 0 0" Spacing="{edge} {edge} {edge}">\n'
            f'<Piece Extent="{extent}"><CellData>\n{declarations}</CellData></Piece></ImageData>\n'
            f'<AppendedData encoding="raw">\n_'.encode()
        )
        for values in arrays.values():
            file.write(struct.pack("<Q", values.nbytes))
            values.tofile(file)
        file.write(b"\n</AppendedData>\n</VTKFile>\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--voxels", type=int, default=247, help="along each axis")
    parser.add_argument("--backend", nargs="+", default=["cpu"], choices=["cpu", "cuda"])
    parser.add_argument("--program", default="build/release/bin/dgtd-sar")
    options = parser.parse_args()
    if not os.access(options.program, os.X_OK):
        sys.exit(f"mass_average.py: {options.program}: no such program (--program)")
    density, sar = body(options.voxels)
    with tempfile.TemporaryDirectory() as folder:
        image = os.path.join(folder, "body.vti")
        write_image(image, {"density": density, "sar": sar}, options.voxels, 1e-3)
        print(f"{density.size} voxels, {np.count_nonzero(density)} of tissue")
        for backend in options.backend:
            for mass in ("1", "10", "1"):
                command = [options.program, image, "--mass", mass, "--backend", backend]
                run = subprocess.run(command, capture_output=True, text=True)
                if run.returncode != 0:
                    sys.exit(run.stderr.strip())
                seconds = re.search(r"averaged in (\S+) s", run.stdout)[1]
                peak = re.search(r"SAR \S+: (.*)", run.stdout)[1]
                print(f"{backend}, {mass} g: {seconds} s; {peak}")


if __name__ == "__main__":
    main()
