"""Views, colours and cameras of the pictures that sar.py and grid.py make."""
import math

from python_packages import required

servermanager, pv = required("paraview.servermanager"), required("paraview.simple")

BLACK = [0.0, 0.0, 0.0]


def new_view(size):
    view = pv.CreateView("RenderView")
    view.ViewSize = size
    view.UseColorPaletteForBackground = 0
    view.Background = [1.0, 1.0, 1.0]
    view.OrientationAxesVisibility = 1
    view.OrientationAxesLabelColor = BLACK
    view.CameraParallelProjection = 1
    return view


def _bands(preset, low, high, bands):
    # A table of its own for each picture: ParaView's shared one an array keeps the last picture's range.
    table = pv.CreateLookupTable()
    table.AutomaticRescaleRangeMode = "Never"
    table.ApplyPreset(preset, True)
    table.NumberOfTableValues = bands
    table.Discretize = 1
    table.RescaleTransferFunction(low, high)
    return table


def decibel_bands(floor):
    """Bands of 2.5 dB, two between the labels of the bar."""
    return _bands("Turbo", floor, 0.0, max(1, round(-floor / 2.5)))


def linear_bands(top):
    """About twenty bands of a round width from 0 up to the largest value; light where there is little."""
    rough = top / 20
    power = 10 ** math.floor(math.log10(rough))
    width = next(factor * power for factor in (1, 2, 5, 10) if factor * power >= rough * (1 - 1e-9))
    bands = math.ceil(top / width - 1e-9)
    table = _bands("Reds", 0.0, bands * width, bands)
    table.InvertTransferFunction()
    return table


def logarithmic_bands(top, decades):
    """Seven bands a decade, down from the largest value."""
    top = top if top > 0 else 1.0
    table = _bands("Turbo", top / 10**decades, top, max(1, round(7 * decades)))
    table.MapControlPointsToLogSpace()
    table.UseLogScale = 1
    return table


def show(source, view, array, table, lit):
    display = pv.Show(source, view)
    display.Representation = "Surface"
    display.LookupTable = table
    display.ColorArrayName = list(array)
    display.InterpolateScalarsBeforeMapping = 1
    display.Ambient, display.Diffuse = (0.45, 0.6) if lit else (1.0, 0.0)


def _show_black(source, view, width):
    display = pv.Show(source, view)
    display.Representation = "Surface"
    display.ColorArrayName = ["POINTS", ""]
    display.AmbientColor = display.DiffuseColor = BLACK
    display.LineWidth = width


def show_outline(cut, view):
    """The border of a tissue in the plane."""
    _show_black(pv.FeatureEdges(Input=pv.Clean(Input=cut), BoundaryEdges=1, FeatureEdges=0, NonManifoldEdges=0,
                                ManifoldEdges=0), view, 2.0)


def show_lines(cut, view, array, table):
    """Contour lines between the bands of colour."""
    points = table.RGBPoints
    low, high, bands = points[0], points[-4], table.NumberOfTableValues
    levels = [low + (high - low) * i / bands for i in range(1, bands)]
    _show_black(pv.Contour(Input=cut, ContourBy=["POINTS", array], Isosurfaces=levels), view, 0.7)


def largest(sources, cells_or_points, array):
    """The largest value of all sources; 1 where there is none above zero, so that a scale has a length."""
    top = 0.0
    for source in sources:
        source.UpdatePipeline()
        data = source.CellData if cells_or_points == "CELLS" else source.PointData
        top = max(top, data.GetArray(array).GetRange()[1])
    return top if top > 0 else 1.0


def colour_bar(table, view, title):
    bar = pv.GetScalarBar(table, view)
    bar.Title, bar.ComponentTitle = title, ""
    bar.TitleColor = bar.LabelColor = BLACK
    bar.TitleFontSize, bar.LabelFontSize = 20, 18
    bar.Orientation = "Horizontal"
    bar.WindowLocation = "Any Location"
    bar.Position, bar.ScalarBarLength = [0.15, 0.03], 0.7
    bar.ScalarBarThickness = 22
    bar.AutomaticLabelFormat = 0
    bar.LabelFormat = bar.RangeLabelFormat = "%-.3g"
    bar.Visibility = 1


def towards_maximum(surface, array, box):
    """Horizontal direction from a body's centre to the largest value on it, turned a little aside and up."""
    data = servermanager.Fetch(surface)
    values = data.GetPointData().GetArray(array)
    place = data.GetPoint(max(range(values.GetNumberOfTuples()), key=values.GetTuple1))
    x, y = (place[axis] - 0.5 * sum(box[axis]) for axis in (0, 1))
    angle = (math.atan2(y, x) if x or y else 0.0) - math.radians(25)
    return [math.cos(angle), math.sin(angle), 0.25]


def _place_camera(view, box, direction, up, scale):
    centre = [0.5 * sum(side) for side in box]
    reach = math.sqrt(sum((high - low) ** 2 for low, high in box))
    view.CameraFocalPoint = centre
    view.CameraPosition = [c + 2 * reach * d for c, d in zip(centre, direction)]
    view.CameraViewUp = up
    view.CameraParallelScale = scale
    # Room below for the colour bar.
    shift = 0.12 * scale
    view.CameraFocalPoint = [c - shift * u for c, u in zip(view.CameraFocalPoint, up)]
    view.CameraPosition = [c - shift * u for c, u in zip(view.CameraPosition, up)]


def look(view, box, direction):
    extent = [high - low for low, high in box]
    _place_camera(view, box, direction, [0, 0, 1], 0.75 * max(extent[2], math.hypot(extent[0], extent[1]) * 0.7))


def look_at_plane(view, box, axis):
    """Against the axis, so that x or y runs to the right and y or z upwards."""
    direction = [0.0] * 3
    direction[axis] = -1.0 if axis == 1 else 1.0
    up = [0, 1, 0] if axis == 2 else [0, 0, 1]
    right = {0: 1, 1: 0, 2: 0}[axis]
    extent = [high - low for low, high in box]
    width, height = extent[right], extent[1 if axis == 2 else 2]
    aspect = view.ViewSize[0] / view.ViewSize[1]
    _place_camera(view, box, direction, up, 0.66 * max(height, width / aspect))


def save(view, file):
    pv.SaveScreenshot(file, view, ImageResolution=list(view.ViewSize))
    print(file)
    pv.Delete(view)
