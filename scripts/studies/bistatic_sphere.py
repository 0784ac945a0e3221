#!/usr/bin/env python3
"""Bistatic cross section of a dielectric sphere in a plane wave on tetrahedra, against the exact series.

  bistatic_sphere.py --output FOLDER --prepare    # meshes, cases and exact values, here; then, also elsewhere:
  bistatic_sphere.py --output FOLDER [--levels 1 2 3 4] [--orders 2 3] [--curved]

A pulse in a total field (box_min, box_max) around the sphere, absorbing layers of the usual thickness outside of a sphere of
air, [far_field.NAME] in the scattered field. Prints, per frequency, the total cross section and the largest error in dB of
the bistatic one over the scattering angle in the planes of E and H, of all angles where it is above -10, -20 and -30 dB of its
maximum. --curved takes elements with curved edges at the sphere in place of polyhedra of its volume. --check compares the
series with limits. Of the exact series, a wave of polarisation x that goes along z (C. F. Bohren, D. R. Huffman, Absorption
and Scattering of Light by Small Particles, 1983, chapter 4):

  4 pi r^2 |E_s|^2 = 4 pi / k^2 (|S_2|^2 cos^2 phi + |S_1|^2 sin^2 phi)
"""
import argparse
import json
import math
import pathlib

import study

LIGHT = 299792458.0
RADIUS, EPS_R = 0.15, 4.0  # m; k RADIUS = pi at 1 GHz
FREQUENCIES = (0.85e9, 1.0e9, 1.15e9)
CENTRE, BANDWIDTH = 1e9, 0.3e9  # of the pulse, Hz
# Half edges of the total field's box and of the far field's, radius of the air, m.
TOTAL, FAR, AIR = 0.22, 0.29, 0.57
END = 60e-9  # s: at half of it the sphere rings so much that the cross section is wrong by up to 1 %
LEVELS = {1: (0.045, 0.070), 2: (0.030, 0.050), 3: (0.022, 0.038), 4: (0.016, 0.030)}  # element sizes in the sphere and in air, m
DEGREES = range(181)


def amplitudes(frequency, radius=RADIUS, eps_r=EPS_R):
    """S_1 and S_2 at each of DEGREES, and the total cross section, m^2."""
    from layered_sphere import LayeredSphere, mp

    mp.mp.dps = 30
    sphere = LayeredSphere([(radius, eps_r, 0)], frequency)
    terms = int(2 * float(sphere.k) * radius) + 15
    a, b = ([complex(sphere.multipole(n, electric)[0]) for n in range(1, terms + 1)] for electric in (True, False))
    first, second = [], []
    for degrees in DEGREES:
        mu = math.cos(math.radians(degrees))
        s1 = s2 = 0
        before, pi_n = 0.0, 1.0  # pi_0, pi_1
        for n in range(1, terms + 1):
            tau = n * mu * pi_n - (n + 1) * before
            weight = (2 * n + 1) / (n * (n + 1))
            s1 += weight * (a[n - 1] * pi_n + b[n - 1] * tau)
            s2 += weight * (a[n - 1] * tau + b[n - 1] * pi_n)
            before, pi_n = pi_n, ((2 * n + 1) * mu * pi_n - (n + 1) * before) / n
        first.append(s1)
        second.append(s2)
    total = 2 * math.pi / float(sphere.k) ** 2 * sum(
        (2 * n + 1) * (abs(a[n - 1]) ** 2 + abs(b[n - 1]) ** 2) for n in range(1, terms + 1))
    return first, second, total


def exact(folder):
    """By frequency: total cross section and the bistatic ones in the planes of E and H, m^2. Kept in a file, since a GPU's
    host may not have mpmath."""
    file = folder / "exact_bistatic_sphere.json"
    if not file.exists():
        found = {}
        for frequency in FREQUENCIES:
            first, second, total = amplitudes(frequency)
            scale = 4 * math.pi / (2 * math.pi * frequency / LIGHT) ** 2
            found[f"{frequency:g}"] = {"total": total, "E": [scale * abs(s) ** 2 for s in second],
                                       "H": [scale * abs(s) ** 2 for s in first]}
        folder.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(found))
    return json.loads(file.read_text())


def check():
    """Ends with an error where the series contradicts itself or a limit."""
    for frequency in FREQUENCIES:
        first, second, total = amplitudes(frequency)
        k = 2 * math.pi * frequency / LIGHT
        forward = 4 * math.pi / k**2 * first[0].real  # the optical theorem: nothing is absorbed
        print(f"{frequency:g} Hz: total {total:.9g} m^2, by the optical theorem {forward:.9g}, k R {k * RADIUS:.4g}")
        assert abs(forward / total - 1) < 1e-10 and abs(first[0] - second[0]) < 1e-10 * abs(first[0])
    # Rayleigh: |S_1| = (k R)^3 (eps - 1) / (eps + 2), S_2 = S_1 cos(theta).
    first, second, _ = amplitudes(1e6, radius=0.01)
    wanted = (2 * math.pi * 1e6 / LIGHT * 0.01) ** 3 * (EPS_R - 1) / (EPS_R + 2)
    assert abs(abs(first[60]) / wanted - 1) < 1e-5 and abs(second[60] / first[60] - 0.5) < 1e-5
    print("the optical theorem and Rayleigh's limit hold")


