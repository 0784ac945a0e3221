#!/usr/bin/env python3
"""Pictures of the shipped cases with ports in docs/images: |E| on a plane with the outlines of the shapes, and curves.

  port_pictures.py [CASE...] [--output FOLDER] [--pictures FOLDER]

Runs each case with a field monitor (once; some minutes for all on two idle cores) and draws from its files. Curves have
the value that is expected, as a dashed line or in the title, so that a picture shows whether a run is right.
"""
import argparse
import configparser

import study
from python_packages import pyplot, required

np, plt, patches = study.dgtd.tables.np, pyplot(), required("matplotlib.patches")
beside = required("mpl_toolkits.axes_grid1").make_axes_locatable
grids = study.dgtd.grids


class View:
    """A plane of the field of one run of a case: key of the monitor, run (folder of an excitation), axes to the right and up,
    length unit (m, name), rectangle shown (in that unit)."""

    def __init__(self, centre, size, frequency, run, right, up, unit, limits):
        self.settings = {"monitor.view.type": "plane", "monitor.view.centre": centre, "monitor.view.size": size,
                         "monitor.view.frequencies": f"{frequency:.9g}", "monitor.view.fields": "E"}
        self.frequency, self.run, self.right, self.up, self.unit, self.limits = frequency, run, right, up, unit, limits


MM, UM = (1e-3, "mm"), (1e-6, "um")
VIEWS = {
    "patch_antenna": View("0 0 0.7 mm", "80 80 0 mm", 2.456e9, "", 0, 1, MM, (-34, 34, -34, 34)),
    "half_wave_dipole": View("0 2 0 mm", "180 0 260 mm", 0.882e9, "", 0, 2, MM, (-84, 84, -130, 130)),
    "coax_step": View("0 0.25 25 mm", "8 0 28 mm", 10e9, "excite_in", 2, 0, MM, (12, 38, -4, 4)),
    "wr90_iris": View("11.43 4 38 mm", "22.86 0 38 mm", 10e9, "excite_in", 2, 0, MM, (20, 56, 0, 22.86)),
    "strip_coupler": View("0.8 0 0.02 um", "3.4 2.4 0 um", 299792458 / 1.55e-6, "excite_in", 0, 1, UM, (-0.75, 2.5, -1, 1)),
}


def columns(path):
    return np.genfromtxt(path, delimiter=",", names=True)


def matrix(folder, *names):
    """Frequency in GHz and |S| of these elements."""
    table = columns(folder / "sparameters.csv")
    return table["frequency_Hz"] / 1e9, [np.hypot(table[f"S_{n}_real"], table[f"S_{n}_imag"]) for n in names]


def patch_curves(axes, folder):
    port, antenna = columns(folder / "port_feed.csv"), columns(folder / "antenna_pattern.csv")
    reflected = np.hypot(port["b_real_s_sqrtW"], port["b_imag_s_sqrtW"]) / np.hypot(port["a_real_s_sqrtW"], port["a_imag_s_sqrtW"])
    axes.plot(port["frequency_Hz"] / 1e9, 20 * np.log10(reflected), label="|S11|, dB")
    axes.plot(antenna["frequency_Hz"] / 1e9, antenna["gain_dBi"], label="gain, dBi")
    axes.axvline(2.456, color="black", linestyle="--", linewidth=1)
    return "expected: 2.456 GHz, 6.64 dBi (finer grid)"


def dipole_curves(axes, folder):
    port = columns(folder / "port_feed.csv")
    axes.plot(port["frequency_Hz"] / 1e9, port["Z_real_ohm"], label="resistance, ohm")
    axes.plot(port["frequency_Hz"] / 1e9, port["Z_imag_ohm"], label="reactance, ohm")
    axes.plot([0.8797], [72.6], "k+", markersize=10, label="resonance by moments")
    axes.axhline(0, color="black", linewidth=0.5)
    axes.set_ylim(-200, 250)
    return "expected: 72.6 ohm at 0.880 GHz"


