#!/usr/bin/env python3
"""The largest SAR of several sources over their phases, from one run per source.

  worst_phases.py FOLDER [--mass 10] [--weights NAME=AMPLITUDE[:DEGREES] ...] [--scan DEGREES] [--output FOLDER]

FOLDER has the results of a case with one [excitation.NAME] per source (or port) and `sar.mass`; its runs keep their own
power (`sar.normalise = none`). E comes, of fdtd3d, from `output.fields = E SAR`, and of dgtd from a [monitor.NAME] of
type box at the frequency of SAR whose cells are the voxels of the averages; without it the study prints that monitor.
E of weights w is sum w_i E_i, so that the local SAR
and its averages are w* Q w with a Hermitian matrix Q per voxel. That of a mass is found by the program's own averages
(dgtd-sar): of E_i, of E_i + E_j and of E_i + i E_j; they are linear in the local SAR where the voxel has a cube around
it (status 1). A voxel at the surface (status 3) has the largest average of several cubes, each with its own Q, which the
study finds itself. Other voxels have no larger averages. Two results:

- all amplitudes 1, phases free: the largest w* Q w with |w_i| = 1, by ascent from several starts (exact for two sources);
- amplitudes free, too, with the same sum of squares: n times the largest eigenvalue of Q, a bound of the first.

A phase is a lag: fields are Re E exp(-i w t). --weights gives the peak of chosen weights, --scan the largest one of all
phases in such steps, of fields that are added and averaged for each of them. Writes worst_phases.json.
"""
import argparse
import base64
import itertools
import json
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import study
from python_packages import required

np = required("numpy")
dgtd = study.dgtd
grids = dgtd.grids


def find(names, pattern):
    """The first name that is the pattern, alone or with the suffix of a frequency, or None."""
    return next((name for name in names if re.fullmatch(pattern + r"(_\w+Hz)?", name)), None)


class Excitation:
    """Complex E (V/m) [voxels][3], local SAR (W/kg) [voxels] of one run on the voxels of its averages, x fastest."""

    def __init__(self, folder):
        summary = json.loads((folder / "summary.json").read_text())
        if summary["sar"]["normalise"] != "none":
            sys.exit(f"{folder}: SAR is {summary['sar']['refers_to']}; weights need sar.normalise = none")
        if summary.get("interrupted") is not None:
            sys.exit(f"{folder}: the run was interrupted")
        voxel_files = [folder / name for name in ("sar.vti", "sar.vtr") if (folder / name).exists()]
        if not voxel_files:
            sys.exit(f"{folder}: has no sar.vti; the runs need sar.mass")
        sar = next(name for name in grids.names(voxel_files[0])
                   if name in ("SAR_W_per_kg", "SAR_at_voxel_centre_W_per_kg"))
        self.voxels = grids.read(voxel_files[0], ["density_kg_per_m3", sar])
        self.electric = self._electric(folder)
        self.sar = self.voxels.cells[sar].reshape(-1).astype(float)
        self.density = self.voxels.cells["density_kg_per_m3"].reshape(-1)

    def _electric(self, folder):
        """E of the voxels from the first file of fields that has all of them as cells."""
        files = sorted(folder.glob("fields.pvtr")) or sorted(folder.glob("monitor_*.pvtr"))
        for file in files:
            names = grids.names(file)
            real, imag = (find(names, f"E_{part}_V_per_m") for part in ("real", "imag"))
            if not real or not imag:
                continue
            fields = grids.read(file, [real, imag])
            window = tuple(self._cells(fields.nodes[a], self.voxels.nodes[a]) for a in (2, 1, 0))
            if None not in window:
                return (fields.cells[real][window].astype(complex) + 1j * fields.cells[imag][window]).reshape(-1, 3)
        low, high = ([n[i] for n in self.voxels.nodes] for i in (0, -1))
        numbers = [" ".join(f"{x:.9g}" for x in values)
                   for values in (np.add(low, high) / 2, np.subtract(high, low))]
        sys.exit(f"{folder}: no file of E has the voxels of the averages; the runs need output.fields = E SAR (fdtd3d), or "
                 f"a monitor (dgtd):\n[monitor.electric]\ntype = box\ncentre = {numbers[0]}\nsize = {numbers[1]}\n"
                 f"spacing = {self.voxels.nodes[0][1] - self.voxels.nodes[0][0]:.9g}\nfields = E\n"
                 "frequencies = that of SAR")

    @staticmethod
    def _cells(nodes, part):
        first = int(np.argmin(np.abs(nodes - part[0])))
        same = len(nodes) >= first + len(part) and np.allclose(nodes[first:first + len(part)], part, rtol=0,
                                                               atol=1e-3 * np.min(np.diff(part)))
        return slice(first, first + len(part) - 1) if same else None


