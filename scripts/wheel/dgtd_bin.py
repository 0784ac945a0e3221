"""The programs of dgtd with their libraries and cases, as a wheel installs them (scripts/wheel.sh)."""
import os
import pathlib
import sys

_folder = pathlib.Path(__file__).resolve().parent


def program(name):
    """Path of dgtd, dgtd-mesh, dgtd-sar or dgtd-bench. Raises FileNotFoundError for another name."""
    path = _folder / "bin" / name
    if not path.is_file():
        raise FileNotFoundError(f"{path}: there is no such program in this package")
    return str(path)


def run():
    """Runs the program after which the command is named, with its arguments, in place of this process."""
    path = program(pathlib.Path(sys.argv[0]).name)
    os.execv(path, [path, *sys.argv[1:]])
