"""Reads the grids that dgtd writes: .pvtr with its pieces, .vtr, and the .pvd of a monitor with several frequencies.

Not a reader of all VTK files: cell arrays of floats on rectilinear grids, appended raw without compression, 64-bit headers.
"""
import pathlib
import struct
import xml.etree.ElementTree as xml

from python_packages import required

np = required("numpy")


class Unreadable(Exception):
    """A file that is missing or not of this kind, in one line."""


class Grid:
    """nodes: three arrays of coordinates, m; cells: {name: array [z][y][x] or [z][y][x][component]}. A plane has one node along its normal
    and one cell."""

    def __init__(self, nodes, cells):
        self.nodes, self.cells = nodes, cells


def _tree(path):
    try:
        return xml.fromstring(pathlib.Path(path).read_text())
    except (OSError, UnicodeDecodeError, xml.ParseError) as error:
        raise Unreadable(f"{path}: {error}") from None


def names(path):
    """Names of the cell arrays of a .pvtr file."""
    return [array.get("Name") for array in _tree(path).iter("PDataArray") if array.get("Name")]


def frequencies(path):
    """{frequency in Hz: .pvtr file} of a monitor's .pvd file."""
    path = pathlib.Path(path)
    return {float(entry.get("timestep")): path.parent / entry.get("file") for entry in _tree(path).iter("DataSet")}


def _extent(text):
    values = [int(v) for v in text.split()]
    return values[0::2], values[1::2]


def _points_and_cells(first, last):
    return [b - a + 1 for a, b in zip(first, last)], [max(1, b - a) for a, b in zip(first, last)]


def _appended(data, offset, kind):
    """An array after its length in bytes."""
    length, = struct.unpack_from("<Q", data, offset)
    return np.frombuffer(data, dtype=kind, count=length // np.dtype(kind).itemsize, offset=offset + 8)


def _read_piece(path, wanted):
    """First and last node, coordinates, arrays."""
    try:
        data = pathlib.Path(path).read_bytes()
        head, begin, _ = data.partition(b'<AppendedData encoding="raw">')
        if not begin:
            raise ValueError("no raw appended data")
        tree = xml.fromstring(head + b"</VTKFile>")
        if tree.get("header_type") != "UInt64" or tree.get("compressor"):
            raise ValueError("headers or compression are not those of dgtd")
        start = data.index(b"_", len(head)) + 1
        first, last = _extent(tree.find(".//Piece").get("Extent"))
        kinds = {"Float32": "<f4", "Float64": "<f8"}
        load = lambda array: _appended(data, start + int(array.get("offset")), kinds[array.get("type")])
        nodes = [load(array) for array in tree.find(".//Coordinates")]
        shape = _points_and_cells(first, last)[1][::-1]
        cells = {}
        for array in tree.find(".//CellData"):
            if array.get("Name") in wanted:
                components = int(array.get("NumberOfComponents", 1))
                cells[array.get("Name")] = load(array).reshape(shape + ([components] if components > 1 else []))
        return first, last, nodes, cells
    except (OSError, ValueError, KeyError, AttributeError, struct.error, xml.ParseError) as error:
        raise Unreadable(f"{path}: {error}") from None


def read(path, wanted):
    """The Grid of a .pvtr file with the arrays `wanted`."""
    path = pathlib.Path(path)
    tree = _tree(path)
    whole = tree.find("PRectilinearGrid")
    if whole is None:
        raise Unreadable(f"{path}: not a grid (.pvtr)")
    first, last = _extent(whole.get("WholeExtent"))
    points, shape = _points_and_cells(first, last)
    nodes, cells = [np.zeros(n) for n in points], {}
    for piece in whole.findall("Piece"):
        low, high, coordinates, arrays = _read_piece(path.parent / piece.get("Source"), wanted)
        size = _points_and_cells(low, high)[1]
        for a in range(3):
            nodes[a][low[a] - first[a]:high[a] - first[a] + 1] = coordinates[a]
        box = tuple(slice(low[a] - first[a], low[a] - first[a] + size[a]) for a in (2, 1, 0))
        for name, values in arrays.items():
            cells.setdefault(name, np.zeros(shape[::-1] + list(values.shape[3:]), values.dtype))[box] = values
    for name in wanted:
        if name not in cells:
            raise Unreadable(f"{path}: no array {name}; it has {', '.join(names(path))}")
    return Grid(nodes, cells)