def coax_curves(axes, folder):
    import coax_step
    frequency, (s11, s21) = matrix(folder, "in_in", "out_in")
    modes = coax_step.square_step(40)
    exact = np.array([np.abs(modes.scattering(1e9 * f)[:, 0]) for f in frequency])
    for values, row, name in ((s11, 0, "|S11|"), (s21, 1, "|S21|")):
        axes.plot(frequency, values, label=name)
        axes.plot(frequency, exact[:, row], "k--", linewidth=1, label="mode matching" if row else None)
    axes.set_ylim(0, 1)
    return "expected: 0.4388, 0.8986 (2 GHz)"


def iris_curves(axes, folder):
    frequency, (s11, s21) = matrix(folder, "in_in", "out_in")
    for values, name in ((s11, "|S11|"), (s21, "|S21|")):
        axes.plot(frequency, values, label=name)
    exact = np.array([iris(1e9 * f) for f in frequency])
    axes.plot(frequency, np.abs(exact), "k--", linewidth=1)
    axes.plot(frequency, np.abs(1 + exact), "k--", linewidth=1, label="mode matching")
    axes.set_ylim(0, 1)
    return f"expected: {abs(exact[0]):.3f}, {abs(1 + exact[0]):.3f} (8.2 GHz)"


def iris(frequency, width=22.86e-3, window=11.21e-3, count=400):
    """S11 of a thin symmetric window by the modes TE_m0, m odd, of the guide (wave numbers beta) and of the window, whose
    depth is none: (C^T beta C) V = C^T beta e_1, S11 = C V - 1 (docs/verification.md, Ports across guides)."""
    narrow = round(count * window / width)
    p, q = (2 * np.arange(count) + 1) * np.pi / width, (2 * np.arange(narrow) + 1) * np.pi / window
    square = (2 * np.pi * frequency / 299792458) ** 2 - p**2 + 0j
    beta = np.where(square.real > 0, np.sqrt(square), -1j * np.sqrt(-square))
    phase = 0.5 * p * (width - window)

    def integral(x):
        """Of cos(x s + phase) over the window."""
        return (np.sin(x * window + phase[:, None]) - np.sin(phase)[:, None]) / x

    products = (integral(p[:, None] - q) - integral(p[:, None] + q)) / np.sqrt(width * window)
    voltages = np.linalg.solve(products.T @ (beta[:, None] * products), beta[0] * products[0])
    return products[0] @ voltages - 1


def coupler_curves(axes, folder):
    table = columns(folder / "sparameters.csv")
    wavelength = 299792458 / table["frequency_Hz"] * 1e6
    even, odd = ([table[f"S_out_{i}_in_{part}"] for part in ("real", "imag")] for i in (1, 2))
    run = folder / "excite_in"
    first, second = (columns(run / f"flux_{name}.csv")["outward_energy_J_per_Hz"] for name in ("first", "second"))
    axes.plot(wavelength, second / (first + second), label="second strip, of both")
    axes.plot(wavelength, np.hypot(*even) ** 2, label="in the even mode")
    axes.plot(wavelength, np.hypot(*odd) ** 2, label="in the odd mode")
    axes.plot([1.55], [0.498], "k+", markersize=10, label="second, by the indices")
    axes.set_ylim(0.3, 0.85)
    return "expected: 0.498 at 1.55 um"


CURVES = {
    "patch_antenna": (patch_curves, "frequency, GHz"),
    "half_wave_dipole": (dipole_curves, "frequency, GHz"),
    "coax_step": (coax_curves, "frequency, GHz"),
    "wr90_iris": (iris_curves, "frequency, GHz"),
    "strip_coupler": (coupler_curves, "wavelength, um"),
}