def case_text(mesh, curved):
    box = lambda half: f"{half:g} {half:g} {half:g}"
    return (
        f"[solver]\nmethod = dgtd\n\n[mesh]\nfile = {mesh}\ncurved = {'full' if curved else 'off'}\n\n"
        f"[material.sphere]\neps_r = {EPS_R:g}\n[material.air]\n\n"
        "[boundary.absorbing]\ntype = passive\n\n"
        "[source.wave]\ntype = plane-wave\ndirection = 0 0 1\npolarisation = 1 0 0\nwaveform = modulated-gaussian\n"
        f"frequency = {CENTRE:g}\nbandwidth = {BANDWIDTH:g}\nbox_min = {box(-TOTAL)}\nbox_max = {box(TOTAL)}\n\n"
        f"[far_field.all]\nsize = {box(2 * FAR)}\nfrequencies = {' '.join(f'{f:g}' for f in FREQUENCIES)}\n"
        f"theta = {len(DEGREES)}\nphi = 4\n\n[time]\nend = {END:g}\n\n"
        "[output]\nfields = none\nreport_pictures = off\n")


def errors(run, reference):
    """By frequency: relative error of the total cross section, and [(-10, dB), (-20, dB), (-30, dB)] in planes E and H."""
    results = study.dgtd.Results(run.folder)
    table, totals = results.far_fields["all"], results.far_field_totals["all"]
    for f, frequency in enumerate(FREQUENCIES):
        wanted = reference[f"{frequency:g}"]
        planes = {}
        for plane, azimuths in (("E", (0, 180)), ("H", (90, 270))):
            values = wanted[plane]
            largest = max(max(wanted["E"]), max(wanted["H"]))
            worst = {-10: 0.0, -20: 0.0, -30: 0.0}
            for phi in azimuths:
                rows = (abs(table.frequency_Hz / frequency - 1) < 1e-9) & (abs(table.phi_deg - phi) < 1e-6)
                for angle, section in zip(table.theta_deg[rows], table.cross_section_m2[rows]):
                    value = values[round(angle)]
                    error = abs(10 * math.log10(section / value))
                    for level in worst:
                        if value >= 10 ** (level / 10) * largest:
                            worst[level] = max(worst[level], error)
            planes[plane] = worst
        yield frequency, totals.cross_section_m2[f] / wanted["total"] - 1, planes


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--levels", nargs="+", type=int, choices=LEVELS, default=list(LEVELS))
    parser.add_argument("--orders", nargs="+", type=int, default=[2, 3])
    parser.add_argument("--curved", action="store_true")
    parser.add_argument("--check", action="store_true", help="of the series alone")
    study.add_arguments(parser)
    arguments = parser.parse_args()
    if arguments.check:
        return check()
    folder = pathlib.Path(arguments.output)
    reference = exact(folder)
    runs = []
    for level in arguments.levels:
        inside, outside = LEVELS[level]
        name = f"bistatic_{level}{'_curved' if arguments.curved else ''}"
        mesh = folder / f"{name}.msh"
        form = "--second-order" if arguments.curved else "--exact-volumes"
        study.make_mesh(arguments, mesh, ["spheres", form, "--radius", RADIUS, AIR, "--size", inside, outside,
                                          "--name", "sphere", "air"])
        file = folder / f"{name}.cfg"
        file.write_text(case_text(mesh.name, arguments.curved))
        for order in arguments.orders:
            settings = {"solver.order": order, **study.common_settings(arguments)}
            runs.append((level, order, study.Run(f"{name}_P{order}", file, settings, folder / f"{name}_P{order}")))
    study.run_all([run for _, _, run in runs], arguments)
    print(f"\ndielectric sphere, eps_r {EPS_R:g}, radius {RADIUS:g} m: error of the total cross section, and largest error in "
          "dB of the bistatic one above -10 / -20 / -30 dB of its maximum")
    print("| elements | with layers | order | k R | total, % | plane of E | plane of H | s |\n|" + " --- |" * 8)
    for level, order, run in runs:
        summary = run.summary()
        for frequency, total, planes in errors(run, reference):
            cells = [" / ".join(f"{planes[plane][limit]:.2f}" for limit in (-10, -20, -30)) for plane in "EH"]
            print(f"| {LEVELS[level][0]:g}, {LEVELS[level][1]:g} m | {summary['elements']} | P{order} | "
                  f"{2 * math.pi * frequency / LIGHT * RADIUS:.2f} | {100 * total:+.2f} | {cells[0]} | {cells[1]} | "
                  f"{summary['wall_s']:.0f} |")


if __name__ == "__main__":
    main()
