#!/usr/bin/env python3
"""Writes cases for the speed of passes over volume grids (docs/performance.md, "Grids"):

    scripts/bench/pass_cases.py OUT && dgtd-bench OUT/domain.cfg --precisions single half --kernels fused split

walls.cfg, layers.cfg   512^3 cells between electric walls, with absorbing layers of 10 cells on all sides; a dipole
slab_walls.cfg, slab_layers.cfg   the same of 992 x 996 x 108 cells
wide.cfg                1000 x 1000 x 400 cells with layers
media.cfg               512^3 cells between walls, 16 lossy media in slabs of 32 planes: a class per cell
domain.cfg              the fifth paper's domain: 992 x 996 x 108 cells, adiabatic sides, CPML on z, a free-form design of
                        silicon in glass in 14 planes, a sheet that a wave leaves
deep.cfg                a quarter of it with a design in all planes
"""
import argparse
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from python_packages import required

np = required("numpy")

SILICON, GLASS = 12.1104, 2.085136


def design(shape, seed=1):
    """Permittivities of a smooth random design that is silicon or glass but for its edges; float32, x, y, z."""
    random = np.random.default_rng(seed)
    coarse = random.standard_normal([n // 16 + 2 for n in shape[:2]])
    x, y = (np.linspace(0, c - 1.001, n) for c, n in zip(coarse.shape, shape))
    i, j = x.astype(int), y.astype(int)
    u, v = (x - i)[:, None], (y - j)[None, :]
    smooth = ((1 - u) * (1 - v) * coarse[np.ix_(i, j)] + u * (1 - v) * coarse[np.ix_(i + 1, j)]
              + (1 - u) * v * coarse[np.ix_(i, j + 1)] + u * v * coarse[np.ix_(i + 1, j + 1)])
    plane = GLASS + (SILICON - GLASS) / (1 + np.exp(-12 * smooth))
    return np.repeat(plane[:, :, None], shape[2], axis=2).astype(np.float32)


def grid(cells, sides, spacing=1e-3):
    layers = "" if sides == "pec" else "pml = 10\n"
    boundary = "[boundary.*]\ntype = pec\n" if sides == "pec" else ""
    return f"""[solver]
method = fdtd3d
[grid]
cells = {cells[0]} {cells[1]} {cells[2]}
spacing = {spacing}
{layers}[time]
end = 1e-8
{boundary}[source.dipole]
type = dipole
position = 0 0 0
direction = 0 0 1
frequency = 1e9
[output]
fields = none
"""


def slabs(cells, count, spacing=1e-3):
    """Slabs of so many lossy media above each other."""
    height = cells[2] * spacing / count
    text = ""
    for n in range(count):
        text += f"""[material.m{n}]
eps_r = {2 + n}
sigma = {0.1 * (n + 1)}
[shape.s{n}]
type = box
material = m{n}
centre = 0 0 {(n + 0.5) * height - 0.5 * cells[2] * spacing}
size = {cells[0] * spacing} {cells[1] * spacing} {height}
"""
    return text


def domain(cells, planes, file):
    spacing = 40e-9
    return f"""[solver]
method = fdtd3d
[grid]
cells = {cells[0]} {cells[1]} {cells[2]}
spacing = {spacing}
pml = 10
background = glass
[material.glass]
eps_r = {GLASS}
[permittivity.design]
file = {file}
centre = 0 0 0
[boundary.*]
type = adiabatic
length = 1.6e-6
[boundary.zmin]
type = cpml
[boundary.zmax]
type = cpml
[time]
end = 1e-12
[source.wave]
type = sheet
centre = 0 0 {12 * spacing}
size = {128 * spacing} {128 * spacing} 0
direction = 0 0 -1
polarisation = 1 0 0
waveform = modulated-gaussian
frequency = 193.4e12
bandwidth = 16e12
[output]
fields = none
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=pathlib.Path)
    out = parser.parse_args().out
    out.mkdir(parents=True, exist_ok=True)
    for name, cells, sides in (("walls", (512, 512, 512), "pec"), ("layers", (512, 512, 512), "cpml"),
                               ("slab_walls", (992, 996, 108), "pec"), ("slab_layers", (992, 996, 108), "cpml"),
                               ("wide", (1000, 1000, 400), "cpml")):
        (out / f"{name}.cfg").write_text(grid(cells, sides))
    (out / "media.cfg").write_text(grid((512, 512, 512), "pec") + slabs((512, 512, 512), 16))
    for name, cells, planes in (("domain", (992, 996, 108), 14), ("deep", (496, 498, 108), 108)):
        np.save(out / f"{name}.npy", design((cells[0], cells[1], planes)))
        (out / f"{name}.cfg").write_text(domain(cells, planes, f"{name}.npy"))


if __name__ == "__main__":
    main()
