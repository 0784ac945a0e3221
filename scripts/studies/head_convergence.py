#!/usr/bin/env python3
"""The head study of INRIA report 7592 (section 5.2, Table 3, Figs. 5 to 9): SAR with mesh and order, 5 periods and more.

  head_convergence.py [--runs m1:1 m1:2 m1:3 m2:1 m2:2 m3:1] [--periods 5 20] [--output FOLDER]
  head_convergence.py --runs m0:1 m0:2 m0:3 --periods 5            (a laptop, minutes)
  head_convergence.py --runs real200:1 real200:2 --mesh real200=head.msh --case cases/head_real_coarse.cfg

A run is MESH:ORDER. m0 to m3 are the shipped meshes; others are given with --mesh NAME=FILE, and --case has their
materials and source. SAR is that at 1 W emitted power. Writes table.md (largest local SAR with the difference from the
reference, the last run by default, peaks over 1 g and 10 g, powers, steady state, run times), convergence.png, and
pictures.png: of each run |E| on the head (Fig. 5) and SAR over its maximum on planes through the peak (Figs. 6 to 9),
from its report.html.
"""
import argparse
import base64
import io
import json
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import study
from python_packages import pyplot, required

# Table 3 of the report, W/kg.
PUBLISHED = {("m1", 1): 3.365, ("m2", 1): 3.734, ("m3", 1): 3.828, ("m1", 2): 3.269, ("m2", 2): 3.586, ("m1", 3): 3.283}


def figures(summary):
    largest = max((t["sar_max"], name) for name, t in summary["tissues"].items() if t["sar_max"])
    averages = summary["sar_averages"]
    peaks = {mass: averages[mass]["peak"]["sar"] if averages[mass]["peak"] else float("nan") for mass in ("1g", "10g")}
    steady = summary["steady_state"] or {}
    return {
        "local": largest[0], "tissue": largest[1], **peaks,
        "absorbed": summary["power"]["absorbed_W"] / summary["power"]["source_W"],
        "defect": summary["power"]["defect"], "change": steady.get("change_of_E"),
        "loop": summary["timers"]["loop"], "elements": summary["elements"]}


def percent(value):
    return "" if value is None else f"{100 * value:+.2f}"


def table(rows, reference):
    lines = ["| mesh | order | periods | largest local SAR, W/kg | to the reference | report 7592 | over 1 g | over 10 g | "
             "absorbed, % | balance, % | change of E in the last period, % | loop, s |", "|" + " --- |" * 12]
    for (mesh, order, periods), f in rows.items():
        published = PUBLISHED.get((mesh, order))
        lines.append(
            f"| {mesh} | P{order} | {periods:g} | {f['local']:.3f} ({f['tissue']}) | {percent(f['local'] / reference - 1)} % | "
            f"{published or ''} | {f['1g']:.3f} | {f['10g']:.3f} | {100 * f['absorbed']:.2f} | {percent(f['defect'])} | "
            f"{percent(f['change'])} | {f['loop']:.1f} |")
    return "\n".join(lines) + "\n"


def draw(file, rows, reference):
    """Differences from the reference (mesh, order) in %, of the runs with the most periods; those of the report from its own."""
    plt = pyplot(file.name)
    if plt is None:
        return

    most = max(periods for _, _, periods in rows)
    labels = {"local": "largest local SAR", "1g": "peak over 1 g", "10g": "peak over 10 g"}
    figure, axes = plt.subplots(1, 3, figsize=(10.5, 3.4), sharey=True)
    for axis, (key, label) in zip(axes, labels.items()):
        wanted = rows[(*reference, most)][key]
        for order in sorted({order for _, order, _ in rows}):
            points = sorted((f["elements"], 100 * (f[key] / wanted - 1)) for (_, o, p), f in rows.items()
                            if o == order and p == most)
            axis.plot(*zip(*points), "o-", color=f"C{order - 1}", label=f"P{order}")
            if key == "local" and reference in PUBLISHED:
                known = sorted((f["elements"], 100 * (PUBLISHED[m, o] / PUBLISHED[reference] - 1))
                               for (m, o, p), f in rows.items() if o == order and p == most and (m, o) in PUBLISHED)
                if known:
                    axis.plot(*zip(*known), "x--", color=f"C{order - 1}", label=f"P{order}, report 7592")
        axis.set_xscale("log")
        axis.set_xlabel("tetrahedra")
        axis.set_title(label)
        axis.axhline(0, color="0.6", linewidth=0.8)
        axis.grid(alpha=0.3)
    axes[0].set_ylabel(f"difference from {reference[0]} P{reference[1]} (%)")
    axes[0].legend(fontsize=8)
    figure.tight_layout()
    figure.savefig(file, dpi=100)


