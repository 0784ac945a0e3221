"""A planar photonic device as a case: layers of a layout between two claddings, ports with computed modes, S-parameters.

device_case() takes the objects of gds_fdtd, or any with the same attributes, whose lengths are in um and angles in degrees:
component: name, structures (layer), ports (name, center, direction: outwards), bounds (x_center, x_span, y_center, y_span),
export_gds(export_dir, dbu, buffer); technology: a mapping, or an object that to_solver_dict() or to_dict() makes one, with
substrate, superstrate and device, lists of z_base, z_span, material and, of device, layer and sidewall_angle; settings:
attributes of gds_fdtd's SimulationSpec.
"""
import math
import pathlib
import re

from .case import Case
from .program import Error

_UM = 1e-6  # m
_C = 299792458.0  # m/s
_BEYOND = 10.0  # um from a side of the domain, outside of its absorbing layers: guides and slabs go on until there
_DATABASE_UNIT = 1e-4  # um, of the layout that is written
_GROUP_INDEX = 4.5  # for the longest time: silicon guides have less
_BOUNDARIES = {"pml": "cpml", "metal": "pec", "periodic": "periodic"}
# Media of the databases of other solvers by the formula with which their names begin, and the nearest one of the library.
_LIBRARY = {"Si": "Si Salzberg", "cSi": "Si Salzberg", "SiO2": "SiO2 Malitson", "Si3N4": "Si3N4 Luke", "Ge": "Ge Barnes",
            "GaAs": "GaAs Skauli", "Al2O3": "Al2O3 Malitson", "TiO2": "TiO2 Devore"}


def technology_mapping(technology):
    """The mapping of a technology; a mapping is returned as it is."""
    for name in ("to_solver_dict", "to_dict"):
        if hasattr(technology, name):
            return getattr(technology, name)()
    return technology


def _names_of(material):
    """Names that a material has in the databases of other solvers, such as "Si (Silicon) - Palik"."""
    for key in ("lum_db", "tidy3d_db"):
        model = (material.get(key) or {}).get("model")
        if model:
            yield model if isinstance(model, str) else " ".join(map(str, model))


def _library_index(name, wavelength):
    """Index of a medium of the program's library at a wavelength, um, from the poles of the completed case."""
    case = Case("medium")
    case["solver"].method = "fdtd1d"
    case["grid"].cells, case["grid"].spacing = [10, 1, 1], wavelength * _UM / 20
    case["boundary.*"].type = "pec"
    case["material.medium"].library = name
    case["time"].steps = 1
    omega = 2 * math.pi * _C / (wavelength * _UM)
    permittivity = case.value("material.medium.eps_r")
    for kind, plasma, resonance, damping in case.value("material.medium.poles"):  # lorentz WP W0 GAMMA of dielectrics
        if kind != "lorentz":
            raise Error(f"{name}: has poles other than lorentz")
        permittivity += plasma ** 2 / (resonance ** 2 - omega ** 2 - 1j * omega * damping)
    return complex(permittivity) ** 0.5


def index_of(material, wavelength, indices, where):
    """Complex refractive index n + i k of a technology's material at a wavelength, um.

    Of indices, {name: n}, by a name that the material has for another solver; its own nk, also that in tidy3d_db;
    refractiveindex.info (rii, by gds_fdtd); else the library's medium of the same formula. Raises Error with what to give.
    """
    if isinstance(material, (int, float, complex)):
        return complex(material)
    material = technology_mapping(material)
    names = list(_names_of(material))
    for name in names:
        if name in indices:
            return complex(indices[name])
    for source in (material, material.get("tidy3d_db") or {}):
        if source.get("nk") is not None:
            nk = source["nk"]
            return complex(*nk) if isinstance(nk, (list, tuple)) else complex(nk)
    if material.get("rii") is not None:
        from gds_fdtd.grid import resolve_index
        return complex(resolve_index({"rii": material["rii"]}, wavelength))
    for name in names:
        formula = re.match(r"\w*", name)[0]
        if formula in _LIBRARY:
            return _library_index(_LIBRARY[formula], wavelength)
    said = f" ({', '.join(names)})" if names else ""
    raise Error(f"{where}: its material{said} has no refractive index here; give it nk = n, or the solver "
                f"indices={{{names[0] if names else 'NAME'!r}: n}}", 2)


