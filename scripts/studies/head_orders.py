#!/usr/bin/env python3
"""Orders of elements in a head: errors of powers and SAR, bytes and seconds against those of one order.

  head_orders.py [--case cases/head_m0.cfg] [--mesh FILE] [--runs P1 P2 P3 air:1 auto:0.03 adapt adapt:0.02]
                 [--reference P3] [--set KEY=VALUE] [--output FOLDER]

A run is P1 to P6; MATERIAL:ORDER or MATERIAL,MATERIAL:ORDER, P2 but for these materials; auto:ERROR, solver.order =
auto with that order_error; adapt, of the errors of run P2, whose half is expected, and adapt:ERROR. The runs are one
after the other, so that seconds can be compared. Writes table.md: elements of each order, compulsory bytes of all steps, seconds of the loop, and
the differences from the reference run of the powers and of SAR at 1 W emitted power. The runs are not those of study.py,
which have no --adapt.
"""
import argparse
import json
import pathlib
import shlex
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
HIGHEST = 3  # order of elements that auto and adapt choose, at most


def settings_of(run):
    """Settings of a run, and whether it takes --adapt."""
    name, _, number = run.partition(":")
    if name[0] == "P" and name[1:].isdigit():
        return {"solver.order": name[1:], **({"output.error": "on"} if name == "P2" else {})}, False
    if name == "auto":
        return {"solver.order": "auto", "solver.order_error": number, "solver.order_max": HIGHEST}, False
    if name == "adapt":
        return {"solver.order": 2, "solver.order_max": HIGHEST, **({"solver.order_error": number} if number else {})}, True
    return {"solver.order": 2, **{f"material.{material}.order": number for material in name.split(",")}}, False


def figures(summary):
    averages = summary["sar_averages"]
    tissues = {name: t["absorbed_W"] for name, t in summary["tissues"].items()}  # at 1 W emitted
    return {
        "absorbed": summary["power"]["absorbed_W"] / summary["power"]["source_W"],
        "source": summary["power"]["source_W"],
        "1g": averages["1g"]["peak"]["sar"], "10g": averages["10g"]["peak"]["sar"],
        **{name: power for name, power in tissues.items() if power > 0},
        "orders": ", ".join(f"P{o['order']} {o['elements']}" for o in summary.get("orders") or []),
        "bytes": summary["performance"]["bytes_per_step"] * summary["steps"],
        "loop": summary["timers"]["loop"], "set_up": summary["timers"]["discretise"] + summary["timers"]["time_step"],
        "steps": summary["steps"]}


def table(rows, reference):
    keys = [k for k in rows[reference] if k not in ("orders", "bytes", "loop", "set_up", "steps")]
    lines = ["| run | elements | steps | GB of all steps | loop, s | set-up, s | " + " | ".join(keys) + " |",
             "|" + " --- |" * (6 + len(keys))]
    for name, f in rows.items():
        differences = [f"{f[k]:.4g}" if name == reference else f"{100 * (f[k] / rows[reference][k] - 1):+.2f} %" for k in keys]
        lines.append(f"| {name} | {f['orders']} | {f['steps']} | {f['bytes'] / 1e9:.1f} | {f['loop']:.3f} | "
                     f"{f['set_up']:.2f} | " + " | ".join(differences) + " |")
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--case", default=str(ROOT / "cases/head_m0.cfg"))
    parser.add_argument("--mesh", help="in place of the case's")
    parser.add_argument("--runs", nargs="+", default=["P1", "P2", "P3", "air:1", "auto:0.03", "adapt"])
    parser.add_argument("--reference", default="P3")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="for all runs")
    parser.add_argument("--bin", default=str(ROOT / "build/release/bin"), help="folder of dgtd")
    parser.add_argument("--output", default="head_orders")
    parser.add_argument("--launcher", default="", help="before dgtd, such as 'mpirun -np 2'")
    arguments = parser.parse_args()
    if any(run.startswith("adapt") for run in arguments.runs) and "P2" not in arguments.runs:
        parser.error("adapt needs run P2")
    folder, rows = pathlib.Path(arguments.output), {}
    for run in sorted(arguments.runs, key=lambda name: name.startswith("adapt")):
        settings, adapts = settings_of(run)
        settings.update(text.split("=", 1) for text in arguments.set)
        settings.update({"output.directory": folder / run.replace(":", "_"), "output.fields": "none"})
        if arguments.mesh:
            settings["mesh.file"] = pathlib.Path(arguments.mesh).resolve()
        command = [*shlex.split(arguments.launcher), str(pathlib.Path(arguments.bin) / "dgtd"), arguments.case]
        if adapts:
            command += ["--adapt", str(folder / "P2")]
        for key, value in settings.items():
            command += ["--set", f"{key}={value}"]
        result = subprocess.run(command, capture_output=True, text=True)
        summary = settings["output.directory"] / "summary.json"
        if result.returncode != 0:
            print(f"{run}: {result.stderr.strip()}", file=sys.stderr)
            continue
        rows[run] = figures(json.loads(summary.read_text()))
    if arguments.reference not in rows:
        sys.exit(f"the reference {arguments.reference} is no run that ended")
    text = table(rows, arguments.reference)
    (folder / "table.md").write_text(text)
    print(text)


if __name__ == "__main__":
    main()
