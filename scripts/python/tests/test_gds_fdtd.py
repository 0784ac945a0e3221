"""The solver dgtd of gds_fdtd: its contract (what that package's conformance tests ask of each solver), the case
that a device becomes, and the S-matrix of a strip."""
import importlib
import math
import pathlib
import socket

import numpy as np
import pytest

import dgtd
from dgtd import photonic_device
import planar_devices
from planar_devices import specification, strip, technology


@pytest.fixture
def solver_class(monkeypatch):
    registered = planar_devices.install_contract(monkeypatch)
    importlib.import_module("dgtd.gds_fdtd")
    monkeypatch.setattr(socket.socket, "connect", lambda *_: pytest.fail("a connection was opened"))
    return registered["dgtd"]


def case_of(folder, component=None, tech=None, **changed):
    return photonic_device.device_case(component or strip(), tech or technology(), specification(**changed), folder / "layout")


def test_the_solver_keeps_the_contract(solver_class, folder):
    solver = solver_class(strip(), technology=technology(), spec=specification())
    assert solver.capabilities.execution == "local" and solver.capabilities.cost_model == "free"
    assert list(folder.iterdir()) == []  # a constructor writes nothing
    assert solver_class.probe_available() is None
    assert solver.validate() == []
    first, second = solver.build(), solver.build()
    assert first.native == second.native and first.summary == second.summary
    assert first.summary == {"n_ports": 2, "n_modes": 1, "n_simulations": 2}
    assert all(path.is_file() for path in first.files.values())
    estimate = solver.estimate()
    assert estimate.grid_cells > 10000 and 0 < estimate.memory_gb < 4 and estimate.n_simulations == 2
    assert solver.engine_version().startswith("dgtd ")
    assert list(folder.iterdir()) == []


def test_the_package_advertises_the_solver():
    project = (pathlib.Path(dgtd.__file__).parents[1] / "pyproject.toml").read_text()
    assert '[project.entry-points."gds_fdtd.solvers"]\ndgtd = "dgtd.gds_fdtd:DgtdSolver"\n' in project


def test_a_strip_has_the_phase_of_its_mode(solver_class, folder):
    solver = solver_class(strip(), technology=technology(), spec=specification(), workdir="work")
    s = solver.run()
    assert s.port_names == ["opt1", "opt2"] and s.name == "strip"
    assert len(s.f) == 3 and np.all(np.diff(s.f) > 0)
    through = s.sel("opt2", "opt1")
    assert np.all(np.abs(s.sel("opt1", "opt1")) < 3e-3) and np.all(np.abs(np.abs(through) - 1) < 5e-3)
    assert np.all(np.abs(through - s.sel("opt1", "opt2")) < 1e-3)
    # exp(+i omega t): the phase of 0.6 um is -n k L, of the index that the port has at the ends of the band.
    run = dgtd.Results("work/results/excite_opt1")
    index = run.summary.ports.opt1.effective_index
    for at, n in ((0, index.first), (-1, index.last)):
        expected = -n * 2 * math.pi * s.f[at] / 299792458.0 * 0.6e-6
        assert abs(np.angle(through[at] * np.exp(-1j * expected))) < 0.02
    pytest.importorskip("matplotlib").use("Agg")
    figure, _ = solver.plot_fields("z", savefig="fields.png")
    assert (folder / "fields.png").is_file() and "port opt1 sends" in figure.axes[0].get_title()
    with pytest.raises(dgtd.Error, match=r"axis x: is not in spec.field_monitors, \('z',\)"):
        solver.plot_fields("x")


def test_a_device_becomes_a_case(folder):
    case = case_of(folder)
    assert case["domain"].origin == pytest.approx([-0.8e-6, -0.8e-6, -0.5e-6])
    assert case["domain"].size == pytest.approx([1.6e-6, 1.6e-6, 1.22e-6])
    one = case["port.opt1"]
    assert one.type == "mode" and one.direction == [1, 0, 0] and case["port.opt2"].direction == [-1, 0, 0]
    assert one.centre == pytest.approx([-0.55e-6, 0, 0.11e-6]) and one.size == pytest.approx([0, 1.4e-6, 1.1e-6])
    assert one.shift == pytest.approx(0.25e-6)  # the reference plane is at the port, half the buffer ahead
    # Slabs that reach a side of the domain go on through its layer; the other end is theirs.
    slab = case["shape.substrate"]
    assert slab.centre[2] + slab.size[2] / 2 == pytest.approx(0, abs=1e-12) and slab.size[2] > 10e-6
    assert case["material.device_0"].eps_r == pytest.approx(3.476 ** 2)
    assert case["material.substrate"].eps_r == pytest.approx(1.44402 ** 2, rel=1e-5)  # Malitson at 1.55 um
    assert "shape.device_1" not in case  # a layer that the component does not have
    assert "sidewall_angle" not in case["shape.device_0"].keys()
    assert case["sparameters"].excite == "all" and case["time"].end == "decayed"


def test_ports_are_cut_at_the_domain_and_have_the_names_of_their_modes(folder):
    component = strip()
    component.ports[1] = planar_devices.port("opt2", 0, 0.3, 90)
    case = case_of(folder, component, width_ports=1.8, depth_ports=3, modes=(1, 2), boundary=("PML", "Metal", "Periodic"))
    turned = case["port.opt2"]
    assert turned.direction == [0, -1, 0] and turned.modes == [1, 2]
    assert turned.size == pytest.approx([1.6e-6, 0, 1.22e-6]) and turned.centre == pytest.approx([0, 0.55e-6, 0.11e-6])
    assert [case[f"boundary.{side}"].type for side in ("xmin", "ymax", "zmin")] == ["cpml", "pec", "periodic"]
    some = photonic_device.device_case(component, technology(), specification(modes=(1, 2)), folder, ["opt2"])
    assert some["sparameters"].excite == "opt2_1, opt2_2"


