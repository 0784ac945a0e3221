#!/usr/bin/env python3
"""Patterns and directivities of currents on tetrahedra against exact ones: a dipole in free space, beside a dielectric sphere, a
half-wave dipole.

  antenna_patterns.py --output FOLDER --prepare    # meshes, cases and exact values, here; then, also elsewhere:
  antenna_patterns.py --output FOLDER [--levels 1 2] [--orders 2 3] [--antennas dipole half-wave radial tangential]

Absorbing layers of the usual thickness around a ball of air, a pulse around 1 GHz, [far_field.NAME] at 1 GHz. Prints the error
of the largest directivity, the largest error of the pattern in any direction, of the largest directivity, and the difference of
the energy in the pattern and through its box.

The half-wave dipole is a given current, I(z) = I_0 cos(k z) from -1/4 to 1/4 of a wavelength, as dipoles at six Gauss points:
no metal, so that the exact pattern cos^2(pi/2 cos(theta)) / sin^2(theta) and directivity, 1.6409, belong to it.

Beside the sphere the exact pattern follows from reciprocity: the far field of a dipole p at r' towards a direction, of the
polarisation e, is p . E(r'), where E is the field of a plane wave from that direction with E along e, and of its scattered wave
(the multipoles a_n, b_n of layered_sphere.py; C. F. Bohren, D. R. Huffman, 1983, chapter 4). For a dipole on the z axis, with
d = k r', mu = -cos(theta), c_n = i^n (2n+1) / (n (n+1)):

  radial       F_theta = sin(theta) / d^2 sum c_n n (n+1) pi_n(mu) (psi_n - a_n xi_n)(d)
  tangential   F_theta = -cos(phi) / d sum c_n (pi_n (psi_n - b_n xi_n) - i tau_n (psi_n' - a_n xi_n'))
  (along x)    F_phi   = -sin(phi) / d sum c_n (tau_n (psi_n - b_n xi_n) - i pi_n (psi_n' - a_n xi_n'))

--check compares these with a dipole in free space and the powers of layered_sphere.py.
"""
import argparse
import json
import math
import pathlib

import study

np = study.dgtd.tables.np
LIGHT = 299792458.0
FREQUENCY, BANDWIDTH = 1e9, 0.3e9
WAVELENGTH = LIGHT / FREQUENCY
RADIUS, EPS_R, DISTANCE = 0.15, 4.0, 0.075  # of the sphere, and of the dipole from its surface, m
THETA, PHI = 61, 24
ANTENNAS = ("dipole", "half-wave", "radial", "tangential")
# Element sizes, m: around the current in free space, in air there; in the sphere, at the dipole beside it, in air there.
LEVELS = {1: (0.030, 0.055, 0.045, 0.025, 0.055), 2: (0.022, 0.045, 0.032, 0.020, 0.045)}
CORE, AIR, AIR_OF_SPHERE = 0.15, 0.36, 0.49  # m: radii of the finer ball in free space, and of both domains
BUMP = 0.065  # m: radius over which a current is spread
END, END_OF_SPHERE = 16e-9, 50e-9  # s: a sphere rings


def directions(angles=np.linspace(0, math.pi, THETA)):
    """theta and phi of each direction, in the order of the program's table, rad. angles: of theta."""
    return np.repeat(angles, PHI), np.tile(np.arange(PHI) * 2 * math.pi / PHI, len(angles))


def half_wave_currents():
    """z (m) and shares of the current's moment of six dipoles."""
    at, weight = np.polynomial.legendre.leggauss(6)
    moments = weight * np.cos(0.5 * math.pi * at)
    return at * WAVELENGTH / 4, moments / moments.sum()


