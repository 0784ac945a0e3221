#!/usr/bin/env python3
"""Divides a volume group of a mesh by the distance from a surface group, so that elements beside it get an order of their own.

  dgtd-mesh convert HEAD.msh HEAD22.msh --version 2.2
  air_beside_phone.py HEAD22.msh -o DIVIDED.msh [--volume air] [--surface metal] [--within 0.01 0.025 0.05]

Tetrahedra of the volume whose centroid is within the first distance (m) of a node of the surface are in the group air_1, those
within the second in air_2, and so on; others stay. Reads and writes MSH 2.2, binary. Then, for P1 in all air but air_1:

  head_orders.py --mesh DIVIDED.msh --runs P2 P3 air,air_2,air_3:1 \\
                 --set material.air_1.eps_r=1 --set material.air_2.eps_r=1 --set material.air_3.eps_r=1
"""
import argparse
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from python_packages import required

np = required("numpy")
spatial = required("scipy.spatial")
NODES_OF_TYPE = {1: 2, 2: 3, 4: 4, 15: 1}  # Gmsh's line, triangle, tetrahedron, point


class Mesh22:
    """A mesh file of MSH 2.2, binary: names of groups, points (m) by node number, blocks of elements."""

    def __init__(self, data):
        self.head, self.names = data[:data.index(b"$PhysicalNames")], {}
        names, rest = data.split(b"$PhysicalNames", 1)[1].split(b"$EndPhysicalNames", 1)
        for line in names.decode().split("\n")[2:]:
            if line.strip():
                dimension, number, name = line.split(maxsplit=2)
                self.names[name.strip('"\r')] = int(dimension), int(number)
        self.between, self.nodes, self.blocks = rest, {}, []
        at = data.index(b"$Nodes\n") + 7
        end = data.index(b"\n", at)
        count, at = int(data[at:end]), end + 1
        table = np.frombuffer(data, [("number", "<i4"), ("point", "<f8", 3)], count, at)
        self.points = np.zeros((table["number"].max() + 1, 3))
        self.points[table["number"]] = table["point"]
        self.until_elements = data[data.index(b"$EndPhysicalNames") + 17:data.index(b"$Elements\n")]
        at = data.index(b"$Elements\n") + 10
        end = data.index(b"\n", at)
        self.count, at = int(data[at:end]), end + 1
        left = self.count
        while left:  # files may have a header for each element: those that are alike become one block
            kind, number, tags = (int(i) for i in np.frombuffer(data, "<i4", 3, at))
            width = 1 + tags + NODES_OF_TYPE[kind]
            alike = np.frombuffer(data, "<i4", min(left, (len(data) - at) // (4 * (3 + width))) * (3 + width), at)
            alike = alike.reshape(-1, 3 + width)
            other = np.flatnonzero((alike[:, :3] != (kind, 1, tags)).any(axis=1))
            if number == 1:
                rows = alike[:other[0] if len(other) else len(alike), 3:]
                at += 4 * (3 + width) * len(rows)
            else:
                rows = np.frombuffer(data, "<i4", number * width, at + 12).reshape(number, width)
                at += 12 + 4 * rows.size
            self.blocks.append((kind, tags, rows.copy()))
            left -= len(rows)

    def of(self, kind, group):
        """Rows of elements of a type in a group; each block has its own array."""
        return [(tags, rows, rows[:, 1] == group) for of, tags, rows in self.blocks if of == kind]

    def write(self, path):
        with open(path, "wb") as file:
            file.write(self.head + f"$PhysicalNames\n{len(self.names)}\n".encode())
            for name, (dimension, number) in self.names.items():
                file.write(f'{dimension} {number} "{name}"\n'.encode())
            file.write(b"$EndPhysicalNames" + self.until_elements + f"$Elements\n{self.count}\n".encode())
            for kind, tags, rows in self.blocks:
                file.write(np.array([kind, len(rows), tags], "<i4").tobytes() + rows.astype("<i4").tobytes())
            file.write(b"\n$EndElements\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("mesh")
    parser.add_argument("-o", required=True)
    parser.add_argument("--volume", default="air")
    parser.add_argument("--surface", default="metal")
    parser.add_argument("--within", nargs="+", type=float, default=[0.01, 0.025, 0.05], metavar="DISTANCE")
    arguments = parser.parse_args()
    mesh = Mesh22(pathlib.Path(arguments.mesh).read_bytes())
    for name in (arguments.volume, arguments.surface):
        if name not in mesh.names:
            sys.exit(f"{arguments.mesh}: has no group {name}, it has {', '.join(mesh.names)}")
    volume, surface = mesh.names[arguments.volume][1], mesh.names[arguments.surface][1]
    nodes = np.unique(np.concatenate([rows[chosen, 1 + tags:].ravel() for tags, rows, chosen in mesh.of(2, surface)]))
    tree = spatial.cKDTree(mesh.points[nodes])
    free = max(number for dimension, number in mesh.names.values()) + 1
    divided = [(distance, free + k) for k, distance in enumerate(sorted(arguments.within))]
    for k, (_, number) in enumerate(divided):
        mesh.names[f"{arguments.volume}_{k + 1}"] = 3, number
    for tags, rows, chosen in mesh.of(4, volume):
        away = tree.query(mesh.points[rows[chosen, 1 + tags:]].mean(axis=1))[0]
        group = np.full(len(away), volume, "<i4")
        for distance, number in reversed(divided):
            group[away < distance] = number
        rows[chosen, 1] = group
        if tags > 1:
            rows[chosen, 2] = np.where(group == volume, rows[chosen, 2], group)  # an entity has one group
    for name, (dimension, number) in mesh.names.items():
        if dimension == 3:
            print(f"{name}: {sum(int(chosen.sum()) for _, _, chosen in mesh.of(4, number))} tetrahedra")
    mesh.write(arguments.o)


if __name__ == "__main__":
    main()
