#!/usr/bin/env python3
"""Predicts method dgtd on 1 to 128 GPUs with local time steps, in the form of INRIA report 7592: weak scaling (Figs. 10
and 11, Table 4) and strong scaling of the head meshes M1 to M3 (Tables 5 to 7); and what a mesh of 10^9 elements needs on
1,000 GPUs. docs/scaling.md has the model, what of it is measured and what assumed.

    scaling_model.py                      all tables
    scaling_model.py --table choose       one of them: choose, check, strong, stops, weak, table4, body
    scaling_model.py --output FOLDER      also scaling_model.md and scaling_model.png

Divisions of the meshes come from head_levels.csv beside this script. Another mesh is added by
    dgtd-bench CASE.cfg --set solver.order=2 --partition 1 2 4 8 > parts.csv
    scaling_model.py --partition NAME:2=parts.csv
"""
import argparse
import csv
import functools
import pathlib
import sys
from dataclasses import dataclass

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from python_packages import pyplot

HERE = pathlib.Path(__file__).resolve().parent
COUNTS = [1, 2, 4, 8, 16, 32, 64, 128]

# ---- Measured: us per half step, single precision, H100, 2026-11-27 --------------------------------------------------
# docs/notebook/2026-11-27-messages-inside-kernels.md and 2026-11-27-small-meshes-on-a-gpu.md; heads m0, m1, m2 with all
# their materials. One launch per half step, graphs of up to 16 steps; with two GPUs messages inside the kernels (`peer`).
ELEMENTS = {"M0": 58_463, "M1": 808_582, "M2": 1_817_216, "M3": 7_842_671}
ONE_GPU = {1: {"M0": 10.5, "M1": 70.5, "M2": 141}, 2: {"M0": 14.5, "M1": 144.5, "M2": 306}, 3: {"M0": 29.4, "M1": 276}}
TWO_GPUS = {1: {"M0": 11.7, "M1": 45.6, "M2": 84.1}, 2: {"M0": 14.8, "M1": 84.0, "M2": 167}, 3: {"M0": 23.8, "M1": 164}}
# Local time steps, us per half of a coarse step.
ONE_GPU_LOCAL = {1: {"M0": 26.5, "M1": 111}, 2: {"M0": 59.3, "M1": 235}}
TWO_GPUS_LOCAL = {1: {"M0": 56.6, "M1": 110}, 2: {"M0": 122, "M1": 191}}
# The same on two GPUs with messages in streams (`peer` of before), whose exchange takes 12 us on idle devices; NCCL's 22.
STREAMS_LOCAL = {1: {"M0": 231}, 2: {"M0": 427.5}}
STREAMS_PEER, STREAMS_NCCL = 12.0, 22.0
# us per thousand elements below M0: boxes of 13 and 56 thousand, docs/notebook/2026-11-27-small-meshes-on-a-gpu.md.
SMALL_SLOPE = {1: 0.040, 2: 0.079, 3: 0.212}
# The same on H200, whose long half steps take 0.70 of an H100's: M3 2026-11-23 (P1) and 2026-11-29, others 2026-11-29,
# with stages of few elements on one GPU.
H200_SHARE = 0.70
ONE_H200_LOCAL = {1: {"M2": 193, "M3": 833}, 2: {"M1": 195, "M2": 387, "M3": 1762}}
TWO_H200_LOCAL = {1: {"M1": 91.3, "M2": 139}, 2: {"M1": 152, "M2": 256, "M3": 997}}

# ---- Measured: weak scaling, one and two H200, 2026-11-22 ------------------------------------------------------------
WEAK_ELEMENTS = {1: 3_072_000, 2: 3_072_000, 3: 1_296_000, 4: 750_000}  # per GPU, the report's section 5.3.2
WEAK_CELLS = {1: 80, 2: 80, 3: 60, 4: 50}  # cubes along an axis, six tetrahedra each
WEAK_HALF = {1: 155.8, 2: 343.5, 3: 290.0, 4: 318.0}  # us, one GPU
WEAK_PAIR = {1: 0.975, 2: 0.993, 3: 0.980, 4: 0.976}  # efficiency of two GPUs by `peer`
DENSE_FLOP = {1: 1821, 2: 7995, 3: 26713, 4: 73917}  # per element and step, the report's count

