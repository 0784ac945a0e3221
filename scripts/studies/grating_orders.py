#!/usr/bin/env python3
"""Efficiencies of the single orders of a grating on a grid and on tetrahedra: cases/grating.cfg and grating_dg.cfg.

  grating_orders.py [--output FOLDER] [--spacing H] [--set KEY=VALUE ...]

E and H of one pulse on a plane before and one behind the bars are resolved into their Fourier orders along the period;
the power of an order m is that of E_m x conj H_m, over that of the same run without the bars. Both polarisations, E along
the bars (s) and across them (p). An order m propagates where m times the wavelength is below the period of 1 um. Beside
them is the solution in Fourier orders inside of the bars (Moharam et al. 1995, p with the product rules of Li 1996), with
more orders than its values need. Shares of the incident power in per cent; `rest` is 100 less all of them, `error` the
largest one of an order, `difference` that between both methods.
"""
import argparse

import study

numpy = study.dgtd.tables.np

PERIOD = 1e-6  # m
FIRST, LAST, COUNT = 550e-9, 700e-9, 7  # wavelengths, m
PLANES = {"grid": {"reflected": -1000e-9, "transmitted": 1000e-9}, "tetrahedra": {"reflected": -750e-9, "transmitted": 450e-9}}
BLOCKS = ("--block air -500e-9 0 -900e-9 500e-9 60e-9 900e-9 65e-9 "
          "--block glass -250e-9 0 -150e-9 250e-9 60e-9 150e-9 42e-9")


def in_fourier_orders(wavelength, polarisation, most=60):
    """As efficiencies(), of bars of eps_r = 4, half a period wide and 300 nm high, with the orders -most to most."""
    orders = numpy.arange(-most, most + 1)
    kx = numpy.diag(orders * wavelength / PERIOD)  # over the wave number, as all here
    kz = numpy.diag(numpy.sqrt(1 - numpy.diag(kx) ** 2 + 0j))

    def toeplitz(inside):
        n = orders[:, None] - orders[None, :]
        return numpy.where(n == 0, 0.5 * (1 + inside), 0.5 * (inside - 1) * numpy.sinc(0.5 * n))

    # f'' = A f of f = E_y (s) or H_y (p), and the other tangential field is C f'.
    if polarisation == "s":
        c, a = numpy.eye(len(orders)), kx @ kx - toeplitz(4)
    else:
        c = toeplitz(0.25)
        a = numpy.linalg.inv(c) @ (kx @ numpy.linalg.inv(toeplitz(4)) @ kx - numpy.eye(len(orders)))
    squares, w = numpy.linalg.eig(a)
    q = numpy.sqrt(squares + 0j)  # with real parts that are not negative: decays from its side of the bars
    v = c @ w @ numpy.diag(q)
    x = numpy.diag(numpy.exp(-q * 2 * numpy.pi / wavelength * 300e-9))
    incident = (orders == 0).astype(complex)
    system = numpy.block([[1j * kz @ w - v, (1j * kz @ w + v) @ x], [-(v + 1j * kz @ w) @ x, v - 1j * kz @ w]])
    both = numpy.linalg.solve(system, numpy.concatenate([2j * kz @ incident, 0 * incident]))
    up, down = both[:len(orders)], both[len(orders):]
    fields = {"reflected": w @ (up + x @ down) - incident, "transmitted": w @ (x @ up + down)}
    return {(plane, int(m)): abs(field[i]) ** 2 * kz[i, i].real for plane, field in fields.items()
            for i, m in enumerate(orders) if kz[i, i].real > 0}


def case_text(method):
    """The shipped case with monitors in place of its fluxes."""
    name = {"grid": "grating.cfg", "tetrahedra": "grating_dg.cfg"}[method]
    sections = (study.ROOT / "cases" / name).read_text().split("\n[")
    kept = "\n[".join(text for text in sections if not text.startswith("flux."))
    for plane, z in PLANES[method].items():
        region = {"grid": f"centre = 0 0 {z:g}\nsize = 1 1 0\n",
                  "tetrahedra": f"centre = 0 30e-9 {z:g}\nsize = {PERIOD:g} 60e-9 0\nspacing = 10e-9\n"}[method]
        kept += f"\n[monitor.{plane}]\ntype = plane\n{region}wavelengths = {FIRST:g} {LAST:g} {COUNT}\n"
    return kept


