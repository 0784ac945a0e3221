#!/usr/bin/env python3
"""Pictures of power spectra: flux_NAME.csv files of a run.

Draws minus the outward cross section (what a box absorbs) over the wavelength (waves longer than 0.1 mm: over frequency), or
the outward energy where a file has no cross section. --scale multiplies: 4 for a quarter of a symmetric problem, over pi r^2 for an efficiency.
With --reference, a flux of the same frequencies in a run without the body, it draws shares |energy / reference|, such as
reflection and transmission; --slab adds those of a dielectric slab in vacuum at normal incidence and says how far off
the files named flux_reflected.csv and flux_transmitted.csv are. With --cylinder (method fdtd2d) it draws the outward cross section,
which is a scattering width there, and the exact one of a dielectric cylinder.
"""
import argparse
import cmath
import pathlib
import sys

from python_packages import package, pyplot, required


def read(path):
    """The columns of a flux table as lists."""
    dgtd = package()
    try:
        columns = {name: list(values) for name, values in dgtd.Table.read(path).items()}
    except dgtd.Error as error:
        sys.exit(f"spectrum.py: {error}")
    if not columns.get("wavelength_m") or "outward_energy_J_per_Hz" not in columns:
        sys.exit(f"spectrum.py: {path}: not a flux table with columns wavelength_m and outward_energy_J_per_Hz")
    return columns


def shares(path, columns, reference_path, reference):
    """|energy / reference| per row."""
    if columns["frequency_Hz"] != reference["frequency_Hz"]:
        sys.exit(f"spectrum.py: {path}: has other frequencies than {reference_path}")
    energy, incident = columns["outward_energy_J_per_Hz"], reference["outward_energy_J_per_Hz"]
    if 0 in incident:
        sys.exit(f"spectrum.py: {reference_path}: has no energy at {reference['frequency_Hz'][incident.index(0)]:g} Hz")
    return [abs(e / i) for e, i in zip(energy, incident)]


def slab(permittivity, thickness, wavelength):
    """Reflected and transmitted share: r = r1 (1 - p^2) / (1 - r1^2 p^2), t = (1 - r1^2) p / (1 - r1^2 p^2) with
    r1 = (1 - n) / (1 + n), p = exp(i n k d) (Born and Wolf, Principles of Optics, 1.6.4)."""
    n = permittivity ** 0.5
    r1, p = (1 - n) / (1 + n), cmath.exp(2j * cmath.pi * n * thickness / wavelength)
    below = 1 - r1 ** 2 * p ** 2
    return {"reflected": abs(r1 * (1 - p ** 2) / below) ** 2, "transmitted": abs((1 - r1 ** 2) * p / below) ** 2}


def bessel(order, x):
    """J_n(x) and Y_n(x) for n = 0 to order: J by Bessel's integral, Y_0 and Y_1 by Schlaefli's, then Y_n+1 = 2 n / x Y_n - Y_n-1."""
    numpy = required("numpy")
    turn = 2 * numpy.pi * numpy.arange(256) / 256
    j = [numpy.mean(numpy.cos(n * turn - x * numpy.sin(turn))) for n in range(order + 1)]
    points, weights = numpy.polynomial.legendre.leggauss(256)
    angle, end = numpy.pi / 2 * (points + 1), numpy.arcsinh(40 / x)
    t = end / 2 * (points + 1)
    y = [weights @ numpy.sin(x * numpy.sin(angle) - n * angle) / 2
         - end / 2 / numpy.pi * weights @ ((numpy.exp(n * t) + (-1) ** n * numpy.exp(-n * t)) * numpy.exp(-x * numpy.sinh(t))) for n in (0, 1)]
    while len(y) <= order:
        y.append(2 * (len(y) - 1) / x * y[-1] - y[-2])
    return j, y


def cylinder(permittivity, radius, magnetic, wavelength):
    """Scattering width (4 / k) sum |a_n|^2 of a dielectric cylinder with E or (magnetic) H along its axis: with q = m or 1 / m
    a_n = (q J_n'(m x) J_n(x) - J_n(m x) J_n'(x)) / (J_n(m x) H_n'(x) - q J_n'(m x) H_n(x)) (Bohren and Huffman, sec. 8.4)."""
    k = 2 * cmath.pi / wavelength
    x, m = k * radius, permittivity ** 0.5
    q, orders = 1 / m if magnetic else m, int(x + 4 * x ** (1 / 3) + 8)
    (j, y), (inside, _) = bessel(orders, x), bessel(orders, m * x)
    hankel = [complex(a, b) for a, b in zip(j, y)]
    derivative = lambda f, n, z: f[n - 1] - n / z * f[n] if n else -f[1]
    total = 0
    for n in range(orders):
        slope = q * derivative(inside, n, m * x)
        a = (slope * j[n] - inside[n] * derivative(j, n, x)) / (inside[n] * derivative(hankel, n, x) - slope * hankel[n])
        total += (2 if n else 1) * abs(a) ** 2
    return 4 / k * total


