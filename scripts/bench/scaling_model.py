#!/usr/bin/env python3
"""Predicts the time step of method dgtd on 1 to 128 GPUs, in the form of INRIA report 7592: weak scaling (Figs. 10 and
11, Table 4) and strong scaling of the head meshes M1 to M3 (Tables 5 to 7), for H200 GPUs with NVLink inside a host and
400 Gbit/s InfiniBand between hosts. docs/scaling.md has the model, what of it is measured and what assumed.

Writes scaling_model.md (tables) and scaling_model.png into --output. Divisions of the meshes come from
scripts/bench/head_partitions.csv; another mesh is added by
  dgtd-mesh partition FILE.msh 1 2 4 8 > parts.csv;  scaling_model.py --partition NAME=parts.csv
"""
import argparse
import csv
import math
import pathlib
import sys
from dataclasses import dataclass

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from python_packages import pyplot

HERE = pathlib.Path(__file__).resolve().parent
COUNTS = [1, 2, 4, 8, 16, 32, 64, 128]

# Measured, docs/performance.md ("Several GPUs", "Share of the roofline, one GPU"), one H200, single precision.
WEAK_ELEMENTS = {1: 3_072_000, 2: 3_072_000, 3: 1_296_000, 4: 750_000}  # per GPU, the report's section 5.3.2
WEAK_CELLS = {1: 80, 2: 80, 3: 60, 4: 50}  # cubes along an axis, six tetrahedra each
WEAK_STEP = {1: 0.3116e-3, 2: 0.6869e-3, 3: 0.5800e-3, 4: 0.6360e-3}  # s, one GPU
HEAD_RATE = {1: 9.61e9, 2: 4.19e9}  # element steps per second of mesh m3, lossless
DENSE_FLOP = {1: 1821, 2: 7995, 3: 26713, 4: 73917}  # per element and step, the report's count
STEPS = {"M1": {1: 4620, 2: 7990}, "M2": {1: 5440, 2: 9360}, "M3": {1: 5875, 2: 10140}}  # of five periods

# Measured values that the model is compared with: efficiency of weak scaling and speed-up of strong scaling.
MEASURED_WEAK = {(1, 2): 0.957, (2, 2): 0.974, (3, 2): 0.968, (4, 2): 0.948,
                 (1, 4): 0.954, (2, 4): 0.969, (3, 4): 0.958, (4, 4): 0.944}
MEASURED_STRONG = {("M2", 1, 2): 1.43, ("M2", 1, 4): 1.90, ("M2", 2, 2): 1.63, ("M2", 2, 4): 2.71,
                   ("M3", 1, 2): 1.83, ("M3", 1, 4): 2.97, ("M3", 2, 2): 1.87, ("M3", 2, 4): 3.55}

# The report's Tables 5 to 7: (mesh, GPUs, order) -> seconds.
REPORT = {("M1", 1, 1): 620, ("M1", 1, 2): 2683, ("M1", 16, 1): 35, ("M1", 16, 2): 145,
          ("M2", 16, 1): 82, ("M2", 16, 2): 407, ("M2", 32, 1): 46, ("M2", 32, 2): 201, ("M2", 64, 1): 33, ("M2", 64, 2): 116,
          ("M3", 32, 1): 162, ("M3", 32, 2): 816, ("M3", 64, 1): 97, ("M3", 64, 2): 416, ("M3", 128, 1): 69, ("M3", 128, 2): 257}
REPORT_WEAK_GFLOPS = {1: {1: 63, 2: 92, 3: 106, 4: 94}, 128: {1: 8072, 2: 11844, 3: 13676, 4: 12009}}


@dataclass
class Machine:
    """Times in s, bandwidths in bytes/s. Measured unless the comment says assumed."""
    gpus_per_host: int = 8          # assumed
    # NCCL between two GPUs of a host: bytes and seconds of one exchange; between the points log-log linear.
    inside: tuple = ((4096, 7e-6), (1 << 20, 42e-6), (64 << 20, (64 << 20) / 271e9))
    network_latency: float = 15e-6  # assumed: NCCL with GPUDirect RDMA, one message
    network_bandwidth: float = 45e9  # assumed: one 400 Gbit/s adapter per GPU, 90 % of 50 GB/s
    per_neighbour: float = 1e-6     # assumed: each further message of an exchange
    synchronisation: float = 2.5e-6  # per half step, where the streams meet: two GPUs without messages keep 99 %
    launch: float = 5e-6            # of a kernel behind another one, and the least time of a kernel
    # Fitted: the share of the messages' time that the interior loses to NCCL's kernels (weak scaling, P1 to P3), and the
    # further kernels of a half step of a head mesh, for conductive, boundary and halo elements (M3 on two GPUs).
    held: float = 0.2
    batches: float = 20e-6


