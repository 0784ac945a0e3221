"""One case by two methods: what both agree on, what is extrapolated, what is refused."""
import csv
import json
import pathlib
import re
import subprocess
import sys

import numpy as np
import pytest

import dgtd
from dgtd import charts, comparison

COMMAND = pathlib.Path(__file__).resolve().parents[2] / "compare.py"


def cube():
    """A lossy cube beside a dipole: some hundred elements, some thousand cells."""
    case = dgtd.Case("cube")
    case["solver"].order = 1
    case["domain"].margin = 0.1
    case["mesh"].per_wavelength, case["mesh"].ratio = 5, 1.5
    case["grid"].per_wavelength = 10
    case["material.lossy"].eps_r, case["material.lossy"].sigma = 2, 0.1
    body = case["shape.body"]
    body.type, body.material, body.size = "box", "lossy", [0.1, 0.1, 0.1]
    case["boundary.*"].type = "cpml"
    case["boundary.*"].thickness = 0.2
    feed = case["source.feed"]
    feed.type, feed.position, feed.direction, feed.moment = "dipole", [0.1, 0, 0], [0, 0, 1], 1e-3
    feed.waveform, feed.frequency = "ramped-sine", 5e8
    case["time"].frequency, case["time"].periods, case["time"].local_steps = 5e8, 6, "off"
    flux = case["flux.out"]
    flux.type, flux.centre, flux.size, flux.frequencies = "box", [0.025, 0, 0], [0.2, 0.15, 0.15], [4e8, 5e8, 6e8]
    case["output"].fields = "none"
    case["output"].report_pictures = False
    return case


@pytest.fixture(scope="module")
def compared(tmp_path_factory):
    folder = tmp_path_factory.mktemp("compare") / "out"
    found = dgtd.compare(cube(), (1, 2), output=folder, exact={"power.absorbed_share": 0.2})
    found.write()
    return found


def quantity(compared, name):
    return next(q for q in compared.quantities if q.name == name)


def test_both_methods_agree(compared):
    # Edges of a tenth of a wavelength (P1), cells of a twentieth; E x H of P1 has besides the jumps between elements.
    for name, bound in (("power.source_W", 0.1), ("power.absorbed_W", 0.1), ("flux_out.outward_energy_J_per_Hz", 0.3)):
        assert abs(quantity(compared, name).difference()) < bound, name
    runs = [comparison.run_figures(run) for side in compared.sides.values() for run in side.runs]
    assert [run["keys"].get("mesh.per_wavelength", run["keys"].get("grid.per_wavelength")) for run in runs] == [5, 10, 10, 20]
    assert runs[0]["elements"] < runs[1]["elements"] and runs[2]["elements"] < runs[3]["elements"]
    assert all(run["seconds"] > 0 for run in runs)


def test_values_are_those_of_the_runs(compared):
    absorbed = quantity(compared, "power.absorbed_W")
    for method, side in compared.sides.items():
        coarse, fine = (results.summary.power.absorbed_W for results in side.results)
        assert (absorbed.coarse[method], absorbed.fine[method]) == (coarse, fine)
        assert side.order == {"dgtd": 1, "fdtd3d": 2}[method]
        expected = fine + (fine - coarse) / (side.refinement**side.order - 1)
        assert absorbed.extrapolated[method] == pytest.approx(expected, rel=1e-12)
        for run, results in zip(side.runs, side.results):  # layers do not count
            assert comparison.elements_of(run) < comparison.run_figures(run)["elements"] / 2
    # Cells inside of the layers: a cube of 0.3 m with twice as many cells per length.
    assert compared.sides["fdtd3d"].refinement == pytest.approx(2, abs=0.3)


def test_page_and_tables(compared):
    page = (compared.directory / "compare.html").read_text()
    assert "The difference of two independent methods is an error bar." in page
    assert "--k0:" in page and page.count("<svg") == 2 * sum(q.frequencies is not None for q in compared.quantities) > 0
    assert all(link.startswith(("dgtd-", "fdtd3d-")) and (compared.directory / link).is_file()
               for link in re.findall('href="([^"]*)"', page)) and "http" not in page
    summary = json.loads((compared.directory / "compare.json").read_text())
    share = next(q for q in summary["quantities"] if q["name"] == "power.absorbed_share")
    assert share["exact"] == 0.2 and share["difference"] == quantity(compared, "power.absorbed_share").difference()
    rows = list(csv.DictReader((compared.directory / "compare.csv").open()))
    fluxes = [row for row in rows if row["quantity"] == "flux_out.outward_energy_J_per_Hz"]
    assert [float(row["frequency_Hz"]) for row in fluxes] == [4e8, 5e8, 6e8]
    assert [float(row["fdtd3d_fine"]) for row in fluxes] == list(
        compared.sides["fdtd3d"].results[1].flux["out"].outward_energy_J_per_Hz)


