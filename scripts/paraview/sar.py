"""Pictures of a result, like figures 5 to 9 of INRIA report 7592.

  pvpython sar.py OUTPUT_DIR [--output DIR] [--planes xoz xoy=0.02 ...]

reads OUTPUT_DIR/result.pvtu and writes, for each DFT frequency,
  E_TISSUE.png              |E| on the tissues' surfaces, logarithmic (figure 5)
  SAR_over_max_PLANE.png    SAR over its maximum, bands of 2.5 dB (figures 6 and 8)
  SAR_per_power_PLANE.png   SAR over emitted power, linear (figures 7 and 9)
Without a display: xvfb-run -a pvpython sar.py ...
"""
import argparse
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from python_packages import required

servermanager, pv = required("paraview.servermanager"), required("paraview.simple")

import views
from planes import PLANES, plane_of, planes_of_report


def arguments():
    parser = argparse.ArgumentParser(prog="sar.py", description="Pictures of |E| and SAR from a result of dgtd.")
    parser.add_argument("directory", metavar="OUTPUT_DIR", help="directory that holds result.pvtu")
    parser.add_argument("--output", metavar="DIR", help="where the pictures go (OUTPUT_DIR/pictures)")
    parser.add_argument("--planes", nargs="+", default=["xoz", "xoy"], metavar="PLANE[=POSITION]",
                        help="xoy, xoz or yoz, with its position in m; without one: through the brain's centre, "
                             "or all tissues' where there is no brain (xoz xoy)")
    parser.add_argument("--tissues", nargs="+", default=["skin", "skull", "brain"], metavar="NAME",
                        help="surfaces that show |E| (skin skull brain)")
    parser.add_argument("--decades", type=float, default=3, help="range of the |E| scale below its maximum (3)")
    parser.add_argument("--report", action="store_true", help="the planes of report.html, through the largest SAR, in place of --planes")
    parser.add_argument("--floor", type=float, default=-60, metavar="DB", help="lower end of the SAR scale in dB (-60)")
    parser.add_argument("--raw", action="store_true", help="planes show the element means as they are, not smoothed")
    parser.add_argument("--size", type=int, nargs=2, default=[1300, 1100], metavar=("WIDTH", "HEIGHT"))
    options = parser.parse_args()
    if options.floor >= 0:
        parser.error("--floor: must be below 0 dB")
    return options


def fail(message):
    sys.exit(f"sar.py: {message}")


class Result:
    """The data set, its materials by name, and its tissues (materials with a SAR)."""

    def __init__(self, directory):
        file = os.path.join(directory, "result.pvtu")
        if not os.path.isfile(file):
            fail(f"{file}: no such file")
        self.source = pv.XMLPartitionedUnstructuredGridReader(FileName=[file])
        self.source.UpdatePipeline()
        self.point_arrays = {array.Name for array in self.source.PointData}
        self.cell_arrays = {array.Name: array for array in self.source.CellData}
        self.materials = self._material_names()
        self._parts, self._smoothed = {}, {}

    def _material_names(self):
        array = self.source.GetDataInformation().GetFieldDataInformation().GetArrayInformation("material_names")
        if array is None:
            fail("result.pvtu: no field data 'material_names'")
        # The names themselves are no number: one cell is fetched with its field data.
        one = pv.ExtractSelection(Input=self.source, Selection=pv.IDSelectionSource(FieldType="CELL", IDs=[-1, 0]))
        data = servermanager.Fetch(one)
        if data.IsA("vtkCompositeDataSet"):
            data = data.NewIterator().GetCurrentDataObject()
        names = data.GetFieldData().GetAbstractArray("material_names")
        return [names.GetValue(i) for i in range(names.GetNumberOfValues())]

    def frequencies(self):
        """Suffixes of the array names: '' with one frequency, else '_1800MHz' and so on."""
        base = "E_amplitude_V_per_m"
        arrays = [*self.point_arrays, *self.cell_arrays]
        return sorted({name[len(base):] for name in arrays if name.startswith(base)})

    def part(self, material):
        """One material, its points joined where elements meet so that it has a surface of its own."""
        if material not in self._parts:
            index = self.materials.index(material)
            cells = pv.Threshold(Input=self.source, Scalars=["CELLS", "material"], LowerThreshold=index - 0.5,
                                 UpperThreshold=index + 0.5, ThresholdMethod="Between")
            joined = pv.CleantoGrid(Input=cells)
            joined.UpdatePipeline()
            self._parts[material] = joined
        return self._parts[material]

    def smoothed(self, material):
        """The same with the elements' values averaged to the points."""
        if material not in self._smoothed:
            self._smoothed[material] = pv.CellDatatoPointData(Input=self.part(material), ProcessAllArrays=1)
        return self._smoothed[material]

    def tissues(self, sar):
        with_sar = []
        for material in self.materials:
            array = self.part(material).CellData.GetArray(sar)
            if array is not None and array.GetRange()[1] > 0:
                with_sar.append(material)
        return with_sar

    def box(self, materials):
        bounds = [self.part(material).GetDataInformation().GetBounds() for material in materials]
        return [(min(b[2 * axis] for b in bounds), max(b[2 * axis + 1] for b in bounds)) for axis in range(3)]