def message_time(machine, total_bytes, neighbours, gpus):
    """Seconds of one exchange of traces. With more GPUs than a host has, all of them are taken to cross the network."""
    if neighbours == 0:
        return 0.0
    further = (neighbours - 1) * machine.per_neighbour
    if gpus > machine.gpus_per_host:
        return machine.network_latency + total_bytes / machine.network_bandwidth + further
    points = machine.inside
    b = max(total_bytes, points[0][0])
    for (b0, t0), (b1, t1) in zip(points, points[1:]):
        if b <= b1 or (b1, t1) == points[-1]:
            return t0 * (b / b0) ** (math.log(t1 / t0) / math.log(b1 / b0)) + further
    raise AssertionError


def half_step(machine, part, rate, order, gpus, batches):
    """Seconds of a half step of one part, and its terms. rate: element steps per second of a GPU. batches: s."""
    kernel = part["elements"] / (2 * rate)
    if part["neighbours"] == 0:
        return kernel, {"kernels": kernel}
    face_nodes = (order + 1) * (order + 2) // 2
    total_bytes = part["halo_faces"] * 2 * face_nodes * 4  # two tangential components, single precision
    messages = message_time(machine, total_bytes, part["neighbours"], gpus)
    # pack, exchange, unpack, then the elements at the halo: beside the interior, but each waits for the one before.
    halo = part["halo_elements"] / (2 * rate)
    chain = 3 * machine.launch + messages + max(machine.launch, halo)
    # Both kinds of kernels share the memory, and NCCL's hold multiprocessors.
    held = machine.held * min(messages, kernel)
    half = machine.synchronisation + max(kernel + held + batches, chain)
    terms = {"kernels": kernel, "fixed": machine.synchronisation + min(batches, half - machine.synchronisation - kernel)}
    terms["messages"] = half - sum(terms.values())
    return half, terms


def step(machine, part, rate, order, gpus, batches=0.0):
    half, terms = half_step(machine, part, rate, order, gpus, batches)
    return 2 * half, {name: 2 * t for name, t in terms.items()}


def weak_part(order, gpus):
    """A block of cubes as dgtd-bench cuts it: a chain up to four GPUs, as measured, then blocks of a near-cubic array."""
    shape = [gpus, 1, 1] if gpus <= 4 else near_cubic(gpus)
    sides = sum(min(2, n - 1) for n in shape)
    faces = sides * 2 * WEAK_CELLS[order] ** 2
    return {"elements": WEAK_ELEMENTS[order], "halo_faces": faces, "halo_elements": faces, "neighbours": sides}


