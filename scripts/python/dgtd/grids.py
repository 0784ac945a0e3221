"""Reads the grids that dgtd writes (.pvtr with its pieces, .vtr, .vti, and .pvd lists of these) with NumPy alone.

Not a reader of all VTK files: cell arrays on rectilinear grids and images, appended raw, with or without zlib compression.
"""
import pathlib
import struct
import xml.etree.ElementTree as xml
import zlib

import numpy as np

from .program import Error

_KINDS = {"Float32": "<f4", "Float64": "<f8", "Int8": "i1", "UInt8": "u1", "Int16": "<i2", "UInt16": "<u2", "Int32": "<i4",
          "UInt32": "<u4", "Int64": "<i8", "UInt64": "<u8"}
_FAILURES = (OSError, ValueError, KeyError, AttributeError, IndexError, struct.error, zlib.error, xml.ParseError)


class Grid:
    """nodes: three arrays of coordinates, m. cells: {name: array [z][y][x] or [z][y][x][component]}, names with units.
    texts: {name: list} of the file's lists of words, such as material_names. A plane has one node along its normal and one
    cell."""

    def __init__(self, nodes, cells, texts):
        self.nodes, self.cells, self.texts = nodes, cells, texts

    def centres(self, axis):
        """Centres of the cells along an axis, m."""
        x = self.nodes[axis]
        return x if len(x) == 1 else 0.5 * (x[1:] + x[:-1])


def _tree(path):
    try:
        head = pathlib.Path(path).read_bytes().partition(b"<AppendedData")
        return xml.fromstring(head[0] + (b"</VTKFile>" if head[1] else b""))
    except _FAILURES as error:
        raise Error(f"{path}: {error}") from None


def names(path):
    """Names of the cell arrays of a .pvtr, .vtr or .vti file."""
    tree = _tree(path)
    arrays = list(tree.iter("PDataArray")) or [a for data in tree.iter("CellData") for a in data]
    return [array.get("Name") for array in arrays if array.get("Name")]


def series(path):
    """{time in s, or of monitors frequency in Hz: file} of a .pvd file."""
    path = pathlib.Path(path)
    return {float(entry.get("timestep")): path.parent / entry.get("file") for entry in _tree(path).iter("DataSet")}


def _extent(text):
    values = [int(v) for v in text.split()]
    return values[0::2], values[1::2]


def _points_and_cells(first, last):
    return [b - a + 1 for a, b in zip(first, last)], [max(1, b - a) for a, b in zip(first, last)]


class _Appended:
    """The binary part of a file: arrays after their length in bytes, or in compressed blocks (vtkZLibDataCompressor) after
    their number, their size, that of the last one and the compressed sizes."""

    def __init__(self, path):
        data = pathlib.Path(path).read_bytes()
        head, mark, self._data = data.partition(b'<AppendedData encoding="raw">')
        if not mark:
            raise ValueError("no raw appended data")
        self.tree = xml.fromstring(head + b"</VTKFile>")
        self._start = self._data.index(b"_") + 1
        self._word = {"UInt32": "<u4", "UInt64": "<u8"}[self.tree.get("header_type", "UInt32")]
        compressor = self.tree.get("compressor")
        if compressor not in (None, "vtkZLibDataCompressor"):
            raise ValueError(f"compression {compressor} is not that of dgtd")
        self._compressed = compressor is not None

    def _words(self, offset, count):
        return [int(n) for n in np.frombuffer(self._data, self._word, count, self._start + offset)]

    def array(self, element):
        """The values of a DataArray."""
        kind = np.dtype(_KINDS[element.get("type")])
        if element.get("format") == "ascii":
            return np.array(element.text.split(), kind)
        offset, size = int(element.get("offset")), np.dtype(self._word).itemsize
        if not self._compressed:
            length, = self._words(offset, 1)
            return np.frombuffer(self._data, kind, length // kind.itemsize, self._start + offset + size)
        blocks, = self._words(offset, 1)
        sizes = self._words(offset + 3 * size, blocks)
        at, parts = self._start + offset + (3 + blocks) * size, []
        for compressed in sizes:
            parts.append(zlib.decompress(self._data[at:at + compressed]))
            at += compressed
        return np.frombuffer(b"".join(parts), kind)


def _texts(tree):
    """Lists of words in the field data: bytes, each word ends with a 0."""
    found = {}
    for array in tree.iter("Array"):
        if array.get("type") == "String" and array.text:
            text = bytes(int(b) for b in array.text.split()).decode(errors="replace")
            found[array.get("Name")] = text.split("\0")[:-1]
    return found


def _read_piece(path, wanted):
    """First and last node, coordinates, arrays, texts."""
    try:
        data = _Appended(path)
        first, last = _extent(data.tree.find(".//Piece").get("Extent"))
        points, cells = _points_and_cells(first, last)
        image = data.tree.find("ImageData")
        if image is None:
            nodes = [data.array(array) for array in data.tree.find(".//Coordinates")]
        else:
            origin, spacing = ([float(v) for v in image.get(name).split()] for name in ("Origin", "Spacing"))
            nodes = [origin[a] + spacing[a] * np.arange(first[a], last[a] + 1) for a in range(3)]
        arrays = {}
        for array in data.tree.find(".//CellData"):
            if wanted is None or array.get("Name") in wanted:
                components = int(array.get("NumberOfComponents", 1))
                arrays[array.get("Name")] = data.array(array).reshape(cells[::-1] + ([components] if components > 1 else []))
        if [len(x) for x in nodes] != points:
            raise ValueError("coordinates do not fit its extent")
        return first, last, nodes, arrays, _texts(data.tree)
    except _FAILURES as error:
        raise Error(f"{path}: {error}") from None


def read(path, wanted=None):
    """The Grid of a .pvtr, .vtr or .vti file with the arrays `wanted` (all). Raises Error for another file, and for an array
    that it does not have."""
    path = pathlib.Path(path)
    if path.suffix in (".vtr", ".vti"):
        _, _, nodes, cells, texts = _read_piece(path, wanted)
        grid = Grid(nodes, cells, texts)
    else:
        grid = _read_pieces(path, wanted)
    for name in wanted or []:
        if name not in grid.cells:
            raise Error(f"{path}: no array {name}; it has {', '.join(names(path))}")
    return grid


def _read_pieces(path, wanted):
    whole = _tree(path).find("PRectilinearGrid")
    if whole is None:
        raise Error(f"{path}: not a grid (.pvtr)")
    first, last = _extent(whole.get("WholeExtent"))
    points, shape = _points_and_cells(first, last)
    nodes, cells, texts = [np.zeros(n) for n in points], {}, {}
    for piece in whole.findall("Piece"):
        low, high, coordinates, arrays, texts = _read_piece(path.parent / piece.get("Source"), wanted)
        size = _points_and_cells(low, high)[1]
        for a in range(3):
            nodes[a][low[a] - first[a]:high[a] - first[a] + 1] = coordinates[a]
        box = tuple(slice(low[a] - first[a], low[a] - first[a] + size[a]) for a in (2, 1, 0))
        for name, values in arrays.items():
            cells.setdefault(name, np.zeros(shape[::-1] + list(values.shape[3:]), values.dtype))[box] = values
    return Grid(nodes, cells, texts)