def far_field_of(antenna, theta, phi, eps_r=EPS_R):
    """F_theta and F_phi; that of a unit dipole in free space has the length sin(angle to it)."""
    if antenna == "dipole":
        return np.sin(theta), 0 * theta
    if antenna == "half-wave":
        sine = np.sin(theta)
        ends = sine < 1e-9
        return np.where(ends, 0, np.cos(0.5 * math.pi * np.cos(theta)) / np.where(ends, 1, sine)), 0 * theta
    from layered_sphere import LayeredSphere, mp, psi, with_slope, xi

    mp.mp.dps = 40
    sphere = LayeredSphere([(RADIUS, eps_r, 0)], FREQUENCY)
    d = sphere.k * (mp.mpf(RADIUS) + mp.mpf(DISTANCE))
    mu = -np.cos(theta)
    before, pi_n = np.zeros_like(mu), np.ones_like(mu)
    along_theta = along_phi = 0
    for n in range(1, int(3 * d) + 25):
        tau = n * mu * pi_n - (n + 1) * before
        (p, dp), (h, dh) = with_slope(psi, n, d), with_slope(xi, n, d)
        a, b = sphere.multipole(n, True)[0], sphere.multipole(n, False)[0]
        electric, slope, magnetic = complex(p - a * h), complex(dp - a * dh), complex(p - b * h)
        c = 1j**n * (2 * n + 1) / (n * (n + 1))
        if antenna == "radial":
            along_theta = along_theta + c * n * (n + 1) * pi_n * electric * np.sin(theta) / float(d) ** 2
        else:
            along_theta = along_theta - c * (pi_n * magnetic - 1j * tau * slope) * np.cos(phi) / float(d)
            along_phi = along_phi - c * (tau * magnetic - 1j * pi_n * slope) * np.sin(phi) / float(d)
        before, pi_n = pi_n, ((2 * n + 1) * mu * pi_n - (n + 1) * before) / n
    return along_theta, along_phi + 0 * theta


def power_of(antenna, eps_r=EPS_R):
    """Radiated power over that of a dipole in free space, 8 pi / 3 in the units of far_field_of: an integral of high order over
    theta, since its few harmonics over phi are exact."""
    at, weights = np.polynomial.legendre.leggauss(80)
    field = far_field_of(antenna, *directions(np.arccos(at)), eps_r)
    intensity = abs(field[0]) ** 2 + abs(field[1]) ** 2
    return float(sum(np.repeat(weights, PHI) * intensity)) * 2 * math.pi / PHI / (8 * math.pi / 3)


def exact(antenna, folder):
    """Directivity in directions(); kept in a file, since a GPU's host may not have mpmath."""
    file = folder / f"exact_{antenna}.json"
    if not file.exists():
        field = far_field_of(antenna, *directions())
        intensity = abs(field[0]) ** 2 + abs(field[1]) ** 2
        folder.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(list(1.5 * intensity / power_of(antenna))))
    return np.array(json.loads(file.read_text()))


def check():
    """Ends with an error where the patterns contradict the powers or free space."""
    from layered_sphere import LayeredSphere, mp

    theta, phi = directions()
    for antenna in ("radial", "tangential"):
        field = far_field_of(antenna, theta, phi, eps_r=1)
        dipole = np.array([np.sin(theta), 0 * theta] if antenna == "radial" else [np.cos(theta) * np.cos(phi), -np.sin(phi)])
        phase = np.exp(-2j * math.pi / WAVELENGTH * (RADIUS + DISTANCE) * np.cos(theta))
        overall = np.vdot(dipole * phase, field) / np.vdot(dipole, dipole)
        difference = abs(field - overall * dipole * phase).max()
        mp.mp.dps = 40
        emitted = float(LayeredSphere([(RADIUS, EPS_R, 0)], FREQUENCY).powers(DISTANCE, antenna == "radial")[0])
        print(f"{antenna}: free space within {difference:.1e}, |factor| {abs(overall):.12f}; power {power_of(antenna):.9f}, by the "
              f"emitted one {emitted:.9f}")
        assert difference < 1e-9 and abs(abs(overall) - 1) < 1e-9 and abs(power_of(antenna) / emitted - 1) < 1e-9
    largest = 1.5 / power_of("half-wave")
    print(f"half-wave: directivity {largest:.5f}")
    assert abs(largest - 1.64092) < 1e-4
    at, share = half_wave_currents()
    pattern = (share * np.exp(-2j * math.pi / WAVELENGTH * np.outer(np.cos(theta), at))).sum(axis=1) * np.sin(theta)
    pattern, wanted = abs(pattern), far_field_of("half-wave", theta, phi)[0]
    difference = abs(pattern / pattern.max() - wanted / wanted.max()).max()
    print(f"half-wave: six dipoles have its pattern within {difference:.1e}")
    assert difference < 1e-6


