"""Many runs, each in a folder of its own and each computed once."""
import hashlib
import itertools
import os
import pathlib
import queue
import re
import sys
import threading
import time

from . import program
from .case import text_of
from .packages import is_there, optional
from .program import Error
from .results import Results
from .run import Run, is_busy, write_case


def sweep(case, values, at_once=1, output="sweep", ranks=1, launcher=None, gpus=0, progress=None, quantities=None):
    """Runs a case with other values of keys, one folder per run, and returns a table with a row per run.

    values: {"shape.sphere.radius": radii} in the keys' units; of several keys all combinations. Or a list of such
    dictionaries with one value each, a run per dictionary. at_once: runs at the same time, which share the cores. output:
    folder of the folders. ranks, launcher: of each run, as of Case.run. gpus: run I uses GPU I modulo this number. quantities:
    a function of the Results that returns further columns, {name: number}.

    Resumes: a run whose folder has complete results of the same completed case, of the same version of dgtd and of unchanged
    files is not computed again, and one that was interrupted goes on from its newest checkpoint. A run that is still going
    on in its folder is waited for. Ctrl-C lets the present runs end with checkpoints.

    The table is a pandas.DataFrame if pandas is there, else a list of dictionaries: the values, `directory`, steps, wall_s (s)
    and, where the run has them, source_W, absorbed_W, outflow_W. Raises Error for values that the program refuses, before
    any run, and after all runs where some have failed.
    """
    points = [Point(case, pathlib.Path(output) / _folder_name(changes), changes) for changes in _combinations(values)]
    if len({point.directory for point in points}) < len(points):
        raise Error("sweep: the same values are given twice", 2)
    run_all(points, at_once, ranks, launcher, gpus, progress)
    rows = [point.row(quantities) for point in points]
    return optional("pandas", "a data frame").DataFrame(rows) if is_there("pandas") else rows


def _combinations(values):
    if not isinstance(values, dict):
        return [dict(point) for point in values]
    return [dict(zip(values, combination)) for combination in itertools.product(*values.values())]


def _folder_name(changes):
    """ "radius=3e-08,order=2": the values, so that other values can be added later."""
    text = ",".join(f"{key.rpartition('.')[2]}={text_of(value)}" for key, value in changes.items())
    name = re.sub(r"[^\w.,=+-]+", "_", text)
    whole = repr([(key, text_of(value)) for key, value in changes.items()])
    short = len(name) <= 80 and len({key.rpartition(".")[2] for key in changes}) == len(changes) and name == text
    return name if short else f"{name[:80]}-{hashlib.sha1(whole.encode()).hexdigest()[:8]}"


class Point:
    """One of many runs: a case with other values of keys, the folder of its results, and what is in it."""

    def __init__(self, case, directory, changes):
        self.changes, self.directory = changes, pathlib.Path(directory)
        self.name = self.directory.name  # in messages
        self.case = case.copy()
        for key, value in changes.items():
            self.case.set(key, value)

    def resolve(self):
        """The completed case; the program refuses here what it does not allow."""
        self.directory.mkdir(parents=True, exist_ok=True)
        return program.call(write_case(self.case, self.directory), "--print")

    def state(self):
        """"done"; "begun" where the same run was interrupted; "new"."""
        try:
            found = Results(self.directory)
        except Error:
            return "new"
        file = self.directory / "resolved.cfg"
        if _without_place(file.read_text()) != _without_place(self.resolve()) or self._changed_since(file.stat().st_mtime):
            return "new"
        if not found.complete:
            return "begun"
        return "done" if f"dgtd {found.summary.version}" in program.schema()["title"] else "new"

    def _changed_since(self, begin):
        """Whether a file that the case names was changed after the run began."""
        for title in self.case:
            section = self.case[title]
            for name in section.keys():
                _, key = section._key(name)
                path = pathlib.Path(section._given[name])
                if key.get("format") == "path" and title != "output" and path.is_file() and path.stat().st_mtime > begin:
                    return True
        return False

    def wait_for_other(self):
        """Waits while another process runs in the folder, such as one of a sweep that was killed."""
        while is_busy(self.directory):
            time.sleep(0.2)

    def row(self, quantities):
        """The row of the table."""
        found = Results(self.directory)
        power = found.summary.get("power") or {}
        row = {**self.changes, "directory": str(self.directory), "steps": found.summary.steps, "wall_s": found.summary.wall_s}
        row.update({name: power[name] for name in ("source_W", "absorbed_W", "outflow_W") if power.get(name) is not None})
        return {**row, **(quantities(found) if quantities else {})}


def _without_place(text):
    """A completed case without the folder of its results: results may be moved."""
    return re.sub(r"^(# .*, with every|directory = .*)\n?", "", text, flags=re.MULTILINE)


def run_all(points, at_once=1, ranks=1, launcher=None, gpus=0, progress=None):
    """Runs the points that are not done, `at_once` at a time. Raises Error where some have failed, after all others."""
    waiting, count = queue.Queue(), len(points)
    for point in points:
        point.resolve()
    for point in points:
        waiting.put(point)
    words = program.launch(ranks, launcher)
    shown = progress if progress is not None else sys.stderr.isatty() or "ipykernel" in sys.modules
    done, failures, active, ending, guard = itertools.count(1), [], {}, threading.Event(), threading.Lock()

    def compute(worker, point):
        point.wait_for_other()
        state = point.state()
        if state == "done":
            return "was there"
        environment = {"OMP_NUM_THREADS": str(max(1, program.cores() // (at_once * ranks)))}
        environment.update({name: os.environ[name] for name in environment if name in os.environ})
        if gpus:
            environment["CUDA_VISIBLE_DEVICES"] = str(worker % gpus)
        with guard:
            if ending.is_set():
                return ""
            run = active[worker] = Run.start(point.case, point.directory, words, state == "begun", environment)
        try:
            results = run.wait(progress=False)
        finally:
            with guard:
                active.pop(worker, None)
        return f"{results.summary.wall_s:.3g} s" if not ending.is_set() else ""

    def work(worker):
        while not ending.is_set():
            try:
                point = waiting.get_nowait()
            except queue.Empty:
                return
            try:
                text = compute(worker, point)
            except Error as error:
                failures.append((point, error))
                text = str(error)
            if text and shown:
                print(f"[{next(done)}/{count}] {point.name}: {text}", file=sys.stderr, flush=True)

    workers = [threading.Thread(target=work, args=(i,), daemon=True) for i in range(max(1, at_once))]
    for worker in workers:
        worker.start()
    try:
        while any(worker.is_alive() for worker in workers):
            time.sleep(0.05)
    except KeyboardInterrupt:
        with guard:
            ending.set()
            left = list(active.values())
        for run in left:
            run.stop()
        raise
    if failures:
        point, error = failures[0]
        raise Error(f"sweep: {len(failures)} of {count} runs failed; {point.directory}: {error}", error.exit_code)