def powers(run, plane, frequency):
    """{order: power along z, in the same unit for all} on a plane."""
    grid = study.dgtd.Results(run.folder).grid(plane, at=frequency)
    x = grid.centres(0)

    def component(field, unit, axis):
        real, imaginary = (grid.cells[f"{field}_{part}_{unit}"][..., axis] for part in ("real", "imag"))
        return (real + 1j * imaginary).mean(axis=(0, 1))

    electric = [component("E", "V_s_per_m", axis) for axis in (0, 1)]
    magnetic = [component("H", "A_s_per_m", axis) for axis in (0, 1)]
    most = int(PERIOD * frequency / 299792458.0)
    result = {}
    for order in range(-most, most + 1):
        wave = numpy.exp(-2j * numpy.pi * order * x / PERIOD)
        (ex, ey), (hx, hy) = ([(wave * values).mean() for values in field] for field in (electric, magnetic))
        result[order] = (ex * hy.conjugate() - ey * hx.conjugate()).real
    return result


def efficiencies(runs, frequency):
    """{(plane, order): share of the incident power}."""
    with_bars, without = runs
    incident = powers(without, "transmitted", frequency)[0]
    return {(plane, order): sign * power / incident for plane, sign in (("reflected", -1), ("transmitted", 1))
            for order, power in powers(with_bars, plane, frequency).items()}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    study.add_arguments(parser)
    parser.add_argument("--spacing", type=float, default=6.25e-9, help="of the grid, m (6.25e-9)")
    parser.add_argument("--order", type=int, default=2, help="of the tetrahedra (2)")
    parser.add_argument("--layers", type=int, default=12, help="strata of 100 nm at each end of the tetrahedra (12, as in the case)")
    arguments = parser.parse_args()
    folder = study.pathlib.Path(arguments.output)
    folder.mkdir(parents=True, exist_ok=True)
    mesh = (folder / "grating.msh").resolve()
    study.make_mesh(arguments, mesh, ["blocks", *BLOCKS.split()])
    cells = f"{round(PERIOD / arguments.spacing)} 1 {round(3e-6 / arguments.spacing)}"
    of_method = {"grid": {"grid.cells": cells, "grid.spacing": f"{arguments.spacing:g}"},
                 "tetrahedra": {"mesh.file": str(mesh), "solver.order": str(arguments.order)}}
    for side in ("zmin", "zmax"):
        of_method["tetrahedra"] |= {f"boundary.{side}.layers": str(arguments.layers),
                                    f"boundary.{side}.thickness": f"{arguments.layers * 100e-9:g}"}
    runs = {}
    for method, settings in of_method.items():
        case = folder / f"{method}.cfg"
        case.write_text(case_text(method))
        for polarisation, direction in (("s", "0 1 0"), ("p", "1 0 0")):
            for index in ("4", "1"):  # eps_r of the bars, and none
                name = f"{method}_{polarisation}_{'bars' if index == '4' else 'none'}"
                changed = settings | {"source.wave.polarisation": direction, "material.glass.eps_r": index}
                runs.setdefault((method, polarisation), []).append(
                    study.Run(name, case, study.common_settings(arguments) | changed, folder / name))
    study.run_all([run for pair in runs.values() for run in pair], arguments)
    wavelengths = numpy.linspace(FIRST, LAST, COUNT)
    for polarisation in ("s", "p"):
        print(f"{polarisation}, nm:{'':24}", *(f"{1e9 * w:7.0f}" for w in wavelengths))
        shares = {method: [efficiencies(runs[method, polarisation], 299792458.0 / w) for w in wavelengths] for method in of_method}
        shares["exact"] = [in_fourier_orders(w, polarisation) for w in wavelengths]
        for key in shares["grid"][0]:
            for method, row in shares.items():
                print(f"  {key[0]:11} {key[1]:+d} {method:14}", *(f"{100 * at[key]:7.2f}" for at in row))

        def largest(a, b):
            return [max(abs(one[key] - other[key]) for key in one) for one, other in zip(shares[a], shares[b])]

        for method, row in shares.items():
            print(f"  rest           {method:14}", *(f"{100 * (1 - sum(at.values())):7.2f}" for at in row))
        for method in of_method:
            print(f"  error          {method:14}", *(f"{100 * d:7.2f}" for d in largest(method, "exact")))
        print(f"  difference     {'':14}", *(f"{100 * d:7.2f}" for d in largest("grid", "tetrahedra")))


if __name__ == "__main__":
    main()
