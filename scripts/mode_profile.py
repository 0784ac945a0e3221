#!/usr/bin/python3
"""Computes a mode of a waveguide on the grid of a case, as the profile of a sheet (docs/case-file.md, NumPy profiles).

The cross-section is a window of cells between metal walls with a rectangular core in a cladding. The full-vector
equations are those of Yee's scheme itself for fields exp(i (beta n - w t)) along the normal n (Zhu, Brown, Opt.
Express 10 (2002) 853), with the differences in n and in time of the grid, so that a mode leaves the sheet to one side
to rounding where the window is wide enough. For k = 2 sin(w dt / 2) / (c dt), B = 2 sin(beta dn / 2) / dn and u, v, n
right-handed:

  B^2 E_u = k^2 eps_u E_u + d'v (dv E_u - du E_v) + du D,     D = (d'u eps_u E_u + d'v eps_v E_v) / eps_n
  B^2 E_v = k^2 eps_v E_v + d'u (du E_v - dv E_u) + dv D,
  H_u = (dv D / B - B E_v) / k,   H_v = (B E_u - du D / B) / k,

d forward and d' backward differences, H times the impedance of vacuum.

Example: the fundamental mode of a strip of silicon in glass, 480 x 220 nm, that leaves along +x through a window of
1.76 x 1.54 um, with cells of 40 x 40 x 44 nm:

  scripts/mode_profile.py --direction +x --cells 40e-9 40e-9 44e-9 --window 44 35 --core 480e-9 220e-9 \\
      --index 3.48 1.444 --wavelength 1.55e-6 --out strip.npy
"""
import argparse

from python_packages import required

np, sparse, linalg = required("numpy"), required("scipy.sparse"), required("scipy.sparse.linalg")

C0 = 299792458.0
Z0 = 4e-7 * np.pi * C0 * (1 + 5.5e-10)  # vacuum_impedance of dgtd: mu0 c


def shares(cells, d, width, on_nodes):
    """Part of each component's extent inside the core, which is centred on the window: [cells].

    on_nodes: the component is at nodes i, with an extent from i - 1/2 to i + 1/2; else from i to i + 1.
    """
    at = np.arange(cells) + (0.0 if on_nodes else 0.5)
    low, high = (at - 0.5) * d, (at + 0.5) * d
    middle = 0.5 * cells * d
    inside = np.minimum(high, middle + 0.5 * width) - np.maximum(low, middle - 0.5 * width)
    return np.clip(inside / d, 0, 1)


def permittivity(p, on_nodes):
    """[u][v] of components at nodes or centres along u and v; edges of the core are on nodes, as means of areas."""
    share = np.outer(shares(p.window[0], p.d[0], p.core[0], on_nodes[0]),
                     shares(p.window[1], p.d[1], p.core[1], on_nodes[1]))
    core, cladding = p.index[0] ** 2, p.index[1] ** 2
    return (cladding + (core - cladding) * share).ravel()


def solve(p):
    """effective index, B / k and fields [E_u, E_v, H_u, H_v][u][v] of the wanted mode."""
    nu, nv = p.window
    def forward(n, d):
        return sparse.diags([-np.ones(n), np.ones(n - 1)], [0, 1]) / d
    unit_u, unit_v = sparse.identity(nu), sparse.identity(nv)
    du, dv = sparse.kron(forward(nu, p.d[0]), unit_v), sparse.kron(unit_u, forward(nv, p.d[1]))
    # Along a lower wall E is zero at node 0, whose value is not one of the unknowns.
    free_u = np.repeat((np.arange(nu) > 0).astype(float), nv)  # at nodes along u
    free_v = np.tile((np.arange(nv) > 0).astype(float), nu)
    back_u, back_v = -du.T, -dv.T
    diag = sparse.diags
    eps_u = diag(permittivity(p, (False, True)))
    eps_v = diag(permittivity(p, (True, False)))
    eps_n = permittivity(p, (True, True))
    inverse_n = diag(free_u * free_v / eps_n)
    k = 2 / (C0 * p.dt) * np.sin(np.pi * C0 / p.wavelength * p.dt)
    d_u, d_v = inverse_n @ back_u @ eps_u, inverse_n @ back_v @ eps_v  # D of E_u and of E_v
    only_u, only_v = diag(free_v), diag(free_u)  # E_u is at nodes along v, E_v at nodes along u
    m = sparse.bmat([
        [only_u @ (k * k * eps_u + back_v @ dv + du @ d_u) @ only_u, only_u @ (du @ d_v - back_v @ du) @ only_v],
        [only_v @ (dv @ d_u - back_u @ dv) @ only_u, only_v @ (k * k * eps_v + back_u @ du + dv @ d_v) @ only_v]])
    largest = (k * p.index[0]) ** 2
    values, vectors = linalg.eigs(m.tocsc(), k=p.mode + 4, sigma=largest)
    order = np.argsort(-values.real)
    b = np.sqrt(values[order[p.mode]].real)
    field = vectors[:, order[p.mode]]
    field = np.real(field * np.exp(-1j * np.angle(field[np.argmax(abs(field))])))
    n = nu * nv
    e_u, e_v = field[:n], field[n:]
    big_d = d_u @ e_u + d_v @ e_v
    h_u = ((dv @ big_d) / b - b * e_v) / k
    h_v = (b * e_u - (du @ big_d) / b) / k
    fields = np.array([e_u, e_v, h_u / Z0, h_v / Z0]).reshape(4, nu, nv)
    beta = 2 / p.dn * np.arcsin(0.5 * p.dn * b)
    return beta * p.wavelength / (2 * np.pi), fields


def power(fields, d):
    """W, along u x v, of peak phasors."""
    e_u, e_v, h_u, h_v = fields
    return 0.5 * np.sum(e_u * np.conj(h_v) - e_v * np.conj(h_u)).real * d[0] * d[1]


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("--direction", required=True, choices=[s + a for a in "xyz" for s in "+-"], help="in which the mode leaves")
    add("--cells", type=float, nargs=3, required=True, metavar="M", help="cells of the case's grid along x, y, z, m")
    add("--window", type=int, nargs=2, required=True, metavar="N", help="cells of the sheet along its axes u, v")
    add("--core", type=float, nargs=2, required=True, metavar="M", help="size of the core along u, v, m")
    add("--index", type=float, nargs=2, required=True, help="indices of core and cladding")
    add("--wavelength", type=float, required=True, help="in vacuum, m")
    add("--time-step", type=float, help="of the run, s; else cfl_fraction 0.95 and the cladding as least index")
    add("--mode", type=int, default=0, help="0: the one of largest effective index")
    add("--out", required=True, help="file: shape 4 x u x v, E along u and v (V/m), H along u and v (A/m); 1 W")
    return parser.parse_args()


def main():
    p = arguments()
    normal = "xyz".index(p.direction[1])
    axes = [a for a in range(3) if a != normal]
    p.d, p.dn = [p.cells[a] for a in axes], p.cells[normal]
    limit = min(p.index) / (C0 * np.sqrt(sum(1 / s**2 for s in p.cells)))
    p.dt = p.time_step or 0.95 * limit
    effective_index, fields = solve(p)
    # u x v is -y for the axes x, z; a mode that leaves the other way has the other sign of H.
    sign = (-1 if normal == 1 else 1) * (1 if p.direction[0] == "+" else -1)
    fields /= np.sqrt(power(fields, p.d))
    fields[2:] *= sign
    np.save(p.out, fields.astype(np.complex64))
    print(f"effective_index = {effective_index:.8g}")


if __name__ == "__main__":
    main()
