#!/usr/bin/env python3
"""Writes a box of second-order tetrahedra of which all inside are curved, for the cost of their kernels:

    scripts/bench/bent_box.py 40 bent.msh
    dgtd-bench bent_box.cfg --set mesh.curved=full     # beside mesh.curved=off, the same elements with straight edges

N^3 cubes of edge 1 m, six tetrahedra each; nodes are displaced by waves that vanish on the sides. MSH 2.2, ASCII; volume
`air`, surface `outside`. Beside it a case file with the name of the mesh. No libraries.
"""
import argparse
import math
import pathlib

# Edges of the unit cube along which a tetrahedron of Kuhn's subdivision goes from (0, 0, 0) to (1, 1, 1).
PATHS = ((0, 1, 2), (1, 2, 0), (2, 0, 1), (0, 2, 1), (1, 0, 2), (2, 1, 0))
# Edges of a tetrahedron and of a triangle in Gmsh's order of their middle nodes.
TETRAHEDRON_EDGES = ((0, 1), (1, 2), (0, 2), (0, 3), (2, 3), (1, 3))
TRIANGLE_EDGES = ((0, 1), (1, 2), (0, 2))

CASE = """[solver]
order = 2
precision = single

[mesh]
file = {mesh}
curved = full
cache = off

[material.air]

[boundary.outside]
type = pec

[time]
frequency = 1e8
periods = 1
local_steps = off

[output]
fields = none
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cubes", type=int, metavar="N", help="along each edge")
    parser.add_argument("mesh", type=pathlib.Path)
    options = parser.parse_args()
    n = options.cubes
    width = 2 * n + 1  # nodes along an edge of the box, with the middles

    def number(node):
        return 1 + node[0] + width * (node[1] + width * node[2])

    def place(node):
        x = [i / 2 for i in node]
        # Wavelengths of 2 to 4 cubes, so that the middle of an edge leaves its chord by some per cent of the edge.
        bend = 0.06
        for axis in range(3):
            waves = [math.sin(math.pi * i / (2 * n)) for i in node]
            if min(waves) > 1e-9:
                x[axis] += bend * math.sin(1.7 * node[(axis + 1) % 3] + 0.4 * axis) * math.cos(1.3 * node[axis])
        return x

    def middle(a, b):
        return [(i + j) // 2 for i, j in zip(a, b)]

    def element(tag, kind, group, corners, edges):
        nodes = corners + [middle(corners[i], corners[j]) for i, j in edges]
        return f"{tag} {kind} 2 {group} {group} " + " ".join(str(number(node)) for node in nodes) + "\n"

    with options.mesh.open("w") as file:
        file.write('$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n2\n2 2 "outside"\n3 1 "air"\n$EndPhysicalNames\n')
        file.write(f"$Nodes\n{width ** 3}\n")
        for k in range(width):
            for j in range(width):
                file.writelines("%d %.9g %.9g %.9g\n" % (number((i, j, k)), *place((i, j, k))) for i in range(width))
        file.write(f"$EndNodes\n$Elements\n{6 * n ** 3 + 12 * n ** 2}\n")
        tag = 1
        for cube in ((i, j, k) for k in range(n) for j in range(n) for i in range(n)):
            for path in PATHS:
                corners = [[2 * i for i in cube]]
                for axis in path:
                    corners.append(list(corners[-1]))
                    corners[-1][axis] += 2
                if path[1] != (path[0] + 1) % 3:  # odd: the other orientation
                    corners[1], corners[2] = corners[2], corners[1]
                file.write(element(tag, 11, 1, corners, TETRAHEDRON_EDGES))
                tag += 1
                for face in ((0, 1, 2), (0, 1, 3), (0, 2, 3), (1, 2, 3)):
                    triangle = [corners[i] for i in face]
                    if any(all(node[axis] == side for node in triangle) for axis in range(3) for side in (0, 2 * n)):
                        file.write(element(tag, 9, 2, triangle, TRIANGLE_EDGES))
                        tag += 1
        file.write("$EndElements\n")
    options.mesh.with_suffix(".cfg").write_text(CASE.format(mesh=options.mesh.name))


if __name__ == "__main__":
    main()
