"""One case by two independent methods, two resolutions each: the difference of two independent methods is an error bar.

Tetrahedra and Yee cells share the case file and nothing of the discretisation, so that what they agree on is a property of
the problem. Two resolutions of a method give an extrapolated value besides (L. F. Richardson 1911; P. J. Roache, Annu. Rev.
Fluid Mech. 29, 1997, with the refinement of meshes that are not uniform from their number of elements):

  f = f_fine + (f_fine - f_coarse) / (r^q - 1),   r = (N_fine / N_coarse)^(1/3)

with an assumed order q. Two resolutions cannot measure q. Where the extrapolated values of both methods differ more than those
of their finer runs, the assumption has failed for at least one of them, and the comparison says so.
"""
import csv
import dataclasses
import json
import pathlib
import typing

import numpy as np

from . import program
from .program import Error
from .results import Results
from .sweeps import Point, run_all
from .tables import Table, unit_of

METHODS = ("dgtd", "fdtd3d")
LEAST_REFINEMENT = 1.1  # of r: below it the correction is more than five differences of an order of two
LARGEST_CORRECTION = 0.1  # of the value: above it the coarser run is not in the range of the leading error term


@dataclasses.dataclass
class Side:
    """Both runs of one method."""
    method: str
    runs: typing.List[Point]  # coarser, finer
    order: float = 0
    order_reason: str = ""
    refinement: float = 1  # r
    obstacle: str = ""  # why nothing can be extrapolated; empty: nothing is in the way

    @property
    def results(self):
        return [Results(run.directory) for run in self.runs]

    def extrapolate(self, coarse, fine):
        """The value for elements of no size; None where the resolutions do not allow it."""
        return None if self.obstacle else fine + (fine - coarse) / (self.refinement**self.order - 1)


@dataclasses.dataclass
class Quantity:
    """A number, or a curve over frequency, of all runs."""
    name: str  # "power.absorbed_W", "flux_absorbed.outward_cross_section_m2"
    label: str
    unit: str
    frequencies: typing.Optional[np.ndarray]  # Hz; None: a number
    coarse: dict  # {method: number or array}
    fine: dict
    extrapolated: dict  # None where the resolutions do not allow it
    exact: typing.Optional[float] = None
    remark: str = ""  # why the extrapolated values are no better than the finer ones; empty: nothing is against them

    @property
    def scale(self):
        """What differences are relative to: the largest magnitude of the finer runs' mean."""
        return float(np.max(np.abs(sum(self.fine.values()) / 2)))

    def differences(self, values):
        """(second method - first) / scale, at each frequency; None where a value is missing."""
        first, second = (values[method] for method in METHODS)
        return None if first is None or second is None else (second - first) / (self.scale or 1)

    def difference(self, values=None):
        """The one of largest magnitude: the error bar. Of the finer runs unless other values are given."""
        found = self.differences(self.fine if values is None else values)
        if found is None:
            return None
        found = np.atleast_1d(found)
        return float(found[np.argmax(np.abs(found))])


