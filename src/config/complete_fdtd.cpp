#include "complete_fdtd.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "checks.hpp"
#include "dgtd/base/error.hpp"
#include "dgtd/base/nearest_name.hpp"
#include "fdtd_rules.hpp"

namespace dgtd::config {
namespace {

// The entry's value, or a part of it, names a material of the case.
void check_material(const Case& c, const Entry& entry, const std::string& name) {
  std::vector<std::string> names;
  for (const Material& m : c.materials) names.push_back(m.name);
  if (std::count(names.begin(), names.end(), name)) return;
  const std::string begin = fmt::format("there is no [material.{}]; ", name);
  if (const auto nearest = nearest_name(name, names)) reject(entry, fmt::format("{}did you mean {}?", begin, *nearest));
  reject(entry, fmt::format("{}the materials are {}", begin,
                            names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "))));
}

void require_of_grid(const IniTable& table, std::string_view key, std::string_view allowed) {
  if (!table.find("grid", key))
    throw Error(fmt::format("{}: grid.{} is required ({}; or grid.spacings_x, spacings_y and spacings_z)", table.file(),
                            key, allowed));
}

// Fields out of the plane, in it, or both: what the sources drive and the initial fields hold.
Polarisation polarisation_in_use(const Case& c) {
  const Initial& initial = c.initial;
  const auto is_given = [](const std::string& formula) { return !formula.empty(); };
  bool out = initial.type == Initial::Type::cavity_mode || initial.type == Initial::Type::file ||
             is_given(initial.electric[2]) || is_given(initial.magnetic[0]) || is_given(initial.magnetic[1]);
  bool in = is_given(initial.electric[0]) || is_given(initial.electric[1]) || is_given(initial.magnetic[2]);
  for (const Source& s : c.sources) {
    const bool along = s.type == Source::Type::dipole || s.type == Source::Type::hard;
    const Vec3& electric = along ? s.direction : s.polarisation;
    out = out || electric.z != 0;
    in = in || electric.x != 0 || electric.y != 0;
  }
  return in && out ? Polarisation::both : in ? Polarisation::hz : Polarisation::ez;
}

// What the method does not vary along: bodies and boxes reach beyond it, and points lie in its middle.
constexpr double beyond = 1e9;  // m
void flatten(Case& c) {
  for (int a = dimensions(c.solver.method); a < 3; ++a) {
    for (Source& s : c.sources) {
      s.position[a] = s.centre[a] = 0;
      if (s.direction[a] != 0) s.length = 0;  // a dipole there is a line that has no ends
      if (s.type == Source::Type::sheet) s.size[a] = beyond;
      if (s.box_min) (*s.box_min)[a] = -beyond / 2;
      if (s.box_max) (*s.box_max)[a] = beyond / 2;
    }
    for (Probe& p : c.probes) p.position[a] = 0;
    for (Flux& f : c.fluxes) f.centre[a] = 0, f.size[a] = beyond;
    for (Monitor& m : c.monitors) m.centre[a] = 0, m.size[a] = beyond;
  }
}

// One cell as thick as the thinnest one along the axes that the method has, around 0.
void complete_missing_axis(Case& c, int a, const IniTable& table) {
  Grid& g = c.grid;
  if (const Entry* cells = table.find("grid", "cells"); cells && g.cells[a] != 1)
    reject(*cells, fmt::format("must be 1 along {}, which {} does not have", "xyz"[a], name_of(c.solver.method)));
  double thickness = g.spacings[0].front();  // m
  for (int b = 0; b < dimensions(c.solver.method); ++b)
    thickness = std::min(thickness, *std::min_element(g.spacings[b].begin(), g.spacings[b].end()));
  g.cells[a] = 1;
  g.spacings[a] = {thickness};
  g.spacing[a] = thickness;
  g.origin[a] = -thickness / 2;
}

void complete_grid(Case& c, const IniTable& table) {
  Grid& g = c.grid;
  const int axes = dimensions(c.solver.method);
  const bool all_listed = std::none_of(g.spacings.begin(), g.spacings.begin() + axes,
                                       [](const auto& spacings) { return spacings.empty(); });
  if (all_listed) {
    constexpr std::string_view owner = "axes without spacings_x, spacings_y or spacings_z, and there is none";
    belongs(table, "grid", "cells", false, owner);
    belongs(table, "grid", "spacing", false, owner);
  } else {
    require_of_grid(table, "cells", axes == 1 ? "1 integer" : fmt::format("{} integers", axes));
    require_of_grid(table, "spacing", axes == 1 ? "1 number > 0, m" : fmt::format("1 or {} numbers > 0, m", axes));
  }
  for (int a = 0; a < axes; ++a) {
    auto& spacings = g.spacings[a];
    if (spacings.empty()) spacings.assign(static_cast<std::size_t>(g.cells[a]), g.spacing[a]);
    const auto runs = runs_of(spacings);
    g.cells[a] = static_cast<std::int64_t>(spacings.size());
    g.spacing[a] = runs.size() == 1 ? spacings.front() : 0;
    if (table.find("grid", "origin")) continue;
    double length = 0;  // m
    for (const CellRun& run : runs) length += static_cast<double>(run.count) * run.spacing;
    g.origin[a] = -length / 2;
  }
  for (int a = axes; a < 3; ++a) complete_missing_axis(c, a, table);
  if (const Entry* background = table.find("grid", "background")) check_material(c, *background, background->value);
}

// Shapes that are read from files.
void complete_shape_file(Shape& s, const Case& c, const IniTable& table) {
  using Type = Shape::Type;
  const std::string section = "shape." + s.name;
  const bool labels = s.type == Type::labels, file = labels || s.type == Type::stl;
  for (const auto key : {"file", "unit", "position"}) belongs(table, section, key, file, "type = stl | labels");
  belongs(table, section, "labels", labels, "type = labels");
  belongs(table, section, "material", !labels, "all types but labels, whose key labels names materials");
  belongs(table, section, "centre", !file, "type = box | sphere | ellipsoid | cylinder | prism");
  if (!file) return;
  required(table, section, s.origin, "file", "a path");
  const auto extension = s.file.extension();
  if (labels && (extension == ".png" || extension == ".bmp" || extension == ".pgm"))
    required(table, section, s.origin, "unit", "m, edge of a pixel");
  if (!table.find(section, "unit")) s.unit = labels ? 1e-3 : 1;
  if (!labels) return;
  const Entry& entry = required(table, section, s.origin, "labels", "NUMBER MATERIAL, NUMBER MATERIAL");
  for (const Shape::Label& label : s.labels) check_material(c, entry, label.material);
}

// Inside a perfect conductor there is no field, and so nothing that a field would meet.
void complete_conductor(const Material& m, const Case& c, const IniTable& table) {
  if (!m.perfect_conductor) return;
  for (const auto key : {"eps_r", "mu_r", "sigma", "sigma_m", "poles", "tissue"})
    belongs(table, "material." + m.name, key, false, "conductor = none");
  if (const Entry* background = table.find("grid", "background"); background && c.grid.background == m.name)
    reject(*background, fmt::format("material.{} is a perfect conductor; the background must be another", m.name));
}

void complete_shape(Shape& s, const Case& c, const IniTable& table) {
  using Type = Shape::Type;
  const std::string section = "shape." + s.name;
  required(table, section, s.origin, "type", "box | sphere | ellipsoid | cylinder | prism | stl | labels");
  complete_shape_file(s, c, table);
  if (s.type != Type::labels)
    check_material(c, required(table, section, s.origin, "material", "the NAME of a [material.NAME]"),
                   table.find(section, "material")->value);
  const bool round = s.type == Type::sphere || s.type == Type::cylinder;
  belongs(table, section, "size", s.type == Type::box, "type = box");
  belongs(table, section, "radius", round, "type = sphere | cylinder");
  belongs(table, section, "radii", s.type == Type::ellipsoid, "type = ellipsoid");
  const bool upright = s.type == Type::cylinder || s.type == Type::prism;
  belongs(table, section, "axis", upright, "type = cylinder | prism");
  belongs(table, section, "height", upright, "type = cylinder | prism");
  belongs(table, section, "points", s.type == Type::prism, "type = prism");
  if (s.type == Type::box) required(table, section, s.origin, "size", "3 numbers > 0, m");
  if (round) required(table, section, s.origin, "radius", "m");
  if (s.type == Type::ellipsoid) required(table, section, s.origin, "radii", "3 numbers > 0, m");
  if (upright && dimensions(c.solver.method) == 3) required(table, section, s.origin, "height", "m");
  if (upright && s.height == 0) s.height = beyond;
  if (s.type == Type::prism) required(table, section, s.origin, "points", "X Y, X Y, X Y, m");
  if (const Entry* axis = table.find(section, "axis")) {
    make_unit(s.axis, *axis);
    const int zeros = (s.axis.x == 0) + (s.axis.y == 0) + (s.axis.z == 0);
    if (s.type == Type::prism && zeros != 2) reject(*axis, "must be along x, y or z where type = prism");
  }
}

// Either frequencies or wavelengths; ascending, each once.
void complete_frequencies(std::vector<double>& frequencies, const std::string& section, const Origin& origin,
                          const IniTable& table) {
  const Entry* wavelengths = table.find(section, "wavelengths");
  if (!wavelengths) required(table, section, origin, "frequencies", fmt::format("Hz; or {}.wavelengths", section));
  if (const Entry* given = table.find(section, "frequencies"); given && wavelengths)
    reject(*wavelengths, fmt::format("only one of frequencies and wavelengths may be given, and {} is at {}",
                                     given->name(), given->origin));
  std::sort(frequencies.begin(), frequencies.end());
  frequencies.erase(std::unique(frequencies.begin(), frequencies.end()), frequencies.end());
}

// A flux or a field monitor.
template <class Monitor>
void complete_monitor(Monitor& f, const std::string& section, Method method, const IniTable& table) {
  required(table, section, f.origin, "type", "box | plane");
  const Entry& size = required(table, section, f.origin, "size", "3 numbers, m");
  const int flat = (f.size.x == 0) + (f.size.y == 0) + (f.size.z == 0);
  if (f.type == Flux::Type::box && flat > 0) reject(size, "must be 3 numbers > 0 where type = box");
  if (f.type == Flux::Type::plane && flat != 1)
    reject(size, "exactly one must be 0, that of the normal, where type = plane");
  for (int a = dimensions(method); a < 3; ++a)
    if (f.size[a] == 0)
      reject(size, fmt::format("must not be 0 along {}, which {} does not have", "xyz"[a], name_of(method)));
  complete_frequencies(f.frequencies, section, f.origin, table);
}

void complete_far_field(FarField& f, const IniTable& table) {
  const std::string section = "far." + f.name;
  required(table, section, f.origin, "size", "3 numbers > 0, m");
  complete_frequencies(f.frequencies, section, f.origin, table);
}

}  // namespace

void complete_fits(Case& c, const IniTable& table) {
  const auto in_use = band_in_use(c);
  for (Material& m : c.materials) {
    if (!m.debye_poles) continue;
    const std::string section = "material." + m.name;
    const Entry& entry = *table.find(section, "debye_poles");
    if (m.eps_r_known != m.sigma_known || (!m.poles.empty() && !m.eps_r_known))
      reject(entry, "fits eps_r, sigma and poles to the tissue: give none of them, or all as resolved.cfg does");
    if (m.fit_band) continue;
    if (!in_use || !(in_use->lowest < in_use->highest))
      reject(entry, fmt::format("requires {}.fit_band where sources and monitors have one frequency at most", section));
    m.fit_band = in_use;
  }
}

void complete_fdtd(Case& c, const IniTable& table) {
  complete_grid(c, table);
  for (const Material& m : c.materials) complete_conductor(m, c, table);
  for (Shape& s : c.shapes) complete_shape(s, c, table);
  for (Flux& f : c.fluxes) complete_monitor(f, "flux." + f.name, c.solver.method, table);
  for (Monitor& m : c.monitors) complete_monitor(m, "monitor." + m.name, c.solver.method, table);
  for (FarField& f : c.far_fields) complete_far_field(f, table);
}

void flatten_to_axes(Case& c) {
  flatten(c);
  if (c.solver.polarisation == Polarisation::automatic) c.solver.polarisation = polarisation_in_use(c);
}

}  // namespace dgtd::config