def rectangles(case, view):
    """The outlines of the boxes and cylinders (along z) of a resolved case on the view's axes, cut or not."""
    text = configparser.ConfigParser(comment_prefixes="#", strict=False, interpolation=None)
    text.read(case)
    scale = 1 / view.unit[0]
    for section in text.sections():
        if section.split(".")[0] not in ("shape", "port"):
            continue
        shape = text[section]
        centre = [scale * float(x) for x in shape.get("centre", "0 0 0").split()]
        if "size" in shape:
            size = [scale * float(x) for x in shape["size"].split()]
        else:
            size = [2 * scale * float(shape["radius"])] * 2 + [scale * float(shape["height"])]
        low, extent = [centre[a] - 0.5 * size[a] for a in (view.right, view.up)], [size[a] for a in (view.right, view.up)]
        yield patches.Rectangle(low, *extent), section.startswith("port")


def draw(name, run, picture):
    view = VIEWS[name]
    folder = run.folder / view.run if view.run else run.folder
    file = next(folder.glob("monitor_view*.pvtr"))
    array = next(array for array in grids.names(file) if array.startswith("E_amplitude"))
    grid = grids.read(file, [array])
    flat = next(a for a in range(3) if len(grid.nodes[a]) == 1)
    field = np.take(grid.cells[array], 0, axis=2 - flat).astype(float)  # [up][right] in the order x, y, z
    if view.right > view.up:
        field = field.T
    right, up = (grid.nodes[a] / view.unit[0] for a in (view.right, view.up))
    field = field / np.quantile(field, 0.995)
    figure, (left, curves) = plt.subplots(1, 2, figsize=(9, 3.6), gridspec_kw={"width_ratios": [1.15, 1]})
    colours = plt.get_cmap("turbo").copy()
    colours.set_bad("lightgrey")  # metal
    decibels = 20 * np.ma.log10(np.ma.masked_less_equal(field, 1e-9))
    drawn = left.pcolormesh(right, up, decibels, vmin=-40, vmax=0, cmap=colours, rasterized=True)
    for patch, is_port in rectangles(folder / "resolved.cfg", view):
        patch.set(fill=False, edgecolor="magenta" if is_port else "black", linewidth=2 if is_port else 0.8)
        left.add_patch(patch)
        if is_port and patch.get_width() == patch.get_height() == 0:
            left.plot(*patch.get_xy(), "o", color="magenta", markersize=4)
    left.set_xlim(view.limits[:2])
    left.set_ylim(view.limits[2:])
    left.set_aspect("equal")
    left.set_xlabel(f"{'xyz'[view.right]}, {view.unit[1]}")
    left.set_ylabel(f"{'xyz'[view.up]}, {view.unit[1]}")
    at = f"{view.frequency / 1e9:.4g} GHz" if view.frequency < 1e13 else f"{299792458e6 / view.frequency:.4g} um"
    left.set_title(f"{name}: |E|, dB, at {at}", fontsize=10)
    figure.colorbar(drawn, cax=beside(left).append_axes("right", size=0.12, pad=0.08))
    make, label = CURVES[name]
    curves.set_title(make(curves, run.folder), fontsize=10)
    curves.set_xlabel(label)
    curves.grid(alpha=0.4)
    curves.legend(fontsize=8)
    figure.tight_layout()
    figure.savefig(picture, dpi=90)
    print(f"{picture}: {picture.stat().st_size / 1000:.0f} kB")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cases", nargs="*", metavar="CASE", help=f"of {', '.join(VIEWS)} (all)")
    parser.add_argument("--pictures", type=study.pathlib.Path, default=study.ROOT / "docs/images", help="folder of the pictures (docs/images)")
    study.add_arguments(parser)
    arguments = parser.parse_args()
    folder = study.pathlib.Path(arguments.output)
    names = arguments.cases or list(VIEWS)
    if unknown := [name for name in names if name not in VIEWS]:
        parser.error(f"{unknown[0]}: allowed are {', '.join(VIEWS)}")
    runs = {name: study.Run(name, study.ROOT / f"cases/{name}.cfg", {**VIEWS[name].settings, **study.common_settings(arguments)},
                            folder / name) for name in names}
    study.run_all(runs.values(), arguments)
    for name, run in runs.items():
        draw(name, run, arguments.pictures / f"{name}.png")


if __name__ == "__main__":
    main()
