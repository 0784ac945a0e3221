#!/usr/bin/env python3
"""Writes cases for the time that ports add to steps of a volume grid (docs/performance.md, "Grids"):

    scripts/bench/port_cases.py OUT && dgtd OUT/box256_1.cfg --steps 4000

boxCELLS_PORTS.cfg   128^3 or 256^3 cells of 1 mm with absorbing layers, and 0 (a dipole), 1, 4 or 16 lumped ports of 4 mm,
                     of which the first one sends
box128_all.cfg, box128_first.cfg   16 ports; a run per port, and of the first one alone
wr90_KIND.cfg        WR-90 of 72 x 32 x 240 cells with a dipole, or two ports of type waveguide or mode, of which one sends
"""
import argparse
import pathlib


def box(cells, ports, extra=""):
    text = f"""[solver]
method = fdtd3d
precision = single
[grid]
cells = {cells} {cells} {cells}
spacing = 1e-3
pml = 10
[time]
end = 1e-8
[output]
fields = none
"""
    if ports == 0:
        text += "[source.dipole]\ntype = dipole\nposition = 0 0 0\ndirection = 0 0 1\nfrequency = 3e9\n"
    for n in range(ports):
        text += f"""[port.p{n}]
type = lumped
centre = {-24 + 16 * (n % 4)} {-24 + 16 * (n // 4)} 0 mm
size = 0 0 4 mm
direction = 0 0 1
impedance = 50
frequency_range = 1e9 5e9 41
"""
        if n == 0 and not extra:
            text += "excite = 1\nfrequency = 3e9\nbandwidth = 2e9\n"
    return text + extra


def guide(kind):
    text = """[parameters]
width = 22.86 mm
height = 10.16 mm
cell = width/72
middle = 120*cell
[solver]
method = fdtd3d
precision = single
[grid]
cells = 72 32 240
spacing = cell height/32 cell
origin = 0 0 0
pml = 10
[boundary.*]
type = pec
[boundary.zmin]
type = cpml
[boundary.zmax]
type = cpml
[time]
end = 1e-8
[output]
fields = none
"""
    if kind == "dipole":
        return text + ("[source.dipole]\ntype = dipole\nposition = width/2 height/2 middle\ndirection = 0 1 0\n"
                       "frequency = 10e9\n")
    for name, z, direction in (("in", "middle-40*cell", 1), ("out", "middle+40*cell", -1)):
        mode = "mode = te 1 0\n" if kind == "waveguide" else ""
        text += (f"[port.{name}]\ntype = {kind}\n{mode}centre = width/2 height/2 {z}\nsize = width height 0\n"
                 f"direction = 0 0 {direction}\n")
    return text + "[sparameters]\nexcite = in\nfrequency_range = 8.2 GHz 12.4 GHz 43\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=pathlib.Path)
    out = parser.parse_args().out
    out.mkdir(parents=True, exist_ok=True)
    for cells in (128, 256):
        for ports in (0, 1, 4, 16):
            (out / f"box{cells}_{ports}.cfg").write_text(box(cells, ports))
    for name, excite in (("all", "all"), ("first", "p0")):
        matrix = f"[sparameters]\nexcite = {excite}\nfrequency_range = 1e9 5e9 41\n"
        (out / f"box128_{name}.cfg").write_text(box(128, 16, matrix))
    for kind in ("dipole", "waveguide", "mode"):
        (out / f"wr90_{kind}.cfg").write_text(guide(kind))


if __name__ == "__main__":
    main()