def near_cubic(n):
    best = min(((a, b, n // (a * b)) for a in range(1, n + 1) if n % a == 0
                for b in range(1, n // a + 1) if (n // a) % b == 0), key=lambda s: max(s) - min(s))
    return list(best)


def read_partitions(path, name=None):
    """{mesh: {parts: worst part}} of head_partitions.csv or of the output of dgtd-mesh partition (with a name)."""
    found = {}
    with open(path, newline="") as file:
        for row in csv.DictReader(file):
            part = {k: int(row[k]) for k in ("elements", "halo_elements", "halo_faces", "neighbours")}
            worst = found.setdefault(name or row["mesh"], {}).setdefault(int(row["parts"]), dict.fromkeys(part, 0) | {"total": 0})
            worst["total"] += part["elements"]
            for k, v in part.items():
                worst[k] = max(worst[k], v)  # the slowest part is at most as slow as one that is the worst in all
    return found


def weak_study(machine):
    """{order: {gpus: (step in s, GFLOP/s)}} with the report's elements per GPU."""
    study = {}
    for order, seconds in WEAK_STEP.items():
        rate = WEAK_ELEMENTS[order] / seconds
        study[order] = {}
        for gpus in COUNTS:
            t, _ = step(machine, weak_part(order, gpus), rate, order, gpus)
            study[order][gpus] = (t, gpus * WEAK_ELEMENTS[order] * DENSE_FLOP[order] / t / 1e9)
    return study


def strong_study(machine, partitions):
    """{mesh: {order: {gpus: (step, terms, imbalance)}}} of the meshes of partitions."""
    study = {}
    for mesh, parts in partitions.items():
        study[mesh] = {}
        for order, rate in HEAD_RATE.items():
            study[mesh][order] = {}
            for gpus in sorted(parts):
                t, terms = step(machine, parts[gpus], rate, order, gpus, machine.batches)
                mean = parts[gpus]["total"] / gpus
                even = mean / rate  # of parts of equal size
                terms["imbalance"] = max(terms["kernels"] - even, 0.0)
                terms["kernels"] = even
                study[mesh][order][gpus] = (t, terms)
    return study


def markdown(head, rows):
    lines = ["| " + " | ".join(head) + " |", "| " + " | ".join("---" for _ in head) + " |"]
    return "\n".join(lines + ["| " + " | ".join(map(str, row)) + " |" for row in rows]) + "\n"


def check_table(weak, strong):
    rows = []
    for (order, gpus), measured in sorted(MEASURED_WEAK.items()):
        model = weak[order][1][0] / weak[order][gpus][0]
        rows.append(["weak, box", f"P{order}", gpus, f"{100 * measured:.1f} %", f"{100 * model:.1f} %", f"{100 * (model / measured - 1):+.0f} %"])
    for (mesh, order, gpus), measured in sorted(MEASURED_STRONG.items()):
        if gpus not in strong.get(mesh, {}).get(order, {}):
            continue
        model = strong[mesh][order][1][0] / strong[mesh][order][gpus][0]
        rows.append([f"strong, {mesh}", f"P{order}", gpus, f"{measured:.2f}", f"{model:.2f}", f"{100 * (model / measured - 1):+.0f} %"])
    return markdown(["study", "order", "GPUs", "measured", "model", "difference"], rows)


def weak_table(weak):
    rows = []
    for gpus in COUNTS:
        rows.append([gpus] + [f"{1e3 * weak[p][gpus][0]:.3f} ({100 * weak[p][1][0] / weak[p][gpus][0]:.1f} %)" for p in weak])
    return markdown(["GPUs"] + [f"P{p}, ms per step (efficiency)" for p in weak], rows)


def table4(weak):
    rows = [[gpus] + [f"{weak[p][gpus][1] / 1e3:.1f} ({REPORT_WEAK_GFLOPS[gpus][p] / 1e3:.2f})" for p in weak] for gpus in (1, 128)]
    return markdown(["GPUs"] + [f"P{p}, TFLOP/s (report)" for p in weak], rows)


def strong_table(mesh, by_order):
    rows = []
    for order, by_gpus in by_order.items():
        steps = STEPS.get(mesh, {}).get(order)
        base = by_gpus[min(by_gpus)][0] * min(by_gpus)
        for gpus, (t, terms) in by_gpus.items():
            total = sum(terms.values())
            report = REPORT.get((mesh, gpus, order))
            rows.append([f"P{order}", gpus, f"{1e6 * t:.0f}", f"{steps * t:.2f}" if steps else "-", report or "-",
                         f"{base / t:.1f}", f"{100 * base / t / gpus:.0f} %"] +
                        [f"{100 * terms.get(k, 0) / total:.0f} %" for k in ("kernels", "imbalance", "fixed", "messages")])
    return markdown(["order", "GPUs", "us per step", "five periods, s", "report, s", "speed-up", "efficiency",
                     "kernels", "imbalance", "batches, streams", "messages"], rows)


def limits(strong):
    """Where each mesh stops scaling: the last count of at least half of the ideal speed-up, the largest loss at the next
    one, and the last count that is at least 10 % faster than half as many."""
    rows = []
    for mesh, by_order in strong.items():
        for order, by_gpus in by_order.items():
            first = min(by_gpus)
            efficient = [g for g in by_gpus if by_gpus[first][0] * first / by_gpus[g][0] / g >= 0.5]
            useful = [g for g in by_gpus if g > first and by_gpus[g // 2][0] / by_gpus[g][0] >= 1.1]
            last = max(useful, default=first)
            beyond = next((g for g in by_gpus if g > efficient[-1]), efficient[-1])
            terms = {k: v for k, v in by_gpus[beyond][1].items() if k != "kernels"}
            cause = max(terms, key=terms.get) if terms else "-"
            cause = {"fixed": "batches and streams", "messages": "messages (latency)", "imbalance": "imbalance"}.get(cause, cause)
            rows.append([mesh, f"P{order}", efficient[-1], f"{1e6 * by_gpus[efficient[-1]][0]:.0f}", last,
                         f"{1e6 * by_gpus[last][0]:.0f}", f"{cause}, {100 * max(terms.values(), default=0) / by_gpus[beyond][0]:.0f} % at {beyond}"])
    return markdown(["mesh", "order", "GPUs up to which efficiency >= 50 %", "us per step", "GPUs beyond which twice as many gain less than 10 %", "us per step", "largest loss beyond the former"], rows)


def plot(weak, strong, path):
    plt = pyplot(path.name)
    if plt is None:
        return
    figure, axes = plt.subplots(2, 2, figsize=(11, 9))
    for order, by_gpus in weak.items():
        gpus = list(by_gpus)
        axes[0, 0].plot(gpus, [1000 * by_gpus[g][0] for g in gpus], "o-", label=f"P{order}")
        axes[0, 1].plot(gpus, [by_gpus[g][1] / 1e3 for g in gpus], "o-", label=f"P{order}")
    for (order, gpus), efficiency in MEASURED_WEAK.items():
        axes[0, 0].plot(gpus, 1000 * WEAK_STEP[order] / efficiency, "kx", label="measured" if (order, gpus) == (1, 2) else None)
    axes[0, 0].set(title="Weak scaling (report's Fig. 10)", ylabel="s per 1000 steps", ylim=(0, None))
    axes[0, 1].set(title="Weak scaling (report's Fig. 11)", ylabel="TFLOP/s, dense count", yscale="log")
    for axis, order in zip(axes[1], (1, 2)):
        for mesh, by_order in strong.items():
            by_gpus = by_order[order]
            gpus = list(by_gpus)
            line, = axis.plot(gpus, [by_gpus[gpus[0]][0] * gpus[0] / by_gpus[g][0] for g in gpus], "o-", label=mesh)
            for (name, p, g), speed_up in MEASURED_STRONG.items():
                if (name, p) == (mesh, order):
                    axis.plot(g, speed_up, "x", color=line.get_color(), markersize=9, label=f"{mesh}, measured" if g == 2 else None)
        axis.plot(COUNTS, COUNTS, "k--", linewidth=0.8, label="ideal")
        axis.set(title=f"Strong scaling of the head meshes, P{order}", ylabel="speed-up", yscale="log")
    for axis in axes.flat:
        axis.set(xlabel="GPUs", xscale="log")
        axis.set_xticks(COUNTS, [str(g) for g in COUNTS])
        axis.minorticks_off()
        axis.grid(alpha=0.3)
        axis.axvline(8.5, color="grey", linewidth=0.8, linestyle=":", label="end of a host")
        axis.legend(fontsize=8)
    figure.tight_layout()
    figure.savefig(path, dpi=110)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--partition", action="append", default=[], metavar="NAME=FILE", help="output of dgtd-mesh partition, of a further mesh")
    parser.add_argument("--gpus-per-host", type=int, default=8)
    parser.add_argument("--network-latency", type=float, default=15, help="us")
    parser.add_argument("--network-bandwidth", type=float, default=45, help="GB/s per GPU")
    parser.add_argument("--output", type=pathlib.Path, default=pathlib.Path("out/scaling_model"))
    arguments = parser.parse_args()
    machine = Machine(gpus_per_host=arguments.gpus_per_host, network_latency=1e-6 * arguments.network_latency,
                      network_bandwidth=1e9 * arguments.network_bandwidth)
    try:
        partitions = read_partitions(HERE / "head_partitions.csv")
        for text in arguments.partition:
            name, _, file = text.partition("=")
            partitions |= read_partitions(file, name)
    except (OSError, KeyError, ValueError) as error:
        sys.exit(f"scaling_model.py: {error}: not a table of dgtd-mesh partition")
    weak, strong = weak_study(machine), strong_study(machine, partitions)
    text = "### Model against measurement\n\n" + check_table(weak, strong)
    text += "\n### Weak scaling (report's Fig. 10)\n\n" + weak_table(weak)
    text += "\n### Weak scaling, dense count (report's Fig. 11 and Table 4)\n\n" + table4(weak)
    for number, (mesh, by_order) in zip(("5", "6", "7", *"-" * len(strong)), strong.items()):
        text += f"\n### Strong scaling of {mesh}" + (f" (report's Table {number})" if number != "-" else "") + "\n\n" + strong_table(mesh, by_order)
    text += "\n### Where each mesh stops scaling\n\n" + limits(strong)
    arguments.output.mkdir(parents=True, exist_ok=True)
    (arguments.output / "scaling_model.md").write_text(text)
    plot(weak, strong, arguments.output / "scaling_model.png")
    print(text)


if __name__ == "__main__":
    main()
