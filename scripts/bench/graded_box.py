#!/usr/bin/env python3
"""Writes a box of tetrahedra, thinner and thinner towards its middle along z: a mesh with levels of local time steps
whose share of the elements is given, of any length along x. For weak scaling:

    scripts/bench/graded_box.py 88 88 88 one.msh && scripts/bench/graded_box.py 176 88 88 two.msh

Cubes along x, y, z, six tetrahedra each, MSH 4.1 binary; volume `air`, surface `outside`. No libraries.
"""
import argparse
import struct
import sys
from array import array

# Of the cubes along z, the shares with spacings 1, 1/2, 1/4, 1/8: as in head_m3 at P2.
SHARES = (0.754, 0.140, 0.079, 0.028)
# Edges of the unit cube along which a tetrahedron of Kuhn's subdivision goes from (0, 0, 0) to (1, 1, 1).
PATHS = ((0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0))


def layers(cells):
    """Nodes along z, the spacings symmetric about the middle."""
    counts = [max(1, round(share * cells / 2)) for share in SHARES[1:]]
    outer = cells // 2 - sum(counts)
    half = [1.0] * outer + [2.0 ** -(l + 1) for l, n in enumerate(counts) for _ in range(n)]
    nodes = [0.0]
    for spacing in half + half[::-1]:
        nodes.append(nodes[-1] + spacing)
    return nodes


def section(file, name, *parts):
    file.write(f"${name}\n".encode())
    for part in parts:
        file.write(part if isinstance(part, bytes) else part.tobytes())
    file.write(f"\n$End{name}\n".encode())


def write(path, cells, scale):
    z = layers(cells[2])
    nx, ny, nz = cells[0], cells[1], len(z) - 1
    step = (1, nx + 1, (nx + 1) * (ny + 1))  # from a node to the next one along each axis
    count = (nx + 1) * (ny + 1) * (nz + 1)
    box = [c * scale for c in (nx, ny, z[-1])]
    tags, points = array("Q", range(1, count + 1)), array("d")
    for height in z:
        for j in range(ny + 1):
            points.extend(v for i in range(nx + 1) for v in (i * scale, j * scale, height * scale))
    corners = [[0, step[a], step[a] + step[b], sum(step)] for a, b, _ in PATHS]
    tetrahedra, tag = array("Q"), 1
    for k in range(nz):
        for j in range(ny):
            row = 1 + j * step[1] + k * step[2]
            tetrahedra.extend(v for i in range(nx) for t, c in enumerate(corners)
                              for v in (tag + 6 * i + t, row + i, row + i + c[1], row + i + c[2], row + i + c[3]))
            tag += 6 * nx
    triangles = array("Q")
    for axis in range(3):
        b, c = (axis + 1) % 3, (axis + 2) % 3
        size = (nx, ny, nz)
        for side in (0, size[axis] * step[axis]):
            for j in range(size[c]):
                for i in range(size[b]):
                    at = 1 + side + i * step[b] + j * step[c]
                    for middle in (step[b], step[c]):
                        triangles.extend((tag, at, at + middle, at + step[b] + step[c]))
                        tag += 1
    bounds = struct.pack("<6d", 0, 0, 0, *box)
    faces, volumes = len(triangles) // 4, len(tetrahedra) // 5
    with open(path, "wb") as file:
        section(file, "MeshFormat", b"4.1 1 8\n", struct.pack("<i", 1))
        section(file, "PhysicalNames", b'2\n2 1 "outside"\n3 2 "air"')
        section(file, "Entities", struct.pack("<4Q", 0, 0, 1, 1),
                struct.pack("<i", 1), bounds, struct.pack("<QiQ", 1, 1, 0),
                struct.pack("<i", 1), bounds, struct.pack("<QiQi", 1, 2, 1, 1))
        section(file, "Nodes", struct.pack("<4Q", 1, count, 1, count), struct.pack("<3iQ", 3, 1, 0, count), tags, points)
        section(file, "Elements", struct.pack("<4Q", 2, faces + volumes, 1, faces + volumes),
                struct.pack("<3iQ", 2, 1, 2, faces), triangles, struct.pack("<3iQ", 3, 1, 4, volumes), tetrahedra)
    print(f"{path}: {volumes} tetrahedra, {count} nodes, box {box[0]:g} x {box[1]:g} x {box[2]:g} m")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cells", type=int, nargs=3)
    parser.add_argument("file")
    parser.add_argument("--spacing", type=float, default=0.01, help="of the widest cubes, m")
    arguments = parser.parse_args()
    if min(arguments.cells) < 1 or arguments.cells[2] < 16:
        sys.exit("graded_box.py: at least one cube along each axis, and 16 along z")
    write(arguments.file, arguments.cells, arguments.spacing)


if __name__ == "__main__":
    main()