def report_pictures(folder, first):
    """The images of a row of a report's pictures, whose title begins so: [(caption, array)], and the scale's upper end."""
    image = required("matplotlib.image")

    rows = json.loads((folder / "report.json").read_text())["pictures"]
    images = re.findall(r'<image [^>]*base64,([^"]*)"', (folder / "report.html").read_text())
    for row in rows:
        here, images = images[:len(row["pictures"])], images[len(row["pictures"]):]
        if row["title"].startswith(first) and len(here) == len(row["pictures"]):
            arrays = [image.imread(io.BytesIO(base64.b64decode(text)), format="png") for text in here]
            return list(zip([p["title"] for p in row["pictures"]], arrays)), row["scale"]["highest"]
    return [], None


def draw_pictures(file, runs):
    """A row per run: |E| on the head, SAR on three planes. runs: (mesh, order, periods) -> folder."""
    plt = pyplot(file.name)
    if plt is None:
        return

    found = []
    for key, folder in runs.items():
        if (folder / "report.html").exists():
            (surface, strongest), (planes, largest) = report_pictures(folder, "|E|"), report_pictures(folder, "Local SAR")
            if surface and planes:
                found.append((key, [(f"|E|, {surface[0][0]}, up to {strongest:.3g} V/m", surface[0][1])]
                              + [(f"SAR, {caption}, up to {largest:.3g} W/kg", array) for caption, array in planes]))
    if not found:
        return
    figure, axes = plt.subplots(len(found), max(len(row) for _, row in found), figsize=(10.5, 2.6 * len(found)),
                                squeeze=False)
    for line in axes:
        for axis in line:
            axis.axis("off")
    for line, ((mesh, order, _), row) in zip(axes, found):
        for axis, (caption, array) in zip(line, row):
            axis.imshow(array)
            axis.set_title(caption, fontsize=7)
        line[0].text(-0.06, 0.5, f"{mesh} P{order}", transform=line[0].transAxes, rotation=90, va="center", ha="right")
    figure.tight_layout()
    figure.savefig(file, dpi=110)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", nargs="+", default=["m1:1", "m1:2", "m1:3", "m2:1", "m2:2", "m3:1"], metavar="MESH:ORDER")
    parser.add_argument("--periods", nargs="+", type=float, default=[5, 20], help="5 as in the report, and more (5 20)")
    parser.add_argument("--mesh", action="append", default=[], metavar="NAME=FILE")
    parser.add_argument("--case", default=str(study.ROOT / "cases/head_real_coarse.cfg"), help="of meshes given by --mesh")
    parser.add_argument("--reference", metavar="MESH:ORDER", help="of the differences (the last run)")
    parser.add_argument("--voxel", type=float, default=1e-3, help="of the averages, m (0.001)")
    study.add_arguments(parser)
    arguments = parser.parse_args()
    files = dict(text.split("=", 1) for text in arguments.mesh)
    folder, runs = pathlib.Path(arguments.output), {}
    for text in arguments.runs:
        mesh, _, order = text.partition(":")
        if not order.isdigit() or not (mesh in files or mesh in ("m0", "m1", "m2", "m3")):
            parser.error(f"--runs {text}: MESH:ORDER with m0 to m3 or the NAME of a --mesh")
        case = arguments.case if mesh in files else study.ROOT / f"cases/head_{mesh}.cfg"
        for periods in arguments.periods:
            settings = {"solver.order": order, "time.periods": f"{periods:g}", "sar.mass": "1 10",
                        "sar.voxel": arguments.voxel, "output.fields": "E_amplitude SAR"}
            if mesh in files:
                settings["mesh.file"] = pathlib.Path(files[mesh]).resolve()
            name = f"{mesh}_P{order}_{periods:g}_periods"
            runs[mesh, int(order), periods] = study.Run(
                name, case, {**settings, **study.common_settings(arguments)}, folder / name)
    study.run_all(list(runs.values()), arguments)
    rows = {key: figures(run.summary()) for key, run in runs.items()}
    mesh, _, order = (arguments.reference or arguments.runs[-1]).partition(":")
    text = table(rows, rows[mesh, int(order), max(arguments.periods)]["local"])
    (folder / "table.md").write_text(text)
    print(text)
    draw(folder / "convergence.png", rows, (mesh, int(order)))
    draw_pictures(folder / "pictures.png", {key: run.folder for key, run in runs.items()
                                            if key[2] == max(arguments.periods)})


if __name__ == "__main__":
    main()
