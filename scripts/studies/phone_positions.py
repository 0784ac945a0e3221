#!/usr/bin/env python3
"""How SAR in a head varies with the position and angle of a phone and with the tissues' parameters.

  phone_positions.py IMAGE TISSUES --position X Y Z [--vary NAME=LOW:HIGH ...] [--samples N] [--output FOLDER]
  phone_positions.py IMAGE TISSUES --position X Y Z --list SAMPLES.csv

IMAGE and TISSUES are those of `dgtd-mesh from-labels` (docs/meshes.md); --position is where the middle of the feed gap is
without a variation, m. NAME is x, y, z (m, added to the position), rotation_x, rotation_y, rotation_z (degrees),
eps_r or sigma (factor for all tissues), or TISSUE.eps_r, TISSUE.sigma. Samples are a Latin hypercube, the first one is
the unchanged case; a list has the names as its first row. SAR is that at 1 W emitted power.

Each sample is a mesh and a run; --at-once, --gpus and --launcher give several at once. An interrupted study continues.
Writes samples.csv (what was varied, peaks and powers), report.json (mean, spread, worst case) and peaks.png.
"""
import argparse
import concurrent.futures
import csv
import json
import math
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import study
from python_packages import pyplot, required

np = required("numpy")

PLACE = ("x", "y", "z")
ANGLE = ("rotation_x", "rotation_y", "rotation_z")


def latin_hypercube(ranges, count, seed):
    """[count][names]: each range is cut into `count` strata, each of which has one sample (McKay et al. 1979)."""
    random = np.random.default_rng(seed)
    columns = []
    for low, high in ranges.values():
        strata = (random.permutation(count) + random.random(count)) / count
        columns.append(low + (high - low) * strata)
    return [dict(zip(ranges, map(float, row))) for row in zip(*columns)]


def read_list(file):
    with open(file, newline="") as stream:
        return [{name: float(value) for name, value in row.items()} for row in csv.DictReader(stream)]


def direction(sample):
    """The phone's z axis, turned about x, then y, then z."""
    a, b, c = (math.radians(sample.get(name, 0)) for name in ANGLE)
    x, y, z = 0.0, -math.sin(a), math.cos(a)
    x, z = x * math.cos(b) + z * math.sin(b), -x * math.sin(b) + z * math.cos(b)
    return x * math.cos(c) - y * math.sin(c), x * math.sin(c) + y * math.cos(c), z


def materials(case):
    """Name -> {key: value} of the [material.NAME] sections that have a permittivity."""
    found, section = {}, None
    for line in pathlib.Path(case).read_text().splitlines():
        line = line.split("#")[0].strip()
        if line.startswith("["):
            section = line[1:-1]
        elif "=" in line and section and section.startswith("material."):
            key, value = (word.strip() for word in line.split("=", 1))
            found.setdefault(section[len("material."):], {})[key] = value
    return {name: keys for name, keys in found.items() if "eps_r" in keys}


def material_settings(case, sample):
    settings = {}
    for name, keys in materials(case).items():
        for key in ("eps_r", "sigma"):
            factor = sample.get(key, 1) * sample.get(f"{name}.{key}", 1)
            if factor != 1 and key in keys:
                settings[f"material.{name}.{key}"] = f"{float(keys[key]) * factor:.8g}"
    return settings


def make_run(arguments, number, sample):
    """The run of a sample, after its mesh has been made."""
    folder = pathlib.Path(arguments.output)
    position = [p + sample.get(name, 0) for p, name in zip(arguments.position, PLACE)]
    angles = [sample.get(name, 0) for name in ANGLE]
    place = "_".join(f"{value:.6g}" for value in (*position, *angles))
    mesh = folder / "meshes" / f"phone_{place}.msh"
    study.make_mesh(arguments, mesh, [
        "from-labels", arguments.image, "--tissues", arguments.tissues, "--elements", arguments.elements, "--frequency",
        arguments.frequency, "--phone", "--position", *position, "--rotation", *angles])
    settings = {
        "mesh.file": mesh.resolve(), "solver.order": arguments.order, "time.frequency": arguments.frequency,
        "time.periods": arguments.periods, "source.feed.position": " ".join(f"{p:.8g}" for p in position),
        "source.feed.direction": " ".join(f"{d:.8g}" for d in direction(sample)), "sar.mass": "1 10",
        "sar.voxel": arguments.voxel, "output.fields": "none", "output.report_pictures": "off",
        **material_settings(arguments.case, sample), **study.common_settings(arguments)}
    return study.Run(f"sample_{number}", arguments.case, settings, folder / f"sample_{number}")


def peak(summary, mass):
    found = summary["sar_averages"][mass]["peak"]
    return found["sar"] if found else math.nan


