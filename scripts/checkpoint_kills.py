#!/usr/bin/env python3
"""Kills runs at random instants and continues them until they end; compares each with the run that was never stopped.

usage: scripts/checkpoint_kills.py [--kills N] [--ranks TURN...] [--cases NAME,...] [--program FILE] [--work DIRECTORY]
       [--seed N] [--backend cpu|cuda]

Each trial starts a case, kills it with SIGKILL (one process, or with several ranks one rank or all of them) at a random
instant, and continues it by --restart, on the same or another number of ranks, until it ends or is killed again. Then
the hash of the fields and the rows of probes must be those of the whole run, and on an unchanged number of ranks the
bytes of all tables. Checkpoints are written so often that many kills hit one. Prints one line per trial and the counts.
"""
import argparse
import json
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import time

BOX = """[mesh]
generator = box
cells = 4 4 4
size = 0.4 0.4 0.4
[material.body]
eps_r = 2
sigma = 0.05
density = 1000
[boundary.*]
type = silver-muller
[source.d]
type = dipole
position = 0.16 0.15 0.14
direction = 0 0 1
waveform = ramped-sine
[probe.p]
position = 0.1 0.1 0.1
every = 3
[time]
frequency = 1e9
"""
PULSE = "waveform = modulated-gaussian\nfrequency = 3e9\nbandwidth = 2e9\n"
PLANE_DIPOLE = "[source.d]\ntype = dipole\nposition = 0.0025 0\ndirection = 0 0 1\n" + PULSE
CASES = {
    "dgtd": "[solver]\norder = 2\n" + BOX + "periods = 600\n[dft]\nfrequencies = 1e9 2e9\n",
    "fdtd3d": """[solver]
method = fdtd3d
[grid]
cells = 24 20 22
spacing = 5e-3
pml = 5
[time]
frequency = 3e9
periods = 60
[material.gold]
eps_r = 6
sigma = 0.2
poles = drude 2e10 1e9, debye 2 1e-11
[shape.g]
type = sphere
material = gold
radius = 0.02
[source.d]
type = dipole
position = 0.03 0 0
direction = 0 0 1
waveform = ramped-sine
[probe.p]
position = 0.01 0.01 0.01
every = 3
[flux.f]
type = box
size = 0.08 0.07 0.07
frequencies = 3e9
""",
    "fdtd2d": "[solver]\nmethod = fdtd2d\n[grid]\ncells = 160 150\nspacing = 5e-3\npml = 5\n[time]\nsteps = 9003\n"
    + PLANE_DIPOLE + "[probe.p]\nposition = 0.01 0.01\nevery = 7\n[dft]\nfrequencies = 3e9\nwindow = all\n",
    "hpf2d": "[solver]\nmethod = hpf2d\n[grid]\ncells = 160 150\nspacing = 5e-3\n[boundary.*]\ntype = mur\n[time]\n"
    "steps = 9003\n" + PLANE_DIPOLE + "[probe.p]\nposition = 0.01 0.01\nevery = 7\n[dft]\nfrequencies = 3e9\n"
    "window = all\n",
}


def command(arguments, ranks, case, out, further):
    program = [arguments.program, str(case), "--set", f"output.directory={out}", "--set", "output.energy_interval=50",
               "--set", "output.fields=none", "--set", f"solver.backend={arguments.backend}", *further]
    if ranks == 1:
        return program
    return ["mpirun", "--allow-run-as-root", "--oversubscribe", "--bind-to", "none", "-np", str(ranks), *program]


def start(line):
    return subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True,
                            env=dict(os.environ, OMP_NUM_THREADS="1"))


def children(pid):
    found = subprocess.run(["ps", "-o", "pid=", "--ppid", str(pid)], capture_output=True, text=True).stdout.split()
    return [int(p) for p in found]


def kill(process, ranks):
    """Kills all processes of a run, or one of its ranks; mpirun then ends the others."""
    victims = children(process.pid) if ranks > 1 else []
    if victims and random.random() < 0.5:
        try:
            os.kill(random.choice(victims), signal.SIGKILL)
        except ProcessLookupError:
            pass
        try:
            process.wait(30)
            return "one rank"
        except subprocess.TimeoutExpired:
            pass
    for pid in [*victims, process.pid]:
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
    process.wait()
    return "all"


