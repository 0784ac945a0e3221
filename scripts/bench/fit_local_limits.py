#!/usr/bin/env python3
"""Constants of the local bound on the time step (src/dg/time_levels.cpp), for the orders 1 to 6.

Of an element e let B be its rows of the operator C in E' = C H (curl with centered fluxes, masses one, eps = mu = 1).
Its exact local limit is t_e = 2 / sqrt(lambda_e), lambda_e = largest eigenvalue of B B^T, the diagonal block of C C^T.
The fit is

    lambda_e = c1 g + c2 sum_f A_f^2 / (V_e V_f),    g = largest eigenvalue of sum_k grad l_k grad l_k^T,

by least squares of the relative error over elements of a mesh that are chosen at random.

usage: fit_local_limits.py meshes/generated/head_phone_m0.msh [ORDER...]
"""
import pathlib
import sys
from itertools import product
from math import comb

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from python_packages import required

np = required("numpy")


def exponents(p):
    return [a for a in product(range(p + 1), repeat=4) if sum(a) == p]


def mean_of_product(a, b, corners):
    """Mean of the Bernstein polynomials B_a B_b (of any degrees) over a simplex of that many corners."""
    n, m, d = sum(a), sum(b), corners - 1
    return np.prod([comb(i + j, i) for i, j in zip(a, b)], dtype=float) / comb(n + m, n) / comb(n + m + d, d)


class Element:
    """Reference matrices in a basis that is orthonormal in the mean over the element (volume 1)."""

    def __init__(self, p):
        basis = exponents(p)
        mass = np.array([[mean_of_product(a, b, 4) for b in basis] for a in basis])
        self.to_basis = np.linalg.inv(np.linalg.cholesky(mass))  # rows: functions
        lower = exponents(p - 1)
        mixed = np.array([[mean_of_product(a, c, 4) for c in lower] for a in basis])
        place = {c: i for i, c in enumerate(lower)}
        self.derivative = []  # [4] mean of psi_i d psi_j / d l_k
        for k in range(4):
            d = np.zeros((len(lower), len(basis)))
            for j, a in enumerate(basis):
                if a[k] > 0:
                    d[place[tuple(n - (m == k) for m, n in enumerate(a))], j] = p
            self.derivative.append(self.to_basis @ mixed @ d @ self.to_basis.T)
        self.face, self.coupling = [], []  # [4] mean of psi_i psi_j over the face; the same through a neighbour
        for f in range(4):
            on_face = [i for i, a in enumerate(basis) if a[f] == 0]
            of = [tuple(basis[i][m] for m in range(4) if m != f) for i in on_face]
            face_mass = np.array([[mean_of_product(a, b, 3) for b in of] for a in of])
            trace = np.linalg.cholesky(face_mass).T @ self.to_basis[:, on_face].T  # orthonormal on the face
            self.face.append(trace.T @ trace)
            # The neighbour's trace has the same trace @ trace.T, as an operator on polynomials on the face.
            self.coupling.append(trace.T @ (trace @ trace.T) @ trace)


def cross_matrix(v):
    return np.array([[0, -v[2], v[1]], [v[2], 0, -v[0]], [-v[1], v[0], 0]])


def terms(element, x, neighbour_volumes):
    """lambda_e, g and sum_f A_f^2 / (V_e V_f) of the tetrahedron with vertices x, [4][3] m."""
    jacobian = x[1:] - x[0]
    volume = abs(np.linalg.det(jacobian)) / 6
    gradients = np.linalg.inv(jacobian).T
    gradients = np.vstack([-gradients.sum(axis=0), gradients])
    rows = sum(np.kron(cross_matrix(gradients[k]), element.derivative[k]) for k in range(4))
    block, face_sum = np.zeros_like(rows), 0.0
    for f in range(4):
        size = np.linalg.norm(gradients[f])
        normal, area = -gradients[f] / size, 3 * volume * size
        rows = rows - 0.5 * area / volume * np.kron(cross_matrix(normal), element.face[f])
        ratio = area**2 / (volume * neighbour_volumes[f])
        block += 0.25 * ratio * np.kron(np.eye(3) - np.outer(normal, normal), element.coupling[f])
        face_sum += ratio
    return (np.linalg.eigvalsh(rows @ rows.T + block)[-1], np.linalg.eigvalsh(gradients.T @ gradients)[-1], face_sum)


def read_msh(file):
    """Vertices [vertices][3] and tetrahedra [elements][4] of a binary file in MSH 4.1."""
    data = open(file, "rb").read()
    at = 0

    def take(kind, count):
        nonlocal at
        values = np.frombuffer(data, kind, int(count), at)
        at += values.nbytes
        return values

    at = data.index(b"$Nodes\n") + 7
    tags, places = [], []
    for _ in range(int(take("u8", 4)[0])):
        take("i4", 3)
        count = take("u8", 1)[0]
        tags.append(take("u8", count).astype(int))
        places.append(take("f8", 3 * count).reshape(-1, 3))
    vertices = np.zeros((max(t.max() for t in tags if len(t)) + 1, 3))
    vertices[np.concatenate(tags)] = np.concatenate(places)
    at = data.index(b"$Elements\n") + 10
    tetrahedra = []
    for _ in range(int(take("u8", 4)[0])):
        kind, count = take("i4", 3)[2], take("u8", 1)[0]
        corners = {15: 1, 1: 2, 2: 3, 4: 4}[int(kind)]
        entries = take("u8", (corners + 1) * count).reshape(-1, corners + 1).astype(int)
        if corners == 4:
            tetrahedra.append(entries[:, 1:])
    return vertices, np.concatenate(tetrahedra)


def neighbours_of(tetrahedra):
    """[elements][4] element behind face f (opposite vertex f), -1 at the boundary."""
    elements = len(tetrahedra)
    faces = np.sort(np.vstack([np.delete(tetrahedra, f, axis=1) for f in range(4)]), axis=1)
    order = np.lexsort(faces.T)
    equal = (faces[order[1:]] == faces[order[:-1]]).all(axis=1)
    one, other = order[:-1][equal], order[1:][equal]  # face number times elements + element
    behind = np.full(4 * elements, -1)
    behind[one], behind[other] = other % elements, one % elements
    return behind.reshape(4, elements).T


def main():
    vertices, tetrahedra = read_msh(sys.argv[1])
    behind = neighbours_of(tetrahedra)
    corners = vertices[tetrahedra]
    volumes = abs(np.linalg.det(corners[:, 1:] - corners[:, :1])) / 6
    inner = np.flatnonzero((behind >= 0).all(axis=1))
    for p in [int(a) for a in sys.argv[2:]] or range(1, 7):
        chosen = np.random.default_rng(3).choice(inner, min(len(inner), max(200, 2000 // p**2)), replace=False)
        element = Element(p)
        exact, g, faces = np.array([terms(element, corners[e], volumes[behind[e]]) for e in chosen]).T
        c, *_ = np.linalg.lstsq(np.column_stack([g, faces]) / exact[:, None], np.ones(len(exact)), rcond=None)
        error = np.sqrt(exact / (c[0] * g + c[1] * faces)) - 1
        print(f"P{p}: c1 = {c[0]:.4g}, c2 = {c[1]:.4g}; limits off by {100 * error.min():+.0f} to {100 * error.max():+.0f} %")


if __name__ == "__main__":
    main()
