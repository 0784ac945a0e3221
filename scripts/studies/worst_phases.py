#!/usr/bin/env python3
"""The largest SAR of several sources over their phases, from one run per source.

  worst_phases.py FOLDER [--mass 10] [--weights NAME=AMPLITUDE[:DEGREES] ...] [--output FOLDER]

FOLDER has the results of a case of fdtd3d with one [excitation.NAME] per source (or port), `output.fields = E SAR` and
`sar.mass`; its runs keep their own power (`sar.normalise = none`). E of weights w is sum w_i E_i, so that the local SAR
and its averages are w* Q w with a Hermitian matrix Q per voxel. That of a mass is found by the program's own averages
(dgtd-sar): of E_i, of E_i + E_j and of E_i + i E_j; they are linear in the local SAR where the voxel has a cube of its
own (status 1, and 3 at the surface), and these voxels are searched. Two results:

- all amplitudes 1, phases free: the largest w* Q w with |w_i| = 1, by ascent from several starts (exact for two sources);
- amplitudes free, too, with the same sum of squares: n times the largest eigenvalue of Q, a bound of the first.

A phase is a lag: fields are Re E exp(-i w t). --weights gives the peak of chosen weights. Writes worst_phases.json.
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


def only(names, pattern, file):
    """The first name that is the pattern, alone or with the suffix of a frequency."""
    found = [name for name in names if re.fullmatch(pattern + r"(_\w+Hz)?", name)]
    if not found:
        sys.exit(f"{file}: has no {pattern}; the runs need output.fields = E SAR and sar.mass")
    return found[0]


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
        self.voxels = grids.read(voxel_files[0], ["density_kg_per_m3", "SAR_W_per_kg"])
        file = folder / "fields.pvtr"
        if not file.exists():
            sys.exit(f"{folder}: has no fields.pvtr; this study is one of fdtd3d")
        names = grids.names(file)
        real, imag = only(names, "E_real_V_per_m", file), only(names, "E_imag_V_per_m", file)
        fields = grids.read(file, [real, imag])
        window = tuple(self._cells(fields.nodes[a], self.voxels.nodes[a]) for a in (2, 1, 0))
        self.electric = (fields.cells[real][window].astype(complex) + 1j * fields.cells[imag][window]).reshape(-1, 3)
        self.sar = self.voxels.cells["SAR_W_per_kg"].reshape(-1).astype(float)
        self.density = self.voxels.cells["density_kg_per_m3"].reshape(-1)

    @staticmethod
    def _cells(nodes, part):
        first = int(np.argmin(np.abs(nodes - part[0])))
        if not np.allclose(nodes[first:first + len(part)], part, rtol=0, atol=1e-3 * np.min(np.diff(nodes))):
            sys.exit("the voxels of the averages are not cells of the field file")
        return slice(first, first + len(part) - 1)


def local_matrices(runs):
    """[voxels][n][n] W/kg: w* Q w is the local SAR of the weights. On the diagonal is the cells' own SAR, a mean over a
    cell; beside it the phases and the angles between the fields are those of E at its centre."""
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


def averaged_matrices(local, averages):
    """[voxels][n][n] of the averages, from those of single sources and of pairs: with s(w) = w* Q w,
    Re Q_ij = (s(e_i + e_j) - s_i - s_j) / 2 and Im Q_ij = -(s(e_i + i e_j) - s_i - s_j) / 2."""
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
    return matrices, status


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

        matrices, status = averaged_matrices(local, averages)
        searched = np.flatnonzero((status == 1) | (status == 3))
        if len(searched) == 0:
            sys.exit(f"{arguments.folder}: no voxel has a cube of {arguments.mass:g} g")
        phases, sar = best_phases(matrices[searched])
        worst = int(np.argmax(sar))
        values, vectors = np.linalg.eigh(matrices[searched])
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
    if arguments.weights:
        print(f"  {' '.join(arguments.weights)}: {results['weights']['peak']['sar_W_per_kg']:.6g}")


if __name__ == "__main__":
    main()
