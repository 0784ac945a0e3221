"""Cases, runs and results of dgtd, a solver of Maxwell's equations in time.

    import dgtd
    case = dgtd.Case.read("gold_sphere")           # a shipped case, a file, or Case()
    case["shape.sphere"].radius = 30e-9            # m
    run = case.run(ranks=2, output="out/r30")      # waits, with a progress bar
    run.results.flux["absorbed"]                   # any finished run: dgtd.Results("out/r30")
    dgtd.sweep(case, {"shape.sphere.radius": [20e-9, 30e-9]}, at_once=2)

The program `dgtd` does all the work; it is found by the variable DGTD_PROGRAM, in an installed wheel of the programs, in
PATH, or in the build tree beside this package. Values are in SI units, and names of columns end in their unit.
"""
from . import grids, sweeps
from .case import Case, Section
from .comparison import Comparison, compare
from .program import Error, UnknownName, find_program, schema
from .results import Results
from .run import Run
from .sweeps import sweep
from .tables import Table

__version__ = "0.1.0"
__all__ = ["Case", "Comparison", "Error", "Results", "Run", "Section", "Table", "UnknownName", "compare", "find_program", "schema",
           "sweep"]