def summary(directory):
    return json.loads((directory / "summary.json").read_text())


def same(whole, out, same_ranks):
    if summary(whole)["fields_hash"] != summary(out)["fields_hash"]:
        return "another hash"
    for table in sorted(whole.glob("*.csv")):
        if not same_ranks and not table.name.startswith("probe_"):
            continue
        if table.read_bytes() != (out / table.name).read_bytes():
            return f"another {table.name}"
    return ""


def trial(arguments, name, number, seconds, case):
    """Returns the kills of the trial, those after a first checkpoint, those during one, and what differs."""
    ranks = random.choice(arguments.ranks)
    out = arguments.work / f"{name}_{number}"
    shutil.rmtree(out, ignore_errors=True)
    kills = started = inside = turn = 0
    while True:
        on = ranks[turn % len(ranks)]
        further = ["--set", "checkpoint.every=0.002", "--restart"]
        process = start(command(arguments, on, case, out, further))
        if kills < 6 and random.random() < 0.9:
            time.sleep(random.uniform(0.2, 1.1) * seconds[on])
            if process.poll() is None:
                kill(process, on)
                inside += any(out.glob("*.tmp"))
                started += any(out.glob("checkpoint-*.h5"))
                kills += 1
                turn += 1
                continue
        text = process.communicate(timeout=600)[0]
        if process.returncode != 0:
            return kills, started, inside, f"exit code {process.returncode}: {text[-400:]}"
        changed = same(arguments.work / f"{name}_whole_{on}", out, len(set(ranks)) == 1)
        if not changed:
            shutil.rmtree(out)
        return kills, started, inside, changed


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    root = pathlib.Path(__file__).resolve().parent.parent
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--program", default=str(root / "build/release/bin/dgtd"))
    parser.add_argument("--work", type=pathlib.Path, default=pathlib.Path("checkpoint_kills"))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--backend", default="cpu")
    parser.add_argument("--cases", default=",".join(CASES), help="some of " + ", ".join(CASES))
    parser.add_argument("--ranks", nargs="+", default=10 * ["1"] + ["1,3", "4,2", "2"],
                        help="of the runs of a trial in turn, such as 1 1,3: one of these per trial")
    arguments = parser.parse_args()
    arguments.ranks = [tuple(int(n) for n in turn.split(",")) for turn in arguments.ranks]
    arguments.work = arguments.work.resolve()
    arguments.work.mkdir(parents=True, exist_ok=True)
    random.seed(arguments.seed)
    names = arguments.cases.split(",")
    seconds = {}
    for name in names:
        case = arguments.work / f"{name}.cfg"
        case.write_text(CASES[name])
        seconds[name] = {}
        for ranks in sorted({r for turn in arguments.ranks for r in turn}):
            begin = time.monotonic()
            done = subprocess.run(command(arguments, ranks, case, arguments.work / f"{name}_whole_{ranks}", []),
                                  capture_output=True, text=True, env=dict(os.environ, OMP_NUM_THREADS="1"))
            if done.returncode != 0:
                sys.exit(done.stdout + done.stderr)
            seconds[name][ranks] = time.monotonic() - begin
        print(f"{name}: whole runs take", ", ".join(f"{s:.2f} s on {r}" for r, s in seconds[name].items()), flush=True)
    kills = started = inside = failures = number = 0
    while kills < arguments.kills:
        name = names[number % len(names)]
        some, after, during, changed = trial(arguments, name, number, seconds[name], arguments.work / f"{name}.cfg")
        kills, started, inside = kills + some, started + after, inside + during
        failures, number = failures + bool(changed), number + 1
        print(f"{name} {number}: {some} kills, {after} after a first checkpoint, {during} during one: "
              f"{changed or 'the same'}", flush=True)
    print(f"{kills} kills in {number} trials, {started} after a first checkpoint, {inside} during one; "
          f"{failures} trials differ")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
