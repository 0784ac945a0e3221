#!/usr/bin/env python3
"""Absorbed and emitted power of a current dipole outside a layered sphere: the exact multipole series.

  layered_sphere.py [--case homogeneous|four-layers] [--frequency F] [--distance D] [--json]
  layered_sphere.py --layer R EPS_R SIGMA [--layer R EPS_R SIGMA ...] --frequency F --distance D
  layered_sphere.py --check

Prints, for a radial and a tangential dipole in vacuum, the shares of the emitted power that each layer absorbs, and the
emitted power over that of the same dipole in free space. --check compares the series with itself and with limits.

With x = k r, Riccati-Bessel functions psi_n(x) = x j_n(x) and xi_n(x) = x h_n^(1)(x), a dipole at d = k (R + distance)
and P0 its power in free space (H. Chew, P. J. McNulty, M. Kerker, Phys. Rev. A 13, 396 (1976); R. Ruppin, J. Chem. Phys.
76, 1681 (1982)), the sphere's reflection coefficients being a_n (electric) and b_n (magnetic):

  radial       emitted / P0  = 1 - 3/2 Re sum n (n+1) (2n+1) a_n xi_n(d)^2 / d^4
               absorbed / P0 =     3/2 sum n (n+1) (2n+1) |xi_n(d)|^2 / d^4 (Re a_n - |a_n|^2)
  tangential   emitted / P0  = 1 - 3/4 Re sum (2n+1) (a_n xi_n'(d)^2 + b_n xi_n(d)^2) / d^2
               absorbed / P0 =     3/4 sum (2n+1) (|xi_n'(d)|^2 (Re a_n - |a_n|^2) + |xi_n(d)|^2 (Re b_n - |b_n|^2)) / d^2

Re a_n - |a_n|^2 is the power that the multipole n carries through the surface; the part of it that is left at an inner
interface follows from the Poynting flux there, so that each layer has its own share.
"""
import argparse
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from python_packages import required

mp = required("mpmath")

LIGHT = mp.mpf(299792458)
VACUUM_PERMITTIVITY = mp.mpf("8.8541878128e-12")

# Outer radius (m), relative permittivity, conductivity (S/m), from inside.
CASES = {
    "homogeneous": (900e6, [(0.100, 41.5, 0.97)]),
    "four-layers": (1.8e9, [(0.080, 43.55, 1.15), (0.083, 67.20, 2.92), (0.088, 15.56, 0.43), (0.092, 43.85, 1.23)]),
}


def psi(n, z):
    return mp.sqrt(mp.pi * z / 2) * mp.besselj(n + mp.mpf(1) / 2, z)


def xi(n, z):
    return mp.sqrt(mp.pi * z / 2) * mp.hankel1(n + mp.mpf(1) / 2, z)


def with_slope(function, n, z):
    """Value and derivative: f_n' = f_(n-1) - n f_n / z."""
    value = function(n, z)
    return value, function(n - 1, z) - n * value / z


