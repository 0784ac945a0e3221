"""Runs: start, progress, end, errors."""
import time

import pytest

import dgtd
from conftest import cavity


def wait_for_progress(run):
    end = time.monotonic() + 60
    while run.running and run.progress is None and time.monotonic() < end:
        time.sleep(0.02)
    assert run.progress is not None


def test_a_run_has_results_and_progress(folder, capsys):
    run = cavity().run(output="out", progress=True)
    assert not run.running and run.progress["step"] == run.progress["steps"] == 8
    assert run.results.summary.steps == 8 and run.results.complete
    assert "step 8/8" in capsys.readouterr().err
    assert (folder / "out/tiny.cfg").is_file() and "results in" in (folder / "out/run.log").read_text()


def test_several_ranks_by_mpirun(folder, monkeypatch):
    monkeypatch.setenv("OMPI_MCA_rmaps_base_oversubscribe", "1")
    assert cavity().run(ranks=2, output="out").results.summary.ranks == 2
    monkeypatch.setenv("PATH", str(folder))
    monkeypatch.setenv("DGTD_PROGRAM", str(dgtd.find_program()))
    with pytest.raises(dgtd.Error, match="ranks = 2 needs mpirun, which was not found"):
        cavity().run(ranks=2, output="out")


def test_an_error_of_the_program_is_an_exception():
    case = cavity()
    case["mesh"].generator = None
    case["mesh"].cells = None
    case["mesh"].size = None
    case["mesh"].file = "absent.msh"
    with pytest.raises(dgtd.Error) as error:
        case.run(output="out")
    assert error.value.exit_code == 2 and "absent.msh" in str(error.value) and "\n" not in str(error.value)
    run = case.run(output="out", wait=False)
    with pytest.raises(dgtd.Error, match="absent.msh"):
        run.wait()


def test_a_program_that_is_killed_is_an_exception():
    run = cavity(10**8).run(output="out", wait=False)
    run.kill()
    with pytest.raises(dgtd.Error, match="ended by signal 9") as error:
        run.wait()
    assert error.value.exit_code == -9


@pytest.mark.parametrize("launcher", [None, "mpirun"])
def test_stop_leaves_results_and_a_run_goes_on(folder, launcher):
    case = cavity(10**8)
    run = case.run(output="out", wait=False, launcher=launcher)
    wait_for_progress(run)
    with pytest.raises(TimeoutError):
        run.wait(timeout=0.1)
    run.stop()
    results = run.wait()
    assert "at step" in results.interrupted and not results.complete and not (folder / "out/stop").exists()
    done = results.summary.steps
    case["time"].steps = done + 8
    results = case.run(output="out", restart=True).results
    assert results.complete and results.summary.continued_at_step == done and results.summary.steps == done + 8


def test_the_program_is_found_by_its_variable(monkeypatch):
    monkeypatch.setenv("DGTD_PROGRAM", "/absent/dgtd")
    with pytest.raises(dgtd.Error, match="DGTD_PROGRAM=/absent/dgtd: is not a program"):
        dgtd.find_program()
