"""Planar devices for tests of the solver of gds_fdtd: objects with the attributes of its own, and its contract of solvers."""
import abc
import pathlib
import struct
import sys
import types


def record(kind, data_type, payload=b""):
    return struct.pack(">HBB", 4 + len(payload), kind, data_type) + payload


def eight_byte_real(value):
    """A real number of a GDSII stream: base 16, excess 64."""
    exponent = 64
    while value < 1 / 16:
        value, exponent = value * 16, exponent - 1
    return struct.pack(">BB", exponent, 0)[:1] + int(value * 2 ** 56).to_bytes(7, "big")


def write_gds(path, name, polygons, dbu):
    """polygons: [((layer, type), [(x, y) in um])]; dbu: the unit of the file, um."""
    def text(word):
        return word.encode() + b"\0" * (len(word) % 2)
    stream = record(0x00, 2, struct.pack(">h", 600)) + record(0x01, 2, struct.pack(">12h", *[0] * 12))
    stream += record(0x02, 6, text("LIB")) + record(0x03, 5, eight_byte_real(dbu) + eight_byte_real(dbu * 1e-6))
    stream += record(0x05, 2, struct.pack(">12h", *[0] * 12)) + record(0x06, 6, text(name))
    for (layer, data_type), points in polygons:
        whole = [round(x / dbu) for point in [*points, points[0]] for x in point]
        stream += record(0x08, 0) + record(0x0D, 2, struct.pack(">h", layer)) + record(0x0E, 2, struct.pack(">h", data_type))
        stream += record(0x10, 3, struct.pack(f">{len(whole)}i", *whole)) + record(0x11, 0)
    pathlib.Path(path).write_bytes(stream + record(0x07, 0) + record(0x04, 0))


class Component:
    """As gds_fdtd.geometry.Component: lengths in um."""

    def __init__(self, name, structures, ports, bounds):
        self.name, self.structures, self.ports, self.bounds = name, structures, ports, bounds

    def export_gds(self, export_dir, dbu, buffer):
        polygons = [(tuple(s.layer), s.polygon) for s in self.structures if s.role == "device"]
        for p in self.ports:
            along = {0: (1, 0), 90: (0, 1), 180: (-1, 0), 270: (0, -1)}[p.direction]
            across = (along[1] * p.width / 2, along[0] * p.width / 2)
            x, y = p.center[:2]
            end = (x + buffer * along[0], y + buffer * along[1])
            polygons.append((tuple(p.layer), [(x + across[0], y + across[1]), (end[0] + across[0], end[1] + across[1]),
                                              (end[0] - across[0], end[1] - across[1]), (x - across[0], y - across[1])]))
        write_gds(pathlib.Path(export_dir) / f"{self.name}.gds", self.name, polygons, dbu)


def port(name, x, y, direction, width=0.5):
    return types.SimpleNamespace(name=name, center=[x, y, 0.11], width=width, direction=direction, height=0.22, layer=[1, 0],
                                 idx=int(name[-1]))


def strip(length=0.6):
    """A strip of silicon along x, 500 x 220 nm in glass, with a port at each end."""
    half = length / 2
    structures = [types.SimpleNamespace(layer=[1, 0], role="device",
                                        polygon=[(-half, -0.25), (half, -0.25), (half, 0.25), (-half, 0.25)])]
    bounds = types.SimpleNamespace(x_center=0, x_span=length, y_center=0, y_span=0.6)
    return Component("strip", structures, [port("opt1", -half, 0, 180), port("opt2", half, 0, 0)], bounds)


GLASS, SILICON = {"lum_db": {"model": "SiO2 (Glass) - Palik"}}, {"nk": 3.476}


def technology(silicon=None, **of_device):
    return {"name": "planar", "substrate": [{"z_base": 0.0, "z_span": -2, "material": GLASS}],
            "superstrate": [{"z_base": 0.0, "z_span": 3, "material": GLASS}],
            "device": [{"layer": [1, 0], "z_base": 0.0, "z_span": 0.22, "material": silicon or SILICON, "sidewall_angle": 90.0,
                        **of_device},
                       {"layer": [4, 0], "z_base": 0.3, "z_span": 0.4, "material": {"lum_db": {"model": "unknown"}},
                        "sidewall_angle": 83.0}]}


def specification(**changed):
    """As gds_fdtd.spec.SimulationSpec, with few cells."""
    return types.SimpleNamespace(**{**dict(wavelength_start=1.5, wavelength_end=1.6, wavelength_points=3, mesh=6,
                                           boundary=("PML", "PML", "PML"), symmetry=(0, 0, 0), z_min=-0.5, z_max=0.72,
                                           width_ports=1.4, depth_ports=1.1, buffer=0.5, modes=(1,), run_time_factor=3.0,
                                           field_monitors=("z",)), **changed})


class SMatrix:
    """As gds_fdtd.smatrix.SMatrix: s[frequency, out, in, mode out, mode in]."""

    @classmethod
    def from_entries(cls, entries, name, port_names):
        made = cls()
        made.name, made.port_names, made.entries = name, port_names, {}
        for port_in, port_out, mode_in, mode_out, f, s in entries:
            made.f = f
            made.entries[port_out, port_in, mode_out, mode_in] = s
        return made

    def sel(self, out, in_, mode_out=1, mode_in=1):
        return self.entries[out, in_, mode_out, mode_in]


class Solver(abc.ABC):
    """The constructor and the four methods of the contract (gds_fdtd.solvers.base)."""

    def __init__(self, component, technology, spec=None, workdir=None):
        self.component, self.technology, self.spec = component, technology, spec or specification()
        self.workdir = pathlib.Path(workdir) if workdir is not None else None
        self._artifacts = None

    @abc.abstractmethod
    def validate(self):
        """Problems as a list of sentences."""

    @abc.abstractmethod
    def build(self):
        """SetupArtifacts, without a network, the same each time."""

    @abc.abstractmethod
    def estimate(self):
        """ResourceEstimate, without a network."""

    @abc.abstractmethod
    def run(self):
        """SMatrix."""


def install_contract(monkeypatch):
    """Puts a package gds_fdtd with this contract in the place of an installed one; returns its registered solvers by name."""
    registered = {}

    def register_solver(cls):
        registered[cls.name] = cls
        return cls
    package, solvers, smatrix = (types.ModuleType(f"gds_fdtd{end}") for end in ("", ".solvers", ".smatrix"))
    solvers.Solver, solvers.register_solver, smatrix.SMatrix = Solver, register_solver, SMatrix
    for name in ("SolverCapabilities", "SetupArtifacts", "ResourceEstimate"):
        setattr(solvers, name, type(name, (types.SimpleNamespace,), {}))
    package.__path__, package.solvers, package.smatrix = [], solvers, smatrix
    for module in (package, solvers, smatrix):
        monkeypatch.setitem(sys.modules, module.__name__, module)
    monkeypatch.delitem(sys.modules, "dgtd.gds_fdtd", raising=False)
    return registered