class LayeredSphere:
    """layers: (outer radius in m, relative permittivity, conductivity in S/m) from inside; vacuum around them."""

    def __init__(self, layers, frequency):
        self.layers = [tuple(map(mp.mpf, layer)) for layer in layers]
        self.k = 2 * mp.pi * mp.mpf(frequency) / LIGHT
        omega = 2 * mp.pi * mp.mpf(frequency)
        # exp(-i w t): conduction is a positive imaginary part.
        self.index = [mp.sqrt(mp.mpc(eps, sigma / (omega * VACUUM_PERMITTIVITY))) for _, eps, sigma in self.layers]

    def multipole(self, n, electric):
        """Reflection coefficient, and the shares of |incident|^2 that go inwards through each interface.

        The radial function of a multipole is f = regular psi_n(m x) + outgoing xi_n(m x) in a layer. f and s f' (by x) are
        continuous, s = 1 for magnetic multipoles and 1 / m^2 for electric ones. The layers are passed from inside with a
        2 x 2 transfer of (f, s f'), which mpmath's digits keep exact.
        """
        state = None  # (f, s f') at the current radius, up to a factor
        flux = []  # Im(f* s f') at each interface: the power that goes inwards, up to a common factor
        for layer, (radius, _, _) in enumerate(self.layers):
            m = self.index[layer]
            scale = 1 / m if electric else m  # s f' = scale df/d(m x)
            z = m * self.k * radius
            value, slope = with_slope(psi, n, z)
            if state is None:
                state = (value, scale * slope)
            else:
                z_in = m * self.k * self.layers[layer - 1][0]
                p, dp = with_slope(psi, n, z_in)
                h, dh = with_slope(xi, n, z_in)
                f, g = state[0], state[1] / scale
                wronskian = p * dh - dp * h  # i
                regular, outgoing = (f * dh - g * h) / wronskian, (p * g - dp * f) / wronskian
                value_out, slope_out = with_slope(xi, n, z)
                state = (regular * value + outgoing * value_out, scale * (regular * slope + outgoing * slope_out))
            flux.append((layer, state))
        x = self.k * self.layers[-1][0]
        p, dp = with_slope(psi, n, x)
        h, dh = with_slope(xi, n, x)
        f, g = state
        # incident psi_n - reflected a xi_n = c f, and the same with the slopes
        reflection = (p * g - dp * f) / (h * g - dh * f)
        factor = (p - reflection * h) / f
        # The flux of psi_n - a xi_n is Re a - |a|^2, which is Im(s f' f*) of it (Im(xi' xi*) = 1).
        inwards = [-mp.im(mp.conj(factor * u) * factor * w) for _, (u, w) in flux]
        return reflection, inwards

    def powers(self, distance, radial, terms=None):
        """Emitted power, and power absorbed in each layer, over the power in free space; number of terms."""
        d = self.k * (self.layers[-1][0] + mp.mpf(distance))
        emitted, through, n = mp.mpf(1), [mp.mpf(0)] * len(self.layers), 0
        while terms is None or n < terms:
            n += 1
            value, slope = with_slope(xi, n, d)
            added = mp.mpf(0)
            for electric in (True,) if radial else (True, False):
                reflection, inwards = self.multipole(n, electric)
                at_dipole = slope if electric and not radial else value
                weight = mp.mpf(3) / 4 * (2 * n + 1) / d**2 * (2 * n * (n + 1) / d**2 if radial else 1)
                emitted -= weight * mp.re(reflection * at_dipole**2)
                share = [weight * abs(at_dipole) ** 2 * flow for flow in inwards]
                through = [a + b for a, b in zip(through, share)]
                added += share[-1]
            if terms is None and (added < mp.mpf(10) ** -14 * through[-1] or through[-1] == 0) and n > 3 * d / 2 + 3:
                break
        absorbed = [b - a for a, b in zip([mp.mpf(0)] + through[:-1], through)]
        return emitted, absorbed, n

    def radiated(self, distance, radial, terms):
        """Power that goes to infinity over that in free space: the far field of dipole and sphere together."""
        d = self.k * (self.layers[-1][0] + mp.mpf(distance))
        total = mp.mpf(0)
        for n in range(1, terms + 1):
            p, h = with_slope(psi, n, d), with_slope(xi, n, d)
            a = self.multipole(n, True)[0]
            if radial:
                total += mp.mpf(3) / 2 * n * (n + 1) * (2 * n + 1) * abs(p[0] - a * h[0]) ** 2 / d**4
            else:
                b = self.multipole(n, False)[0]
                total += mp.mpf(3) / 4 * (2 * n + 1) * (abs(p[1] - a * h[1]) ** 2 + abs(p[0] - b * h[0]) ** 2) / d**2
        return total


def rows(layers, frequency, distance):
    sphere = LayeredSphere(layers, frequency)
    result = {}
    for name, radial in (("radial", True), ("tangential", False)):
        emitted, absorbed, terms = sphere.powers(distance, radial)
        result[name] = {
            "emitted_over_free_space": float(emitted),
            "absorbed_over_emitted": float(sum(absorbed) / emitted),
            "absorbed_over_emitted_in_layer": [float(a / emitted) for a in absorbed],
            "terms": terms,
        }
    return result


