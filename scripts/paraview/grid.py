"""Pictures of fields on a grid (method fdtd3d).

  pvpython grid.py OUTPUT_DIR [--output DIR] [--planes xoz xoy=0.02 ...]

reads OUTPUT_DIR/fields.pvtr and the monitors beside it and writes
  E_PLANE.png               |E| of the phasor, logarithmic, for each DFT frequency
  SAR_over_max_PLANE.png    SAR over its maximum in the voxels, bands of 2.5 dB
  monitor_NAME.png          |E| (or |H|) of a monitor, of several frequencies monitor_NAME_HZ.png; of a box the plane through its middle
Without a display: xvfb-run -a pvpython grid.py ...
"""
import argparse
import glob
import os
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from python_packages import required

pv = required("paraview.simple")

import views
from planes import PLANES, plane_of, planes_of_report


def arguments():
    parser = argparse.ArgumentParser(prog="grid.py", description="Pictures of |E| and SAR on a grid from a result of dgtd.")
    parser.add_argument("directory", metavar="OUTPUT_DIR", help="directory that holds fields.pvtr or monitors")
    parser.add_argument("--output", metavar="DIR", help="where the pictures go (OUTPUT_DIR/pictures)")
    parser.add_argument("--planes", nargs="+", default=["xoz", "xoy"], metavar="PLANE[=POSITION]",
                        help="xoy, xoz or yoz, with its position in m; without one: through the grid's middle (xoz xoy)")
    parser.add_argument("--decades", type=float, default=4, help="range of the |E| scale below its maximum (4)")
    parser.add_argument("--report", action="store_true", help="the planes of report.html, through the largest SAR, in place of --planes")
    parser.add_argument("--floor", type=float, default=-60, metavar="DB", help="lower end of the SAR scale in dB (-60)")
    parser.add_argument("--size", type=int, nargs=2, default=[1300, 1100], metavar=("WIDTH", "HEIGHT"))
    options = parser.parse_args()
    if options.floor >= 0:
        parser.error("--floor: must be below 0 dB")
    return options


def fail(message):
    sys.exit(f"grid.py: {message}")


def opened(reader):
    reader.UpdatePipeline()
    return reader


def names(source):
    return [array.Name for array in source.CellData]


def box_of(source):
    bounds = source.GetDataInformation().GetBounds()
    return [(bounds[2 * axis], bounds[2 * axis + 1]) for axis in range(3)]


def with_amplitude(source, field, suffix):
    """The source with the array |E|, its own or that of a phasor's two parts, and its unit; None where it has none."""
    for own in names(source):
        begin = field + "_amplitude_"
        if own.startswith(begin) and own.endswith(suffix):
            made = pv.Calculator(Input=source, AttributeType="Cell Data", ResultArrayName=f"{field}_amplitude", Function=f'"{own}"')
            return opened(made), own[len(begin):len(own) - len(suffix)].replace("_per_", "/").replace("_", " ")
    for real in names(source):
        begin = field + "_real_"
        if real.startswith(begin) and real.endswith(suffix):
            expression = f'sqrt(dot("{real}","{real}")+dot("{real.replace("_real_", "_imag_")}","{real.replace("_real_", "_imag_")}"))'
            made = pv.Calculator(Input=source, AttributeType="Cell Data", ResultArrayName=f"{field}_amplitude", Function=expression)
            return opened(made), real[len(begin):len(real) - len(suffix)].replace("_per_", "/").replace("_", " ")
    return None


def plane_cut(source, axis, position):
    origin, normal = [0.0] * 3, [0.0] * 3
    origin[axis], normal[axis] = position, 1.0
    cut = pv.Slice(Input=source, SliceType="Plane", Triangulatetheslice=0)
    cut.SliceType.Origin, cut.SliceType.Normal = origin, normal
    return opened(cut)


def picture(shown, array, table, title, axis, file, options, time=None):
    view = views.new_view(options.size)
    if time is not None:
        view.ViewTime = time  # else the view shows the first one of a series
    views.show(shown, view, ("CELLS", array), table, lit=False)
    views.colour_bar(table, view, title)
    views.look_at_plane(view, box_of(shown), axis)
    views.save(view, file)