class Comparison:
    """The runs and quantities of compare(). sides: {method: Side}; quantities: a list of Quantity."""

    def __init__(self, case, sides, directory, exact):
        self.case, self.sides, self.directory = case, sides, pathlib.Path(directory)
        self.quantities = list(_quantities(sides))
        known = {quantity.name: quantity for quantity in self.quantities}
        for name, value in (exact or {}).items():
            if name not in known or known[name].frequencies is not None:
                numbers = [q.name for q in self.quantities if q.frequencies is None]
                raise Error(f"exact value of {name}: there is no such number; there are {', '.join(numbers) or 'none'}", 2)
            known[name].exact = float(value)

    def write(self):
        """Writes compare.html, compare.json and compare.csv into the directory; returns the page's path."""
        from .comparison_page import page_of
        (self.directory / "compare.json").write_text(json.dumps(self.summary(), indent=1) + "\n")
        with (self.directory / "compare.csv").open("w", newline="") as stream:
            csv.writer(stream, lineterminator="\n").writerows(self.table())
        page = self.directory / "compare.html"
        page.write_text(page_of(self), encoding="utf-8")
        return page

    def summary(self):
        """The content of compare.json, SI units; differences are relative."""
        sides = {}
        for method, side in self.sides.items():
            sides[method] = {"assumed_order": side.order, "assumed_because": side.order_reason,
                             "refinement": side.refinement, "not_extrapolated_because": side.obstacle or None,
                             "runs": [run_figures(run) for run in side.runs]}
        quantities = []
        for q in self.quantities:
            entry = {"name": q.name, "unit": q.unit,
                     "frequencies_Hz": None if q.frequencies is None else q.frequencies.tolist()}
            for method in METHODS:
                entry[method] = {kind: _plain(values[method]) for kind, values in _kinds(q)}
            quantities.append({**entry, "difference": q.difference(), "difference_extrapolated": q.difference(q.extrapolated),
                               "exact": q.exact, "remark": q.remark or None})
        return {"case": self.case.name, "methods": sides, "quantities": quantities}

    def table(self):
        """The rows of compare.csv: a row per number, and per frequency of a curve."""
        yield ["quantity", "unit", "frequency_Hz", *(f"{method}_{kind}" for method in METHODS
               for kind in ("coarse", "fine", "extrapolated")), "difference", "difference_extrapolated", "exact"]
        for q in self.quantities:
            columns = [values[method] for method in METHODS for _, values in _kinds(q)]
            columns += [q.differences(q.fine), q.differences(q.extrapolated), q.exact]
            for f in range(1 if q.frequencies is None else len(q.frequencies)):
                row = ["" if column is None else repr(float(np.atleast_1d(column)[f])) for column in columns]
                yield [q.name, q.unit, "" if q.frequencies is None else repr(float(q.frequencies[f])), *row]

    def __repr__(self):
        return f"Comparison of {self.case.name} in {self.directory}: {', '.join(q.name for q in self.quantities)}"


def compare(case, resolutions=(1, 1.5), ranks=1, output=None, launcher=None, gpus=0, progress=None, orders=None, exact=None,
            dry_run=False):
    """Runs a case by `dgtd` and `fdtd3d`, each at two resolutions, and returns a Comparison.

    case: with [shape.NAME] and [domain], so that mesh and grid are made of it; its solver.method does not matter.
    resolutions: two factors of its own, coarser one first: elements per wavelength are multiplied, `grid.spacing`,
    `finest` and the sizes of [refine.NAME] divided. output: folder of the runs' folders (out/compare_NAME). orders:
    {method: q} in place of the assumed orders. exact: {name of a number: value}. ranks, launcher, gpus, progress: as of
    sweep(). dry_run: returns {name of a run: report of --dry-run} in place of runs.

    Runs that are done are not computed again, as in sweep(). Raises Error with a method's own line where it refuses the case.
    """
    coarse, fine = _checked(resolutions)
    for method in orders or {}:
        if method not in METHODS or not orders[method] > 0:
            raise Error(f"order of {method}: {orders[method]}: needs one of {', '.join(METHODS)} and a number > 0", 2)
    _check_case(case)
    directory = pathlib.Path(output or pathlib.Path("out") / f"compare_{case.name}")
    sides = {}
    for method in METHODS:
        try:
            runs = [Point(case, directory / f"{method}-{factor:g}", _changes(case, method, factor)) for factor in (coarse, fine)]
            for run in runs:
                run.resolve()
        except Error as error:
            raise Error(f"method {method} refuses the case: {error}", error.exit_code) from None
        sides[method] = Side(method, runs)
    points = [run for side in sides.values() for run in side.runs]
    if dry_run:
        return {point.name: program.call(point.directory / f"{case.name}.cfg", "--dry-run") for point in points}
    run_all(points, 1, ranks, launcher, gpus, progress)
    for side in sides.values():
        _describe(side, (orders or {}).get(side.method))
    return Comparison(case, sides, directory, exact)


def _checked(resolutions):
    try:
        coarse, fine = map(float, resolutions)
    except (TypeError, ValueError):
        coarse, fine = 0, 0
    if not 0 < coarse < fine < float("inf"):
        raise Error(f"resolutions {resolutions}: needs two factors > 0, the coarser one first, such as 1 1.5", 2)
    return coarse, fine


def _check_case(case):
    """Raises Error for a case of which mesh and grid are not made, at any resolution."""
    if "domain" not in case:
        raise Error(f"{case.name}: has no [domain], of which both methods make their elements (dgtd --help domain.size)", 2)
    for key in ("mesh.file", "grid.cells", "grid.spacings_x", "grid.spacings_y", "grid.spacings_z"):
        section, _, name = key.partition(".")
        if name in case[section].keys():
            raise Error(f"{case.name}: {key} is one resolution; leave it out, and the [domain] is divided by "
                        f"{section}.per_wavelength", 2)


