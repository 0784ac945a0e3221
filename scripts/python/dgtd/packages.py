"""Optional packages: one that is missing is an error in plain words, with the command that installs it."""
import importlib
import sys

from .program import Error


def optional(module, purpose):
    """The module; raises Error with the pip command where it is not installed."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        package = module.partition(".")[0]
        if (error.name or package).partition(".")[0] != package:
            raise
        raise Error(f"{purpose} needs the package {package}: {sys.executable} -m pip install {package}") from None


def is_there(module):
    """Whether an optional package can be imported."""
    try:
        importlib.import_module(module)
        return True
    except ImportError:
        return False
