#!/usr/bin/env python3
"""Weak and strong scaling of the time step, as in INRIA report 7592, section 5.3 (Figs. 10 and 11, Tables 4 to 7).

Runs dgtd-bench under mpirun for each rank count; writes scaling.json, scaling.md (tables) and scaling.png.
Weak: a box of CELLS^3 cubes a rank, longer with every rank. Strong: a box of CELLS^3 cubes, or a case, shared.
"""
import argparse
import json
import pathlib
import subprocess
import sys


def run(arguments, ranks, extra, output):
    """One dgtd-bench run; returns its results by order."""
    command = [*arguments.mpirun.split(), "-np", str(ranks), arguments.bench, *extra,
               "--orders", *map(str, arguments.orders), "--precisions", arguments.precision, "--kernels", "fused",
               "--backend", arguments.backend, "--comm", arguments.comm, "--seconds", str(arguments.seconds),
               "--output", str(output)]
    print("+", " ".join(command), flush=True)
    finished = subprocess.run(command)
    if finished.returncode != 0:
        sys.exit(f"scaling.py: {arguments.bench} ended with {finished.returncode} on {ranks} ranks")
    data = json.loads(output.read_text())
    return {r["order"]: r | {"elements": data["elements"], "comm": data["comm"]} for r in data["results"]}


def table(title, ideal, runs):
    """Markdown table of one study: runs[ranks][order]."""
    lines = [f"### {title}", "",
             "| order | ranks | tetrahedra | time a step, ms | element steps/s | GFLOP/s (dense) | share of copy | speed-up | efficiency |",
             "| --- | --- | --- | --- | --- | --- | --- | --- | --- |"]
    first = min(runs)
    for order in sorted(runs[first]):
        base = runs[first][order]
        for ranks in sorted(runs):
            r = runs[ranks][order]
            speed_up = r["element_steps_per_s"] / base["element_steps_per_s"]
            lines.append(f"| P{order} | {ranks} | {r['elements']} | {1e3 * r['seconds_per_step']:.4g} | {r['element_steps_per_s']:.4g} | "
                         f"{r['gflop_per_s']:.4g} | {100 * r['roofline_fraction']:.1f} % | {speed_up:.2f} | {100 * speed_up / ideal(ranks, first):.1f} % |")
    return "\n".join(lines) + "\n"


def plot(studies, path):
    import matplotlib
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
    figure, axes = plt.subplots(1, len(studies), figsize=(5.5 * len(studies), 4.5), squeeze=False)
    for axis, (title, runs) in zip(axes[0], studies.items()):
        ranks = sorted(runs)
        for order in sorted(runs[ranks[0]]):
            rate = [runs[n][order]["element_steps_per_s"] for n in ranks]
            axis.plot(ranks, [r / rate[0] * ranks[0] for r in rate], "o-", label=f"P{order}")
        axis.plot(ranks, ranks, "k--", linewidth=0.8, label="ideal")
        axis.set(xlabel="ranks", ylabel="speed-up", title=title, xticks=ranks)
        axis.grid(alpha=0.3)
        axis.legend()
    figure.tight_layout()
    figure.savefig(path, dpi=150)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ranks", type=int, nargs="+", default=[1, 2, 4])
    parser.add_argument("--orders", type=int, nargs="+", default=[1, 2, 3, 4])
    parser.add_argument("--precision", choices=["single", "double"], default="single")
    parser.add_argument("--cells", type=int, default=64, help="cubes along an axis: of a rank (weak), of all (strong)")
    parser.add_argument("--case", help="strong scaling on this case's mesh instead of a box")
    parser.add_argument("--studies", nargs="+", choices=["weak", "strong"], default=["weak", "strong"])
    parser.add_argument("--backend", default="auto")
    parser.add_argument("--comm", default="auto")
    parser.add_argument("--seconds", type=float, default=1)
    parser.add_argument("--bench", default="build/release/bin/dgtd-bench", help="the program")
    parser.add_argument("--mpirun", default="mpirun", help="how to start ranks, with its options")
    parser.add_argument("--output", type=pathlib.Path, default=pathlib.Path("out/scaling"))
    arguments = parser.parse_args()
    arguments.output.mkdir(parents=True, exist_ok=True)

    c = str(arguments.cells)
    studies = {}
    if "weak" in arguments.studies:
        studies["weak scaling"] = {n: run(arguments, n, ["--cells", str(n * arguments.cells), c, c], arguments.output / f"weak_{n}.json")
                                   for n in arguments.ranks}
    if "strong" in arguments.studies:
        extra = [arguments.case] if arguments.case else ["--cells", c]
        studies["strong scaling"] = {n: run(arguments, n, extra, arguments.output / f"strong_{n}.json") for n in arguments.ranks}
    text = "\n".join(table(title, lambda n, first: n / first, runs) for title, runs in studies.items())
    (arguments.output / "scaling.md").write_text(text)
    (arguments.output / "scaling.json").write_text(json.dumps({title: {str(n): r for n, r in runs.items()} for title, runs in studies.items()}, indent=1))
    print(text)
    plot(studies, arguments.output / "scaling.png")


if __name__ == "__main__":
    main()
