#!/usr/bin/env python3
"""Seconds of set-up per stage and peak memory of every rank, for boxes and meshes on several numbers of ranks.

Runs `dgtd` for one step under mpirun; writes setup.json and prints tables (Markdown). A box of N elements has cubes of
six tetrahedra. A mesh file is run twice on the first number of ranks, so that all figures are those with the compact
file present; the first run is reported as "first".

    scripts/bench/setup.py --dgtd build/release/bin/dgtd --elements 1e6 3e6 1e7 --ranks 1 2 4 8 16
    scripts/bench/setup.py --elements --case cases/head_m3.cfg --ranks 1 2 --backend auto
"""
import argparse
import json
import os
import pathlib
import resource
import subprocess
import sys
import tempfile

BOX = """[solver]
order = {order}
[mesh]
generator = box
cells = {cells} {cells} {cells}
size = 1 1 1
[time]
steps = 1
"""
CAVITY = "[initial]\ntype = cavity-mode\nmode = 1 1 0\n"


def run_rank():
    """What mpirun starts: the program, and afterwards its peak memory into a file of this rank."""
    folder, command = sys.argv[2], sys.argv[3:]
    code = subprocess.call(command)
    rank = os.environ.get("OMPI_COMM_WORLD_RANK") or os.environ.get("PMI_RANK") or "0"
    peak = 1024 * resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    pathlib.Path(folder, f"peak.{rank}").write_text(str(peak))
    sys.exit(code)


def measure(arguments, case, ranks, extra):
    """One run; returns its summary's timers, its elements and the peak memory of each rank in bytes."""
    threads = arguments.threads or max(1, len(os.sched_getaffinity(0)) // ranks)
    with tempfile.TemporaryDirectory() as folder:
        command = [*arguments.mpirun.split(), "-np", str(ranks), sys.executable, os.path.abspath(__file__), "--rank",
                   folder, arguments.dgtd, str(case), "--steps", "1",
                   "--set", f"output.directory={folder}/out", "--set", "output.fields=none",
                   "--set", f"solver.order={arguments.order}", "--set", f"solver.backend={arguments.backend}",
                   "--set", f"solver.threads={threads}", *extra]
        finished = subprocess.run(command, capture_output=True, text=True)
        if finished.returncode != 0:
            sys.exit(f"setup.py: {' '.join(command)} ended with {finished.returncode}: "
                     f"{(finished.stderr or finished.stdout).strip().splitlines()[-1:]}")
        summary = json.loads(pathlib.Path(folder, "out/summary.json").read_text())
        peaks = [int(pathlib.Path(folder, f"peak.{r}").read_text()) for r in range(ranks)]
    return {"ranks": ranks, "threads": threads, "elements": summary["elements"], "hash": summary["fields_hash"],
            "timers": summary["timers"], "peak_bytes": peaks}


def table(title, runs):
    """Markdown: a row per run, a column per stage of set-up."""
    stages = []
    for run in runs:
        stages += [s for s in run["timers"] if s not in stages and not s.startswith(("loop", "output", "setup"))]
    head = ["", "ranks x threads", "setup", *stages, "GB of rank 0", "largest of the others, GB", "bytes per element"]
    lines = [f"### {title}", "", "| " + " | ".join(head) + " |", "|" + " --- |" * len(head)]
    for run in runs:
        others = max(run["peak_bytes"][1:], default=0)
        cells = [run.get("label", ""), f"{run['ranks']} x {run['threads']}", f"{run['timers']['setup']:.2f}",
                 *(f"{run['timers'][s]:.2f}" if s in run["timers"] else "" for s in stages),
                 f"{run['peak_bytes'][0] / 1e9:.2f}", f"{others / 1e9:.2f}" if others else "",
                 f"{sum(run['peak_bytes']) / run['elements']:.0f}"]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dgtd", default="build/release/bin/dgtd", help="the program")
    parser.add_argument("--elements", type=float, nargs="*", default=[1e6, 3e6, 1e7], help="tetrahedra of the boxes")
    parser.add_argument("--case", nargs="*", default=[], help="case files with a mesh file")
    parser.add_argument("--ranks", type=int, nargs="+", default=[1, 2, 4, 8, 16])
    parser.add_argument("--threads", type=int, default=0, help="per rank; 0: the rank's share of the cores")
    parser.add_argument("--order", type=int, default=2)
    parser.add_argument("--zero", action="store_true", help="initial fields are zero, not projected from a cavity mode")
    parser.add_argument("--backend", default="cpu")
    parser.add_argument("--mpirun", default="mpirun --oversubscribe --bind-to none", help="with its options")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="passed on to dgtd")
    parser.add_argument("--output", default="setup.json")
    arguments = parser.parse_args()
    extra = [word for value in arguments.set for word in ("--set", value)]

    results = {}
    for elements in arguments.elements:
        cells = round((elements / 6) ** (1 / 3))
        with tempfile.NamedTemporaryFile("w", suffix=".cfg") as case:
            case.write(BOX.format(order=arguments.order, cells=cells) + ("" if arguments.zero else CAVITY))
            case.flush()
            results[f"box of {6 * cells**3} tetrahedra"] = [measure(arguments, case.name, n, extra) for n in arguments.ranks]
    for case in arguments.case:
        first = measure(arguments, case, arguments.ranks[0], extra) | {"label": "first"}
        results[case] = [first] + [measure(arguments, case, n, extra) for n in arguments.ranks]
    for title, runs in results.items():
        print(table(title, runs), flush=True)
        if len({run["hash"] for run in runs}) != 1:
            sys.exit(f"setup.py: {title}: fields_hash differs: {[run['hash'] for run in runs]}")
    pathlib.Path(arguments.output).write_text(json.dumps(results, indent=1) + "\n")


if __name__ == "__main__":
    run_rank() if sys.argv[1:2] == ["--rank"] else main()