def abscissa(columns):
    """Light over its wavelength, longer waves over frequency: values and label."""
    if min(columns["wavelength_m"]) < 100e-6:
        return [1e9 * w for w in columns["wavelength_m"]], "wavelength, nm"
    return [1e-6 * f for f in columns["frequency_Hz"]], "frequency, MHz"


def free_name(stem, extension):
    """STEM.EXTENSION, or STEM_2.EXTENSION and so on where that exists."""
    path, number = pathlib.Path(stem + extension), 1
    while path.exists():
        number += 1
        path = pathlib.Path(f"{stem}_{number}{extension}")
    return path


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", type=pathlib.Path, help="flux_NAME.csv")
    parser.add_argument("--scale", type=float, default=1, help="factor of the values (1)")
    parser.add_argument("--reference", type=pathlib.Path, help="flux_NAME.csv of the incident wave")
    parser.add_argument("--slab", type=float, nargs=2, metavar=("EPS_R", "THICKNESS_M"), help="with --reference: exact shares of a slab")
    parser.add_argument("--cylinder", nargs=3, metavar=("EPS_R", "RADIUS_M", "ez|hz"), help="exact scattering width of a cylinder")
    parser.add_argument("--label", default="", help="of the vertical axis")
    parser.add_argument("--output", type=pathlib.Path, help="picture (spectrum.png; an existing one stays, and spectrum_2.png and so on are written)")
    arguments = parser.parse_args()
    if arguments.slab and not arguments.reference:
        parser.error("--slab needs --reference")
    if arguments.cylinder:
        try:
            permittivity, radius, magnetic = float(arguments.cylinder[0]), float(arguments.cylinder[1]), {"ez": False, "hz": True}[arguments.cylinder[2]]
        except (ValueError, KeyError):
            parser.error("--cylinder: must be EPS_R RADIUS_M and ez or hz")
    plt = pyplot()
    reference = read(arguments.reference) if arguments.reference else None
    figure, axis = plt.subplots(figsize=(6, 4))
    label = arguments.label
    for path in arguments.files:
        columns = read(path)
        position, position_label = abscissa(columns)
        if reference:
            values = [arguments.scale * v for v in shares(path, columns, arguments.reference, reference)]
            label = label or "share of the incident energy"
        elif arguments.cylinder and "outward_cross_section_m2" in columns:
            values = [arguments.scale * v for v in columns["outward_cross_section_m2"]]
            label = label or "scattering width, m"
        elif "outward_cross_section_m2" in columns:
            values = [-arguments.scale * v for v in columns["outward_cross_section_m2"]]
            label = label or "absorbed cross section, m$^2$"
        else:
            values = [arguments.scale * v for v in columns["outward_energy_J_per_Hz"]]
            label = label or "outward energy, J/Hz"
        axis.plot(position, values, label=path.stem)
        name = path.stem.removeprefix("flux_")
        if arguments.cylinder:
            exact = [cylinder(permittivity, radius, magnetic, w) for w in columns["wavelength_m"]]
            axis.plot(position, exact, "--", color="black", linewidth=1, label=f"{name}, exact")
            print(f"{name}: at most {max(abs(v / e - 1) for v, e in zip(values, exact)):.2%} from the exact width")
        if arguments.slab and name in ("reflected", "transmitted"):
            exact = [slab(*arguments.slab, w)[name] for w in columns["wavelength_m"]]
            axis.plot(position, exact, "--", color="black", linewidth=1, label=f"{name}, exact")
            print(f"{name}: at most {max(abs(v - e) for v, e in zip(values, exact)):.2g} from the exact share")
    axis.set(xlabel=position_label, ylabel=label)
    axis.grid(alpha=0.3)
    if len(axis.lines) > 1:
        axis.legend()
    figure.tight_layout()
    output = arguments.output or free_name("spectrum", ".png")
    figure.savefig(output, dpi=150)
    print(output)


if __name__ == "__main__":
    main()
