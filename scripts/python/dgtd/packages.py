"""Optional packages: one that is missing is an error in plain words, with the command that installs it."""
import importlib
import sys

from .program import Error


def optional(module, purpose, package=None):
    """The module of a package (of None: of the same name); raises Error with the pip command where it is not installed."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        top = module.partition(".")[0]
        package = package or top
        if (error.name or top).partition(".")[0] != top:
            raise
        raise Error(f"{purpose} needs the package {package}: {sys.executable} -m pip install {package}") from None


def is_there(module):
    """Whether an optional package can be imported."""
    try:
        importlib.import_module(module)
        return True
    except ImportError:
        return False
