#!/usr/bin/env python3
"""Draws a field of a plane grid (fdtd2d, hpf2d) with the outlines of the case's shapes.

Usage: scripts/plane.py OUT [--file fields.pvtr] [--array E_V_per_m] [--component z] [--png FILE]
OUT is a run's output directory. An array NAME_real… with its NAME_imag… is drawn as the real part and the magnitude.
Needs numpy, matplotlib and VTK's Python module (Debian: python3-matplotlib, python3-vtk9).
"""
import argparse
import configparser
import pathlib
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.patches as patches
import matplotlib.pyplot as plt
import numpy
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkIOXML import vtkXMLPRectilinearGridReader


def read_plane(file, name, component):
    """Edges along x and y in nm, and the array's component, [y][x]."""
    reader = vtkXMLPRectilinearGridReader()
    reader.SetFileName(str(file))
    reader.Update()
    grid = reader.GetOutput()
    data = grid.GetCellData()
    names = [data.GetArrayName(i) for i in range(data.GetNumberOfArrays())]
    if name is None:
        name = next((n for n in names if n.startswith("E_")), names[0] if names else None)
    if name not in names:
        sys.exit(f"{file}: no array {name}; it has {', '.join(names)}")
    x, y = (1e9 * vtk_to_numpy(c) for c in (grid.GetXCoordinates(), grid.GetYCoordinates()))

    def plane(of):
        return vtk_to_numpy(data.GetArray(of))[:, "xyz".index(component)].reshape(len(y) - 1, len(x) - 1)

    other = name.replace("_real_", "_imag_")
    return x, y, name, plane(name), plane(other) if other != name and other in names else None


def outlines(case):
    """Shapes of a resolved case file as patches, nm."""
    text = configparser.ConfigParser(comment_prefixes="#", strict=False)
    text.read(case)
    for section in text.sections():
        if not section.startswith("shape."):
            continue
        s = text[section]
        x, y = (1e9 * float(v) for v in s.get("centre", "0 0").split()[:2])
        if s["type"] == "box":
            w, h = (1e9 * float(v) for v in s["size"].split()[:2])
            yield patches.Rectangle((x - w / 2, y - h / 2), w, h)
        elif s["type"] in ("cylinder", "sphere"):
            yield patches.Circle((x, y), 1e9 * float(s["radius"]))
        elif s["type"] == "prism":
            corners = [[1e9 * float(v) for v in p.split()] for p in s["points"].split(",")]
            yield patches.Polygon([(x + a, y + b) for a, b in corners])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--file", default="fields.pvtr")
    parser.add_argument("--array")
    parser.add_argument("--component", default="z", choices="xyz")
    parser.add_argument("--png", type=pathlib.Path)
    given = parser.parse_args()
    x, y, name, real, imaginary = read_plane(given.out / given.file, given.array, given.component)
    pictures = [(f"{name}, {given.component}", real, "RdBu_r")]
    if imaginary is not None:
        pictures.append((f"magnitude, {given.component}", numpy.hypot(real, imaginary), "viridis"))
    figure, axes = plt.subplots(1, len(pictures), figsize=(6.5 * len(pictures), 5.5), squeeze=False)
    for axis, (title, values, colours) in zip(axes[0], pictures):
        largest = numpy.abs(values).max() or 1
        low = -largest if colours == "RdBu_r" else values.min()
        image = axis.imshow(values, origin="lower", extent=(x[0], x[-1], y[0], y[-1]), cmap=colours, vmin=low, vmax=largest)
        for patch in outlines(given.out / "resolved.cfg"):
            patch.set(fill=False, edgecolor="black", linewidth=0.7)
            axis.add_patch(patch)
        axis.set(title=title, xlabel="x [nm]", ylabel="y [nm]")
        figure.colorbar(image, ax=axis, shrink=0.85)
    figure.tight_layout()
    png = given.png or given.out / (pathlib.Path(given.file).stem + ".png")
    figure.savefig(png, dpi=110)
    print(png)


if __name__ == "__main__":
    main()