def _structures(component):
    """Structures as a flat list: gds_fdtd below 0.5 has lists of those of one layer."""
    return [s for entry in component.structures for s in (entry if isinstance(entry, list) else [entry])]


def _domain(component, settings):
    """Lower and upper corner of the domain, um."""
    b = component.bounds
    half = [b.x_span / 2 + settings.buffer, b.y_span / 2 + settings.buffer]
    return ([b.x_center - half[0], b.y_center - half[1], settings.z_min],
            [b.x_center + half[0], b.y_center + half[1], settings.z_max])


def problems_of(component, technology, settings):
    """What cannot be computed, as a list of sentences; empty: nothing is known to be wrong."""
    found = []
    if technology is None:
        found.append("there is no technology: layers and materials are not known")
    if not component.ports:
        found.append("the component has no ports")
    for port in component.ports:
        if port.direction not in (0, 90, 180, 270):
            found.append(f"port {port.name}: direction = {port.direction}: must be 0, 90, 180 or 270 degrees")
        if len(port.center) < 3 or port.center[2] is None or getattr(port, "height", 0) is None:
            found.append(f"port {port.name}: is in no structure of a device layer")
        if not re.fullmatch(r"[\w ]+", port.name):
            found.append(f"port {port.name}: its name must have letters, digits, blanks and _ alone")
    names = [port.name for port in component.ports]
    found += [f"ports: several have the name {name}" for name in sorted({n for n in names if names.count(n) > 1})]
    if any(settings.symmetry):
        found.append(f"symmetry = {tuple(settings.symmetry)}: symmetry planes are not available here: 0, 0, 0")
    for kind in settings.boundary:
        if str(kind).lower() not in _BOUNDARIES:
            found.append(f"boundary {kind}: must be PML, Metal or Periodic")
    return found