def surfaces(result, suffix, options, output):
    array = "E_amplitude_V_per_m" + suffix
    chosen = [tissue for tissue in options.tissues if tissue in result.materials]
    if not chosen:
        fail(f"--tissues {' '.join(options.tissues)}: none of the result's materials ({', '.join(result.materials)})")
    shells = {}
    for tissue in chosen:
        body = result.part(tissue) if array in result.point_arrays else result.smoothed(tissue)
        shells[tissue] = pv.ExtractSurface(Input=body, NonlinearSubdivisionLevel=2)
        shells[tissue].UpdatePipeline()
    direction = views.towards_maximum(shells[chosen[0]], array, result.box(chosen[:1]))
    for tissue, shell in shells.items():
        top = shell.PointData.GetArray(array).GetRange()[1]
        view = views.new_view(options.size)
        table = views.logarithmic_bands(top, options.decades)
        views.show(shell, view, ("POINTS", array), table, lit=True)
        views.colour_bar(table, view, f"Amplitude of E on the {tissue} [V/m]")
        views.look(view, result.box([tissue]), direction)
        views.save(view, os.path.join(output, f"E_{tissue}{suffix}.png"))


def sliced(result, tissues, axis, position, raw):
    """Each tissue cut by itself, so that no value is smoothed across an interface."""
    origin, normal = [0.0] * 3, [0.0] * 3
    origin[axis], normal[axis] = position, 1.0
    cuts = []
    for tissue in tissues:
        low, high = result.box([tissue])[axis]
        if not low < position < high:
            continue
        source = result.part(tissue) if raw else result.smoothed(tissue)
        cuts.append(pv.Slice(Input=source, SliceType="Plane", Triangulatetheslice=1))
        cuts[-1].SliceType.Origin, cuts[-1].SliceType.Normal = origin, normal
    return cuts


def plane(result, tissues, suffix, name, position, options, output):
    axis = PLANES[name]
    box = result.box(tissues)
    if position is None:
        centre = result.box(["brain"] if "brain" in tissues else tissues)
        position = 0.5 * sum(centre[axis])
    cuts = sliced(result, tissues, axis, position, options.raw)
    if not cuts:
        fail(f"--planes {name}={position:g}: cuts no tissue; they lie between {box[axis][0]:.4g} and {box[axis][1]:.4g} m")
    where = f"{'xyz'[axis]} = {1e3 * position:.1f} mm"
    cells_or_points = "CELLS" if options.raw else "POINTS"
    level = "SAR_over_max_dB" + suffix
    per_power = "SAR_per_emitted_power_per_kg" + suffix
    pictures = [(level, f"SAR over its maximum [dB], {where}", "SAR_over_max")]
    if per_power in result.cell_arrays:
        pictures.append((per_power, f"SAR over emitted power [1/kg], {where}", "SAR_per_power"))
    for array, title, stem in pictures:
        view = views.new_view(options.size)
        if array == level:
            table = views.decibel_bands(options.floor)
        else:
            table = views.linear_bands(views.largest(cuts, cells_or_points, array))
        for cut in cuts:
            views.show(cut, view, (cells_or_points, array), table, lit=False)
            views.show_outline(cut, view)
            if not options.raw:
                views.show_lines(cut, view, array, table)
        views.colour_bar(table, view, title)
        views.look_at_plane(view, box, axis)
        views.save(view, os.path.join(output, f"{stem}_{name}{suffix}.png"))


def main():
    options = arguments()
    try:
        planes = planes_of_report(options.directory) if options.report else [plane_of(text) for text in options.planes]
    except ValueError as error:
        fail(error)
    output = options.output or os.path.join(options.directory, "pictures")
    os.makedirs(output, exist_ok=True)
    result = Result(options.directory)
    suffixes = result.frequencies()
    if not suffixes:
        fail("result.pvtu: no array E_amplitude_V_per_m")
    for suffix in suffixes:
        surfaces(result, suffix, options, output)
        tissues = result.tissues("SAR_over_max" + suffix)
        if not tissues:
            fail(f"result.pvtu: no material has a SAR (cell array SAR_over_max{suffix})")
        for name, position in planes:
            plane(result, tissues, suffix, name, position, options, output)


if __name__ == "__main__":
    main()
