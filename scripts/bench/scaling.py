#!/usr/bin/env python3
"""Weak and strong scaling of the time step, as in INRIA report 7592, section 5.3 (Figs. 10 and 11, Tables 4 to 7).

Runs dgtd-bench under mpirun for each rank count; writes scaling.json, scaling.md (tables) and scaling.png.
Weak: a box of CELLS^3 cubes per rank, longer with every rank. Strong: a box of CELLS^3 cubes, or a case, shared.
The files are written after each run; a run that fails is named and left out, and the exit code is then 1.
"""
import argparse
import json
import pathlib
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from python_packages import pyplot


def default_program():
    """dgtd-bench of the build tree or installation that this script belongs to, else of PATH."""
    here = pathlib.Path(__file__).resolve()
    for folder in here.parents:
        for program in (folder / "build/release/bin/dgtd-bench", folder / "bin/dgtd-bench"):
            if program.is_file():
                return str(program)
    return shutil.which("dgtd-bench") or "dgtd-bench"


def run(arguments, ranks, extra, output):
    """One dgtd-bench run; returns its results by order, or None where it failed."""
    command = [*arguments.mpirun.split(), "-np", str(ranks), arguments.bench, *extra,
               "--orders", *map(str, arguments.orders), "--precisions", arguments.precision, "--kernels", "fused",
               "--backend", arguments.backend, "--comm", arguments.comm, "--seconds", str(arguments.seconds),
               "--output", str(output)]
    print("+", " ".join(command), flush=True)
    output.unlink(missing_ok=True)  # of an earlier run
    try:
        code = subprocess.run(command).returncode
    except OSError as error:
        sys.exit(f"scaling.py: {command[0]}: {error.strerror}")
    if code != 0 or not output.exists():
        print(f"scaling.py: {arguments.bench} ended with {code} on {ranks} ranks; this run is left out", file=sys.stderr)
        return None
    data = json.loads(output.read_text())
    return {r["order"]: r | {"elements": data["elements"], "comm": data["comm"]} for r in data["results"]}


def table(title, ideal, runs):
    """Markdown table of one study: runs[ranks][order]."""
    lines = [f"### {title}", "",
             "| order | ranks | tetrahedra | time per step, ms | element steps/s | GFLOP/s (dense) | share of copy | speed-up | efficiency |",
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


def write(studies, directory):
    """Tables and numbers of the runs so far."""
    text = "\n".join(table(title, lambda n, first: n / first, runs) for title, runs in studies.items())
    (directory / "scaling.md").write_text(text)
    numbers = {title: {str(n): r for n, r in runs.items()} for title, runs in studies.items()}
    (directory / "scaling.json").write_text(json.dumps(numbers, indent=1))


def plot(studies, path):
    plt = pyplot(path.name)
    if plt is None:
        return
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
    parser.add_argument("--bench", default=default_program(), help="the program (%(default)s)")
    parser.add_argument("--mpirun", default="mpirun", help="how to start ranks, with its options")
    parser.add_argument("--output", type=pathlib.Path, default=pathlib.Path("out/scaling"))
    arguments = parser.parse_args()
    arguments.output.mkdir(parents=True, exist_ok=True)

    c = str(arguments.cells)
    shared = [arguments.case] if arguments.case else ["--cells", c]
    wanted = {"weak": lambda n: ["--cells", str(n * arguments.cells), c, c], "strong": lambda n: shared}
    studies, failed = {}, 0
    for study in arguments.studies:
        for n in arguments.ranks:
            found = run(arguments, n, wanted[study](n), arguments.output / f"{study}_{n}.json")
            if found is None:
                failed += 1
                continue
            studies.setdefault(f"{study} scaling", {})[n] = found
            write(studies, arguments.output)
    if not studies:
        sys.exit("scaling.py: no run succeeded")
    print((arguments.output / "scaling.md").read_text())
    plot(studies, arguments.output / "scaling.png")
    if failed:
        sys.exit(f"scaling.py: {failed} of {len(arguments.studies) * len(arguments.ranks)} runs failed; the tables have the others")


if __name__ == "__main__":
    main()