# Coarse steps of five periods with local steps (docs/notebook/2026-11-23-local-time-steps.md; M2
# from the gain that dgtd-bench --partition prints, less 7 % as in M0 to M3). Report: (mesh, GPUs, order) -> s, Tables 5 to 7.
COARSE_STEPS = {"M1": {1: 730, 2: 1060}, "M2": {1: 780, 2: 1340}, "M3": {1: 810, 2: 1410}}
REPORT = {("M1", 1, 1): 620, ("M1", 1, 2): 2683, ("M1", 16, 1): 35, ("M1", 16, 2): 145,
          ("M2", 16, 1): 82, ("M2", 16, 2): 407, ("M2", 32, 1): 46, ("M2", 32, 2): 201, ("M2", 64, 1): 33, ("M2", 64, 2): 116,
          ("M3", 32, 1): 162, ("M3", 32, 2): 816, ("M3", 64, 1): 97, ("M3", 64, 2): 416, ("M3", 128, 1): 69, ("M3", 128, 2): 257}
REPORT_WEAK_GFLOPS = {1: {1: 63, 2: 92, 3: 106, 4: 94}, 128: {1: 8072, 2: 11844, 3: 13676, 4: 12009}}


@dataclass(frozen=True)
class Path:
    """How traces get to other GPUs."""
    title: str
    status: str
    host: int             # GPUs that NVLink joins; 0: any number
    first: float          # us from the last store to the arrival at another host
    streams: bool = False  # an exchange beside the kernels of a half step instead of inside one
    share: float = 0.5    # of the halo faces that leave the host, where neighbouring parts share one (prototype)


NVLINK_US, NVLINK_BYTES = 1.0, 450e3  # us of the link (measured: in the chain below); bytes per us and direction
NETWORK_BYTES = 45e3                  # bytes per us and GPU: one 400 Gbit/s adapter each, 90 % (assumed)
# Latencies between hosts: NCCL with GPUDirect RDMA 15 us in place of 7 inside a host (assumed). GPU-initiated puts 4 us,
# a proxy thread on the host 8 us: the prototype's figures for transports that do not exist in the program.
PATHS = {
    "nvlink": Path("one NVLink domain, `peer`", "today up to 8 GPUs; beyond not run", 0, NVLINK_US),
    "nccl": Path("hosts of 8, `nccl`", "today; not run", 8, 15.0 - 7.0, True),
    "nvshmem": Path("hosts of 8, NVSHMEM", "not in the program; not run", 8, 4.0),
    "proxy": Path("hosts of 8, proxy over MPI", "not in the program; not run", 8, 8.0),
}


def between(points, n):
    """Linear between the points (elements, us), and beyond the last one with the slope of the last two."""
    for (n0, t0), (n1, t1) in zip(points, points[1:]):
        if n <= n1 or (n1, t1) == points[-1]:
            return t0 + (t1 - t0) * (n - n0) / (n1 - n0)
    raise AssertionError


def one_gpu(order, n):
    """us of a half step of n elements without neighbours."""
    points = sorted((ELEMENTS[m], t) for m, t in ONE_GPU[order].items())
    n0, t0 = points[0]
    return t0 - SMALL_SLOPE[order] * (n0 - n) / 1000 if n < n0 else between(points, n)


def messages_inside(order, n):
    """us that a half step of n elements takes longer with messages inside it, from two GPUs; constant outside of them."""
    points = sorted((ELEMENTS[m] / 2, t - one_gpu(order, ELEMENTS[m] / 2)) for m, t in TWO_GPUS[order].items())
    return between(points, min(max(n, points[0][0]), points[-1][0]))


