"""Results of a run: numbers, tables, fields, the page."""
import collections.abc
import functools
import html
import json
import pathlib
import re
import sys
import webbrowser

import numpy as np

from . import grids
from .packages import optional
from .program import Error, unknown
from .tables import Record, Table, unit_of


class _Tables(collections.abc.Mapping):
    """Tables by name, read when they are asked for."""

    def __init__(self, files):
        self._files = files  # {name: path}

    def __getitem__(self, name):
        if name not in self._files:
            raise unknown("table", name, list(self._files) or ["none"])
        return Table.read(self._files[name])

    def __contains__(self, name):
        return name in self._files

    def __iter__(self):
        return iter(self._files)

    def __len__(self):
        return len(self._files)

    def __repr__(self):
        return f"tables: {', '.join(self._files) or 'none'}"


class Results:
    """Results in a directory, of a finished run or of one that goes on; files are read when they are asked for.

    Raises Error where there is no such directory or no result of dgtd in it.
    """

    def __init__(self, directory):
        self.directory = pathlib.Path(directory)
        if not (self.directory / "resolved.cfg").is_file():
            raise Error(f"{self.directory}: no results of dgtd (resolved.cfg is missing)")

    def _json(self, name):
        path = self.directory / name
        try:
            return json.loads(path.read_text(), object_hook=Record)
        except FileNotFoundError:
            raise Error(f"{path}: is not there; the run has not ended, or was ended without results") from None
        except ValueError as error:
            raise Error(f"{path}: {error}") from None

    @functools.cached_property
    def summary(self):
        """summary.json, SI units, by item or attribute: summary.power.source_W (docs/contracts.md lists the keys)."""
        return self._json("summary.json")

    @functools.cached_property
    def report(self):
        """report.json: what report.html shows, without the pictures."""
        return self._json("report.json")

    @functools.cached_property
    def contents(self):
        """Entries of files.json by name of file: kind, open, pieces, axes and arrays (name, unit, components of each)."""
        return {entry.name: entry for entry in self._json("files.json").files}

    @property
    def interrupted(self):
        """Why the run ended before its last step; None: it did not."""
        return self.summary.interrupted

    @property
    def complete(self):
        """Whether the run has ended by itself and written all of its files."""
        try:
            return self.interrupted is None and "total" in self.summary.timers
        except Error:
            return False

    @functools.cached_property
    def case(self):
        """The completed case, with every default written out."""
        from .case import Case
        return Case.read(self.directory / "resolved.cfg")

    @functools.cached_property
    def energy(self):
        """energy.csv: step, t_s, energy_J, source_work_J."""
        return Table.read(self.directory / "energy.csv")

    def _tables(self, kind, column=None, ending=""):
        """Tables KIND_NAMEending.csv by NAME, of these those with a column."""
        found = {}
        for path in sorted(self.directory.glob(f"{kind}_*{ending}.csv")):
            with path.open() as stream:
                if column is None or column in stream.readline().strip().split(","):
                    found[path.stem[len(kind) + 1:len(path.stem) - len(ending)]] = path
        return _Tables(found)

    @property
    def probes(self):
        """By name: t_s (of E; H is half a step earlier), Ex_V_per_m, ..., Hz_A_per_m."""
        return self._tables("probe")

    @property
    def flux(self):
        """By name: frequency_Hz, wavelength_m, outward_energy_J_per_Hz and, of a plane wave, outward_cross_section_m2."""
        return self._tables("flux")

    @property
    def far_fields(self):
        """By name, a row per frequency and direction: frequency_Hz, theta_deg, phi_deg, r E of both polarisations in V s,
        directivity and, of a plane wave, cross_section_m2."""
        return self._tables("far", "theta_deg")

    @property
    def far_field_totals(self):
        """By name, a row per frequency: radiated_J_per_Hz, flux_J_per_Hz, largest_directivity, cross_section_m2."""
        return self._tables("far", "radiated_J_per_Hz", "_total")

    @property
    def ports(self):
        """By name, a row per frequency_Hz: voltage, current, impedance and waves of the port (port_NAME.csv)."""
        return self._tables("port")

    def network(self):
        """S-parameters as a scikit-rf Network, from the Touchstone file of [sparameters], whose conventions are those of
        docs/case-file.md. Raises Error where there is none, or with the pip command where scikit-rf is missing."""
        found = sorted(path for path in self.directory.glob("*.s*p") if re.fullmatch(r"\.s\d+p", path.suffix))
        if not found:
            raise Error(f"{self.directory}: no S-parameters; they need [sparameters] in the case and the end of its runs")
        return optional("skrf", "Results.network()", "scikit-rf").Network(str(found[0]))

    @property
    def absorbed(self):
        """absorbed.csv: what each material absorbs at each frequency, W or J/Hz. Raises Error where it is not there."""
        return Table.read(self.directory / "absorbed.csv")

    def files(self):
        """Names of the field files for fields(): "result", "fields", "sar", "monitor_NAME", "snapshots" and so on."""
        return [path.stem for path in self._field_files()]

    def _field_files(self):
        kinds = [".pvd", ".pvtr", ".pvtu", ".vti", ".vtr"]
        listed = self.directory / "dgtd-files.txt"
        lines = listed.read_text().splitlines()[1:] if listed.is_file() else []
        # The list notes the files of a series and a parallel file's pieces; only what begins a line is a file to open.
        found = [self.directory / line.split("\t")[1] for line in lines if "\t" in line]
        found = [path for path in found if path.suffix in kinds and path.is_file()]
        return sorted(found, key=lambda path: (kinds.index(path.suffix), path.name))

    def file(self, name=None):
        """Path of a field file by its name, with or without an extension: of None the fields of the whole volume."""
        found = self._field_files()
        for wanted in [name, f"monitor_{name}"] if name else ["fields", "result"]:
            for path in found:
                if wanted in (path.stem, path.name):
                    return path
        raise unknown("field file", name or "fields", sorted({path.stem for path in found}) or ["none"])

    def grid(self, name=None, at=None, arrays=None):
        """A field file on a grid as plain NumPy arrays: a grids.Grid (nodes in m, cells by name with unit), without further
        packages. at: of several frequencies (Hz) or times (s) the nearest one (the first). arrays: names (all)."""
        path = self.file(name)
        if path.suffix == ".pvd":
            files = grids.series(path)
            path = files[min(files, key=lambda value: abs(value - at))] if at is not None else next(iter(files.values()))
        if path.suffix not in (".pvtr", ".vtr", ".vti"):
            raise Error(f"{path}: is not on a grid; results.fields() opens it with pyvista")
        return grids.read(path, arrays)

    def fields(self, name=None, at=None):
        """A field file: on grids an xarray.Dataset over z, y, x (centres of cells, m), else a pyvista mesh.

        name: as files() lists them (the fields of the whole volume), of monitors NAME is enough. at: of several frequencies
        (Hz) or times (s) the nearest one; on grids without it all of them, along `frequency_Hz` or `t_s`. Variables are
        named with their unit. Raises Error with the pip command where xarray or pyvista is missing.
        """
        path = self.file(name)
        files = grids.series(path) if path.suffix == ".pvd" else {None: path}
        if path.suffix == ".pvd" and at is not None:
            at = min(files, key=lambda value: abs(value - at))
            files = {at: files[at]}
        if all(file.suffix == ".pvtu" for file in files.values()):
            return optional("pyvista", "opening fields on tetrahedra").read(str(next(iter(files.values()))))
        xarray = optional("xarray", "Results.fields() on grids (results.grid() needs NumPy alone)")
        sets = [_dataset(xarray, grids.read(file)) for file in files.values()]
        if len(sets) == 1:
            return sets[0]
        axis = "t_s" if path.stem == "snapshots" else "frequency_Hz"
        return xarray.concat(sets, xarray.DataArray(list(files), dims=axis, name=axis, attrs={"units": unit_of(axis)}))

    def show(self):
        """The page report.html: inside a notebook, else in a browser."""
        page = self.directory / "report.html"
        if not page.is_file():
            raise Error(f"{page}: is not there; the run has not ended")
        if "ipykernel" not in sys.modules:
            webbrowser.open(page.resolve().as_uri())
            return None
        content = html.escape(page.read_text(), quote=True)
        frame = f'<div><iframe srcdoc="{content}" style="width:100%;height:80vh;border:0"></iframe></div>'
        return optional("IPython.display", "show() in a notebook").HTML(frame)

    def __repr__(self):
        return f"Results in {self.directory}"


def _dataset(xarray, grid):
    coordinates = {name: (name, grid.centres(axis), {"units": "m"}) for axis, name in enumerate("xyz")}
    variables = {}
    for name, values in grid.cells.items():
        axes = ["z", "y", "x"] + (["component"] if values.ndim == 4 else [])
        variables[name] = (axes, values, {"units": unit_of(name)})
    if any(values.ndim == 4 for values in grid.cells.values()):
        coordinates["component"] = list("xyz")
    return xarray.Dataset(variables, coordinates, {name: np.array(words) for name, words in grid.texts.items()})
