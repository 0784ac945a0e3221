#!/usr/bin/env python3
"""Shares that a slab reflects and transmits at angles, against Fresnel: glass, a Drude metal, a Lorentz medium.

  fresnel_slabs.py [--output FOLDER]

A column of tetrahedra between Bloch sides with a wave vector k along x, P3 with 12 cells per wavelength, and a sheet in
place of light from one side. A pulse has many angles, sin(angle) = c k / (2 pi f). Both polarisations; absolute
differences in per cent of the incident power. A run takes half a minute on two cores.
"""
import argparse
import subprocess

import study

numpy = study.dgtd.tables.np

LIGHT = 299792458.0
THICKNESS = 150e-9  # m
CELL = 50e-9  # m
MEDIA = {  # keys of the slab, and its permittivity at an angular frequency
    "glass": ("eps_r = 4", lambda w: 4 + 0 * w),
    "Drude": ("poles = drude 5e15 2e14", lambda w: 1 - 5e15**2 / (w**2 + 2e14j * w)),
    "Lorentz": ("poles = lorentz 4e15 4e15 3e14", lambda w: 1 + 4e15**2 / (4e15**2 - w**2 - 3e14j * w)),
}
# k, rad/m; carrier, bandwidth, the frequencies, Hz; length, s. Waves along the slab are slow: they are left out.
PULSES = [
    (0, 5e14, 2e14, numpy.linspace(4e14, 6e14, 5), 200e-15),
    (5.5e6, 5e14, 2e14, numpy.linspace(4e14, 6e14, 5), 200e-15),
    (9.0752e6, 5.5e14, 0.9e14, numpy.linspace(5e14, 6e14, 5), 300e-15),
]


def exact(f, k, permittivity, electric_along_y):
    """Reflected and transmitted shares of the slab."""
    k0 = 2 * numpy.pi * f / LIGHT
    outside, inside = numpy.sqrt(k0**2 - k**2 + 0j), numpy.sqrt(permittivity * k0**2 - k**2 + 0j)
    a, b = (outside, inside) if electric_along_y else (1 / outside, permittivity / inside)
    r, turn = (a - b) / (a + b), numpy.exp(1j * inside * THICKNESS)
    rest = 1 - r**2 * turn**2
    return abs(r * (1 - turn**2) / rest) ** 2, abs((1 - r**2) * turn / rest) ** 2


def case_text(pulse, slab, electric_along_y):
    k, carrier, bandwidth, frequencies, end = pulse
    sides = "".join(f"[boundary.{side}]\ntype = bloch\nk = {k:g}\n" for side in ("xmin", "xmax"))
    sides += "".join(f"[boundary.{side}]\ntype = periodic\n" for side in ("ymin", "ymax"))
    sides += "".join(f"[boundary.{side}]\ntype = passive\nthickness = 2500e-9\nlayers = 24\n" for side in ("zmin", "zmax"))
    listed = " ".join(f"{f:.9g}" for f in frequencies)
    planes = "".join(f"[flux.{name}]\ntype = plane\ncentre = 0 0 {z}\nsize = 1 1 0\nfrequencies = {listed}\n"
                     for name, z in (("before", -500e-9), ("after", 700e-9)))
    return (f"[solver]\nmethod = dgtd\norder = 3\nprecision = double\n[mesh]\nfile = slab.msh\n{sides}[material.air]\n"
            f"[material.slab]\n{slab}\n[source.sheet]\ntype = sheet\ncentre = 0 0 -1000e-9\nsize = 1 1 0\n"
            f"polarisation = {'0 1 0' if electric_along_y else '1 0 0'}\nwaveform = modulated-gaussian\n"
            f"frequency = {carrier:g}\nbandwidth = {bandwidth:g}\n{planes}[time]\nend = {end:g}\n[output]\nfields = none\n")


def energies(run):
    """Energy through the planes before and behind the slab, at each frequency."""
    tables = [numpy.genfromtxt(run.folder / f"flux_{name}.csv", delimiter=",", names=True) for name in ("before", "after")]
    return [table["outward_energy_J_per_Hz"] for table in tables]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    study.add_arguments(parser)
    arguments = parser.parse_args()
    folder = study.pathlib.Path(arguments.output)
    folder.mkdir(parents=True, exist_ok=True)
    size = f"{CELL:g}"
    subprocess.run([f"{arguments.bin}/dgtd-mesh", "blocks", "--block", "air", "0", "0", "-1500e-9", size, size, "1200e-9", size,
                    "--block", "slab", "0", "0", "0", size, size, f"{THICKNESS:g}", size, "-o", str(folder / "slab.msh")],
                   check=True, stdout=subprocess.DEVNULL)
    runs = {}
    for number, pulse in enumerate(PULSES):
        for along_y in (True, False):
            for name, slab in [("none", "eps_r = 1")] + [(name, keys) for name, (keys, _) in MEDIA.items()]:
                label = f"{name}_{number}_{'s' if along_y else 'p'}"
                case = folder / f"{label}.cfg"
                case.write_text(case_text(pulse, slab, along_y))
                runs[number, along_y, name] = study.Run(label, case, study.common_settings(arguments), folder / label)
    study.run_all(list(runs.values()), arguments)
    for number, pulse in enumerate(PULSES):
        k, frequencies = pulse[0], pulse[3]
        angles = numpy.degrees(numpy.arcsin(k * LIGHT / (2 * numpy.pi * frequencies)))
        for along_y in (True, False):
            before, after = energies(runs[number, along_y, "none"])
            print(f"{'s' if along_y else 'p'}, degrees:", *(f"{a:7.1f}" for a in angles))
            for name, (_, permittivity) in MEDIA.items():
                here, behind = energies(runs[number, along_y, name])
                expected = exact(frequencies, k, permittivity(2 * numpy.pi * frequencies), along_y)
                for what, share, right in (("reflected", 1 - here / before, expected[0]), ("transmitted", behind / after, expected[1])):
                    print(f"  {name:8} {what:11}", *(f"{100 * x:7.3f}" for x in share - right))


if __name__ == "__main__":
    main()
