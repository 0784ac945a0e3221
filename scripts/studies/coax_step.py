#!/usr/bin/env python3
"""S-parameters of a step of the inner conductor of a coaxial line by mode matching, and runs of dgtd against them.

  coax_step.py                              both steps, cases/coax_step.cfg (square) and coax_step_dg.cfg (round)
  coax_step.py round FOLDER...              the output folders of runs against the round step
  coax_step.py square FOLDER...             those against the square one

With unit-norm transverse fields e_m of the modes of the wide line (S_1, z < 0) and of the narrow one (S_2 in S_1, z > 0),
admittances Y and overlaps X_mn = integral of e_1m . e_2n over S_2, continuity of E on S_1 and of H on S_2 give

  a_1 + b_1 = X (a_2 + b_2),    X^T Y_1 (a_1 - b_1) = Y_2 (b_2 - a_2)

(A. Wexler, IEEE Trans. MTT 15, 508 (1967)); S is relative to the impedances of the two lines, with the step as reference
plane and exp(+i w t). A round step has the TEM mode and TM_0n, whose potentials are J_0(k r) N_0(k b) - N_0(k r) J_0(k b);
their overlaps are exact. A square one has TM modes and TE modes with the symmetry of the square, which elements of
degree 8 compute in an eighth of the cross-section, smaller towards the inner corners, where fields are singular.
"""
import argparse
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from python_packages import required

np, linalg, optimize, special = (required(name) for name in ("numpy", "scipy.linalg", "scipy.optimize", "scipy.special"))

LIGHT = 299792458.0  # m/s
FREE_SPACE = 376.730313668  # ohm
WIDE, NARROW, OUTER = 2e-3, 3e-3, 4e-3  # m: inner radii, or half edges, of the two lines, and the outer conductor's


class Modes:
    """Modes of both lines: cut-off wave numbers (0: TEM), which of them are TE, and the overlaps X[of wide][of narrow]."""

    def __init__(self, wide, narrow, overlaps):
        (self.wide, self.wide_te), (self.narrow, self.narrow_te), self.overlaps = wide, narrow, overlaps

    def scattering(self, frequency):
        """S of the TEM modes, [2][2]."""
        first, second = (admittances(k, te, frequency) for k, te in ((self.wide, self.wide_te), (self.narrow, self.narrow_te)))
        through = self.overlaps.T * first  # X^T Y_1
        product = through @ self.overlaps
        right = np.stack([2 * through[:, 0], -product[:, 0]], axis=1)  # columns: a_1 = 1 or a_2 = 1 of the TEM mode
        right[0, 1] += second[0]
        narrow = linalg.solve(np.diag(second) + product, right)
        wide = self.overlaps @ narrow
        wide[:, 1] += self.overlaps[:, 0]
        return np.array([[wide[0, 0] - 1, wide[0, 1]], [narrow[0, 0], narrow[0, 1]]])


def admittances(cutoffs, te, frequency):
    """Wave admittance of each mode times that of free space's impedance: TM i k / gamma, TE gamma / (i k), TEM 1."""
    k = 2 * np.pi * frequency / LIGHT
    gamma = np.sqrt(cutoffs**2 - k**2 + 0j)
    ratio = np.where(gamma.imag < 0, -gamma, gamma) / (1j * k)
    return np.where(te, ratio, 1 / ratio)


def round_potential(k, r, inner, derivative=False):
    """Potential of TM_0n that is 0 at the outer and, at its cut-offs, at the inner conductor; or its derivative by r."""
    if derivative:
        return -k * (special.j1(k * r) * special.y0(k * OUTER) - special.y1(k * r) * special.j0(k * OUTER))
    return special.j0(k * r) * special.y0(k * OUTER) - special.y0(k * r) * special.j0(k * OUTER)


def round_cutoffs(inner, count):
    """The first zeros of that potential at the inner conductor, close to n pi / gap."""
    gap = OUTER - inner
    return np.array([optimize.brentq(round_potential, (n - 0.4) * np.pi / gap, (n + 0.4) * np.pi / gap, args=(inner, inner), xtol=1e-9)
                     for n in range(1, count + 1)])


def round_step(count):
    """The round step with `count` TM modes in the wide line and as many of the narrow one as its gap has of them."""
    cutoffs = [round_cutoffs(WIDE, count), round_cutoffs(NARROW, round(count * (OUTER - NARROW) / (OUTER - WIDE)))]
    norms = []  # of the fields: the integral of (d phi / d r)^2 r dr is [(r phi')^2 / 2] between the conductors
    for inner, k in zip((WIDE, NARROW), cutoffs):
        ends = [r * round_potential(k, r, inner, True) for r in (inner, OUTER)]
        norms.append(np.sqrt(0.5 * (ends[1] ** 2 - ends[0] ** 2)))
    first, second = cutoffs
    at_step = round_potential(first, NARROW, WIDE) / norms[0]
    slope = NARROW * round_potential(second, NARROW, NARROW, True) / norms[1]
    logarithms = [np.log(OUTER / inner) for inner in (WIDE, NARROW)]
    overlaps = np.zeros((len(first) + 1, len(second) + 1))
    overlaps[0, 0] = np.sqrt(logarithms[1] / logarithms[0])
    overlaps[1:, 0] = -at_step / np.sqrt(logarithms[1])
    # k_1^2 times the integral of phi_1 phi_2 r dr, by Green's second identity.
    overlaps[1:, 1:] = -first[:, None] ** 2 * at_step[:, None] * slope[None, :] / (first[:, None] ** 2 - second[None, :] ** 2)
    of_line = [np.concatenate([[0.0], k]) for k in cutoffs]
    return Modes((of_line[0], np.zeros(len(first) + 1, bool)), (of_line[1], np.zeros(len(second) + 1, bool)), overlaps)


