"""Sweeps: a folder per run, nothing computed twice."""
import os
import pathlib
import signal
import subprocess
import sys
import textwrap
import time

import pytest

import dgtd
from conftest import cavity


@pytest.fixture
def starts(folder, monkeypatch):
    """A program that notes each run it starts; the function returns the names of their folders."""
    program, log = folder / "bin/dgtd", folder / "starts.txt"
    program.parent.mkdir()
    (folder / "share/dgtd").mkdir(parents=True)
    (folder / "share/dgtd/cases").symlink_to(dgtd.program.shipped_cases())
    program.write_text(textwrap.dedent(f"""\
        #!/bin/sh
        case "$*" in *--print*|*--schema*) ;; *) basename "$(dirname "$1")" >> {log};; esac
        exec {dgtd.find_program()} "$@"
        """))
    program.chmod(0o755)
    monkeypatch.setenv("DGTD_PROGRAM", str(program))
    return lambda: log.read_text().split() if log.exists() else []


def rows_of(table):
    return table if isinstance(table, list) else table.to_dict("records")


def test_a_table_with_a_row_per_run(folder, starts):
    rows = rows_of(dgtd.sweep(cavity(), {"solver.order": [1, 2], "time.steps": [3, 4]}, output="s",
                              quantities=lambda r: {"energy_J": r.energy.energy_J[-1]}))
    found = [(row["solver.order"], row["time.steps"], row["steps"]) for row in rows]
    assert found == [(1, 3, 3), (1, 4, 4), (2, 3, 3), (2, 4, 4)]
    assert rows[0]["directory"] == "s/order=1,steps=3" and all(row["energy_J"] > 0 for row in rows)
    assert dgtd.Results(rows[3]["directory"]).summary.order == 2
    assert len(starts()) == 4


def test_only_what_is_new_or_changed_is_computed(folder, starts):
    case, count = cavity(), lambda: len(starts())
    dgtd.sweep(case, {"time.steps": [3, 4]}, output="s")
    dgtd.sweep(case, {"time.steps": [3, 4]}, output="s")
    assert count() == 2
    dgtd.sweep(case, {"time.steps": [4, 5]}, output="s")  # one more
    assert count() == 3
    (folder / "s").rename(folder / "t")
    dgtd.sweep(case, {"time.steps": [3, 4, 5]}, output="t")  # moved
    assert count() == 3
    case["solver"].order = 1
    dgtd.sweep(case, {"time.steps": [3]}, output="t")  # another case
    assert count() == 4
    (folder / "t/steps=3/summary.json").unlink()  # not whole
    dgtd.sweep(case, {"time.steps": [3]}, output="t")
    assert count() == 5


def test_a_sweep_of_a_case_with_parameters_continues(starts):
    case = cavity()
    case["parameters"].count = 3
    for steps in (["count"], ["count", "2*count"]):
        dgtd.sweep(case, {"time.steps": steps}, output="s")
    assert len(starts()) == 2


def test_a_changed_file_is_computed_again(folder, starts):
    case = dgtd.Case.read("plane_cavity")
    case["grid"].cells = [2, 2]
    case["grid"].spacing = 0.5
    case["time"].steps = 3
    del case["initial"]
    case["initial"].type, case["initial"].file = "file", "e.txt"
    for number in (1, 1, 2):
        if number != len(starts()):
            (folder / "e.txt").write_text("0 0 0\n0 %d 0\n0 0 0\n" % number)
            os.utime(folder / "e.txt", (time.time() + number, time.time() + number)) if number == 2 else None
        dgtd.sweep(case, [{"time.steps": 3}], output="s")
    assert len(starts()) == 2


def test_bad_values_are_refused_before_any_run(starts):
    with pytest.raises(dgtd.Error, match="solver.order = 9: must be an integer from 1 to 6"):
        dgtd.sweep(cavity(), {"solver.order": [1, 9]}, output="s")
    assert starts() == []


def test_other_runs_go_on_where_one_fails(folder, starts):
    case = cavity()
    case["mesh"].generator = case["mesh"].cells = case["mesh"].size = None
    with pytest.raises(dgtd.Error, match=r"sweep: 2 of 2 runs failed; s/file=.*: .*a.msh") as error:
        dgtd.sweep(case, {"mesh.file": ["a.msh", "b.msh"]}, output="s")
    assert error.value.exit_code == 2 and len(starts()) == 2


def interrupted_runs(folder):
    """{name: step of the checkpoint, 0 where it ended before its first step}."""
    found = {}
    for pid in folder.glob("s/*/run.pid"):
        try:
            results = dgtd.Results(pid.parent)
            if not results.complete:
                found[pid.parent.name] = results.summary.steps
        except dgtd.Error:
            found[pid.parent.name] = 0
    return found


SCRIPT = """
import sys
sys.path[:0] = {path!r}
import dgtd
from conftest import cavity
case = cavity({steps})
case["mesh"].cells = [4, 4, 4]
dgtd.sweep(case, {{"solver.cfl_fraction": {values!r}}}, at_once=2, output="s")
"""


@pytest.mark.parametrize("killed_by", [signal.SIGKILL, signal.SIGINT])
def test_a_killed_sweep_resumes_without_computing_twice(folder, starts, killed_by):
    values = [round(0.5 + 0.05 * i, 2) for i in range(6)]
    steps = 4000
    script = folder / "sweep.py"
    here = pathlib.Path(__file__).resolve().parent
    script.write_text(SCRIPT.format(path=[str(here), str(here.parent)], steps=steps, values=values))
    process = subprocess.Popen([sys.executable, str(script)], stderr=subprocess.DEVNULL)
    end = time.monotonic() + 120
    while len(list(folder.glob("s/*/summary.json"))) < 2 or len(starts()) < 4:
        assert time.monotonic() < end and process.poll() is None
        time.sleep(0.02)
    process.send_signal(killed_by)
    process.wait(timeout=60)
    before = {file: file.stat().st_mtime_ns for file in folder.glob("s/*/summary.json")
              if dgtd.Results(file.parent).complete}
    assert 2 <= len(before) < len(values)
    interrupted = interrupted_runs(folder) if killed_by == signal.SIGINT else {}  # after SIGKILL the runs go on
    rows = rows_of(dgtd.sweep(dgtd_case(steps), {"solver.cfl_fraction": values}, at_once=2, output="s"))
    assert [row["steps"] for row in rows] == [steps] * len(values)
    assert {file: file.stat().st_mtime_ns for file in before} == before
    # A folder was started once, or again where its run was interrupted: before its first step, or with a checkpoint.
    for name in set(starts()):
        continued = dgtd.Results(folder / "s" / name).summary.get("continued_at_step")
        assert starts().count(name) == (2 if name in interrupted else 1), name
        assert continued == (interrupted.get(name) or None), name
    once = starts()
    dgtd.sweep(dgtd_case(steps), {"solver.cfl_fraction": values}, at_once=2, output="s")
    assert starts() == once


def dgtd_case(steps):
    case = cavity(steps)
    case["mesh"].cells = [4, 4, 4]
    return case
