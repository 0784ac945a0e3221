// Keys of the sections that describe sources and what is measured.
#include "dgtd/base/numpy_file.hpp"
#include "key.hpp"

namespace dgtd::config {
namespace {

constexpr std::string_view one_of = "**one of `frequencies`, `frequency_range`, `wavelengths`**";

// Keys of regions in which spectra are measured.
template <class Region>
void add_frequencies(Keys<Region>& keys) {
  keys.add("frequencies", &Region::frequencies, frequencies(),
           {.unit = "Hz",
            .initially = one_of,
            .required_where = [](const Region& r, const Case&) { return r.frequencies.empty(); },
            .required_text = "Hz; or {0}.frequency_range or {0}.wavelengths",
            .check = check::frequencies<Region>,
            .text = "Frequencies of the spectrum."})
      .add("frequency_range", &Region::frequencies, frequency_range(),
           {.unit = "Hz",
            .initially = one_of,
            .check = check::frequencies<Region>,
            .resolved_as = "frequencies",
            .text = "COUNT frequencies from FIRST to LAST, evenly spaced."})
      .add("wavelengths", &Region::frequencies, wavelengths(),
           {.unit = "m",
            .initially = one_of,
            .check = check::frequencies<Region>,
            .resolved_as = "frequencies",
            .text = "COUNT wavelengths in vacuum from FIRST to LAST, evenly spaced."});
}

template <class Region>
void add_region(Keys<Region>& keys, void (*check_size)(Region&, const Case&, const Given&)) {
  keys.add("type", &Region::type, choice(flux_names), {.required = true, .text = "Kind of region."})
      .add("centre", &Region::centre, place(), {.unit = "m", .text = "Centre of the region."})
      .add("size", &Region::size, length(Sign::not_negative),
           {.unit = "m",
            .required = true,
            .check = check_size,
            .text = "Lengths of the edges; of a plane exactly one is 0, that of its normal."});
  add_frequencies(keys);
}

constexpr auto dipole = Source::Type::dipole, plane_wave = Source::Type::plane_wave, sheet = Source::Type::sheet,
               beam = Source::Type::gaussian_beam, hard = Source::Type::hard;

// The key belongs to sources of these types.
Condition<Source> of(std::initializer_list<Source::Type> types) {
  return with<Source>("type", &Source::type, source_names, types);
}

void add_source_places(Keys<Source>& keys) {
  keys.add("type", &Source::type, choice(source_names),
           {.required = true,
            .text = "Current dipole, plane wave, current sheet, Gaussian beam, or a component of E that is set."})
      .add("position", &Source::position, place(),
           {.unit = "m",
            .initially = "plane-wave 0 0 0; others **required**",
            .belongs = {of({dipole, plane_wave, hard})},
            .required_where = [](const Source& s, const Case&) { return s.type != plane_wave; },
            .text = "Place of the dipole; point where a plane wave's phase is zero; the component of E nearest to it "
                    "is the one that a hard source sets."})
      .add("centre", &Source::centre, place(), {.unit = "m", .belongs = {of({sheet})}, .text = "Centre of the sheet."})
      .add("size", &Source::size, length(Sign::not_negative),
           {.unit = "m",
            .belongs = {of({sheet})},
            .required = true,
            .check = check::sheet_size,
            .text = "Size of the sheet, a rectangle: exactly one is 0; beyond the end of the grid or mesh it is "
                    "continued. On tetrahedra it is made of the faces nearest to the rectangle, best in its plane, and "
                    "ends an element before absorbing faces and layers."})
      .add("direction", &Source::direction, direction(),
           {.initially = "sheet: both sides; others **required**",
            .required_where = [](const Source& s, const Case&) { return s.type != sheet; },
            .check = check::source_direction,
            .text = "Direction of the current, of E (hard, along x, y or z), or of propagation (sheet: along the "
                    "normal, waves to this side only). Made a unit vector."});
}

void add_dipole(Keys<Source>& keys) {
  keys.add("moment", &Source::moment, number(Sign::any),
           {.unit = "A m", .belongs = {of({dipole})}, .text = "Current times length, peak."})
      .add("radius", &Source::radius, number(Sign::not_negative),
           {.unit = "m",
            .initially = "the distance to the nearest boundary or other material, at least 2.5 mean edges of the "
                         "dipole's element and at most 0.4 wavelengths",
            .needs = {{has<&Capabilities::tetrahedra>, "is of {owners}; {method} has dipoles of a cell's size"}},
            .belongs = {of({dipole})},
            .text = "The current is spread over a smooth bump of this radius; 0: a point, which under the "
                    "centered flux radiates a wrong power ([theory.md](theory.md))."})
      .add("length", &Source::length, number(Sign::positive),
           {.unit = "m",
            .initially = "a point",
            .needs = {{has<&Capabilities::line_dipole>, "method {method} has no line dipoles, {names} {have}"}},
            .belongs = {of({dipole})},
            .check = check::dipole_length,
            .text = "The current is uniform along a line of this length around `position`, with the same `moment`; "
                    "on grids `direction` is along x, y or z."});
}

bool on_tetrahedra(const Case& c) { return c.solver.method.has.tetrahedra; }
constexpr std::string_view box_default =
    "grids: four cells from layers and `mur` sides; tetrahedra: no box, the wave enters through `silver-muller` faces";

// Keys of sheets, beams and plane waves.
void add_incident_wave(Keys<Source>& keys) {
  const Need total_field{has<&Capabilities::total_field_box>, "method {method} has no total-field box, {names} {have}"};
  const auto numpy_profile =
      where<Source>([](const Source& s, const Case&) { return is_numpy_file(s.profile); }, "NumPy profiles");
  const Need fields_on_components{has<&Capabilities::gaussian_beam>,
                                  "method {method} has no NumPy profiles, {names} {have}"};
  keys.add("profile", &Source::profile, path(),
           {.initially = "uniform",
            .belongs = {of({sheet})},
            .check = check::sheet_profile,
            .text = "Text file with lines `u v amplitude [delay]`, or a NumPy file (`.npy`) of complex fields, such as "
                    "those of a waveguide's mode."})
      .add("profile_points", &Source::profile_points, choice(profile_points_names),
           {.needs = {fields_on_components},
            .belongs = {of({sheet}), numpy_profile},
            .text = "Where the values of a NumPy profile are: at the centres of equal cells that fill the sheet "
                    "(`even`; bilinear between them), or, one per cell of the grid in the sheet, each at the place of "
                    "its component (`grid`, not on tetrahedra)."})
      .add("effective_index", &Source::effective_index, number(Sign::positive),
           {.initially = "that of the background; **required** of a profile with E and H",
            .needs = {fields_on_components},
            .belongs = {of({sheet}), numpy_profile},
            .text = "Effective index of a NumPy profile's field along the sheet's normal."})
      .add("focus", &Source::focus, place(), {.unit = "m", .belongs = {of({beam})}, .text = "Focus of the beam."})
      .add(
          "plane", &Source::plane, number(Sign::any),
          {.unit = "m",
           .initially =
               "grids: four cells from the layer that the beam comes from; tetrahedra: a tenth of the mesh from "
               "that side",
           .belongs = {of({beam})},
           .text =
               "Place of the plane that launches the beam, on the axis nearest to `direction`; on tetrahedra the faces "
               "nearest to it."})
      .add("polarisation", &Source::polarisation, direction(),
           {.initially = "**required** unless a NumPy profile has the directions of E",
            .belongs = {of({plane_wave, sheet, beam})},
            .required_where = [](const Source& s, const Case&) { return !is_numpy_file(s.profile); },
            .check = check::source_polarisation,
            .text = "Direction of E: normal to `direction` (to 1e-6), of a sheet in its plane. Made a unit vector."})
      .add("waist", &Source::waist, number(Sign::positive),
           {.unit = "m",
            .belongs = {of({beam})},
            .required = true,
            .text = "Radius at the focus, where E is 1/e of that on the axis."})
      .add("amplitude", &Source::amplitude, number(Sign::any),
           {.unit = "V/m",
            .belongs = {of({plane_wave, sheet, beam, hard})},
            .text = "Peak of E: of the wave (of the one that a uniform infinite sheet launches), at the beam's focus, "
                    "or of the component that a hard source sets."})
      .add("box_min", &Source::box_min, place(),
           {.unit = "m",
            .initially = box_default,
            .needs = {total_field},
            .belongs = {of({plane_wave})},
            .required_where = [](const Source& s, const Case& c) { return on_tetrahedra(c) && s.box_max; },
            .required_text = "3 numbers, m, with box_max",
            .examples = {"-0.01 -0.01 -0.01"},
            .text = "Lower corner of the total field; on tetrahedra that of the elements with centroids in the box."})
      .add("box_max", &Source::box_max, place(),
           {.unit = "m",
            .initially = box_default,
            .needs = {total_field},
            .belongs = {of({plane_wave})},
            .required_where = [](const Source& s, const Case& c) { return on_tetrahedra(c) && s.box_min; },
            .required_text = "3 numbers, m, with box_min",
            .check = check::box_max,
            .text = "Upper corner of the total field."})
      .add("total_field", &Source::total_field, listed_names({"inside", "body, around it"}),
           {.initially = "the box of `box_min` and `box_max`",
            .needs = {{has<&Capabilities::tetrahedra>, "is of {owners}; {method} takes box_min and box_max"}},
            .belongs = {of({plane_wave})},
            .check = check::total_field,
            .text =
                "Volume groups of the mesh, by commas, that have the total field, in place of a box: a surface of any "
                "form, such as a sphere, with one lossless material on both sides."});
}

void add_waveform(Keys<Source>& keys) {
  const auto type = [](auto& s) -> auto& { return s.waveform.type; };
  keys.add("waveform", type, choice(waveform_names),
           {.text = "Time function, zero for t < 0 ([theory.md](theory.md#sources))."})
      .add("frequency", [](auto& s) -> auto& { return s.waveform.frequency; }, frequency(),
           {.unit = "Hz",
            .initially = "`time.frequency`; **required** without it",
            .required_where = [](const Source&, const Case& c) { return !c.time.frequency; },
            .required_text = "Hz; or time.frequency",
            .text = "Frequency of the carrier."})
      .add("ramp", [](auto& s) -> auto& { return s.waveform.ramp_periods; }, number(Sign::positive),
           {.unit = "periods",
            .belongs = {with<Source>("waveform", type, waveform_names, {Waveform::Type::ramped_sine})},
            .text = "Length of the rise."})
      .add("bandwidth", [](auto& s) -> auto& { return s.waveform.bandwidth; }, frequency(),
           {.unit = "Hz",
            .belongs = {with<Source>("waveform", type, waveform_names, {Waveform::Type::modulated_gaussian})},
            .required = true,
            .text = "Full width at half maximum of the amplitude spectrum."});
}

}  // namespace

Section source_keys() {
  Keys<Source> keys("source", &Case::sources, "A source of waves; a case may have any number.");
  add_source_places(keys);
  add_dipole(keys);
  add_incident_wave(keys);
  add_waveform(keys);
  return keys.section();
}

Section excitation_keys() {
  return Keys<Excitation>("excitation", &Case::excitations,
                          "A run of its own, in `OUTPUT/excite_NAME`, in which some of the sources and ports send; a "
                          "case may have any number.")
      .add("sources", &Excitation::sources, listed_names({"feed", "feed, load"}),
           {.required = true,
            .text = "NAMEs of the sources, and of ports with `excite`, that send. The others do not; ports are then "
                    "their circuits, or measure alone."})
      .add("amplitudes", &Excitation::amplitudes, numbers(Sign::any),
           {.initially = "1 each",
            .examples = {"1 -0.5"},
            .text = "By which what each of them sends is multiplied. -1: in opposite phase."})
      .section();
}

Section probe_keys() {
  return Keys<Probe>("probe", &Case::probes, "A point whose E and H are written to `probe_NAME.csv`.")
      .add("position", &Probe::position, place(),
           {.unit = "m",
            .required = true,
            .text =
                "The point, which must be in the mesh or grid. On a grid the values are those of the centre of the "
                "cell that contains it, up to half a cell's diagonal away: a line of the log and of `--dry-run`, and "
                "`probes` in `summary.json`, give the place and the distance."})
      .add("every", &Probe::every, integer(1), {.unit = "steps", .may_change = true, .text = "Interval of the rows."})
      .section();
}

Section flux_keys() {
  Keys<Flux> keys("flux", &Case::fluxes,
                  "Spectral energy that leaves a box, or crosses a plane along +normal: `flux_NAME.csv`.");
  keys.needs({{has<&Capabilities::spectra>, "is of {owners}; {method} has none"}});
  add_region(keys, check::flux_size);
  return keys
      .add("scattered", &Flux::scattered, choice(switch_names),
           {.text = "Whether the fields of a reference run are subtracted (`output.reference`, "
                    "[below](#shares-of-the-incident-energy)). A run without `output.reference` keeps its fields for "
                    "that: `flux_NAME_fields.npy`."})
      .add("orders", &Flux::orders, choice(switch_names),
           {.needs = {{[](const Capabilities& c) { return c.dimensions >= 2; },
                       "is of {owners}; on a line there is one wave"}},
            .belongs = {with<Flux>("type", &Flux::type, flux_names, {Flux::Type::plane})},
            .text = "Whether the energy of each diffraction order is measured too: `orders_NAME.csv` "
                    "([below](#diffraction-orders)). The plane must reach from side to side between sides of type "
                    "`periodic` or `bloch`, in one lossless material."})
      .section();
}

namespace {
const Need cells_of_grid{has<&Capabilities::tetrahedra>, "is of {owners}; {method} has the cells of its grid"};
}

Section monitor_keys() {
  Keys<Monitor> keys("monitor", &Case::monitors, "Spectra of E and H in a box or on a plane: `monitor_NAME.pvtr`.");
  keys.needs({every_step, {has<&Capabilities::spectra>, "is of {owners}; {method} has [dft]"}});
  add_region(keys, check::monitor_size);
  return keys.add("fields", &Monitor::fields, words({"E", "H"}), {.text = "What is stored."})
      .add("spacing", &Monitor::spacing, number(Sign::positive),
           {.unit = "m",
            .initially = "a 200th of the longest edge",
            .needs = {cells_of_grid},
            .text = "Edge of the cells at whose centres the fields are sampled; each edge of the region has a whole "
                    "number of them."})
      .section();
}

Section snapshot_keys() {
  return Keys<Snapshot>("snapshot", &Case::snapshots,
                        "E and H of the cells of a box, or of everything, at chosen times: `snapshot_NAME_STEP`.")
      .needs({every_step, {has<&Capabilities::spectra>, "is of {owners}; {method} has output.every"}})
      .add("times", &Snapshot::times, numbers(Sign::positive),
           {.unit = "s",
            .required = true,
            .text = "When the fields are written, each at the step that is nearest; of a phasor the first of the two."})
      .add("centre", &Snapshot::centre, place(), {.unit = "m", .text = "Centre of the box."})
      .add("size", &Snapshot::size, length(Sign::positive),
           {.unit = "m", .initially = "the whole grid or mesh", .text = "Lengths of the edges."})
      .add("fields", &Snapshot::fields, words({"E", "H"}), {.text = "What is written."})
      .add("files", &Snapshot::files, words({"vtk", "npy"}),
           {.text = "`vtk`: `.pvtr` with one piece per rank. `npy`: one NumPy file per field, of shape 3, x, y, z."})
      .add("phasor", &Snapshot::phasor, choice(switch_names),
           {.check = check::snapshot_phasor,
            .text = "Writes the phasor at `time.frequency` of a field that is steady, from two snapshots about a "
                    "quarter of a period apart, in place of the fields."})
      .add("spacing", &Snapshot::spacing, number(Sign::positive),
           {.unit = "m",
            .initially = "a 200th of the longest edge",
            .needs = {cells_of_grid},
            .text = "Edge of the cells at whose centres the fields are sampled; each edge of the box has a whole "
                    "number of them."})
      .section();
}

Section far_field_keys() {
  Keys<FarField> keys("far_field", &Case::far_fields, "Far field from the fields on a closed box: `far_NAME.csv`.");
  keys.formerly("far")
      .needs({{[](const Capabilities& c) { return c.dimensions == 3; }, "is of {owners}; {method} has no far fields"},
              {has<&Capabilities::far_field>, "is of {owners}; {method} has none"}})
      .add("centre", &FarField::centre, place(), {.unit = "m", .text = "Centre of the box."})
      .add("size", &FarField::size, length(Sign::positive),
           {.unit = "m", .required = true, .text = "Lengths of the edges."});
  add_frequencies(keys);
  return keys
      .add("theta", &FarField::theta, integer(2, 1801),
           {.text = "Number of directions from +z (0) to -z (180 degrees), both ends included."})
      .add("phi", &FarField::phi, integer(1, 3600), {.text = "Number of directions from +x towards +y, all round."})
      .add("ground", &FarField::ground, choice(side_names),
           {.initially = "none",
            .text =
                "The side of type `pec` or `pmc` at which the box ends that is a ground, with nothing below it. Others "
                "at which the box ends are planes of symmetry."})
      .section();
}

}  // namespace dgtd::config
