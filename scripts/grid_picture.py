#!/usr/bin/env python3
"""A picture of a slice through fields on a grid (methods on grids): fields.pvtr, monitor_NAME.pvtr, or monitor_NAME.pvd with --frequency.

  grid_picture.py cases/out/head_voxels/fields.pvtr --normal x --at 0.09
  grid_picture.py cases/out/head_voxels/fields.pvtr --show SAR --normal z --at -0.03
  grid_picture.py out/monitor_near.pvd --frequency 1.8e9 --show H --component y --phase 90

Shows the amplitude of E or H (of a phasor sqrt(|F_x|^2 + |F_y|^2 + |F_z|^2)), one component of it with --component, its value at a
phase with --phase (Re F exp(-i phase)), SAR, or any array by its name. Cells are drawn as they are. Where the file has SAR, the
outline of tissues is drawn; of planes (fdtd2d, hpf2d) the outlines of shapes, where resolved.cfg lies beside it.
"""
import argparse
import pathlib
import sys

import shape_outlines
from python_packages import package, pyplot, required

dgtd = package()
grids = dgtd.grids
np, plt, colors = required("numpy"), pyplot(), required("matplotlib.colors")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=pathlib.Path, help="fields.pvtr, snapshot_*.pvtr, monitor_NAME.pvtr or monitor_NAME.pvd")
    parser.add_argument("--show", default="E", help="E, H, SAR or the name of an array (E)")
    parser.add_argument("--frequency", type=float, metavar="HZ", help="of several the nearest (the first)")
    parser.add_argument("--component", choices=["x", "y", "z"], help="in place of the amplitude of all three")
    parser.add_argument("--phase", type=float, metavar="DEG", help="value at this phase in place of the amplitude")
    parser.add_argument("--normal", choices=["x", "y", "z"], help="of the slice (z; of a monitor's plane its own)")
    parser.add_argument("--at", type=float, metavar="M", help="position along the normal, m (the middle)")
    parser.add_argument("--decades", type=float, default=4, help="of the logarithmic scale below the largest value; 0: linear (4)")
    parser.add_argument("--top", type=float, help="upper end of the scale (one value in a thousand of the slice is larger: the cells at a source)")
    parser.add_argument("--output", type=pathlib.Path, help="PNG file (FILE's name, what it shows, normal)")
    options = parser.parse_args()
    if options.phase is not None and options.component is None:
        parser.error("--phase needs --component")
    return options


def fail(message):
    sys.exit(f"grid_picture.py: {message}")


def of_frequency(options):
    """The .pvtr file, and the ending of its arrays' names where they are of several frequencies."""
    if options.file.suffix == ".pvd":
        files = grids.series(options.file)
        wanted = options.frequency or min(files)
        nearest = min(files, key=lambda f: abs(f - wanted))
        return files[nearest], "", nearest
    endings = {name.rpartition("_")[2] for name in grids.names(options.file) if name.endswith("MHz")}
    if not endings:
        return options.file, "", None
    megahertz = {float(e[:-3]): "_" + e for e in endings}
    wanted = (options.frequency or 1e6 * min(megahertz)) / 1e6
    nearest = min(megahertz, key=lambda f: abs(f - wanted))
    return options.file, megahertz[nearest], 1e6 * nearest


def names_of(path, show, ending):
    """The arrays that make the quantity, and its unit: [array], or real and imaginary part."""
    names = grids.names(path)
    if show == "SAR":
        return ["SAR_W_per_kg" + (ending if "SAR_W_per_kg" not in names else "")], "W/kg"
    if show not in ("E", "H"):
        return [show], ""
    for part in (f"{show}_real_", f"{show}_amplitude_", f"{show}_magnitude_", f"{show}_"):
        for name in names:
            if name.startswith(part) and name.endswith(ending) and "_imag_" not in name:
                unit = name[len(part):len(name) - len(ending)].replace("_per_", "/").replace("_", " ")
                return ([name, name.replace("_real_", "_imag_")] if "_real_" in name else [name]), unit
    fail(f"{path}: no {show}; it has {', '.join(names)}")


def quantity(arrays, options):
    """Values a cell from the slice's arrays."""
    values = arrays[0].astype(float) if len(arrays) == 1 else arrays[0] + 1j * arrays[1]
    if values.ndim == 2:
        if options.component:
            fail(f"{options.file}: has the amplitude of {options.show} alone; components need output.fields = E H")
        return values
    if options.component:
        values = values[..., "xyz".index(options.component)]
        if options.phase is not None:
            return np.real(values * np.exp(-1j * np.radians(options.phase)))
        return values if len(arrays) == 1 else np.abs(values)
    return np.sqrt(np.sum(np.abs(values) ** 2, axis=-1))