def test_a_guide_may_change_from_its_port_on(solver_class, folder):
    # As the device of gds_fdtd's conformance tests: a taper that begins 10 nm behind the port.
    component = strip()
    component.structures[0].polygon = [(-0.3, -0.25), (-0.29, -0.25), (0.3, -0.2), (0.3, 0.2), (-0.29, 0.25), (-0.3, 0.25)]
    component.ports[1].width = 0.4
    solver = solver_class(component, technology=technology(sidewall_angle=85.0), spec=specification())
    assert solver.validate() == []


def test_walls_may_be_oblique(folder):
    case = case_of(folder, tech=technology(sidewall_angle=85.0))
    assert case["shape.device_0"].sidewall_angle == pytest.approx(math.radians(85))
    case.check()
    with pytest.raises(dgtd.Error, match=r"device layer 1/0: sidewall_angle = 85.0 needs z_span > 0"):
        case_of(folder, tech=technology(sidewall_angle=85.0, z_span=-0.22))


@pytest.mark.parametrize("material, index", [({"nk": [2.0, 0]}, 2), ({"tidy3d_db": {"nk": 1.9}}, 1.9), (1.5, 1.5),
                                             ({"tidy3d_db": {"model": ["cSi", "Li1993_293K"]}}, 3.47772),
                                             ({"lum_db": {"model": "Si3N4 (Silicon Nitride) - Luke"}}, 1.99628),
                                             ({"lum_db": {"model": "mine"}}, 2.5)])
def test_media_have_their_index_in_the_middle_of_the_band(material, index):
    assert photonic_device.index_of(material, 1.55, {"mine": 2.5}, "layer").real == pytest.approx(index, rel=1e-5)


def test_a_medium_without_an_index_says_what_to_give():
    with pytest.raises(dgtd.Error) as error:
        photonic_device.index_of({"lum_db": {"model": "InP - Palik"}}, 1.55, {}, "device_0")
    assert str(error.value) == ("device_0: its material (InP - Palik) has no refractive index here; give it nk = n, or the "
                                "solver indices={'InP - Palik': n}")


def test_problems_are_sentences(solver_class, folder):
    component = strip()
    component.ports = []
    solver = solver_class(component, technology=None, spec=specification(symmetry=(0, 0, 1), boundary=("PML", "PML", "Bloch")))
    assert solver.validate() == ["there is no technology: layers and materials are not known", "the component has no ports",
                                 "symmetry = (0, 0, 1): symmetry planes are not available here: 0, 0, 0",
                                 "boundary Bloch: must be PML, Metal or Periodic"]
    with pytest.raises(dgtd.Error, match="cannot build: there is no technology"):
        solver.build()
    component = strip()
    component.ports[0].direction, component.ports[0].height, component.ports[1].name = 45, None, "opt1"
    assert photonic_device.problems_of(component, technology(), specification()) == [
        "port opt1: direction = 45: must be 0, 90, 180 or 270 degrees", "port opt1: is in no structure of a device layer",
        "ports: several have the name opt1"]
    lossy = solver_class(strip(), technology=technology({"nk": [3.5, 0.01]}), spec=specification())
    assert lossy.validate() == ["device_0: its index 3.5+0.01j has losses, which ports of computed modes cannot have"]
    # What the program itself refuses: the strip guides no fifth mode.
    many = solver_class(strip(), technology=technology(), spec=specification(modes=(5,)))
    assert len(many.validate()) == 1 and "mode" in many.validate()[0]


def test_without_its_package_the_error_names_it(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "gds_fdtd.solvers", None)
    monkeypatch.delitem(__import__("sys").modules, "dgtd.gds_fdtd", raising=False)
    with pytest.raises(dgtd.Error, match="the solver dgtd needs gds_fdtd with gds_fdtd.solvers"):
        importlib.import_module("dgtd.gds_fdtd")


def test_the_released_gds_fdtd_0_4(folder):
    core = pytest.importorskip("gds_fdtd.core")
    pytest.importorskip("gds_fdtd.solver")
    legacy = importlib.import_module("dgtd.gds_fdtd_0_4")
    tech = core.technology("planar")
    for name, layers in technology().items():
        if name != "name":
            setattr(tech, name, layers)
    body = core.structure("strip", [[-0.3, -0.25], [0.3, -0.25], [0.3, 0.25], [-0.3, 0.25]], 0, 0.22, None, layer=[1, 0])
    ports = [core.port("opt1", [-0.3, 0, None], 0.5, 180), core.port("opt2", [0.3, 0, None], 0.5, 0)]
    bounds = core.region([[-0.3, -0.3], [0.3, -0.3], [0.3, 0.3], [-0.3, 0.3]], 0.11, 4)
    keys = vars(specification())
    solver = legacy.fdtd_solver_dgtd(core.component("strip", [[body]], ports, bounds), tech, port_input=ports[0],
                                     working_dir=str(folder / "work"), **keys)
    assert solver.case["sparameters"].excite == "opt1" and "cells on 1 rank" in solver.get_resources()
    with pytest.raises(dgtd.Error, match="there are no results: call run"):
        solver.get_results()
    solver.run()
    assert np.abs(np.array(solver.get_results().S(in_port=1, out_port=2).s_mag) - 1).max() < 5e-3
    assert "S-parameters" in solver.get_log()
