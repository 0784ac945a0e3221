"""A run of the program in a directory of its own: start, progress, end."""
import json
import os
import pathlib
import signal
import subprocess
import sys
import time

from . import program
from .program import Error
from .results import Results

_POLL = 0.1  # s


class Run:
    """A run that was started by Case.run.

    directory: of the results; there run.log has the standard output, and run.err warnings, errors and progress.
    """

    def __init__(self, directory, process, alone):
        self.directory = pathlib.Path(directory)
        self._process, self._alone, self._stopped = process, alone, False

    @classmethod
    def start(cls, case, directory, launcher=(), restart=False, environment=None):
        """Writes the case into the directory and starts dgtd there, in a session of its own: Ctrl-C reaches this process,
        which then lets the run end with its results. launcher: words before the program."""
        directory = pathlib.Path(directory)
        file = write_case(case, directory)
        command = [*launcher, str(program.find_program()), str(file), *(["--restart"] if restart else [])]
        with (directory / "run.log").open("w") as log, (directory / "run.err").open("w") as errors:
            process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=errors, start_new_session=True,
                                       env={**os.environ, **(environment or {}), "DGTD_PROGRESS": "json"})
        (directory / "run.pid").write_text(f"{os.uname().nodename} {process.pid}\n")
        return cls(directory, process, alone=not launcher)

    @property
    def running(self):
        """Whether the program still runs."""
        return self._process.poll() is None

    @property
    def progress(self):
        """The last update: step, steps, t_s, percent, elapsed_s, left_s (DGTD_PROGRESS=json); None before the first."""
        with (self.directory / "run.err").open("rb") as stream:
            stream.seek(max(0, stream.seek(0, os.SEEK_END) - 4096))
            lines = stream.read().decode(errors="replace").split("\n")[:-1]
        for line in reversed(lines):
            if line.startswith('{"step"'):
                return json.loads(line)
        return None

    @property
    def results(self):
        """The Results in the run's directory."""
        return Results(self.directory)

    def wait(self, timeout=None, progress=None):
        """Waits for the end and returns the Results. progress: whether a bar is drawn.

        Raises Error where the program failed, TimeoutError after `timeout` seconds (the run goes on). Ctrl-C stops the run:
        it ends with the results so far and a checkpoint. A run that was stopped is no error: results.interrupted.
        """
        bar = Bar(progress)
        end = None if timeout is None else time.monotonic() + timeout
        try:
            while self.running:
                bar.show(self.progress)
                if end is not None and time.monotonic() > end:
                    raise TimeoutError(f"{self.directory}: the run has not ended after {timeout} s")
                time.sleep(_POLL)
        except KeyboardInterrupt:
            bar.clear()
            self.stop()
            raise
        finally:
            bar.clear()
        code = self._process.returncode
        interrupted = code == 6 or (self._stopped and code in (-signal.SIGTERM, 143))
        if code != 0 and not interrupted:
            output = "".join((self.directory / name).read_text(errors="replace") for name in ("run.err", "run.log"))
            raise program.error_of(output, code)
        return self.results

    def stop(self, seconds=60):
        """Ends the run with its results so far and a checkpoint: SIGTERM, or, as mpirun kills its ranks soon after that,
        the file `stop`. Returns when it has ended; raises Error where it has not after so many seconds."""
        self._stopped = True
        if self._alone and self.running:
            self._process.terminate()
        file = self.directory / "stop"
        end = time.monotonic() + seconds
        while self.running:
            if not self._alone and not file.exists():  # a run that begins removes the file
                file.touch()
            if time.monotonic() > end:
                raise Error(f"{self.directory}: the run has not ended {seconds} s after it was asked to; "
                            "run.kill() ends it at once")
            time.sleep(_POLL)
        file.unlink(missing_ok=True)

    def kill(self):
        """Ends the run at once, without results."""
        if self.running:
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()

    def __repr__(self):
        state = "running" if self.running else f"ended with exit code {self._process.returncode}"
        return f"Run in {self.directory}, {state}"


def is_busy(directory):
    """Whether a run of this host goes on in a directory, whoever has started it: by run.pid, which Run.start writes, and by
    the program's own lock, which it holds from the end of its set-up on."""
    for name, about_it in (("run.pid", directory.name), ("dgtd-run.lock", "")):
        try:
            host, process = (directory / name).read_text().split()
            command = pathlib.Path(f"/proc/{process}/cmdline").read_bytes().decode(errors="replace")
        except (OSError, ValueError):
            continue
        if host == os.uname().nodename and command and about_it in command:  # the number may be that of another process now
            return True
    return False


def write_case(case, directory):
    """Writes NAME.cfg into the directory of its results, and returns its path."""
    written = case.copy()
    written["output"].directory = directory
    return written.write(pathlib.Path(directory) / f"{case.name}.cfg")


class Bar:
    """A progress bar on standard error. wanted: None: on terminals and in notebooks."""

    def __init__(self, wanted=None):
        self._wanted = wanted if wanted is not None else sys.stderr.isatty() or "ipykernel" in sys.modules
        self._drawn = False

    def show(self, update):
        """Draws an update of Run.progress."""
        if not self._wanted or update is None:
            return
        full = int(24 * update["percent"] / 100)
        left = int(update["left_s"] + 0.5)
        sys.stderr.write(f"\r[{'#' * full}{'.' * (24 - full)}] {update['percent']:3.0f} %"
                         f"  step {update['step']}/{update['steps']}  {left // 60}:{left % 60:02} left ")
        sys.stderr.flush()
        self._drawn = True

    def clear(self):
        if self._drawn:
            sys.stderr.write("\r" + " " * 78 + "\r")
            sys.stderr.flush()
        self._drawn = False
