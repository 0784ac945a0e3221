"""Tables of results: columns by name, each name ends in its unit."""
import collections.abc
import pathlib

import numpy as np

from .program import Error, unknown

_UNITS = {"s", "m", "m2", "m3", "J", "W", "V", "A", "Hz", "kg", "deg", "dB", "per"}


def unit_of(name):
    """Unit at the end of a name: "V/m" of Ex_V_per_m, "J/Hz" of outward_energy_J_per_Hz; empty: it has none."""
    words = name.split("_")
    start = len(words)
    while start > 1 and words[start - 1] in _UNITS:
        start -= 1
    return " ".join(words[start:]).replace(" per ", "/")


class Table(collections.abc.Mapping):
    """Columns as NumPy arrays, by item or attribute: table["energy_J"] is table.energy_J.

    units: {column: unit}. array: all numbers, [row][column].
    """

    def __init__(self, columns):
        self._columns = dict(columns)

    @classmethod
    def read(cls, path):
        """The table of a CSV file of dgtd. Raises Error for another file."""
        path = pathlib.Path(path)
        try:
            with path.open() as stream:
                names = stream.readline().strip().split(",")
                rows = [[float(word) for word in line.split(",")] for line in stream if line.strip()]
            array = np.array(rows, float).reshape(len(rows), len(names))
        except (OSError, ValueError) as error:
            raise Error(f"{path}: not a table of numbers: {error}") from None
        return cls(zip(names, array.T))

    @property
    def units(self):
        return {name: unit_of(name) for name in self._columns}

    @property
    def array(self):
        return np.column_stack(list(self._columns.values()))

    def frame(self):
        """A pandas.DataFrame."""
        from .packages import optional
        return optional("pandas", "Table.frame()").DataFrame(self._columns)

    def __getitem__(self, name):
        if name not in self._columns:
            raise unknown("column", name, list(self._columns))
        return self._columns[name]

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        return self[name]

    def __dir__(self):
        return [*super().__dir__(), *self._columns]

    def __contains__(self, name):
        return name in self._columns

    def __iter__(self):
        return iter(self._columns)

    def __len__(self):
        return len(self._columns)

    def __repr__(self):
        rows = len(next(iter(self._columns.values()), ()))
        return f"Table of {rows} rows: {', '.join(self._columns)}"


class Record(dict):
    """An object of a JSON file, whose keys are attributes, too: summary.power.source_W."""

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        if name not in self:
            raise unknown("key", name, list(self))
        return self[name]

    def __dir__(self):
        return [*super().__dir__(), *self]