def write_results(arguments, samples, runs):
    folder, names = pathlib.Path(arguments.output), sorted({name for sample in samples for name in sample})
    rows = []
    for number, (sample, run) in enumerate(zip(samples, runs)):
        summary = run.summary()
        rows.append({"sample": number, **{n: sample.get(n, "") for n in names}, "sar_1g": peak(summary, "1g"),
                     "sar_10g": peak(summary, "10g"), "tissue_10g": summary["sar_averages"]["10g"]["peak"]["tissue"],
                     "absorbed_share": summary["power"]["absorbed_W"] / summary["power"]["source_W"],
                     "defect": summary["power"]["defect"]})
    with (folder / "samples.csv").open("w", newline="") as stream:
        writer = csv.DictWriter(stream, rows[0])
        writer.writeheader()
        writer.writerows(rows)
    report = {}
    for key in ("sar_1g", "sar_10g", "absorbed_share"):
        values = np.array([row[key] for row in rows])
        worst = int(np.argmax(values))
        report[key] = {"mean": values.mean(), "standard_deviation": values.std(ddof=1) if len(values) > 1 else 0.0,
                       "smallest": values.min(), "worst": values[worst], "worst_sample": worst,
                       "varied": samples[worst]}
        print(f"{key}: mean {values.mean():.4g}, standard deviation {report[key]['standard_deviation']:.3g}, "
              f"{values.min():.4g} to {values.max():.4g} (sample {worst})")
    (folder / "report.json").write_text(json.dumps(report, indent=1))
    draw(folder / "peaks.png", names, rows)


def draw(file, names, rows):
    plt = pyplot(file.name)
    if plt is None:
        return

    names = names or ["sample"]
    figure, axes = plt.subplots(1, len(names), figsize=(3.2 * len(names) + 0.6, 3.2), sharey=True, squeeze=False)
    for name, axis in zip(names, axes[0]):
        neutral = 1 if name.endswith(("eps_r", "sigma")) else 0
        for key, mark, label in (("sar_1g", "o", "1 g"), ("sar_10g", "s", "10 g")):
            axis.plot([neutral if row[name] == "" else row[name] for row in rows], [row[key] for row in rows], mark,
                      markersize=5, label=label)
        axis.set_xlabel(name + (" (m)" if name in PLACE else " (degrees)" if name in ANGLE else ""))
        axis.locator_params(axis="x", nbins=4)
        axis.grid(alpha=0.3)
    axes[0][0].set_ylabel("peak SAR at 1 W emitted (W/kg)")
    axes[0][0].set_ylim(0, 1.15 * max(row["sar_1g"] for row in rows))
    axes[0][-1].legend()
    figure.tight_layout()
    figure.savefig(file, dpi=150)


def varied(text):
    name, values = text.split("=", 1)
    low, high = map(float, values.split(":"))
    return name, (low, high)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("image")
    parser.add_argument("tissues")
    parser.add_argument("--position", nargs=3, type=float, required=True, metavar=("X", "Y", "Z"))
    parser.add_argument("--vary", action="append", default=[], type=varied, metavar="NAME=LOW:HIGH")
    parser.add_argument("--samples", type=int, default=8, help="of the Latin hypercube, besides the unchanged case (8)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--list", help="CSV file of samples, in place of --vary")
    parser.add_argument("--case", default=str(study.ROOT / "cases/head_real_coarse.cfg"), help="materials, boundaries")
    parser.add_argument("--elements", type=int, default=200000)
    parser.add_argument("--order", type=int, default=2)
    parser.add_argument("--periods", type=float, default=10)
    parser.add_argument("--frequency", type=float, default=1.8e9)
    parser.add_argument("--voxel", type=float, default=1e-3, help="of the averages, m (0.001)")
    study.add_arguments(parser)
    arguments = parser.parse_args()
    allowed = {*PLACE, *ANGLE, "eps_r", "sigma",
               *(f"{name}.{key}" for name in materials(arguments.case) for key in ("eps_r", "sigma"))}
    samples = read_list(arguments.list) if arguments.list else [{}, *latin_hypercube(
        dict(arguments.vary), arguments.samples, arguments.seed)] if arguments.vary else [{}]
    for name in {name for sample in samples for name in sample} - allowed:
        parser.error(f"'{name}' cannot be varied (allowed: {' '.join(sorted(allowed))})")
    with concurrent.futures.ThreadPoolExecutor(arguments.at_once) as pool:
        runs = list(pool.map(lambda item: make_run(arguments, *item), enumerate(samples)))
    study.run_all(runs, arguments)
    write_results(arguments, samples, runs)


if __name__ == "__main__":
    main()
