"""The program dgtd: where it is, how it is started, its errors and its table of keys."""
import difflib
import functools
import importlib
import json
import os
import pathlib
import re
import shlex
import shutil
import signal
import subprocess


class Error(RuntimeError):
    """An error of the program, as its one line, or of this package.

    exit_code: 2 bad command line, case or mesh; 3 out of memory; 4 unstable; 5 device or communication; 1 other, also
    of this package; negative: minus the number of the signal that ended the program.
    """

    def __init__(self, message, exit_code=1):
        super().__init__(message)
        self.exit_code = exit_code


class UnknownName(Error, AttributeError):
    """A section or key that does not exist, with the nearest one that does."""

    def __init__(self, message):
        super().__init__(message, 2)


def unknown(what, name, known):
    """An UnknownName that suggests the nearest of the known names."""
    near = difflib.get_close_matches(str(name), known, n=1)
    return UnknownName(f"there is no {what} {name}; " + (f"did you mean {near[0]}?" if near else "there are " + ", ".join(known)))


def find_program():
    """Path of dgtd: DGTD_PROGRAM, else of an installed wheel of the programs (dgtd_bin), else in PATH, else in the build
    tree beside this package. Raises Error where there is none."""
    set_by_user = os.environ.get("DGTD_PROGRAM")
    if set_by_user:
        found = shutil.which(set_by_user)
        if not found:
            raise Error(f"DGTD_PROGRAM={set_by_user}: is not a program")
        return pathlib.Path(found)
    try:
        return pathlib.Path(importlib.import_module("dgtd_bin").program("dgtd"))
    except ImportError:
        pass
    found = shutil.which("dgtd")
    if found:
        return pathlib.Path(found)
    # This file is scripts/python/dgtd/program.py of the source tree, or of share/dgtd of an installation.
    folder = pathlib.Path(__file__).resolve().parents[3]
    for place in ("build/release/bin", "build/run/bin", "../../bin"):
        program = folder / place / "dgtd"
        if os.access(program, os.X_OK):
            return program.resolve()
    raise Error("the program dgtd was not found: build it by scripts/build.sh, or set DGTD_PROGRAM to its path")


def shipped_cases():
    """Folder of the cases that come with the program, which is a fixed place relative to it; it need not exist."""
    return find_program().resolve().parent.parent / "share/dgtd/cases"


def error_of(output, code):
    """The Error of a program that ended with this code: its own line, or how it ended."""
    line = re.search(r"^dgtd: error(?: \(rank \d+\))?: (.*)$", output, re.MULTILINE)
    if line:
        return Error(line[1], code)
    if code < 0:
        return Error(f"dgtd was ended by signal {-code} ({signal.Signals(-code).name})", code)
    last = output.strip().splitlines()[-1:] or ["it printed nothing"]
    return Error(f"dgtd ended with exit code {code}: {last[0]}", code)


def call(*arguments):
    """Standard output of dgtd with these arguments. Raises Error where it fails."""
    done = subprocess.run([str(find_program()), *map(str, arguments)], capture_output=True, text=True, errors="replace")
    if done.returncode != 0:
        raise error_of(done.stderr + done.stdout, done.returncode)
    return done.stdout


@functools.lru_cache(maxsize=None)
def _schema(program, changed):
    return json.loads(call("--schema"))


def schema():
    """The table of keys of the program that is found now, as JSON Schema (dgtd --schema)."""
    program = find_program()
    return _schema(program, program.stat().st_mtime_ns)


def cores():
    """Number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def launch(ranks=1, launcher=None):
    """What precedes the program on a command line, as a list.

    launcher: "mpirun", "srun", or a whole command such as "mpirun -np 4 --bind-to none"; None: nothing for one rank, srun
    within a job of Slurm, else mpirun.
    """
    if int(ranks) != ranks or ranks < 1:
        raise Error(f"ranks = {ranks}: must be an integer >= 1", 2)
    words = shlex.split(launcher) if isinstance(launcher, str) else list(launcher or [])
    if len(words) > 1 or (words and words[0] not in ("mpirun", "srun")):
        return words
    if not words:
        if ranks == 1:
            return []
        words = ["srun" if "SLURM_JOB_ID" in os.environ and shutil.which("srun") else "mpirun"]
    if not shutil.which(words[0]):
        raise Error(f"ranks = {ranks} needs {words[0]}, which was not found (Debian: apt-get install openmpi-bin); "
                    "one rank needs none")
    if words[0] == "srun":
        return ["srun", "-n", str(ranks)]
    return ["mpirun", "-np", str(ranks), *(["--allow-run-as-root"] if os.geteuid() == 0 else []),
            *(["--oversubscribe"] if ranks > cores() else [])]