def local_matrices(runs):
    """[voxels][n][n] W/kg: w* Q w is the local SAR of the weights. On the diagonal is the voxels' own SAR, of a grid a mean
    over the cell; beside it the phases and the angles between the fields are those of E at its centre."""
    electric = np.stack([run.electric for run in runs])  # [n][voxels][3]
    products = np.einsum("ivk,jvk->vij", electric.conj(), electric)
    at_centre = np.einsum("vii->vi", products).real
    cells = np.stack([run.sar for run in runs], axis=1)
    tissue = (runs[0].density > 0)[:, None]
    scale = np.sqrt(np.divide(cells, at_centre, out=np.zeros_like(cells), where=(at_centre > 0) & tissue))
    return scale[:, :, None] * products * scale[:, None, :]


def sar_of(matrices, weights):
    """[voxels] w* Q w; weights: [n], or one row per voxel."""
    weights = np.broadcast_to(weights, (len(matrices), matrices.shape[1]))
    return np.einsum("vi,vij,vj->v", weights.conj(), matrices, weights).real


def write_grid(file, voxels, arrays):
    """A .vtr file of cell arrays, binary."""

    def data(name, values):
        values = np.ascontiguousarray(values)
        kind = {"float32": "Float32", "float64": "Float64"}[values.dtype.name]
        size = np.array([values.nbytes], "<u4").tobytes()
        text = (base64.b64encode(size + values.tobytes())).decode()
        return f'<DataArray type="{kind}" Name="{name}" format="binary">{text}</DataArray>\n'

    extent = " ".join(f"0 {len(n) - 1}" for n in voxels.nodes)
    file.write_text(f'<?xml version="1.0"?>\n<VTKFile type="RectilinearGrid" version="1.0" byte_order="LittleEndian" '
                    f'header_type="UInt32">\n<RectilinearGrid WholeExtent="{extent}">\n<Piece Extent="{extent}">\n<CellData>\n'
                    + "".join(data(name, values) for name, values in arrays.items()) + "</CellData>\n<Coordinates>\n"
                    + "".join(data(axis, np.asarray(n, float)) for axis, n in zip("xyz", voxels.nodes))
                    + "</Coordinates>\n</Piece>\n</RectilinearGrid>\n</VTKFile>\n")


class Averages:
    """Averages over a mass by dgtd-sar on the voxels of a run."""

    def __init__(self, run, mass, program, folder):
        self.run, self.mass, self.program, self.folder = run, mass, program, pathlib.Path(folder)

    def __call__(self, sar):
        """W/kg [voxels] of a local SAR, and the status of each voxel."""
        given, made = self.folder / "local.vtr", self.folder / "averaged.vtr"
        write_grid(given, self.run.voxels, {"density": self.run.density.astype("float32"), "sar": sar.astype("float32")})
        command = [self.program, str(given), "--mass", f"{self.mass:g}", "-o", str(made)]
        try:
            result = subprocess.run(command, capture_output=True, text=True)
        except OSError as error:
            sys.exit(f"{self.program}: {error.strerror}; --bin names the folder of dgtd-sar")
        if result.returncode != 0:
            sys.exit(result.stderr.strip() or f"dgtd-sar: exit code {result.returncode}")
        name = f"SAR_{self.mass:g}g"
        grid = grids.read(made, [f"{name}_W_per_kg", f"{name}_status"])
        return (grid.cells[f"{name}_W_per_kg"].reshape(-1).astype(float), grid.cells[f"{name}_status"].reshape(-1))


