#!/usr/bin/env python3
"""What a plane wave leaves outside of its empty total field on tetrahedra, over orders and sizes, in dB of its amplitude.

  total_field_leakage.py --output FOLDER --prepare    # meshes and cases, here; then, also elsewhere:
  total_field_leakage.py --output FOLDER [--orders 1 2 3 4] [--meshes cubes ball] [--angles 0 40] [--finest]
                         [--sides silver-muller passive cpml] [--periods 16] [--ramp 5]

The total field is a cube of 1.5 wavelengths. In a continuum the field outside is zero. `cubes`: a cube of 2.5 wavelengths, six
elements per cube; `ball`: an irregular mesh in a ball of 1.65 wavelengths, with edges of a wavelength over the number in the
table. Sine with a ramp, double precision; amplitudes of E are fitted over the last two periods at 9 points on each side
of a cube of two wavelengths. Prints the root mean square of those behind the box (along the wave), before it, and of all 54,
and the largest of all.
"""
import argparse
import math
import pathlib

import study

np = study.dgtd.tables.np
LIGHT = 299792458.0
WAVELENGTH = 1.0  # m
TOTAL, PROBES, AIR = 0.75, 1.0, 1.65  # half edges of the total field and of the probes' cube, radius of the ball, wavelengths
# Per order: cubes per wavelength, of which the cube has a whole number, and edges per wavelength of the ball.
CUBES = {1: (8, 12, 16), 2: (4, 6, 8, 12), 3: (2, 4, 6, 8), 4: (2, 4, 6)}
BALL = {1: (6, 8), 2: (4, 6, 8), 3: (3, 4, 6, 8), 4: (3, 4)}
SIDES = [(axis, sign) for axis in range(3) for sign in (-1, 1)]


def points():
    """(side, place relative to the middle, m): nine on each side."""
    for side, (axis, sign) in enumerate(SIDES):
        for u in (-0.6, 0, 0.6):
            for v in (-0.6, 0, 0.6):
                place = [u, v]
                place.insert(axis, sign * PROBES)
                yield side, place


def vector(place):
    return " ".join(f"{x:.9g}" for x in place)


def case_text(mesh, middle, surface, degrees, sides, periods, ramp):
    """mesh: lines of [mesh]; middle: of the total field, m; surface: name of the boundary; degrees: in the x-z plane;
    sides: type of the boundary, layers of a wavelength."""
    angle = math.radians(degrees)
    shifted = lambda place: vector([middle + x for x in place])
    text = (
        f"[solver]\nmethod = dgtd\nprecision = double\n\n[mesh]\n{mesh}\n\n[material.*]\n\n"
        f"[boundary.{surface}]\ntype = {sides}\n{'' if sides == 'silver-muller' else f'thickness = {WAVELENGTH}'}\n\n"
        f"[source.wave]\ntype = plane-wave\ndirection = {vector([math.sin(angle), 0, math.cos(angle)])}\npolarisation = 0 1 0\n"
        f"waveform = ramped-sine\nramp = {ramp:g}\nposition = {shifted([0, 0, 0])}\n"
        f"box_min = {shifted([-TOTAL] * 3)}\nbox_max = {shifted([TOTAL] * 3)}\n\n"
        f"[time]\nfrequency = {LIGHT / WAVELENGTH:.9g}\nperiods = {periods}\n\n"
        "[output]\nfields = none\nreport_pictures = off\n")
    for number, (_, place) in enumerate(points()):
        text += f"\n[probe.p{number}]\nposition = {shifted(place)}\nevery = 4\n"
    return text


def leakage(run):
    """Amplitudes of E over that of the wave at the points, [54]."""
    amplitudes = []
    probes = study.dgtd.Results(run.folder).probes
    for number, _ in enumerate(points()):
        table = probes[f"p{number}"]
        late = table.t_s > table.t_s[-1] - 2 * WAVELENGTH / LIGHT
        phase = 2 * math.pi * LIGHT / WAVELENGTH * table.t_s[late]
        waves = np.column_stack([np.cos(phase), np.sin(phase), np.ones_like(phase)])
        fits = [np.linalg.lstsq(waves, table[f"E{axis}_V_per_m"][late], rcond=None)[0] for axis in "xyz"]
        amplitudes.append(math.sqrt(sum(fit[0] ** 2 + fit[1] ** 2 for fit in fits)))
    return np.array(amplitudes)


def decibels(amplitudes):
    return 10 * math.log10(np.mean(amplitudes ** 2))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--orders", nargs="+", type=int, choices=CUBES, default=list(CUBES))
    parser.add_argument("--meshes", nargs="+", choices=("cubes", "ball"), default=["cubes", "ball"])
    parser.add_argument("--angles", nargs="+", type=float, default=[0, 40], help="to the z axis, degrees (0 40)")
    parser.add_argument("--coarsest", action="store_true", help="the coarsest mesh of each order alone")
    parser.add_argument("--finest", action="store_true", help="the finest mesh of each order alone")
    parser.add_argument("--sides", choices=("silver-muller", "passive", "cpml"), default="silver-muller",
                        help="of the mesh; layers are outside of it, one wavelength thick")
    parser.add_argument("--periods", type=int, default=16)
    parser.add_argument("--ramp", type=float, default=5, help="periods")
    study.add_arguments(parser)
    arguments = parser.parse_args()
    folder = pathlib.Path(arguments.output)
    folder.mkdir(parents=True, exist_ok=True)
    runs = []
    for kind in arguments.meshes:
        for order in arguments.orders:
            for number in (CUBES if kind == "cubes" else BALL)[order][-1 if arguments.finest else 0:1 if arguments.coarsest else None]:
                if kind == "cubes":
                    edge = 2.5 * WAVELENGTH
                    lines = f"generator = box\ncells = {vector([edge * number] * 3)}\nsize = {vector([edge] * 3)}"
                    middle, surface = edge / 2, "*"
                else:
                    mesh = folder / f"ball_{number}.msh"
                    study.make_mesh(arguments, mesh, ["spheres", "--radius", AIR, "--size", WAVELENGTH / number, "--name", "air"])
                    lines, middle, surface = f"file = {mesh.name}", 0, "absorbing"
                for degrees in arguments.angles:
                    name = f"{kind}_{number}_{degrees:g}"
                    file = folder / f"{name}.cfg"
                    file.write_text(case_text(lines, middle, surface, degrees, arguments.sides, arguments.periods,
                                              arguments.ramp))
                    settings = {"solver.order": order, **study.common_settings(arguments)}
                    runs.append((kind, order, number, degrees,
                                 study.Run(f"{name}_P{order}", file, settings, folder / f"{name}_P{order}")))
    study.run_all([run for *_, run in runs], arguments)
    print("\nleakage of a total field of 1.5 wavelengths, dB of the wave's amplitude")
    print("| mesh | order | per wavelength | elements | degrees | behind | before | all, rms | largest | s |\n|" + " --- |" * 10)
    side = np.array([s for s, _ in points()])
    for kind, order, number, degrees, run in runs:
        found, summary = leakage(run), run.summary()
        behind, before = found[side == SIDES.index((2, 1))], found[side == SIDES.index((2, -1))]
        print(f"| {kind} | P{order} | {number} | {summary['elements']} | {degrees:g} | {decibels(behind):.1f} | "
              f"{decibels(before):.1f} | {decibels(found):.1f} | {20 * math.log10(found.max()):.1f} | "
              f"{summary['wall_s']:.1f} |")


if __name__ == "__main__":
    main()