class Eighth:
    """Elements of degree p on the eighth of a square line, 0 <= y <= x, from the inner conductor to the outer one:
    x = u, y = u v, elements in u and v smaller by the factor 0.3 from one to the next towards the corners at v = 1."""

    def __init__(self, inner, degree, levels):
        self.degree = degree
        towards = 0.3 ** np.arange(levels, 0, -1)  # distances from a corner in parts of an interval
        lines = [WIDE + (NARROW - WIDE) * t for t in np.concatenate([[0], towards, [0.65], 1 - towards[::-1]])] if inner < NARROW else []
        lines += [NARROW + (OUTER - NARROW) * t for t in np.concatenate([[0], towards, [0.65, 1]])]
        self.u = np.array(lines)
        self.v = 1 - np.concatenate([[1, 0.65], towards[::-1], [0]])
        self.nodes = legendre_nodes(degree)
        self.shape = (degree * (len(self.u) - 1) + 1, degree * (len(self.v) - 1) + 1)

    def forms(self, from_u=0.0):
        """Sparse: integrals of grad f . grad g, of f g, and of grad f . (z x grad g), where x > from_u."""
        sparse = required("scipy.sparse")
        p, n = self.degree, self.degree + 1
        points, weights = np.polynomial.legendre.leggauss(p + 3)
        value, slope = lagrange(self.nodes, points)
        f = np.einsum("ia,jb->ijab", value, value).reshape(len(points) ** 2, n * n)
        f_s = np.einsum("ia,jb->ijab", slope, value).reshape(f.shape)
        f_t = np.einsum("ia,jb->ijab", value, slope).reshape(f.shape)
        rows, columns, parts = [], [], [[], [], []]
        for i in range(len(self.u) - 1):
            if self.u[i] < from_u - 1e-12:
                continue
            for j in range(len(self.v) - 1):
                half_u, half_v = 0.5 * np.diff(self.u)[i], 0.5 * np.diff(self.v)[j]
                u = np.repeat(self.u[i] + half_u * (1 + points), len(points))
                v = np.tile(self.v[j] + half_v * (1 + points), len(points))
                area = np.outer(weights, weights).ravel() * half_u * half_v * u  # |d(x, y) / d(u, v)| = u
                along_v = f_t / half_v / u[:, None]  # d f / d y
                along_x = f_s / half_u - v[:, None] * along_v
                weighted_x, weighted_y = area[:, None] * along_x, area[:, None] * along_v
                index = ((i * p + np.arange(n))[:, None] * self.shape[1] + j * p + np.arange(n)[None, :]).ravel()
                rows.append(np.repeat(index, n * n))
                columns.append(np.tile(index, n * n))
                parts[0].append((along_x.T @ weighted_x + along_v.T @ weighted_y).ravel())
                parts[1].append((f.T @ (area[:, None] * f)).ravel())
                parts[2].append((weighted_y.T @ along_x - weighted_x.T @ along_v).ravel())
        places = (np.concatenate(rows), np.concatenate(columns))
        size = self.shape[0] * self.shape[1]
        return [sparse.csr_matrix((np.concatenate(part), places), shape=(size, size)) for part in parts]

    def side(self, name):
        """Which unknowns are on a side: `inner`, `outer`, `axis` (y = 0) or `diagonal` (y = x)."""
        on = np.zeros(self.shape, bool)
        on[{"inner": (0,), "outer": (-1,), "axis": (slice(None), 0), "diagonal": (slice(None), -1)}[name]] = True
        return on.ravel()

    def modes(self, count_tm, count_te):
        """Cut-offs, which are TE, and the potentials as columns: TEM, TM (0 at the conductors), TE (0 at the planes of symmetry)."""
        sparse_linalg = required("scipy.sparse.linalg")
        stiffness, mass, _ = self.forms()
        conductors = self.side("inner") | self.side("outer")
        tem = self.side("inner").astype(float)
        free = ~conductors
        tem[free] = -sparse_linalg.spsolve(stiffness[free][:, free].tocsc(), (stiffness @ tem)[free])
        cutoffs, potentials, te = [[0.0]], [tem[:, None]], [False]
        for fixed, count, is_te in ((conductors, count_tm, False), (self.side("axis") | self.side("diagonal"), count_te, True)):
            free = ~fixed
            squares, vectors = sparse_linalg.eigsh(stiffness[free][:, free].tocsc(), count, mass[free][:, free].tocsc(), sigma=0)
            order = np.argsort(squares)
            columns = np.zeros((len(free), count))
            columns[free] = vectors[:, order]
            cutoffs.append(np.sqrt(squares[order]))
            potentials.append(columns)
            te += [is_te] * count
        potentials = np.concatenate(potentials, axis=1)
        potentials /= np.sqrt(np.einsum("ij,ij->j", potentials, stiffness @ potentials))
        return np.concatenate(cutoffs), np.array(te), potentials


