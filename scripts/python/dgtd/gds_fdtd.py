"""The solver "dgtd" of gds_fdtd (github.com/SiEPIC/gds_fdtd), beside Tidy3D, Lumerical and beamz: a component and a
technology in, an S-matrix out.

    from gds_fdtd.solvers import get_solver        # finds it by the entry point of this package
    s = get_solver("dgtd")(component, technology, spec, workdir="out/splitter").run()

For the contract of gds_fdtd.solvers; the released gds_fdtd 0.4 has another one, that of dgtd.gds_fdtd_0_4.
"""
import pathlib
import re
import tempfile

import numpy as np

from . import photonic_device, program
from .packages import optional
from .program import Error

try:
    import gds_fdtd.solvers as _solvers
    from gds_fdtd.smatrix import SMatrix
except ImportError as error:
    if not (error.name or "gds_fdtd").startswith("gds_fdtd"):
        raise
    raise Error("the solver dgtd needs gds_fdtd with gds_fdtd.solvers (github.com/SiEPIC/gds_fdtd); for gds_fdtd 0.4 import "
                "dgtd.gds_fdtd_0_4") from None


@_solvers.register_solver
class DgtdSolver(_solvers.Solver):
    """Yee's scheme (method fdtd3d) with ports of computed modes. Media are lossless, of their index in the middle of the band.

    indices: {name of a material in another solver's database: refractive index}. ranks, backend, threads: as of Case.run.
    """

    name = "dgtd"
    capabilities = _solvers.SolverCapabilities(tier="full", execution="local", supports_dispersion=False,
                                               supports_sidewall_angle=True, supports_multimode=True, supports_gpu=True,
                                               cost_model="free")

    def __init__(self, *arguments, indices=None, ranks=1, backend=None, threads=None, **keywords):
        super().__init__(*arguments, **keywords)
        self.indices = indices
        self._how = {"ranks": ranks, "backend": backend, "threads": threads}
        self._temporary = self._results = None

    @staticmethod
    def probe_available():
        """None, or why the program cannot be started."""
        try:
            program.find_program()
        except Error as error:
            return str(error)
        return None

    def engine_version(self):
        """The program's version, part of the key under which gds_fdtd keeps results."""
        return program.call("--version").strip()

    def _folder(self):
        if self.workdir is not None:
            return pathlib.Path(self.workdir)
        if self._temporary is None:
            self._temporary = tempfile.TemporaryDirectory(prefix="dgtd_")
        return pathlib.Path(self._temporary.name)

    def validate(self):
        """Problems as sentences, the program's own among them; empty: the device can be computed."""
        reason = self.probe_available()
        found = [reason] if reason else []
        found += photonic_device.problems_of(self.component, self.technology, self.spec)
        if not found:
            try:
                self._case().check()
            except Error as error:
                found.append(str(error))
        return found

    def _case(self):
        return photonic_device.device_case(self.component, self.technology, self.spec, self._folder(), indices=self.indices)

    def build(self):
        """Writes the layout and the case file; native is the text of the case."""
        problems = self.validate()
        if problems:
            raise Error("cannot build: " + "; ".join(problems), 2)
        case = self._case()
        file = case.write(self._folder() / f"{case.name}.cfg")
        modes = len(self.component.ports) * len(self.spec.modes)
        self._artifacts = _solvers.SetupArtifacts(
            native=case.text(), files={"case": file, "gds": self._folder() / f"{self.component.name}.gds"},
            summary={"n_ports": len(self.component.ports), "n_modes": len(self.spec.modes), "n_simulations": modes})
        return self._artifacts

    def estimate(self):
        """Cells and memory, which the program finds without a run."""
        report = self._case().check()
        cells, memory = re.search(r"= (\d+) cells", report), re.search(r"memory per rank: ([\d.]+) GB", report)
        return _solvers.ResourceEstimate(grid_cells=int(cells[1]) if cells else None,
                                         memory_gb=float(memory[1]) if memory else None,
                                         n_simulations=len(self.component.ports) * len(self.spec.modes),
                                         cost_hint="free local computation, on CPU or GPU")

    def run(self):
        """One run per port and mode; returns the S-matrix. Results of the program are in the working directory."""
        if self._artifacts is None:
            self.build()
        case = self._case()
        results = case.run(output=self._folder() / "results", **self._how).results
        self._results = results
        ports = [port.name for port in self.component.ports]
        return SMatrix.from_entries(photonic_device.scattering_entries(results, ports, self.spec.modes),
                                    name=self.component.name, port_names=ports)

    def plot_fields(self, axis="z", savefig=None):
        """|E|^2 on the plane of spec.field_monitors across this axis, of the first excited port; returns figure and axes."""
        if axis not in self.spec.field_monitors:
            raise Error(f"axis {axis}: is not in spec.field_monitors, {tuple(self.spec.field_monitors)}")
        if self._results is None:
            raise Error("plot_fields() needs fields: call run() first")
        first = photonic_device.names_of_modes(self.component.ports[0].name, self.spec.modes)[self.spec.modes[0]]
        pyplot = optional("matplotlib.pyplot", "plot_fields()")
        from .results import Results
        grid = Results(self._results.directory / f"excite_{first}").grid(f"profile_{axis}")
        squared = sum((values ** 2).sum(axis=-1) for values in grid.cells.values() if values.shape[3:] == (3,)).squeeze()
        across = [a for a in range(3) if a != "xyz".index(axis)]
        edges = [1e6 * np.array(grid.nodes[a]) for a in across]
        figure, axes = pyplot.subplots()
        image = axes.pcolormesh(edges[0], edges[1], squared, cmap="magma")
        figure.colorbar(image, ax=axes, label="|E|² [V² s²/m²]")
        axes.set(xlabel=f"{'xyz'[across[0]]} [um]", ylabel=f"{'xyz'[across[1]]} [um]", aspect="equal",
                 title=f"{self.component.name}: port {first} sends")
        if savefig:
            figure.savefig(savefig, dpi=150, bbox_inches="tight")
        return figure, axes
