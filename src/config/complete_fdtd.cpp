#include "complete_fdtd.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "checks.hpp"
#include "dgtd/base/error.hpp"
#include "dgtd/config/nearest_name.hpp"
#include "fdtd_rules.hpp"

namespace dgtd::config {
namespace {

// The entry names a material of the case.
void check_material(const Case& c, const Entry& entry) {
  std::vector<std::string> names;
  for (const Material& m : c.materials) names.push_back(m.name);
  if (std::count(names.begin(), names.end(), entry.value)) return;
  const std::string begin = fmt::format("there is no [material.{}]; ", entry.value);
  if (const auto nearest = nearest_name(entry.value, names)) reject(entry, fmt::format("{}did you mean {}?", begin, *nearest));
  reject(entry, fmt::format("{}the materials are {}", begin,
                            names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "))));
}

void require_of_grid(const IniTable& table, std::string_view key, std::string_view allowed) {
  if (!table.find("grid", key))
    throw Error(fmt::format("{}: grid.{} is required ({}; or grid.spacings_x, spacings_y and spacings_z)", table.file(), key,
                            allowed));
}

void complete_grid(Case& c, const IniTable& table) {
  Grid& g = c.grid;
  const bool all_listed =
      std::none_of(g.spacings.begin(), g.spacings.end(), [](const auto& spacings) { return spacings.empty(); });
  if (all_listed) {
    constexpr std::string_view owner = "axes without spacings_x, spacings_y or spacings_z, and there is none";
    belongs(table, "grid", "cells", false, owner);
    belongs(table, "grid", "spacing", false, owner);
  } else {
    require_of_grid(table, "cells", "3 integers");
    require_of_grid(table, "spacing", "1 or 3 numbers > 0, m");
  }
  for (int a = 0; a < 3; ++a) {
    auto& spacings = g.spacings[a];
    if (spacings.empty()) spacings.assign(static_cast<std::size_t>(g.cells[a]), g.spacing[a]);
    const auto runs = runs_of(spacings);
    g.cells[a] = static_cast<std::int64_t>(spacings.size());
    g.spacing[a] = runs.size() == 1 ? spacings.front() : 0;
    if (table.find("grid", "origin")) continue;
    double length = 0;                                      // m
    for (const CellRun& run : runs) length += static_cast<double>(run.count) * run.spacing;
    g.origin[a] = -length / 2;
  }
  if (const Entry* background = table.find("grid", "background")) check_material(c, *background);
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
  required(table, section, s.origin, "type", "box | sphere | ellipsoid | cylinder");
  check_material(c, required(table, section, s.origin, "material", "the NAME of a [material.NAME]"));
  const bool round = s.type == Type::sphere || s.type == Type::cylinder;
  belongs(table, section, "size", s.type == Type::box, "type = box");
  belongs(table, section, "radius", round, "type = sphere | cylinder");
  belongs(table, section, "radii", s.type == Type::ellipsoid, "type = ellipsoid");
  belongs(table, section, "axis", s.type == Type::cylinder, "type = cylinder");
  belongs(table, section, "height", s.type == Type::cylinder, "type = cylinder");
  if (s.type == Type::box) required(table, section, s.origin, "size", "3 numbers > 0, m");
  if (round) required(table, section, s.origin, "radius", "m");
  if (s.type == Type::ellipsoid) required(table, section, s.origin, "radii", "3 numbers > 0, m");
  if (s.type == Type::cylinder) required(table, section, s.origin, "height", "m");
  if (const Entry* axis = table.find(section, "axis")) make_unit(s.axis, *axis);
}

void complete_flux(Flux& f, const IniTable& table) {
  const std::string section = "flux." + f.name;
  required(table, section, f.origin, "type", "box | plane");
  const Entry& size = required(table, section, f.origin, "size", "3 numbers, m");
  const int flat = (f.size.x == 0) + (f.size.y == 0) + (f.size.z == 0);
  if (f.type == Flux::Type::box && flat > 0) reject(size, "must be 3 numbers > 0 where type = box");
  if (f.type == Flux::Type::plane && flat != 1) reject(size, "exactly one must be 0, that of the normal, where type = plane");
  const Entry* wavelengths = table.find(section, "wavelengths");
  if (!wavelengths) required(table, section, f.origin, "frequencies", fmt::format("Hz; or {}.wavelengths", section));
  if (const Entry* frequencies = table.find(section, "frequencies"); frequencies && wavelengths)
    reject(*wavelengths, fmt::format("only one of frequencies and wavelengths may be given, and {} is at {}",
                                     frequencies->name(), frequencies->origin));
  std::sort(f.frequencies.begin(), f.frequencies.end());
  f.frequencies.erase(std::unique(f.frequencies.begin(), f.frequencies.end()), f.frequencies.end());
}

}  // namespace

void complete_fdtd(Case& c, const IniTable& table) {
  complete_grid(c, table);
  for (const Material& m : c.materials) complete_conductor(m, c, table);
  for (Shape& s : c.shapes) complete_shape(s, c, table);
  for (Flux& f : c.fluxes) complete_flux(f, table);
}

}  // namespace dgtd::config