@functools.cache
def read_levels(path=HERE / "head_levels.csv"):
    """{(mesh, order): {parts: [levels]}} with the largest numbers of any part on each level, and their sums."""
    found = {}
    with open(path, newline="") as file:
        for row in csv.DictReader(file):
            levels = found.setdefault((row["mesh"], int(row["order"])), {}).setdefault(int(row["parts"]), [])
            assert len(levels) == int(row["level"])
            levels.append({k: int(row[k]) for k in ("electric", "magnetic", "halo_faces", "neighbours", "total")})
    return found


def worst_of_parts(path):
    """{parts: [levels]} of the output of dgtd-bench --partition."""
    found = {}
    with open(path, newline="") as file:
        for row in csv.DictReader(line for line in file if line[0].isdigit() or line.startswith("parts,")):
            levels = found.setdefault(int(row["parts"]), [])
            if int(row["level"]) == len(levels):
                levels.append(dict.fromkeys(("electric", "magnetic", "halo_faces", "neighbours", "total"), 0))
            level = levels[int(row["level"])]
            for k in ("electric", "magnetic", "halo_faces", "neighbours"):
                level[k] = max(level[k], int(row[k]))  # the slowest part is at most as slow as one that is the worst in all
            level["total"] += int(row["electric"]) + int(row["magnetic"])
    return found


def half_steps(levels):
    """Of the levels above 0 in a coarse step."""
    return 2 * (2 ** (len(levels) - 1) - 1)


def updates(levels):
    """Elements, thousands, of these half steps."""
    return sum((l["electric"] + l["magnetic"]) * 2 ** i for i, l in enumerate(levels[1:])) / 1000


@functools.cache
def level_costs(order):
    """us of a half step of a level without elements, us per thousand elements: from M0 and M1 on one GPU."""
    rows = []
    for mesh in ("M0", "M1"):
        levels = read_levels()[mesh, order][1]
        rest = 2 * (ONE_GPU_LOCAL[order][mesh] - ONE_GPU[order][mesh])
        rows.append((half_steps(levels), updates(levels), rest))
    (h0, u0, t0), (h1, u1, t1) = rows
    slope = (t1 * h0 - t0 * h1) / (u1 * h0 - u0 * h1)
    return (t0 - slope * u0) / h0, slope


@functools.cache
def chain(order, streams):
    """us of a half step of a level without elements on two GPUs (M0): start, loads, link, look, update of a warp."""
    levels = read_levels()["M0", order][2]
    measured = (STREAMS_LOCAL if streams else TWO_GPUS_LOCAL)[order]["M0"]
    rest = 2 * (measured - TWO_GPUS[order]["M0"]) - level_costs(order)[1] * updates(levels)
    return rest / half_steps(levels)