def legendre_nodes(degree):
    """Gauss-Lobatto points of an element, from -1 to 1."""
    inside = np.polynomial.legendre.Legendre.basis(degree).deriv().roots()
    return np.concatenate([[-1], np.sort(inside.real), [1]])


def lagrange(nodes, points):
    """Values and slopes of the Lagrange polynomials, [points][nodes]."""
    to_nodes = np.linalg.inv(np.polynomial.legendre.legvander(nodes, len(nodes) - 1))
    slopes = np.stack([np.polynomial.legendre.Legendre.basis(i).deriv()(points) for i in range(len(nodes))], axis=1)
    return np.polynomial.legendre.legvander(points, len(nodes) - 1) @ to_nodes, slopes @ to_nodes


def square_step(count, degree=8, levels=4):
    """The square step with `count` TM and as many TE modes in the wide line, half of them in the narrow one."""
    wide, narrow = Eighth(WIDE, degree, levels), Eighth(NARROW, degree, levels)
    (k1, te1, first), (k2, te2, second) = wide.modes(count, count), narrow.modes(count // 2, count // 2)
    stiffness, _, turned = wide.forms(from_u=NARROW)
    second_in_wide = np.zeros((first.shape[0], second.shape[1]))
    second_in_wide[-second.shape[0]:] = second  # the last elements of the wide line are those of the narrow one
    same, mixed = first.T @ (stiffness @ second_in_wide), first.T @ (turned @ second_in_wide)
    # Fields are grad of TEM and TM, z x grad of TE: the product of TE and TM is minus that of TM and TE, transposed.
    overlaps = np.where(te1[:, None] == te2[None, :], same, np.where(te2[None, :], mixed, -mixed))
    return Modes((k1, te1), (k2, te2), overlaps)


STEPS = {"round": (round_step, 800, 400), "square": (square_step, 80, 40)}


def reference(shape):
    """Modes of a step, and how far S is from that of half the modes, at 10 GHz."""
    make, count, fewer = STEPS[shape]
    modes = make(count)
    return modes, abs(modes.scattering(10e9) - make(fewer).scattering(10e9)).max()


def print_step(shape, frequencies):
    modes, change = reference(shape)
    print(f"{shape} step; half the modes change S by {change:.1e} at 10 GHz")
    for f in frequencies:
        (s11, s12), (s21, s22) = modes.scattering(f)
        print(f"  {f / 1e9:5.1f} GHz  S11 {s11:.5f}  S21 {s21:.5f}  S22 {s22:.5f}  |S11|^2 + |S21|^2 - 1 {abs(s11)**2 + abs(s21)**2 - 1:.1e}")


def compare(shape, folders):
    modes, change = reference(shape)
    print(f"{shape} step; half the modes change S by {change:.1e} at 10 GHz; largest differences of |S|, of S, at each frequency in GHz")
    for folder in folders:
        table = np.genfromtxt(folder / "sparameters.csv", delimiter=",", names=True)
        names = table.dtype.names
        f = table[names[0]]
        columns = [table[names[1 + 4 * i]] + 1j * table[names[2 + 4 * i]] for i in range(4)]  # S11, S21, S12, S22
        computed = np.array(columns).reshape(2, 2, -1).transpose(2, 1, 0)
        exact = np.array([modes.scattering(x) for x in f])
        power = np.abs((np.abs(computed) ** 2).sum(axis=1) - 1).max()
        print(f"{folder}: power {power:.1e}, S12 - S21 {abs(computed[:, 0, 1] - computed[:, 1, 0]).max():.1e}")
        for i, frequency in enumerate(f):
            magnitude, whole = np.abs(np.abs(computed[i]) - np.abs(exact[i])), np.abs(computed[i] - exact[i])
            print(f"  {frequency / 1e9:5.1f}  {magnitude.max():.2e}  {whole.max():.2e}  S11 {computed[i, 0, 0]:.5f}, exact {exact[i, 0, 0]:.5f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("shape", nargs="?", choices=sorted(STEPS))
    parser.add_argument("folders", nargs="*", type=pathlib.Path, help="output folders of runs, with sparameters.csv")
    arguments = parser.parse_args()
    if arguments.shape and arguments.folders:
        compare(arguments.shape, arguments.folders)
        return
    for shape in [arguments.shape] if arguments.shape else sorted(STEPS):
        print_step(shape, np.arange(2e9, 10.1e9, 1e9))


if __name__ == "__main__":
    main()
