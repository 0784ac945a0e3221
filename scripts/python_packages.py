"""Imports of packages that are not part of Python: one that is missing is named in a line, not in a traceback."""
import importlib
import os
import sys

# What installs a package.
SOURCES = {
    "numpy": "NumPy is missing (Debian: apt-get install python3-numpy)",
    "matplotlib": "Matplotlib is missing (Debian: apt-get install python3-matplotlib)",
    "scipy": "SciPy is missing (Debian: apt-get install python3-scipy)",
    "CSXCAD": "openEMS is missing (Debian: apt-get install python3-openems)",
    "openEMS": "openEMS is missing (Debian: apt-get install python3-openems)",
    "mpmath": "mpmath is missing (Debian: apt-get install python3-mpmath)",
    "paraview": "ParaView is missing (run the script by pvpython)",
}


def missing(error):
    """The line about a failed import."""
    text = SOURCES.get((error.name or "").split(".")[0], str(error))
    return f"{os.path.basename(sys.argv[0])}: {text}"


def required(module):
    """The module; where it cannot be imported the script ends with a line and exit code 2."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        print(missing(error), file=sys.stderr)
        sys.exit(2)


def pyplot(optional_picture=None):
    """matplotlib.pyplot for pictures in files. Where it is missing the script ends as by `required`; with the name of a
    picture that the script can leave out, a line says so and None is returned."""
    if optional_picture is not None:
        try:
            importlib.import_module("matplotlib")
        except ImportError as error:
            print(f"{missing(error)}: no {optional_picture}", file=sys.stderr)
            return None
    required("matplotlib").use("Agg")
    return required("matplotlib.pyplot")


def package():
    """The package dgtd of scripts/python, which needs NumPy."""
    required("numpy")
    sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "python"))
    return importlib.import_module("dgtd")