def device_case(component, technology, settings, folder, excite=None, indices=None):
    """The Case of a component, method fdtd3d; its layout is written as NAME.gds into `folder`, which is created.

    Cells: settings.mesh per wavelength in each medium. Media are lossless, of their index in the middle of the band. excite:
    names of the ports that are excited (all). indices: {name of a material for another solver: n}. Raises Error.
    """
    problems = problems_of(component, technology, settings)
    if problems:
        raise Error("; ".join(problems), 2)
    technology = technology_mapping(technology)
    low, high = _domain(component, settings)
    middle = (settings.wavelength_start + settings.wavelength_end) / 2
    case = Case(re.sub(r"[^\w.-]", "_", component.name))
    case["solver"].method = "fdtd3d"
    case["domain"].origin = [x * _UM for x in low]
    case["domain"].size = [(b - a) * _UM for a, b in zip(low, high)]
    case["grid"].per_wavelength = settings.mesh
    for axis, kind in zip("xyz", settings.boundary):
        for side in ("min", "max"):
            case[f"boundary.{axis}{side}"].type = _BOUNDARIES[str(kind).lower()]

    def add_medium(name, entry):
        index = index_of(entry["material"], middle, indices or {}, name)
        if abs(index.imag) > 1e-4:
            raise Error(f"{name}: its index {index:.4g} has losses, which ports of computed modes cannot have", 2)
        case[f"material.{name}"].eps_r = index.real ** 2

    def height(entry):
        """Lower and upper end, um; what reaches a side of the domain goes on beyond it."""
        ends = sorted((entry["z_base"], entry["z_base"] + entry["z_span"]))
        return (ends[0] if ends[0] > low[2] else low[2] - _BEYOND, ends[1] if ends[1] < high[2] else high[2] + _BEYOND)

    for name in ("substrate", "superstrate"):
        for entry in technology.get(name) or []:
            bottom, top = height(entry)
            add_medium(name, entry)
            slab = case[f"shape.{name}"]
            slab.type, slab.material = "box", name
            slab.centre = [(low[0] + high[0]) / 2 * _UM, (low[1] + high[1]) / 2 * _UM, (bottom + top) / 2 * _UM]
            slab.size = [(high[a] - low[a] + 2 * _BEYOND) * _UM for a in (0, 1)] + [(top - bottom) * _UM]

    folder = pathlib.Path(folder).absolute()
    folder.mkdir(parents=True, exist_ok=True)
    component.export_gds(export_dir=str(folder), dbu=_DATABASE_UNIT, buffer=settings.buffer + _BEYOND)
    present = {tuple(s.layer) for s in _structures(component)}
    layers = [entry for entry in technology["device"] if tuple(entry["layer"]) in present]
    if not layers:
        raise Error(f"{component.name}: has no structure in a device layer of the technology", 2)
    for number, entry in enumerate(layers):
        name = f"device_{number}"
        add_medium(name, entry)
        shape = case[f"shape.{name}"]
        shape.type, shape.material, shape.file = "gds", name, folder / f"{component.name}.gds"
        shape.layer = "{}/{}".format(*entry["layer"])
        shape.z = [z * _UM for z in sorted((entry["z_base"], entry["z_base"] + entry["z_span"]))]
        angle = entry.get("sidewall_angle") or 90.0
        if angle != 90:  # of a layer that goes downwards the polygons are those of its upper end
            if entry["z_span"] < 0:
                raise Error(f"device layer {shape.layer}: sidewall_angle = {angle} needs z_span > 0", 2)
            shape.sidewall_angle = f"{angle!r} deg"

    for port in sorted(component.ports, key=lambda p: p.name):
        along, sign = (0 if port.direction in (0, 180) else 1), (-1 if port.direction in (0, 90) else 1)
        spans = {1 - along: settings.width_ports, 2: settings.depth_ports}
        # A guide may begin to change at the port; outwards it is straight, as far as the layout was extended.
        behind = settings.buffer / 2
        ends = [[port.center[a] - sign * behind] * 2 if a == along else
                [max(port.center[a] - spans[a] / 2, low[a]), min(port.center[a] + spans[a] / 2, high[a])] for a in range(3)]
        section = case[f"port.{port.name}"]
        section.type = "mode"
        section.centre = [(a + b) / 2 * _UM for a, b in ends]
        section.size = [(b - a) * _UM for a, b in ends]
        section.direction = [sign if a == along else 0 for a in range(3)]
        section.shift = behind * _UM
        section.modes = list(settings.modes)
    case["sparameters"].excite = "all" if excite is None else ", ".join(
        name for port in excite for name in names_of_modes(port, settings.modes).values())
    case["sparameters"].wavelengths = [settings.wavelength_start * _UM, settings.wavelength_end * _UM,
                                       settings.wavelength_points]
    frequencies = sorted(_C / (w * _UM) for w in (settings.wavelength_start, settings.wavelength_end))
    crossing = max(b - a for a, b in zip(low, high)) * _UM * _GROUP_INDEX / _C
    case["time"].end = "decayed"
    case["time"].at_most = settings.run_time_factor * crossing + 10 / (frequencies[1] - frequencies[0])
    for axis in settings.field_monitors:
        normal = "xyz".index(axis)
        place = (getattr(settings, "field_monitor_positions", None) or {}).get(axis)
        centre = [(a + b) / 2 for a, b in zip(low, high)]
        centre[normal] = centre[normal] if place is None else place
        plane = case[f"monitor.profile_{axis}"]
        plane.type, plane.fields = "plane", "E"
        plane.centre = [x * _UM for x in centre]
        plane.size = [0 if a == normal else (high[a] - low[a]) * _UM for a in range(3)]
        plane.frequencies = [_C / (middle * _UM)]
    case["output"].fields = "none"
    return case


def names_of_modes(port, modes):
    """{number of a mode: name of its port in tables} of a port with these modes."""
    return {mode: port if len(modes) == 1 else f"{port}_{mode}" for mode in modes}


def scattering_entries(results, ports, modes):
    """S-parameters of a finished run of device_case(): (port in, port out, mode in, mode out, frequencies in Hz, S), the latter
    two rising arrays, of the excited ports. Phases are those of exp(+i omega t), as in Touchstone files: a longer guide has
    a lower phase. The reference planes are the ports."""
    from .tables import Table
    table = Table.read(results.directory / "sparameters.csv")
    order = table.frequency_Hz.argsort()
    entries = []
    for excited in ports:
        for mode_in, column in names_of_modes(excited, modes).items():
            for port in ports:
                for mode_out, row in names_of_modes(port, modes).items():
                    if f"S_{row}_{column}_real" in table:
                        s = table[f"S_{row}_{column}_real"] + 1j * table[f"S_{row}_{column}_imag"]
                        entries.append((excited, port, mode_in, mode_out, table.frequency_Hz[order], s[order]))
    return entries
