"""What the studies of this folder share: runs of dgtd in folders of their own, several at once, each once only."""
import os
import pathlib
import shlex
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from python_packages import package

dgtd = package()
ROOT = pathlib.Path(__file__).resolve().parents[2]


class Run(dgtd.sweeps.Point):
    """A case file with changed keys, and the folder of its results."""

    def __init__(self, name, case, settings, folder):
        try:
            super().__init__(dgtd.Case.read(case), pathlib.Path(folder).resolve(), settings)
        except dgtd.Error as error:
            sys.exit(str(error))
        self.name, self.folder = name, self.directory

    def summary(self):
        """summary.json of the finished run of these settings; None: there is none."""
        return dgtd.Results(self.folder).summary if self.state() == "done" else None


def use_programs(folder):
    """Makes runs use the program in a folder, which is returned."""
    os.environ["DGTD_PROGRAM"] = str(pathlib.Path(folder) / "dgtd")
    return folder


def add_arguments(parser):
    """Options of all studies: programs, where the results are, how many runs at once."""
    parser.add_argument("--output", default="study", help="folder of the results (study)")
    parser.add_argument("--bin", type=use_programs, default=str(ROOT / "build/release/bin"), help="folder of dgtd and dgtd-mesh")
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
    if arguments.prepare:
        for run in runs:
            print(run.name)
        sys.exit(0)
    os.environ["OMP_NUM_THREADS"] = str(max(1, arguments.threads // arguments.at_once))
    try:
        dgtd.sweeps.run_all(runs, arguments.at_once, launcher=arguments.launcher, gpus=arguments.gpus, progress=True)
    except dgtd.Error as error:
        sys.exit(str(error))


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