def check():
    """Ends with an error where the series contradicts itself or a limit."""
    failures = []

    def expect(what, value, wanted, tolerance):
        good = abs(value - wanted) <= tolerance * max(abs(wanted), mp.mpf(10) ** -30)
        print(f"{'ok  ' if good else 'FAIL'} {what}: {mp.nstr(value, 10)}, {mp.nstr(wanted, 10)} within {tolerance}")
        if not good:
            failures.append(what)

    frequency, layers = CASES["four-layers"]
    for radial in (True, False):
        name = "radial" if radial else "tangential"
        emitted, absorbed, terms = LayeredSphere([(0.1, 1, 0)], frequency).powers(0.015, radial)
        expect(f"{name}: a sphere of vacuum absorbs nothing", 1 + sum(absorbed), mp.mpf(1), 1e-20)
        expect(f"{name}: ... and does not change the emitted power", emitted, mp.mpf(1), 1e-20)
        sphere = LayeredSphere(layers, frequency)
        emitted, absorbed, terms = sphere.powers(0.015, radial)
        more = sphere.powers(0.015, radial, terms + 20)
        expect(f"{name}: twenty more multipoles", sum(more[1]), sum(absorbed), 1e-12)
        expect(
            f"{name}: emitted = absorbed + radiated",
            sum(more[1]) + sphere.radiated(0.015, radial, terms + 20), more[0], 1e-12)
        cut = LayeredSphere([(0.05, 41.5, 0.97), (0.09, 41.5, 0.97), (0.1, 41.5, 0.97)], 900e6).powers(0.015, radial)
        whole = LayeredSphere([(0.1, 41.5, 0.97)], 900e6).powers(0.015, radial)
        expect(f"{name}: three equal layers are one", sum(cut[1]), whole[1][0], 1e-12)
        lossless = LayeredSphere([(0.08, 9, 0), (0.1, 4, 0)], 900e6).powers(0.015, radial)
        expect(f"{name}: lossless layers absorb nothing", 1 + sum(lossless[1]), mp.mpf(1), 1e-20)
        # A small sphere, far away in units of its radius and near in wavelengths, is in the dipole's uniform static field:
        # E inside = 3 / (eps + 2) E0, |E0| = p / (4 pi eps0 r^3) times 2 on the axis, 1 beside it.
        radius, eps, sigma, far = mp.mpf("1e-6"), mp.mpf(9), mp.mpf("0.5"), mp.mpf("1e-3")
        small = LayeredSphere([(radius, eps, sigma)], 1e9)
        absorbed = small.powers(far - radius, radial)[1][0]
        omega = 2 * mp.pi * mp.mpf(1e9)
        permittivity = mp.mpc(eps, sigma / (omega * VACUUM_PERMITTIVITY))
        # of a moment of 1 A m: p = 1 / w, and P0 = mu0 w^2 / (12 pi c), with mu0 = 1 / (eps0 c^2)
        kd = omega * far / LIGHT
        shape = 4 * (1 + kd**2) if radial else 1 - kd**2 + kd**4  # |E|^2 of a dipole, with its near and far terms
        field = mp.sqrt(shape) / omega / (4 * mp.pi * VACUUM_PERMITTIVITY * far**3)
        rayleigh = sigma / 2 * abs(3 / (permittivity + 2) * field) ** 2 * 4 * mp.pi / 3 * radius**3
        free = omega**2 / (12 * mp.pi * VACUUM_PERMITTIVITY * LIGHT**3)
        expect(f"{name}: a small sphere, Rayleigh's limit", absorbed, rayleigh / free, 1e-4)
    if failures:
        sys.exit(f"layered_sphere.py: {len(failures)} checks failed")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--case", choices=CASES, default="homogeneous")
    parser.add_argument("--layer", nargs=3, type=float, action="append", metavar=("RADIUS", "EPS_R", "SIGMA"))
    parser.add_argument("--frequency", type=float, help="Hz; that of the case by default")
    parser.add_argument("--distance", type=float, default=0.015, help="of the dipole from the surface, m (0.015)")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    mp.mp.dps = 40
    if arguments.check:
        check()
        return
    frequency, layers = CASES[arguments.case]
    if arguments.layer:
        if not arguments.frequency:
            parser.error("--layer needs --frequency")
        layers = sorted(arguments.layer)
    result = rows(layers, arguments.frequency or frequency, arguments.distance)
    if arguments.json:
        print(json.dumps(result, indent=2))
        return
    for name, row in result.items():
        shares = " ".join(f"{100 * share:.4f}" for share in row["absorbed_over_emitted_in_layer"])
        print(
            f"{name}: emitted {row['emitted_over_free_space']:.5f} of the power in free space; absorbed "
            f"{100 * row['absorbed_over_emitted']:.4f} % of that, by layer from inside {shares} % ({row['terms']} terms)")


if __name__ == "__main__":
    main()