class FaceCubes:
    """Cubes of a mass, kg, that have a voxel at the centre of one face, as dgtd-sar has them for unused voxels: of the six
    directions those of at most 1.05 times the smallest volume count, and the largest average. Each has its own matrix."""

    DIRECTIONS = [(axis, upper) for axis in range(3) for upper in (0, 1)]

    def __init__(self, voxels, density, numbers, mass):
        self.nodes = voxels.nodes  # [axis] m
        shape = [len(n) - 1 for n in voxels.nodes]
        self.sizes = [np.diff(n) for n in voxels.nodes]
        self.volume = np.einsum("k,j,i->kji", self.sizes[2], self.sizes[1], self.sizes[0]).reshape(-1)
        self.density, self.mass = density, mass
        index = (numbers % shape[0], numbers // shape[0] % shape[1], numbers // (shape[0] * shape[1]))
        low = [n[i] for n, i in zip(voxels.nodes, index)]
        high = [n[i + 1] for n, i in zip(voxels.nodes, index)]
        table = self._table(density * self.volume)
        boxes = [self._boxes(low, high, table, axis, upper) for axis, upper in self.DIRECTIONS]
        sides = np.stack([side for side, _ in boxes])  # [direction][voxel]
        smallest = np.min(sides, axis=0)
        self.rows = [(numbers[chosen], [[x[chosen] for x in ends] for ends in box])
                     for (side, box) in boxes
                     for chosen in [np.isfinite(side) & (side**3 <= 1.05 * smallest**3 * (1 + 1e-9))]]

    def _table(self, values):
        """Sums of the voxels below each node, [z][y][x]."""
        sums = np.zeros([len(n) for n in reversed(self.nodes)], values.dtype)
        sums[1:, 1:, 1:] = values.reshape([len(n) - 1 for n in reversed(self.nodes)]).cumsum(0).cumsum(1).cumsum(2)
        return sums

    def _sum(self, table, box):
        """Of boxes [axis][end][box], linear inside of voxels."""
        corners = []
        for nodes, ends in zip(self.nodes, box):
            at = [np.interp(x, nodes, np.arange(len(nodes))) for x in ends]
            first = [np.minimum(x.astype(int), len(nodes) - 2) for x in at]
            corners.append([(i + step, sign * (part if step else 1 - part))
                            for i, part, sign in zip(first, [x - i for x, i in zip(at, first)], (-1, 1))
                            for step in (0, 1)])
        return sum(wx * wy * wz * table[k, j, i] for i, wx in corners[0] for j, wy in corners[1] for k, wz in corners[2])

    def _boxes(self, low, high, table, axis, upper):
        """Sides of the cubes in a direction, infinite where the tissue there is lighter than the mass, and their ends."""

        def box(side):
            ends = [[0.5 * (a + b - side), 0.5 * (a + b + side)] for a, b in zip(low, high)]
            ends[axis] = [high[axis] - side, high[axis]] if upper else [low[axis], low[axis] + side]
            return ends

        least = np.zeros(len(low[0]))
        most = np.full(len(low[0]), 2 * max(n[-1] - n[0] for n in self.nodes))
        absent = self._sum(table, box(most)) < self.mass * (1 - 1e-6)
        for _ in range(60):
            middle = 0.5 * (least + most)
            light = self._sum(table, box(middle)) < self.mass
            least, most = np.where(light, middle, least), np.where(light, most, middle)
        return np.where(absent, np.inf, most), box(most)

    def averages(self, sar):
        """W/kg of a local SAR (or an element of the matrices) [voxels]: numbers of voxels, and averages of their cubes."""
        table = self._table(sar * self.density * self.volume)
        return (np.concatenate([numbers for numbers, _ in self.rows]),
                np.concatenate([self._sum(table, box) / self.mass for _, box in self.rows]))


def averaged_matrices(local, averages):
    """Numbers of voxels [rows] and [rows][n][n] of their averages: of each voxel with a centred cube (status 1), from those
    of single sources and of pairs, with s(w) = w* Q w, Re Q_ij = (s(e_i + e_j) - s_i - s_j) / 2 and
    Im Q_ij = -(s(e_i + i e_j) - s_i - s_j) / 2; and of each cube of voxels at a surface (status 3)."""
    count = local.shape[1]
    unit = np.eye(count, dtype=complex)
    matrices = np.zeros_like(local)
    alone = []
    for i in range(count):
        mean, status = averages(sar_of(local, unit[i]))
        alone.append(mean)
        matrices[:, i, i] = mean
    for i, j in itertools.combinations(range(count), 2):
        real = (averages(sar_of(local, unit[i] + unit[j]))[0] - alone[i] - alone[j]) / 2
        imag = -(averages(sar_of(local, unit[i] + 1j * unit[j]))[0] - alone[i] - alone[j]) / 2
        matrices[:, i, j] = real + 1j * imag
        matrices[:, j, i] = real - 1j * imag
    centred, at_surface = np.flatnonzero(status == 1), np.flatnonzero(status == 3)
    if len(at_surface) == 0:
        return centred, matrices[centred]
    run = averages.run
    cubes = FaceCubes(run.voxels, run.density, at_surface, 1e-3 * averages.mass)
    for i in range(count):  # the same cubes as those of dgtd-sar
        numbers, means = cubes.averages(sar_of(local, unit[i]))
        largest = np.zeros(len(local))
        np.maximum.at(largest, numbers, means)
        off = np.max(np.abs(largest[at_surface] - alone[i][at_surface])) / np.max(alone[i])
        if off > 1e-3:
            sys.exit(f"cubes at the surface are not those of dgtd-sar: averages differ by {off:.2g} of the largest")
    of_cubes = np.zeros((len(numbers), count, count), complex)
    for i, j in itertools.product(range(count), repeat=2):
        of_cubes[:, i, j] = cubes.averages(local[:, i, j])[1]
    return np.concatenate([centred, numbers]), np.concatenate([matrices[centred], of_cubes])


def best_phases(matrices, sweeps=60):
    """[voxels][n] of |w_i| = 1 with a large w* Q w: each phase in turn is the best one for the others, from the phases of
    the eigenvectors."""
    vectors = np.linalg.eigh(matrices)[1]
    best, best_sar = None, None
    for start in range(matrices.shape[1]):
        weights = np.exp(1j * np.angle(vectors[:, :, start]))
        for _ in range(sweeps):
            for i in range(matrices.shape[1]):
                others = np.einsum("vj,vj->v", matrices[:, i, :], weights) - matrices[:, i, i] * weights[:, i]
                weights[:, i] = np.exp(1j * np.angle(others))
        sar = sar_of(matrices, weights)
        if best is None:
            best, best_sar = weights, sar
        else:
            better = sar > best_sar
            best[better], best_sar[better] = weights[better], sar[better]
    return best, best_sar


def scan_step(text):
    step = float(text)
    if not 0 < step <= 180:
        raise argparse.ArgumentTypeError(f"{text} must be above 0 and at most 180")
    return step


def scanned(count, degrees, peak):
    """The largest peak over the phases 0, `degrees`, ... of all sources but the first, and these phases."""
    steps = np.radians(np.arange(0, 360, degrees))
    found = max(((peak(np.exp(1j * np.array((0,) + others))), others)
                 for others in itertools.product(steps, repeat=count - 1)), key=lambda entry: entry[0]["sar_W_per_kg"])
    return found[0], [0.0] + np.degrees(found[1]).tolist()


def place(voxels, number):
    shape = [len(n) - 1 for n in voxels.nodes]
    index = (number % shape[0], number // shape[0] % shape[1], number // (shape[0] * shape[1]))
    return [float(0.5 * (n[i] + n[i + 1])) for n, i in zip(voxels.nodes, index)]


def read_weights(texts, names):
    weights = {name: 0j for name in names}
    for text in texts:
        name, mark, value = text.partition("=")
        amplitude, _, degrees = value.partition(":")
        try:
            weight = float(amplitude) * np.exp(1j * np.radians(float(degrees or 0)))
        except ValueError:
            mark = ""
        if not mark or name not in weights:
            sys.exit(f"--weights {text}: must be NAME=AMPLITUDE or NAME=AMPLITUDE:DEGREES; names are {', '.join(names)}")
        weights[name] = weight
    return np.array([weights[name] for name in names])


def read_runs(folder, wanted):
    try:
        summary = json.loads((folder / "summary.json").read_text())
    except OSError as error:
        sys.exit(f"{folder}/summary.json: {error.strerror}")
    if "excitations" not in summary:
        sys.exit(f"{folder}: not the results of a case with [excitation.NAME]")
    single = [name for name, sources in summary["excitations"].items() if len(sources) == 1]
    names = wanted or single
    for name in names:
        if name not in summary["runs"]:
            sys.exit(f"{folder}: has no excitation {name}; it has {', '.join(summary['runs'])}")
    return names, [Excitation(folder / summary["runs"][name]) for name in names]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--excitations", nargs="+", default=[], metavar="NAME", help="which ones (all of one source)")
    parser.add_argument("--mass", type=float, default=10, help="g (10)")
    parser.add_argument("--weights", nargs="+", default=[], metavar="NAME=AMPLITUDE[:DEGREES]")
    parser.add_argument("--scan", type=scan_step, metavar="DEGREES", help="also the largest of all phases in such steps")
    parser.add_argument("--output", type=pathlib.Path, help="folder of worst_phases.json (FOLDER)")
    parser.add_argument("--bin", default=str(study.ROOT / "build/release/bin"), help="folder of dgtd-sar")
    arguments = parser.parse_args()
    names, runs = read_runs(arguments.folder, arguments.excitations)
    if len(runs) < 2:
        sys.exit(f"{arguments.folder}: has {len(runs)} excitations of one source; phases need two or more")
    local = local_matrices(runs)
    with tempfile.TemporaryDirectory() as scratch:
        averages = Averages(runs[0], arguments.mass, str(pathlib.Path(arguments.bin) / "dgtd-sar"), scratch)

        def peak(weights):
            mean, _ = averages(sar_of(local, weights))
            return {"sar_W_per_kg": float(mean.max()), "at_m": place(runs[0].voxels, int(mean.argmax()))}

        searched, matrices = averaged_matrices(local, averages)
        if len(searched) == 0:
            sys.exit(f"{arguments.folder}: no voxel has a cube of {arguments.mass:g} g")
        phases, sar = best_phases(matrices)
        worst = int(np.argmax(sar))
        values, vectors = np.linalg.eigh(matrices)
        bound = int(np.argmax(values[:, -1]))
        weights = phases[worst] / phases[worst][0]
        free = vectors[bound, :, -1] * np.sqrt(len(runs))
        results = {
            "mass_g": arguments.mass,
            "excitations": names,
            "alone": {name: peak(unit) for name, unit in zip(names, np.eye(len(names), dtype=complex))},
            "in_phase": peak(np.ones(len(names), complex)),
            "worst_phases": {"sar_W_per_kg": float(sar[worst]), "at_m": place(runs[0].voxels, int(searched[worst])),
                             "phases_deg": dict(zip(names, np.degrees(np.angle(weights)).tolist())),
                             "peak": peak(weights)},
            "largest_eigenvalue": {"sar_W_per_kg": float(values[bound, -1] * len(runs)),
                                   "at_m": place(runs[0].voxels, int(searched[bound])),
                                   "weights": {name: [float(w.real), float(w.imag)] for name, w in zip(names, free)}}}
        if arguments.weights:
            results["weights"] = {"given": arguments.weights, "peak": peak(read_weights(arguments.weights, names))}
        if arguments.scan:
            largest, lags = scanned(len(runs), arguments.scan, peak)
            results["scan"] = {"step_deg": arguments.scan, "peak": largest, "phases_deg": dict(zip(names, lags))}
    output = arguments.output or arguments.folder
    output.mkdir(parents=True, exist_ok=True)
    (output / "worst_phases.json").write_text(json.dumps(results, indent=2) + "\n")
    print(f"peak SAR over {arguments.mass:g} g, W/kg")
    for name, alone in results["alone"].items():
        print(f"  {name} alone: {alone['sar_W_per_kg']:.6g}")
    print(f"  all in phase: {results['in_phase']['sar_W_per_kg']:.6g}")
    found = results["worst_phases"]
    degrees = ", ".join(f"{name} {value:.1f}" for name, value in found["phases_deg"].items())
    print(f"  worst phases: {found['sar_W_per_kg']:.6g} at lags in degrees of {degrees}; "
          f"largest average with them {found['peak']['sar_W_per_kg']:.6g}")
    print(f"  amplitudes free, same sum of squares: {results['largest_eigenvalue']['sar_W_per_kg']:.6g}")
    if arguments.scan:
        degrees = ", ".join(f"{name} {value:.1f}" for name, value in results["scan"]["phases_deg"].items())
        print(f"  largest of all phases in steps of {arguments.scan:g} degrees: "
              f"{results['scan']['peak']['sar_W_per_kg']:.6g} at {degrees}")
    if arguments.weights:
        print(f"  {' '.join(arguments.weights)}: {results['weights']['peak']['sar_W_per_kg']:.6g}")


if __name__ == "__main__":
    main()