def length_unit(nodes):
    largest = max(np.ptp(x) for x in nodes)
    return next((scale, name) for scale, name in ((1, "m"), (1e3, "mm"), (1e6, "um"), (1e9, "nm")) if largest * scale > 1 or name == "nm")


def main():
    options = arguments()
    try:
        draw(options)
    except dgtd.Error as error:
        fail(error)


def draw(options):
    path, ending, frequency = of_frequency(options)
    wanted, unit = names_of(path, options.show, ending)
    sar = [name for name in grids.names(path) if name == "SAR_W_per_kg" + ending or name == "SAR_W_per_kg"][:1]
    grid = grids.read(path, wanted + [name for name in sar if name not in wanted])
    flat = [a for a in range(3) if len(grid.nodes[a]) == 1]
    if flat and options.normal and "xyz".index(options.normal) != flat[0]:
        fail(f"{path}: is a plane across {'xyz'[flat[0]]}")
    axis = flat[0] if flat else "xyz".index(options.normal or "z")
    x = grid.nodes[axis]
    position = 0.5 * (x[0] + x[-1]) if options.at is None or flat else options.at
    if not x[0] <= position <= x[-1]:
        fail(f"--at {options.at:g}: the grid goes from {x[0]:g} to {x[-1]:g} m along {'xyz'[axis]}")
    index = 0 if flat else min(np.searchsorted(x, position, side="right") - 1, len(x) - 2)
    sliced = {name: np.take(values, index, axis=2 - axis) for name, values in grid.cells.items()}
    values = quantity([sliced[name] for name in wanted], options)
    if not np.isfinite(values).all():
        fail(f"{path}: {wanted[0]} has values that are not numbers")

    right, up = [a for a in range(3) if a != axis]
    scale, length = length_unit(grid.nodes)
    top = options.top or float(np.quantile(np.abs(values), 0.999)) or float(np.abs(values).max()) or 1.0
    if values.min() < 0:
        norm, colours = colors.Normalize(-top, top), "RdBu_r"
    elif options.decades > 0:
        norm, colours = colors.LogNorm(top / 10 ** options.decades, top), "turbo"
        values = np.maximum(values, top / 10 ** options.decades)
    else:
        norm, colours = colors.Normalize(0, top), "turbo"
    extent = [np.ptp(grid.nodes[right]), np.ptp(grid.nodes[up])]
    figure, axes = plt.subplots(figsize=(7.5, min(12.0, max(3.5, 1 + 6 * extent[1] / extent[0]))))
    drawn = axes.pcolormesh(scale * grid.nodes[right], scale * grid.nodes[up], values, norm=norm, cmap=colours)
    if sar and (sliced[sar[0]] > 0).any() and (sliced[sar[0]] == 0).any():
        middles = [0.5 * scale * (n[1:] + n[:-1]) for n in (grid.nodes[right], grid.nodes[up])]
        axes.contour(*middles, sliced[sar[0]] > 0, levels=[0.5], colors="white", linewidths=1)
    for patch in shape_outlines.outlines(path.with_name("resolved.cfg"), scale):
        patch.set(fill=False, edgecolor="black", linewidth=0.7)
        axes.add_patch(patch)
    axes.set_aspect("equal")
    axes.set_xlabel(f"{'xyz'[right]}, {length}")
    axes.set_ylabel(f"{'xyz'[up]}, {length}")
    what = options.show + (f"_{options.component}" if options.component else "")
    if options.phase is not None:
        what = f"Re {what} exp(-i {options.phase:g} deg)"
    elif options.show in ("E", "H"):
        what = f"|{what}|"
    shown = x[0] if flat else 0.5 * (x[index] + x[index + 1])
    title = f"{what}{', ' + unit if unit else ''}   {'xyz'[axis]} = {scale * shown:.4g} {length}"
    axes.set_title(title + (f"   {frequency / 1e6:.6g} MHz" if frequency else ""), fontsize=11)
    beyond = "max" if np.abs(values).max() > top else "neither"
    figure.colorbar(drawn, ax=axes, shrink=0.8, extend="both" if beyond == "max" and values.min() < 0 else beyond)
    figure.tight_layout()
    output = options.output or path.with_name(f"{path.stem}_{options.show}_{'xyz'[axis]}.png")
    figure.savefig(output, dpi=130)
    place = np.unravel_index(np.argmax(np.abs(values)), values.shape)
    middle = [0.5 * (grid.nodes[a][place[1 - n]] + grid.nodes[a][place[1 - n] + 1]) for n, a in enumerate((right, up))]
    print(f"{output}: largest {np.abs(values).max():.4g} at {'xyz'[right]} = {middle[0]:.4g} m, {'xyz'[up]} = {middle[1]:.4g} m")


if __name__ == "__main__":
    main()