def _changes(case, method, factor):
    """{key: value}: the case of a method with elements or cells that are `factor` times as many per length."""
    made = "grid" if method == "fdtd3d" else "mesh"
    changes = {"solver.method": method}
    sizes = [f"{title}.spacing" for title in case if title.startswith("refine.")]
    sizes += [f"{made}.{name}" for name in ("spacing", "finest") if name in case[made].keys()]
    for key in sizes:
        title, _, name = key.rpartition(".")
        changes[key] = (np.asarray(case[title][name], float) / factor).tolist()
    if f"{made}.spacing" not in changes:
        changes[f"{made}.per_wavelength"] = _per_wavelength(case, method, made) * factor
    return changes


def _per_wavelength(case, method, section):
    """Elements or cells per wavelength of the case itself."""
    tried = case.copy()
    tried["solver"].method = method
    value = tried[section].per_wavelength
    if value is None:
        value = tried.value(f"{section}.per_wavelength")
    if value is None:  # the completed case has the cells that were made of it; the number begins the text of the default
        text = program.schema()["$defs"][section]["properties"]["per_wavelength"]["default_text"]
        value = float(text.split()[0])
    return value


def elements_of(run):
    """Elements or cells of a run inside of the absorbing layers, whose number does not follow the resolution."""
    results = Results(run.directory)
    if "elements" in results.summary:
        return sum(volume.elements for volume in results.report.mesh.volumes if not volume.name.endswith(" (layer)"))
    grid, inside = results.case["grid"], 1
    for axis in range(3):
        inside *= _cells(grid, axis) - grid.pml * sum(_is_layer(results.case, f"{'xyz'[axis]}{end}") for end in ("min", "max"))
    return inside


def _is_layer(case, side):
    """Whether a side of a completed case on a grid has absorbing layers, which it has without a section of its own."""
    section = next((f"boundary.{name}" for name in (side, "*") if f"boundary.{name}" in case), None)
    return section is None or case[section].type == "cpml"


def _cells(grid, axis):
    """Cells along an axis of a completed case."""
    spacings = grid[f"spacings_{'xyz'[axis]}"]
    if spacings is None:
        return int(grid.cells[axis])
    words = spacings.split() if isinstance(spacings, str) else spacings
    return sum(int(word.partition("*")[0]) if "*" in str(word) else 1 for word in np.atleast_1d(words))


def run_figures(run):
    """What a run cost: resolution, elements, steps, seconds, for people and programs."""
    summary = Results(run.directory).summary
    return {"directory": str(run.directory), "keys": {key: value for key, value in run.changes.items()},
            "elements": summary.get("elements", summary.get("cells")), "steps": summary.steps, "dt_s": summary.dt_s,
            "ranks": summary.ranks, "backend": summary.backend, "precision": summary.precision,
            "seconds": summary.timers["total"], "loop_s": summary.wall_s}


def _describe(side, order):
    """The assumed order, the refinement, and what is against an extrapolation."""
    side.order, side.order_reason = _assumed_order(side.results[0].case, side.method)
    if order is not None:
        side.order, side.order_reason = order, "as given"
    counts = [elements_of(run) for run in side.runs]
    side.refinement = (counts[1] / counts[0]) ** (1 / 3)
    if side.refinement < LEAST_REFINEMENT:
        side.obstacle = (f"the finer run has only {side.refinement:.2f} times as many elements per length, fewer than "
                         f"{LEAST_REFINEMENT:g} times: other keys or the bodies bound their size")


def _assumed_order(case, method):
    """(order, why), for numbers such as powers, of the completed case."""
    if method == "dgtd":
        p = case["solver"].order
        return (1, "order of P1 elements") if p == 1 else (
            2, "plane faces in place of curved surfaces, and leap-frog in time, for elements of order 2 and above")
    bodies = {case[title].material for title in case if title.startswith("shape.")}
    for title in case:
        if title.partition(".")[0] == "material" and title.partition(".")[2] in bodies:
            if case[title].conductor == "perfect":
                return 1, "staircase surfaces of perfect conductors"
            if case[title].poles:
                return 1, "surfaces of bodies with poles, which are not averaged in their cells"
    return 2, "Yee's scheme with averaged surfaces of dielectrics"


