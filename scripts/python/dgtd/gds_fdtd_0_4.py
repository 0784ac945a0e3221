"""The solver dgtd for the released gds_fdtd 0.4, beside its fdtd_solver_tidy3d and fdtd_solver_lumerical.

    from dgtd.gds_fdtd_0_4 import fdtd_solver_dgtd
    solver = fdtd_solver_dgtd(component=component, tech=technology, mesh=10, working_dir="out")
    solver.run()
    solver.sparameters.S(in_port=1, out_port=2)
"""
import pathlib

import numpy as np

from . import photonic_device
from .packages import optional
from .program import Error

_solver = optional("gds_fdtd.solver", "the solver dgtd of gds_fdtd 0.4")


class fdtd_solver_dgtd(_solver.fdtd_solver):  # the name that the package's other solvers have
    """Yee's scheme (method fdtd3d) with ports of computed modes. Media are lossless, of their index in the middle of the band.

    indices: {name of a material in another solver's database: refractive index}. ranks, backend, threads: as of Case.run.
    Other arguments are those of fdtd_solver. Raises Error for what cannot be computed.
    """

    def __init__(self, *arguments, indices=None, ranks=1, backend=None, threads=None, **keywords):
        super().__init__(*arguments, **keywords)
        self.indices = indices
        self._how = {"ranks": ranks, "backend": backend, "threads": threads}
        self.setup()

    def _excited(self):
        """Names of the ports of port_input; all without it."""
        given = self.port_input if isinstance(self.port_input, (list, tuple)) else [self.port_input]
        return [port.name for port in given if port is not None] or [port.name for port in self.component.ports]

    def setup(self):
        """Writes the layout and the case, and lets the program check it."""
        self._validate_simulation_parameters()
        self.case = photonic_device.device_case(self.component, self.tech, self, self.working_dir, self._excited(), self.indices)
        self.report = self.case.check().partition("\n# ")[0]  # without the completed case
        self.logger.info("%s", self.report)

    def get_resources(self):
        """Prints and returns what the program says of cells, steps and memory without a run."""
        print(self.report)
        return self.report

    def run(self):
        """One run per excited port and mode, in working_dir/results."""
        self.logger.info("dgtd: %s", self.case.name)
        self.results = self.case.run(output=pathlib.Path(self.working_dir) / "results", **self._how).results
        numbers = {port.name: str(port.idx) for port in self.component.ports}
        self._sparameters = _solver.sparameters(self.component.name)
        entries = photonic_device.scattering_entries(self.results, list(numbers), self.modes)
        for port_in, port_out, mode_in, mode_out, frequencies, s in entries:
            self._sparameters.add_data(in_port=numbers[port_in], out_port=numbers[port_out], mode_label=1, in_modeid=mode_in,
                                       out_modeid=mode_out, data_type="transmission", group_delay=0.0, f=list(frequencies),
                                       s_mag=list(np.abs(s)), s_phase=list(np.angle(s)))

    def get_results(self):
        """The S-parameters, also the property `sparameters`. Raises Error before a run."""
        if self._sparameters is None:
            raise Error("there are no results: call run() first")
        return self._sparameters

    def get_log(self):
        """Prints and returns what the program has printed in its run. Raises Error before a run."""
        file = pathlib.Path(self.working_dir) / "results" / "run.log"
        if not file.is_file():
            raise Error(f"{file}: is not there; call run() first")
        print(file.read_text())
        return file.read_text()