def test_runs_that_are_done_are_not_repeated(compared):
    before = {run.directory: (run.directory / "summary.json").stat().st_mtime_ns
              for side in compared.sides.values() for run in side.runs}
    again = dgtd.compare(cube(), (1, 2), output=compared.directory)
    assert {folder: (folder / "summary.json").stat().st_mtime_ns for folder in before} == before
    assert quantity(again, "power.source_W").fine == quantity(compared, "power.source_W").fine
    with pytest.raises(dgtd.Error, match="exact value of power.x: there is no such number; there are power.source_W, "):
        dgtd.compare(cube(), (1, 2), output=compared.directory, exact={"power.x": 1})


def test_extrapolation_of_a_known_law():
    side = comparison.Side("fdtd3d", [], order=2, refinement=1.5)
    assert side.extrapolate(3 + 0.04, 3 + 0.04 / 2.25) == pytest.approx(3, rel=1e-14)  # f = 3 + h^2 with h = 0.2
    side.obstacle = "too near"
    assert side.extrapolate(3.04, 3.02) is None
    q = comparison.Quantity("a_W", "a", "W", None, {}, {"dgtd": 1.0, "fdtd3d": 1.01}, {"dgtd": 1.0, "fdtd3d": 1.02})
    assert "differ more than those of the finer runs" in comparison._remark(q)
    q.extrapolated = {"dgtd": 1.0, "fdtd3d": 1.2}
    assert comparison._remark(q) == "fdtd3d's correction is 19 % of the value: its resolutions are too coarse for it"
    q.extrapolated = {"dgtd": 1.003, "fdtd3d": 1.004}
    assert comparison._remark(q) == "" and q.difference() == pytest.approx(0.01 / 1.005)


def test_resolutions_that_are_too_near_are_not_extrapolated(folder):
    case = cube()
    case["mesh"].finest = case["grid"].finest = 0.08  # coarser than either resolution asks for
    case["mesh"].per_wavelength = 20
    changes = comparison._changes(case, "dgtd", 1.5)
    assert changes["mesh.finest"] == pytest.approx(0.08 / 1.5)
    case["grid"].per_wavelength = None
    case["grid"].spacing = 0.03
    assert comparison._changes(case, "fdtd3d", 1.5)["grid.spacing"] == pytest.approx(0.02)


@pytest.mark.parametrize("change, message", [
    ({"solver.order": 9}, r"method dgtd refuses the case: out/compare_cube/.*/cube.cfg:\d+: solver.order = 9: must be an integer from 1 to 6"),
    ({"solver.precision": "half"}, r"method dgtd refuses the case: out/compare_cube/.*/cube.cfg:\d+: solver.precision = half"),
    ({"domain.shape": "sphere"}, r"method fdtd3d refuses the case: out/compare_cube/.*/cube.cfg:\d+: domain.shape"),
    ({"grid.cells": [9, 9, 9]}, "cube: grid.cells is one resolution; leave it out"),
    ({"mesh.file": "a.msh"}, "cube: mesh.file is one resolution; leave it out")])
def test_a_case_that_a_method_refuses(folder, change, message):
    case = cube()
    for key, value in change.items():
        case.set(key, value)
    with pytest.raises(dgtd.Error, match=message) as error:
        dgtd.compare(case)
    assert error.value.exit_code == 2 and "\n" not in str(error.value)
    assert not list(folder.glob("out/*/*/summary.json"))


def test_the_command(folder):
    cube().write("cube.cfg")
    run = lambda *words: subprocess.run([sys.executable, str(COMMAND), *words], capture_output=True, text=True)
    dry = run("cube.cfg", "--dry-run", "--output", "o")
    assert dry.returncode == 0 and [name for name in ("dgtd-1", "dgtd-1.5", "fdtd3d-1", "fdtd3d-1.5") if f"{name}:" in dry.stdout] == [
        "dgtd-1", "dgtd-1.5", "fdtd3d-1", "fdtd3d-1.5"] and not list(folder.glob("o/*/summary.json"))
    for words, line in ((["cube.cfg", "--resolutions", "2", "1"], "compare.py: resolutions [2.0, 1.0]: needs two factors > 0"),
                        (["absent"], "compare.py: absent: no such case file"),
                        (["cavity"], "compare.py: cavity: has no [domain]"),
                        (["cube.cfg", "--set", "solver.ordr=1"], "compare.py: there is no key solver.ordr; did you mean")):
        bad = run(*words)
        assert bad.returncode == 1 and bad.stderr.startswith(line) and bad.stderr.count("\n") == 1, bad.stderr


def test_charts():
    f = np.array([4e14, 5e14, 6e14])
    figure = charts.chart("Absorption", f, [charts.Curve("a", np.array([1e-15, 3e-15, 2e-15]))], "cross section", "m2")
    assert "Wavelength in vacuum [nm]" in figure and "cross section [10\u207b\u00b9\u2075 m\u00b2]" in figure
    assert "Frequency [GHz]" in charts.chart("flat", [1e9, 2e9], [charts.Curve("a", np.zeros(2))], "power", "W")
    assert charts.text_with_unit(4.8256e-3, "W") == "4.8256 mW"
    assert charts.text_with_unit(0, "W") == "0 W" and charts.text_with_unit(0.38465, "") == "0.38465"