def _plain(value):
    return value.tolist() if isinstance(value, np.ndarray) else value


def _kinds(quantity):
    return ("coarse", quantity.coarse), ("fine", quantity.fine), ("extrapolated", quantity.extrapolated)


def _quantities(sides):
    """The quantities that all runs have, in the order of the first."""
    found = [{method: _values(side.results[level]) for method, side in sides.items()} for level in (0, 1)]
    everything = [values for level in found for values in level.values()]
    for name, (label, frequencies, first) in everything[0].items():
        if not all(name in values and np.shape(values[name][2]) == np.shape(first) for values in everything):
            continue
        coarse, fine = ({method: values[name][2] for method, values in level.items()} for level in found)
        if not all(np.all(np.isfinite(value)) for level in (coarse, fine) for value in level.values()):
            continue
        extrapolated = {method: side.extrapolate(coarse[method], fine[method]) for method, side in sides.items()}
        quantity = Quantity(name, label, unit_of(name.rpartition(".")[2]), frequencies, coarse, fine, extrapolated)
        if quantity.scale > 0:
            quantity.remark = _remark(quantity)
            yield quantity


def _remark(q):
    for method in METHODS:
        if q.extrapolated[method] is not None:
            correction = float(np.max(np.abs(q.extrapolated[method] - q.fine[method]))) / q.scale
            if correction > LARGEST_CORRECTION:
                return f"{method}'s correction is {100 * correction:.0f} % of the value: its resolutions are too coarse for it"
    extrapolated = q.difference(q.extrapolated)
    if extrapolated is not None and abs(extrapolated) > abs(q.difference()):
        return "extrapolated values differ more than those of the finer runs: errors do not follow the assumed orders here"
    return ""


def _values(results):
    """{name: (label, frequencies or None, number or array)} of a run: powers, materials, SAR, and every table over frequency
    alone."""
    summary, found = results.summary, {}

    def add(name, label, value):
        if value is not None:
            found[name] = (label, None, float(value))

    power = summary.get("power") or {}
    for key, label in (("source_W", "Power of the sources"), ("absorbed_W", "Absorbed power"), ("outflow_W", "Outflow")):
        add(f"power.{key}", label, power.get(key))
    if power.get("source_W") and power.get("absorbed_W") is not None:
        add("power.absorbed_share", "Absorbed share of the sources' power", power["absorbed_W"] / power["source_W"])
    for name, tissue in (summary.get("tissues") or {}).items():
        add(f"{name}.absorbed_W", f"Absorbed in {name}", tissue.get("absorbed_W") or None)
        add(f"{name}.sar_mean_W_per_kg", f"Mean SAR in {name}", tissue.get("sar_mean"))
    for mass, average in (summary.get("sar_averages") or {}).items():
        add(f"sar_{mass}.peak_W_per_kg", f"Peak SAR over {mass}", (average.get("peak") or {}).get("sar"))
    for file, entry in results.contents.items():
        if entry.kind == "table" and [axis.name for axis in entry.axes] == ["frequency_Hz"]:
            found.update(_curves(file[:-len(".csv")], results.directory / file))
    return found


def _curves(name, path):
    try:
        table = Table.read(path)
    except Error:
        return  # has a column of texts or gaps
    frequencies = table["frequency_Hz"]
    columns = [column for column in table if column not in ("frequency_Hz", "wavelength_m")]
    if "outward_cross_section_m2" in columns:
        columns.remove("outward_energy_J_per_Hz")  # the same curve times what the wave brings
    for column in columns:
        if column == "axial_ratio_dB" and np.min(table[column]) > 30:
            continue  # linear polarisation: the shorter axis is the methods' error
        label = f"{name.replace('_', ' ', 1)}: {_words(column)}"
        if len(frequencies) == 1:
            yield f"{name}.{column}", (f"{label}, {frequencies[0]:g} Hz", None, float(table[column][0]))
        elif len(frequencies) > 1:
            yield f"{name}.{column}", (label, frequencies, table[column])


def _words(column):
    """ "outward energy" of outward_energy_J_per_Hz."""
    words = column.split("_")
    unit = unit_of(column).replace("/", " per ").split()
    return " ".join(words[:len(words) - len(unit)])