def case_text(antenna, mesh):
    near_sphere = antenna in ("radial", "tangential")
    materials = ["sphere", "air"] if near_sphere else ["core", "air"]
    text = f"[solver]\nmethod = dgtd\n\n[mesh]\nfile = {mesh}\n\n[material.{materials[0]}]\n"
    text += (f"eps_r = {EPS_R:g}\n" if near_sphere else "") + f"[material.{materials[1]}]\n\n"
    text += "[boundary.absorbing]\ntype = passive\n\n"
    currents = zip(*half_wave_currents()) if antenna == "half-wave" else [(RADIUS + DISTANCE if near_sphere else 0.0, 1.0)]
    for number, (z, share) in enumerate(currents):
        text += (f"[source.s{number}]\ntype = dipole\nposition = 0 0 {z:.9g}\n"
                 f"direction = {'1 0 0' if antenna == 'tangential' else '0 0 1'}\nmoment = {1e-3 * share:.9g}\nradius = {BUMP:g}\n"
                 f"waveform = modulated-gaussian\nfrequency = {FREQUENCY:g}\nbandwidth = {BANDWIDTH:g}\n\n")
    box = "centre = 0 0 0.065\nsize = 0.4 0.4 0.5" if near_sphere else "size = 0.36 0.36 0.36"
    return text + (f"[far_field.pattern]\n{box}\nfrequencies = {FREQUENCY:g}\ntheta = {THETA}\nphi = {PHI}\n\n"
                   f"[time]\nend = {END_OF_SPHERE if near_sphere else END:g}\n\n[output]\nfields = none\nreport_pictures = off\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--antennas", nargs="+", choices=ANTENNAS, default=list(ANTENNAS))
    parser.add_argument("--levels", nargs="+", type=int, choices=LEVELS, default=list(LEVELS))
    parser.add_argument("--orders", nargs="+", type=int, default=[2, 3])
    parser.add_argument("--check", action="store_true", help="of the exact patterns alone")
    study.add_arguments(parser)
    arguments = parser.parse_args()
    if arguments.check:
        return check()
    folder = pathlib.Path(arguments.output)
    runs = []
    for antenna in arguments.antennas:
        wanted = exact(antenna, folder)
        for level in arguments.levels:
            core, air, inside, at_dipole, air_of_sphere = LEVELS[level]
            if antenna in ("radial", "tangential"):
                mesh = folder / f"sphere_{level}.msh"
                options = ["spheres", "--exact-volumes", "--radius", RADIUS, AIR_OF_SPHERE, "--size", inside, air_of_sphere,
                           "--name", "sphere", "air", "--refine", 0, 0, RADIUS + DISTANCE, at_dipole]
            else:
                mesh = folder / f"free_{level}.msh"
                options = ["spheres", "--radius", CORE, AIR, "--size", core, air, "--name", "core", "air"]
            study.make_mesh(arguments, mesh, options)
            file = folder / f"{antenna}_{level}.cfg"
            file.write_text(case_text(antenna, mesh.name))
            for order in arguments.orders:
                settings = {"solver.order": order, **study.common_settings(arguments)}
                runs.append((antenna, level, order, wanted, study.Run(f"{antenna}_{level}_P{order}", file, settings,
                                                                      folder / f"{antenna}_{level}_P{order}")))
    study.run_all([run for *_, run in runs], arguments)
    print("\nlargest directivity and errors, %\n| current | level | elements with layers | order | exact | computed | error | "
          "pattern | energy in pattern and box | s |\n|" + " --- |" * 10)
    for antenna, level, order, wanted, run in runs:
        results, summary = study.dgtd.Results(run.folder), run.summary()
        found, total = results.far_fields["pattern"].directivity, results.far_field_totals["pattern"]
        print(f"| {antenna} | {level} | {summary['elements']} | P{order} | {wanted.max():.4f} | {found.max():.4f} | "
              f"{100 * (found.max() / wanted.max() - 1):+.2f} | {100 * abs(found - wanted).max() / wanted.max():.2f} | "
              f"{100 * (total.radiated_J_per_Hz[0] / total.flux_J_per_Hz[0] - 1):+.2f} | {summary['wall_s']:.0f} |")


if __name__ == "__main__":
    main()
