"""Touchstone files that the program writes, read by scikit-rf, against sparameters.csv: order of the matrix, frequencies
and impedances. Skipped without scikit-rf."""
import numpy as np
import pytest

import dgtd
from dgtd.tables import Table

skrf = pytest.importorskip("skrf", reason="there is no scikit-rf (pip install scikit-rf)")

LINE = """[solver]
method = fdtd3d
precision = double
[grid]
cells = {cells}
spacing = 1e-3
origin = 0 0 0
[boundary.*]
type = pmc
[boundary.ymin]
type = pec
[boundary.ymax]
type = pec
[time]
end = decayed
decay = -100
[sparameters]
excite = {excite}
frequency_range = 0.4e9 5e9 7
[output]
fields = none
directory = out
"""

PORT = """[port.{name}]
type = lumped
centre = {centre}
size = {size}
direction = 0 1 0
impedance = {impedance}
"""

# A hollow guide between plates; its waves refer to an impedance of its own, which the file does not have.
GUIDE = """[solver]
method = fdtd3d
precision = double
[grid]
cells = 18 2 60
spacing = 1.27e-3 5.08e-3 1.27e-3
origin = 0 0 0
pml = 12
[boundary.*]
type = pec
[boundary.zmin]
type = cpml
[boundary.zmax]
type = cpml
[material.glass]
eps_r = 2.5
[shape.slab]
type = box
material = glass
centre = 11.43e-3 5.08e-3 38.1e-3
size = 30e-3 20e-3 10.16e-3
[port.left]
type = waveguide
mode = te 1 0
centre = 11.43e-3 5.08e-3 25.4e-3
size = 22.86e-3 10.16e-3 0
direction = 0 0 1
[port.right]
type = waveguide
mode = te 1 0
centre = 11.43e-3 5.08e-3 50.8e-3
size = 22.86e-3 10.16e-3 0
direction = 0 0 -1
[time]
end = decayed
decay = -50
[sparameters]
excite = all
frequency_range = 9e9 11e9 5
[output]
fields = none
directory = out
"""


def port(name, impedance, centre, size):
    return PORT.format(name=name, impedance=impedance, centre=centre, size=size)


def line(excite, left, right):
    return (LINE.format(cells="2 2 12", excite=excite) + port("left", left, "1e-3 1e-3 0", "2e-3 2e-3 0")
            + port("right", right, "1e-3 1e-3 12e-3", "2e-3 2e-3 0"))


def plates():
    """Between two plates of 5 x 6 mm, with a port in each of the four sides; they share no edge of a cell."""
    return (LINE.format(cells="5 2 6", excite="all") + port("west", 50, "0 1e-3 3e-3", "0 2e-3 4e-3")
            + port("east", 75, "5e-3 1e-3 3e-3", "0 2e-3 4e-3") + port("south", 120, "2.5e-3 1e-3 0", "3e-3 2e-3 0")
            + port("north", 300, "2.5e-3 1e-3 6e-3", "3e-3 2e-3 0"))


def results_of(folder, name, text):
    file = folder / f"{name}.cfg"
    file.write_text(text)
    return dgtd.Case.read(file).run(output=folder / "out").results


def matrix_of(results, ports):
    """Of sparameters.csv: frequencies, Hz, and S [frequencies][out][in]."""
    table = Table.read(results.directory / "sparameters.csv")
    s = np.array([[table[f"S_{out}_{into}_real"] + 1j * table[f"S_{out}_{into}_imag"] for into in ports] for out in ports])
    return np.asarray(table["frequency_Hz"]), np.moveaxis(s, 2, 0)


def compare(results, ports, impedances, kind):
    """Both at the ports' impedances; scikit-rf renormalises to them what the file has at one."""
    network = results.network()
    frequencies, s = matrix_of(results, ports)
    assert network.nports == len(ports) and network.s.shape == s.shape
    assert network.f.tolist() == frequencies.tolist()
    assert np.all(network.z0 == impedances[0])
    assert network.port_names == [f"{name}, impedance {z} ohm" for name, z in zip(ports, impedances)]
    different = len(set(impedances)) > 1
    assert (np.abs(network.s - s).max() > 1e-3) == different
    network.renormalize(impedances)
    largest = float(np.abs(network.s - s).max())
    print(f"{kind}: {len(ports)} ports, {len(frequencies)} frequencies, largest difference of S {largest:.1e}")
    assert largest < 1e-12


@pytest.mark.parametrize("kind, excite, left, right, ports, impedances", [
    ("one port", "left", 75, 200, ["left"], [75]),
    ("two ports of one impedance", "all", 100, 100, ["left", "right"], [100, 100]),
    ("two ports", "all", 100, 200, ["left", "right"], [100, 200]),
])
def test_lines(tmp_path, kind, excite, left, right, ports, impedances):
    compare(results_of(tmp_path, "line", line(excite, left, right)), ports, impedances, kind)


# Four ports are the first case with rows of the matrix on lines of their own. All impedances and lengths differ, so
# that no two elements of S but those of reciprocity are equal.
def test_four_ports(tmp_path):
    results = results_of(tmp_path, "plates", plates())
    ports = ["west", "east", "south", "north"]
    s = matrix_of(results, ports)[1]
    sizes = np.abs(s[-1][np.triu_indices(4)])
    assert np.min(np.abs(sizes[:, None] - sizes[None, :]) + np.eye(len(sizes))) > 1e-4
    compare(results, ports, [50, 75, 120, 300], "plates")


# The guide's waves are taken as they are: the file says 50 ohm, and a comment that they refer to the guide.
def test_waveguides(tmp_path):
    results = results_of(tmp_path, "guide", GUIDE)
    network = results.network()
    frequencies, s = matrix_of(results, ["left", "right"])
    assert network.f.tolist() == frequencies.tolist() and np.all(network.z0 == 50)
    assert np.abs(network.s - s).max() < 1e-14
    assert network.port_names == [f"{name}, a waveguide, whose waves refer to its own wave impedance"
                                  for name in ("left", "right")]