def amplitude_picture(shown, field, title, axis, file, options, time=None):
    array = f"{field}_amplitude"
    table = views.logarithmic_bands(views.largest([shown], "CELLS", array), options.decades)
    picture(shown, array, table, title, axis, file, options, time)


def suffixes(source):
    """Ends of the arrays' names: '' with one frequency, else '_1800MHz' and so on."""
    ends = {"_" + name.rpartition("_")[2] for name in names(source) if name.startswith(("E_real_", "E_amplitude_")) and name.endswith("MHz")}
    return sorted(ends) or [""]


def fields(file, planes, options, output):
    source = opened(pv.XMLPartitionedRectilinearGridReader(FileName=[file]))
    box = box_of(source)
    for name, position in planes:
        axis = PLANES[name]
        low, high = box[axis]
        at = 0.5 * (low + high) if position is None else position
        if not low < at < high:
            fail(f"--planes {name}={at:g}: lies outside the grid, which goes from {low:.4g} to {high:.4g} m")
        where = f"{'xyz'[axis]} = {1e3 * at:.4g} mm"
        for suffix in suffixes(source):
            phasor = with_amplitude(source, "E", suffix)
            if phasor:
                amplitude_picture(plane_cut(phasor[0], axis, at), "E", f"Amplitude of E [{phasor[1]}], {where}", axis,
                                  os.path.join(output, f"E_{name}{suffix}.png"), options)
        level = "SAR_over_max_dB"
        if level in names(source):
            tissues = pv.Threshold(Input=source, Scalars=["CELLS", "SAR_W_per_kg"], UpperThreshold=1e-30, ThresholdMethod="Above Upper Threshold")
            picture(plane_cut(tissues, axis, at), level, views.decibel_bands(options.floor), f"SAR over its maximum [dB], {where}", axis,
                    os.path.join(output, f"SAR_over_max_{name}.png"), options)


def monitor(file, options, output):
    stem = os.path.splitext(os.path.basename(file))[0]
    several = file.endswith(".pvd")
    source = opened(pv.PVDReader(FileName=file) if several else pv.XMLPartitionedRectilinearGridReader(FileName=[file]))
    box = box_of(source)
    lengths = [high - low for low, high in box]
    axis = min(range(3), key=lambda a: lengths[a])
    for frequency in (source.TimestepValues if several else [None]):
        if frequency is not None:
            source.UpdatePipeline(frequency)
        phasor, field = with_amplitude(source, "E", ""), "E"
        if phasor is None:
            phasor, field = with_amplitude(source, "H", ""), "H"
        if phasor is None:
            fail(f"{file}: no phasor of E or H")
        if frequency is not None:
            phasor[0].UpdatePipeline(frequency)
        shown = phasor[0] if lengths[axis] == 0 else plane_cut(phasor[0], axis, 0.5 * sum(box[axis]))
        title = f"Amplitude of {field} [{phasor[1]}]" + (f", {frequency / 1e6:.6g} MHz" if frequency else "")
        amplitude_picture(shown, field, title, axis, os.path.join(output, stem + (f"_{frequency:g}" if frequency else "") + ".png"), options, frequency)


def main():
    options = arguments()
    try:
        planes = planes_of_report(options.directory) if options.report else [plane_of(text) for text in options.planes]
    except ValueError as error:
        fail(error)
    file = os.path.join(options.directory, "fields.pvtr")
    series = sorted(glob.glob(os.path.join(options.directory, "monitor_*.pvd")))
    listed = {os.path.splitext(path)[0] for path in series}
    single = [path for path in sorted(glob.glob(os.path.join(options.directory, "monitor_*.pvtr")))
              if re.sub(r"_\d{4,}$", "", os.path.splitext(path)[0]) not in listed]
    if not os.path.isfile(file) and not series and not single:
        fail(f"{file}: no such file, and no monitor_*.pvtr beside it")
    output = options.output or os.path.join(options.directory, "pictures")
    os.makedirs(output, exist_ok=True)
    if os.path.isfile(file):
        fields(file, planes, options, output)
    for path in series + single:
        monitor(path, options, output)


if __name__ == "__main__":
    main()
