"""Tests of the package dgtd. They need the program (DGTD_PROGRAM, or that of the build tree)."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

import pytest

import dgtd


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """The working directory of a test, with one thread for each run."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    return tmp_path


def cavity(steps=8):
    """48 tetrahedra with a standing wave."""
    case = dgtd.Case.read("cavity")
    case.name = "tiny"
    case["mesh"].cells = [2, 2, 2]
    case["time"].steps = steps
    del case["output"]
    return case


def everything():
    """A box of muscle beside a dipole on a grid, with results of every kind."""
    case = dgtd.Case("everything")
    case["solver"].method = "fdtd3d"
    case["grid"].cells = [20, 20, 20]
    case["grid"].spacing = 5e-3
    case["grid"].pml = 4
    case["boundary.*"].type = "cpml"
    case["material.muscle"].tissue = "Muscle"
    body = case["shape.body"]
    body.type, body.material, body.centre, body.size = "box", "muscle", [0.01, 0, 0], [0.02, 0.02, 0.02]
    feed = case["source.feed"]
    feed.type, feed.position, feed.direction, feed.moment = "dipole", [-0.015, 0, 0], [0, 0, 1], 1e-3
    case["time"].frequency = 1.8e9
    case["time"].periods = 3
    case["dft"].frequencies = [1.8e9]
    case["sar"].mass = 1
    case["probe.ear"].position = [0.01, 0, 0]
    flux = case["flux.out"]
    flux.type, flux.size, flux.frequencies = "box", [0.05, 0.05, 0.05], [1e9, 1.8e9]
    far = case["far_field.all"]
    far.size, far.frequencies, far.theta, far.phi = [0.05, 0.05, 0.05], [1.8e9], 19, 12
    plane = case["monitor.plane"]
    plane.type, plane.size, plane.frequencies = "plane", [0.05, 0.05, 0], [1e9, 1.8e9]
    return case