def arrival(order, faces, path, gpus):
    """us that messages take longer than those of few faces between two GPUs of a host."""
    face = 2 * ((order + 1) * (order + 2) // 2) * 4  # bytes: two tangential components, single precision
    on_link = faces * face * 4 / 3 / NVLINK_BYTES    # packets of 16 bytes have 12 of values
    if path.host == 0 or gpus <= path.host:
        return on_link
    between_hosts = path.first - (0 if path.streams else NVLINK_US) + path.share * faces * face / NETWORK_BYTES
    if path.streams:
        between_hosts += STREAMS_NCCL - STREAMS_PEER
    return max(on_link, between_hosts)


def coarse_step(order, levels, path, gpus, mesh_total=None, share=1.0):
    """us of a coarse step and its terms. levels: of the worst part; share: of an H100's time that long half steps take."""
    streams = path.streams and gpus > path.host
    empty, slope = level_costs(order)
    slope *= share
    n = (levels[0]["electric"] + levels[0]["magnetic"]) / 2
    floor = one_gpu(order, 0)
    alone = floor + (one_gpu(order, n) - floor) * share
    count = half_steps(levels)
    if gpus == 1:
        return 2 * alone + count * empty + slope * updates(levels), {}
    exchange = chain(order, streams) + arrival(order, levels[0]["halo_faces"], path, gpus)
    outer = max(alone + messages_inside(order, n), exchange)
    inner = small = 0.0
    for i, l in enumerate(levels[1:]):
        # A level whose pieces are whole, each on one GPU, has no messages.
        is_whole = l["halo_faces"] == 0
        message = empty if is_whole else chain(order, streams) + arrival(order, l["halo_faces"], path, gpus)
        small += 2 ** i * 2 * (empty if is_whole else chain(order, False))
        inner += 2 ** i * (2 * message + slope * (l["electric"] + l["magnetic"]) / 1000)
    total = 2 * outer + inner
    even = sum(2 ** max(i - 1, 0) * l["total"] for i, l in enumerate(levels)) / 1000 / gpus
    worst = sum(2 ** max(i - 1, 0) * (l["electric"] + l["magnetic"]) for i, l in enumerate(levels)) / 1000
    updating = 2 * (alone - floor) + slope * updates(levels)
    imbalance = updating * (1 - even / worst)
    return total, {"updates": updating - imbalance, "imbalance": imbalance,
                   "small half steps": small + 2 * min(floor, outer),
                   "messages": total - updating - small - 2 * min(floor, outer)}


def markdown(head, rows):
    lines = ["| " + " | ".join(head) + " |", "| " + " | ".join("---" for _ in head) + " |"]
    return "\n".join(lines + ["| " + " | ".join(map(str, row)) + " |" for row in rows]) + "\n"


def seconds(mesh, order, step):
    steps = COARSE_STEPS.get(mesh, {}).get(order)
    return steps * step * 1e-6 if steps else None


class Study:
    """Strong scaling of all meshes by all paths."""

    def __init__(self, further):
        self.meshes = {k: v for k, v in read_levels().items() if k[0] in COARSE_STEPS and k[1] in ONE_GPU_LOCAL} | further
        self.step = {}
        for (mesh, order), parts in self.meshes.items():
            for name, path in PATHS.items():
                for gpus in sorted(parts):
                    self.step[mesh, order, name, gpus] = coarse_step(order, parts[gpus], path, gpus)

    def time(self, mesh, order, path, gpus):
        return self.step[mesh, order, path, gpus][0]

    def efficiency(self, mesh, order, path, gpus):
        return self.time(mesh, order, path, 1) / self.time(mesh, order, path, gpus) / gpus

    def last(self, mesh, order, path, wanted):
        """The last number of GPUs of at least the wanted efficiency."""
        return max(g for g in self.meshes[mesh, order] if self.efficiency(mesh, order, path, g) >= wanted)

    def end(self, mesh, order, path):
        """The number of GPUs beyond which none that was computed is 10 % faster."""
        counts = sorted(self.meshes[mesh, order])
        best = min(self.time(mesh, order, path, g) for g in counts)
        return next(g for g in counts if self.time(mesh, order, path, g) <= 1.1 * best)


def check_table(study):
    rows = []
    for order in ONE_GPU_LOCAL:
        for mesh in ("M0", "M1"):
            parts = read_levels()[mesh, order]
            for gpus, measured in ((1, ONE_GPU_LOCAL), (2, TWO_GPUS_LOCAL)):
                if (mesh, gpus) == ("M1", 2):
                    continue  # measured with messages on all levels
                model = coarse_step(order, parts[gpus], PATHS["nvlink"], gpus)[0] / 2
                value = measured[order][mesh]
                rows.append([mesh, f"P{order}", f"{gpus} H100", f"{value:.0f}", f"{model:.0f}", f"{100 * (model / value - 1):+.0f} %",
                             "fitted"])
        for gpus, measured in ((1, ONE_H200_LOCAL), (2, TWO_H200_LOCAL)):
            for mesh, value in measured[order].items():
                if (mesh, order) in study.meshes:
                    model = coarse_step(order, study.meshes[mesh, order][gpus], PATHS["nvlink"], gpus, share=H200_SHARE)[0] / 2
                    rows.append([mesh, f"P{order}", f"{gpus} H200", f"{value:.0f}", f"{model:.0f}", f"{100 * (model / value - 1):+.0f} %", ""])
    return markdown(["mesh", "order", "GPUs", "measured, us per half of a coarse step", "model", "difference", ""], rows)


def choose_table(study):
    rows = []
    for mesh, order in study.meshes:
        row = [mesh, f"P{order}"]
        for path in ("nvlink", "nccl"):
            one = seconds(mesh, order, study.time(mesh, order, path, 1))
            if path == "nvlink":
                row.append(f"{one:.2f}" if one else "-")
            good, half, end = study.last(mesh, order, path, 0.8), study.last(mesh, order, path, 0.5), study.end(mesh, order, path)
            fastest = seconds(mesh, order, study.time(mesh, order, path, end))
            row += [good, half, f"{end}: {fastest:.2f}" if fastest else end]
        rows.append(row)
    return markdown(["mesh", "order", "one GPU, s", "**one NVLink domain**: GPUs with 80 %", "with 50 %", "the last that pays: s",
                     "**hosts of 8 by `nccl`**: 80 %", "50 %", "the last that pays: s"], rows)


def strong_table(study):
    rows = []
    for mesh, order in study.meshes:
        for gpus in sorted(study.meshes[mesh, order]):
            row = [mesh, f"P{order}", gpus]
            for path in PATHS:
                t = study.time(mesh, order, path, gpus)
                s = seconds(mesh, order, t)
                row.append((f"{s:.2f}" if s else f"{t:.0f} us") + (f" ({100 * study.efficiency(mesh, order, path, gpus):.0f} %)" if gpus > 1 else ""))
            rows.append(row + [REPORT.get((mesh, gpus, order), "-")])
    return markdown(["mesh", "order", "GPUs"] + [f"{p.title}, s" for p in PATHS.values()] + ["report (global steps, 2009), s"], rows)


def stops_table(study):
    """Why a mesh stops: the terms of a step at the first number of GPUs with less than half of the ideal speed-up."""
    rows = []
    for mesh, order in study.meshes:
        for path in PATHS:
            last = study.last(mesh, order, path, 0.5)
            beyond = next((g for g in sorted(study.meshes[mesh, order]) if g > last), last)
            if path != "nvlink" and beyond <= PATHS[path].host:
                continue  # as one NVLink domain
            total, terms = study.step[mesh, order, path, beyond]
            elements = study.meshes[mesh, order][last][0]["total"] / 2 / last
            rows.append([mesh, f"P{order}", path, last, f"{elements / 1000:.0f}", beyond, f"{total:.0f}"] +
                        [f"{100 * terms[k] / total:.0f} %" for k in ("updates", "imbalance", "small half steps", "messages")])
    return markdown(["mesh", "order", "path", "GPUs with 50 %", "thousand elements each", "at the next number", "us per coarse step",
                     "updates", "imbalance", "starts and chains of half steps", "messages"], rows)


def near_cubic(n):
    return min(((a, b, n // (a * b)) for a in range(1, n + 1) if n % a == 0
                for b in range(1, n // a + 1) if (n // a) % b == 0), key=lambda s: max(s) - min(s))


def weak_half(order, path, gpus):
    """us of a half step of the box, with global steps: from the loss of two GPUs, 17 % more of it for each further side
    (measured from two to four GPUs, NCCL), and with NCCL between hosts 20 % of the messages' time (the same source)."""
    half = WEAK_HALF[order]
    if gpus == 1:
        return half
    sides = sum(min(2, n - 1) for n in ([gpus, 1, 1] if gpus <= 4 else near_cubic(gpus)))
    loss = half * (1 / WEAK_PAIR[order] - 1) * (1 + 0.17 * (sides - 1))
    faces = sides * 2 * WEAK_CELLS[order] ** 2
    message = STREAMS_NCCL + arrival(order, faces, path, gpus)
    outside = path.host > 0 and gpus > path.host
    return max(half + loss + (0.2 * message if path.streams and outside else 0), message if outside else 0)


def weak_table():
    rows = []
    for gpus in COUNTS:
        row = [gpus]
        for order in WEAK_HALF:
            for path in ("nvlink", "nccl"):
                t = weak_half(order, PATHS[path], gpus)
                row.append(f"{2e-3 * t:.3f} ({100 * WEAK_HALF[order] / t:.1f} %)")
        rows.append(row)
    return markdown(["GPUs"] + [f"P{o}, {n}" for o in WEAK_HALF for n in ("NVLink", "hosts of 8, `nccl`")], rows)


def table4():
    rows = []
    for gpus in (1, 128):
        rows.append([gpus] + [f"{gpus * WEAK_ELEMENTS[o] * DENSE_FLOP[o] / (2 * weak_half(o, PATHS['nccl'], gpus)) / 1e6:.1f} "
                              f"({REPORT_WEAK_GFLOPS[gpus][o] / 1e3:.2f})" for o in WEAK_HALF])
    return markdown(["GPUs"] + [f"P{o}, TFLOP/s (report)" for o in WEAK_HALF], rows)


def plot(study, path):
    plt = pyplot(path.name)
    if plt is None:
        return
    figure, axes = plt.subplots(2, 2, figsize=(11, 9))
    for order in WEAK_HALF:
        line, = axes[0, 0].plot(COUNTS, [2 * weak_half(order, PATHS["nccl"], g) for g in COUNTS], "o-", label=f"P{order}")
        axes[0, 0].plot(2, 2 * WEAK_HALF[order] / WEAK_PAIR[order], "x", color=line.get_color(), markersize=10)
        axes[0, 1].plot(COUNTS, [g * WEAK_ELEMENTS[order] * DENSE_FLOP[order] / (2 * weak_half(order, PATHS["nccl"], g)) / 1e6
                                 for g in COUNTS], "o-", label=f"P{order}")
    axes[0, 0].set(title="Weak scaling (report's Fig. 10), H200; crosses: measured", ylabel="us per step", ylim=(0, None))
    axes[0, 1].set(title="Weak scaling (report's Fig. 11)", ylabel="TFLOP/s, dense count", yscale="log")
    for axis, order in zip(axes[1], (1, 2)):
        for mesh, its_order in study.meshes:
            if its_order != order:
                continue
            gpus = sorted(study.meshes[mesh, order])
            speed_ups = {p: [study.time(mesh, order, p, 1) / study.time(mesh, order, p, g) for g in gpus] for p in PATHS}
            line, = axis.plot(gpus, speed_ups["nvlink"], "o-", label=f"{mesh}, one NVLink domain")
            axis.plot(gpus, speed_ups["nccl"], "s--", color=line.get_color(), markersize=4, label=f"{mesh}, hosts of 8, nccl")
        axis.plot(COUNTS, COUNTS, "k-", linewidth=0.8, label="ideal")
        axis.set(title=f"Strong scaling with local time steps, P{order}, H100", ylabel="speed-up", yscale="log")
    for axis in axes.flat:
        axis.set(xlabel="GPUs", xscale="log")
        axis.set_xticks(COUNTS, [str(g) for g in COUNTS])
        axis.minorticks_off()
        axis.grid(alpha=0.3)
        axis.axvline(8.5, color="grey", linewidth=0.8, linestyle=":")
        axis.legend(fontsize=8)
    figure.tight_layout()
    figure.savefig(path, dpi=90)


# ---- 10^9 elements -----------------------------------------------------------------------------------------------------
# Measured per element: bytes, and us of one idle core's time unless said otherwise (docs/scaling.md has the commands).
MESH_MAKING = (227, 17.4)      # dgtd-mesh head-phone --level m3: peak memory, time
MESH_FILE = (45, None)         # binary MSH 4.1
FIRST_READING = (110, 1.2)     # rank 0, head_m1 without a compact file: peak memory, time
FIRST_READING_16 = 0.22        # us by 16 threads: head_m3, 1.76 s (docs/notebook/2026-11-22-whole-job.md)
COMPACT_FILE = 43              # bytes in the file
METIS = (190, 1.6)             # head_m1 and m2 with levels: peak memory beside the part, mean time of a division in 2 to 128
METIS_MOST = 2 ** 31 // 4      # elements: 4 faces each in 32-bit numbers
FILE_MOST = 0xffff0000 // 4    # elements: faces have 32-bit numbers (FaceAdjacency)
OWNER = 2                      # bytes per element of the whole mesh on each rank that shares it along the curve
WORK_BEFORE = 32               # bytes per element on rank 0 before ranks cut their own ranges
HOST_PART = 160                # bytes per element of a rank's part: box of 10^7 elements
DEVICE = {1: 185, 2: 412}      # bytes per element of the solver's arrays: head_m0, single precision
PHASOR = {1: 4 * 3 * 2 * 4 * 2, 2: 10 * 3 * 2 * 4 * 2}  # bytes per element and frequency: E and H, complex
CHECKPOINT = {1: 4 * 6 * 4, 2: 10 * 6 * 4}              # bytes per element: E and H; phasors as much again each
FIELDS = 51                    # bytes per element of the default field file: head_m0
FACE_OF_VIEW = 72              # bytes of a surface triangle that rank 0 gets for the view in 3-D
VOXEL, VOXEL_OF_TISSUE = 18, 64  # bytes on rank 0 for averages of SAR: of the grid; of what the ranks send, twice
VOXELS_OF_BODY, TISSUE_OF_BODY = 4.3e8, 7e7  # of 1 mm: a box of 1.8 x 0.6 x 0.4 m, 70 litres
FILE_SYSTEM = 10e9             # bytes per s of a parallel file system (assumed)
ELEMENTS_OF_BODY, RANKS_OF_BODY, RANKS_OF_HOST = 1e9, 1000, 8


def body_table():
    n, ranks, host = ELEMENTS_OF_BODY, RANKS_OF_BODY, RANKS_OF_HOST
    gb = lambda bytes_: f"{bytes_ / 1e9:.3g} GB"
    duration = lambda us: f"{us * n * 1e-6 / 3600:.1f} h" if us * n * 1e-6 > 7200 else f"{us * n * 1e-6 / 60:.0f} min"
    surface = 20 * (n / 7.84e6) ** (2 / 3) * 1e4  # triangles: 200 thousand in head_m3 (estimate), as n^(2/3)
    rows = [
        ["1", "make the mesh, `dgtd-mesh`", "one core", gb(MESH_MAKING[0] * n), duration(MESH_MAKING[1]), "**breaks first**: time; it is done once"],
        ["2", "METIS (`solver.partitioner = metis`)", "rank 0", gb(METIS[0] * n), duration(METIS[1]),
         f"refuses more than {METIS_MOST / 1e6:.0f} million; `auto` takes the curve from 2 million on"],
        ["3", "first reading of the mesh file", "rank 0", gb(FIRST_READING[0] * n), duration(FIRST_READING[1]) + f" on one core, {FIRST_READING_16 * n * 1e-6 / 60:.0f} by 16 threads",
         f"at most {FILE_MOST / 1e9:.3f} * 10^9 elements (refused with a message); the file has {gb(MESH_FILE[0] * n)}"],
        ["4", "compact file, written once and mapped by all ranks", "rank 0 writes", gb(COMPACT_FILE * n), f"{COMPACT_FILE * n / 2e9:.0f} s at 2 GB/s",
         "each host reads what its ranks need"],
        ["5", "owners of all elements", f"each host ({host} ranks)", gb(host * OWNER * n), "", "8 bytes per element and rank before: " + gb(host * 8 * n)],
        ["6", "work of all levels", "each rank", gb(20 * n / ranks), "", f"on rank 0 before: at least {gb(WORK_BEFORE * n)}"],
        ["7", "a rank's part on the host", "each rank", gb(HOST_PART * n / ranks), "", ""],
        ["8", "device, P1; P2, with one frequency", "each rank", "; ".join(gb((DEVICE[p] + PHASOR[p]) * n / ranks) for p in (1, 2)), "", "of 80 GB"],
        ["9", "checkpoint, P1; P2", "all ranks", "; ".join(gb((CHECKPOINT[p] + PHASOR[p]) * n) for p in (1, 2)),
         "; ".join(f"{(CHECKPOINT[p] + PHASOR[p]) * n / FILE_SYSTEM:.0f} s" for p in (1, 2)) + " at 10 GB/s", "rank 0 has 8 bytes per chunk"],
        ["10", "field file (amplitudes), one piece per rank", "all ranks", gb(FIELDS * n), f"{FIELDS * n / FILE_SYSTEM:.0f} s at 10 GB/s", "1,000 pieces"],
        ["11", "view in 3-D", "rank 0", gb(2 * FACE_OF_VIEW * surface), "", f"{surface / 1e6:.0f} million triangles (estimate), twice while they are gathered"],
        ["12", "averages of SAR (`sar.mass`), voxels of 1 mm", "rank 0", gb(VOXEL * VOXELS_OF_BODY + VOXEL_OF_TISSUE * TISSUE_OF_BODY), "", "of the body's size, not of the elements"],
    ]
    return markdown(["", "step", "where", "memory or bytes", "time", ""], rows)


TABLES = {"choose": ("How many GPUs pay (H100, five periods, local time steps)", choose_table),
          "check": ("Model against measurement", check_table),
          "strong": ("Strong scaling, five periods (report's Tables 5 to 7)", strong_table),
          "stops": ("Where each mesh stops, and why", stops_table),
          "weak": ("Weak scaling, global steps, H200, ms per step and efficiency (report's Fig. 10)", lambda study: weak_table()),
          "table4": ("Weak scaling, dense count, hosts of 8 by `nccl` (report's Fig. 11 and Table 4)", lambda study: table4()),
          "body": ("A mesh of 10^9 elements on 1,000 GPUs", lambda study: body_table())}


def collected(further):
    """head_levels.csv of these meshes."""
    lines = ["mesh,order,parts,level,electric,magnetic,halo_faces,neighbours,total"]
    for (mesh, order), parts in further.items():
        for count, levels in parts.items():
            lines += [f"{mesh},{order},{count},{i}," + ",".join(str(l[k]) for k in ("electric", "magnetic", "halo_faces", "neighbours", "total"))
                      for i, l in enumerate(levels)]
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--table", choices=TABLES, help="prints one table alone")
    parser.add_argument("--partition", action="append", default=[], metavar="NAME:ORDER=FILE", help="output of dgtd-bench --partition, of a further mesh")
    parser.add_argument("--collect", action="store_true", help="prints these meshes in the form of head_levels.csv")
    parser.add_argument("--output", type=pathlib.Path, help="folder for scaling_model.md and scaling_model.png")
    arguments = parser.parse_args()
    further = {}
    for text in arguments.partition:
        name, _, file = text.partition("=")
        mesh, _, order = name.partition(":")
        if not file or order not in map(str, ONE_GPU_LOCAL):
            sys.exit(f"scaling_model.py: --partition {text}: allowed is NAME:ORDER=FILE with order {' or '.join(map(str, ONE_GPU_LOCAL))}")
        try:
            further[mesh, int(order)] = worst_of_parts(file)
        except (OSError, KeyError, ValueError, IndexError) as error:
            sys.exit(f"scaling_model.py: {file}: {error}: not a table of dgtd-bench --partition")
        if 1 not in further[mesh, int(order)]:
            sys.exit(f"scaling_model.py: {file}: has no row of one part; dgtd-bench CASE --partition 1 2 4 ...")
    if arguments.collect:
        print(collected(further))
        return
    study = Study(further)
    chosen = [arguments.table] if arguments.table else list(TABLES)
    text = "\n".join(f"### {TABLES[name][0]}\n\n{TABLES[name][1](study)}" for name in chosen)
    print(text)
    if arguments.output:
        arguments.output.mkdir(parents=True, exist_ok=True)
        (arguments.output / "scaling_model.md").write_text(text)
        plot(study, arguments.output / "scaling_model.png")


if __name__ == "__main__":
    main()
