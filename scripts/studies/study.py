"""What the studies of this folder share: runs of dgtd in folders of their own, several at once, each once only."""
import itertools
import json
import os
import pathlib
import queue
import shlex
import subprocess
import sys
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]


class Run:
    """A case file with changed keys, and the folder of its results."""

    def __init__(self, name, case, settings, folder):
        self.name = name
        self.case = pathlib.Path(case).resolve()
        self.settings = {key: str(value) for key, value in settings.items()}
        self.folder = pathlib.Path(folder).resolve()

    def _identity(self):
        return {"case": self.case.read_text(), "settings": self.settings}

    def summary(self):
        """summary.json of the finished run of these settings; None: there is none."""
        try:
            if json.loads((self.folder / "study.json").read_text()) != self._identity():
                return None
            found = json.loads((self.folder / "summary.json").read_text())
        except (OSError, ValueError):
            return None
        return None if found.get("interrupted") else found

    def start(self, command, environment):
        """Runs it to its end. Returns an empty text, or the last line of its log where it failed."""
        self.folder.mkdir(parents=True, exist_ok=True)
        (self.folder / "study.json").unlink(missing_ok=True)
        arguments = [*command, str(self.case)]
        for key, value in {**self.settings, "output.directory": str(self.folder)}.items():
            arguments += ["--set", f"{key}={value}"]
        log = self.folder / "run.log"
        with log.open("w") as stream:
            code = subprocess.run(arguments, stdout=stream, stderr=subprocess.STDOUT, env=environment).returncode
        if code != 0:
            lines = log.read_text().strip().splitlines() or ["no output"]
            return f"exit code {code}: {lines[-1]}"
        (self.folder / "study.json").write_text(json.dumps(self._identity(), indent=1))
        return ""


def add_arguments(parser):
    """Options of all studies: programs, where the results are, how many runs at once."""
    parser.add_argument("--output", default="study", help="folder of the results (study)")
    parser.add_argument("--bin", default=str(ROOT / "build/release/bin"), help="folder of dgtd and dgtd-mesh")
    parser.add_argument("--at-once", type=int, default=1, help="runs at the same time (1)")
    parser.add_argument("--threads", type=int, default=max(1, len(os.sched_getaffinity(0))),
                        help="of each run, if it is one rank (all cores / runs at once)")
    parser.add_argument("--gpus", type=int, default=0, help="run I uses GPU I modulo this number (0: as dgtd decides)")
    parser.add_argument("--launcher", default="", help="before each program, such as 'mpirun -np 4'")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="for all runs")
    parser.add_argument("--prepare", action="store_true", help="make meshes and cases, print the runs, run nothing")


def common_settings(arguments):
    return dict(text.split("=", 1) for text in arguments.set)


def run_all(runs, arguments):
    """Runs what has no results yet, so that an interrupted study continues. Ends with an error where one fails."""
    waiting = queue.Queue()
    for run in runs:
        if run.summary() is None:
            waiting.put(run)
    count, failures, done = waiting.qsize(), [], itertools.count(1)
    print(f"{len(runs)} runs, {len(runs) - count} of them are there already", flush=True)
    if arguments.prepare:
        for run in runs:
            print(run.name)
        sys.exit(0)

    def work(worker):
        environment = dict(os.environ)
        environment["OMP_NUM_THREADS"] = str(max(1, arguments.threads // arguments.at_once))
        if arguments.gpus:
            environment["CUDA_VISIBLE_DEVICES"] = str(worker % arguments.gpus)
        command = [*shlex.split(arguments.launcher), str(pathlib.Path(arguments.bin) / "dgtd")]
        while True:
            try:
                run = waiting.get_nowait()
            except queue.Empty:
                return
            start = time.monotonic()
            failure = run.start(command, environment)
            seconds = time.monotonic() - start
            print(f"[{next(done)}/{count}] {run.name}: {failure or f'{seconds:.0f} s'}", flush=True)
            if failure:
                failures.append(run.name)

    workers = [threading.Thread(target=work, args=(i,)) for i in range(arguments.at_once)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    if failures:
        sys.exit(f"{len(failures)} runs failed (run.log in their folders): {' '.join(failures)}")


def make_mesh(arguments, file, options):
    """dgtd-mesh with these options, unless the file is there."""
    file = pathlib.Path(file)
    if file.exists():
        return
    file.parent.mkdir(parents=True, exist_ok=True)
    unfinished = file.with_name(f"unfinished_{file.name}")
    command = [str(pathlib.Path(arguments.bin) / "dgtd-mesh"), *map(str, options), "-o", str(unfinished)]
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode != 0:
        sys.exit(result.stderr.strip() or f"dgtd-mesh: exit code {result.returncode}")
    file.with_suffix(".txt").write_text(shlex.join(command) + "\n" + result.stdout)
    unfinished.rename(file)
