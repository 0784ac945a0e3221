// Grids: their cells, refinements, and what methods with fewer than three axes do not vary along.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "checks.hpp"
#include "codec.hpp"
#include "complete.hpp"
#include "dgtd/base/error.hpp"
#include "dgtd/base/log.hpp"
#include "graded_axis.hpp"

namespace dgtd::config {
namespace {

constexpr std::string_view axis_names = "xyz";
constexpr double cell_rounding = 1e-6;  // cells

void require_of_grid(const IniTable& table, std::string_view key, std::string_view allowed) {
  if (!table.find("grid", key))
    throw Error(fmt::format("{}: grid.{} is required ({}; or grid.spacings_x, spacings_y and spacings_z)", table.file(),
                            key, allowed));
}

// Arrays of permittivities whose values have the distances of the grid's cells.
void complete_permittivities(Case& c) {
  for (Permittivity& p : c.permittivities) {
    if (p.spacing) continue;
    for (int a = 0; a < 3; ++a)
      if (c.grid.spacing[a] == 0)
        throw Error(
            fmt::format("{}: permittivity.{}.spacing is required (1 or 3 numbers > 0, m), because the grid's "
                        "spacings along {} vary",
                        p.origin, p.name, axis_names[static_cast<std::size_t>(a)]));
    p.spacing = c.grid.spacing;
  }
}

// One cell as thick as the thinnest one along the axes that the method has, around 0.
void complete_missing_axis(Case& c, int a, const IniTable& table) {
  Grid& g = c.grid;
  if (const Entry* cells = table.find("grid", "cells"); cells && g.cells[a] != 1)
    reject(*cells, fmt::format("must be 1 along {}, which {} does not have", axis_names[a], c.solver.method.name));
  double thickness = g.spacings[0].front();  // m
  for (int b = 0; b < c.solver.method.has.dimensions; ++b)
    thickness = std::min(thickness, *std::min_element(g.spacings[b].begin(), g.spacings[b].end()));
  g.cells[a] = 1;
  g.spacings[a] = {thickness};
  g.spacing[a] = thickness;
  g.origin[a] = -thickness / 2;
}

// The domain and the layers outside of it as equal cells.
void fill_domain(Case& c, const IniTable& table) {
  Grid& g = c.grid;
  g.background = c.domain.background;
  for (int a = 0; a < c.solver.method.has.dimensions; ++a) {
    const double size = (*c.domain.size)[a], whole = std::ceil(size / g.spacing[a] - cell_rounding);
    constexpr double most = 1e6;
    if (!(whole <= most))
      reject(*table.find("grid", "spacing"),
             fmt::format("makes {:.3g} cells along {} of the domain ({:.0e} are allowed)", whole, axis_names[a], most));
    g.spacing[a] = size / std::max(1.0, whole);
    const std::int64_t below = cells_of_layer(c, 2 * static_cast<std::size_t>(a), g.spacing[a]);
    g.cells[a] = below + std::max<std::int64_t>(1, std::llround(whole)) +
                 cells_of_layer(c, 2 * static_cast<std::size_t>(a) + 1, g.spacing[a]);
    g.origin[a] = (*c.domain.origin)[a] - static_cast<double>(below) * g.spacing[a];
  }
}

void complete_cells(Case& c, const IniTable& table) {
  Grid& g = c.grid;
  if (c.domain.size)
    for (const auto key : {"cells", "origin", "background", "spacings_x", "spacings_y", "spacings_z"})
      if (const Entry* entry = table.find("grid", key))
        reject(*entry, "goes with no [domain], which has size, origin and background");
  const bool automatic = has_automatic_grid(c);
  if (automatic) complete_automatic_grid(c, table);
  const int axes = c.solver.method.has.dimensions;
  const bool all_listed = std::none_of(g.spacings.begin(), g.spacings.begin() + axes,
                                       [](const auto& spacings) { return spacings.empty(); });
  if (all_listed) {
    for (const auto key : {"cells", "spacing"})
      if (const Entry* entry = table.find("grid", key))
        reject(*entry, "belongs to axes without spacings_x, spacings_y or spacings_z, and there is none");
  } else {
    if (!c.domain.size) require_of_grid(table, "cells", axes == 1 ? "1 integer" : fmt::format("{} integers", axes));
    require_of_grid(table, "spacing", axes == 1 ? "1 number > 0, m" : fmt::format("1 or {} numbers > 0, m", axes));
  }
  if (c.domain.size && !automatic) fill_domain(c, table);
  for (int a = 0; a < axes; ++a) {
    auto& spacings = g.spacings[a];
    if (spacings.empty()) spacings.assign(static_cast<std::size_t>(g.cells[a]), g.spacing[a]);
    const auto runs = runs_of(spacings);
    g.cells[a] = static_cast<std::int64_t>(spacings.size());
    g.spacing[a] = runs.size() == 1 ? spacings.front() : 0;
    if (table.find("grid", "origin") || c.domain.size) continue;
    double length = 0;  // m
    for (const CellRun& run : runs) length += static_cast<double>(run.count) * run.spacing;
    g.origin[a] = -length / 2;
  }
  for (int a = axes; a < 3; ++a) complete_missing_axis(c, a, table);
  c.domain = Domain();  // the resolved case has the cells alone
}

void check_refinement(const Refinement& r, const Case& c, const IniTable& table) {
  const std::string section = "refine." + r.name;
  const Entry& spacing = *table.find(section, "spacing");
  for (int a = 0; a < c.solver.method.has.dimensions; ++a) {
    if (const Entry* list = table.find("grid", fmt::format("spacings_{}", axis_names[a])))
      reject(*list, fmt::format("goes with no [{}] (at {}), which makes the spacings of all axes", section, r.origin));
    const double lower = c.grid.origin[a], upper = lower + static_cast<double>(c.grid.cells[a]) * c.grid.spacing[a];
    if (!(r.centre[a] - r.size[a] / 2 < upper && r.centre[a] + r.size[a] / 2 > lower))
      throw Error(fmt::format("{}: {}: lies outside the grid, whose {} goes from {:g} to {:g} m", r.origin, section,
                              axis_names[a], lower, upper));
    if (r.spacing[a] > c.grid.spacing[a])
      reject(spacing,
             fmt::format("must be at most grid.spacing, which is {} along {}", c.grid.spacing[a], axis_names[a]));
  }
}

// Faces inside the grid are nodes, those beyond its ends do not count.
std::vector<double> refined_spacings(const Case& c, int a) {
  const auto sides = side_types(c);
  const Boundary::Type lower = sides[2 * a], upper = sides[2 * a + 1];
  const auto layer = [&](Boundary::Type type) { return type == Boundary::Type::cpml ? c.grid.pml : 0; };
  GradedAxis axis;
  axis.length = static_cast<double>(c.grid.cells[a]) * c.grid.spacing[a];
  axis.spacing = c.grid.spacing[a];
  axis.ratio = c.grid.ratio;
  axis.periodic = lower == Boundary::Type::periodic || lower == Boundary::Type::bloch;
  axis.lower_layer = layer(lower);
  axis.upper_layer = layer(upper);
  std::vector<FineInterval> intervals;
  for (const Refinement& r : c.refinements) {
    const double middle = r.centre[a] - c.grid.origin[a];
    intervals.push_back({middle - r.size[a] / 2, middle + r.size[a] / 2, r.spacing[a]});
  }
  return graded_spacings(axis, intervals);
}

void complete_refinements(Case& c, const IniTable& table) {
  if (c.refinements.empty()) return;
  for (const Refinement& r : c.refinements) check_refinement(r, c, table);
  const int axes = c.solver.method.has.dimensions;
  for (int a = 0; a < axes; ++a) {
    try {
      c.grid.spacings[a] = refined_spacings(c, a);
    } catch (const Error& error) {
      throw Error(fmt::format("{}: [refine.{}]: along {}: {}", c.refinements[0].origin, c.refinements[0].name,
                              axis_names[a], error.what()));
    }
  }
  for (int a = 0; a < axes; ++a) {
    c.grid.cells[a] = static_cast<std::int64_t>(c.grid.spacings[a].size());
    c.grid.spacing[a] = runs_of(c.grid.spacings[a]).size() == 1 ? c.grid.spacings[a].front() : 0;
  }
  c.refinements.clear();  // the resolved case has the spacings alone
  c.grid.ratio = Grid().ratio;
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

// Along axes without variation bodies and boxes are made to extend beyond the grid, and points are put in the middle.
void flatten(Case& c) {
  for (int a = c.solver.method.has.dimensions; a < 3; ++a) {
    for (Source& s : c.sources) {
      s.position[a] = s.centre[a] = 0;
      if (s.direction[a] != 0 && s.length > 0) {
        log::warn(
            "{}: source.{}: length has no effect: along {}, which {} does not have, the current is a line without "
            "ends",
            s.origin, s.name, axis_names[static_cast<std::size_t>(a)], c.solver.method.name);
        s.length = 0;
      }
      if (s.type == Source::Type::sheet) s.size[a] = beyond;
      if (s.box_min) (*s.box_min)[a] = -beyond / 2;
      if (s.box_max) (*s.box_max)[a] = beyond / 2;
    }
    for (Probe& p : c.probes) p.position[a] = 0;
    for (Flux& f : c.fluxes) f.centre[a] = 0, f.size[a] = beyond;
    for (Monitor& m : c.monitors) m.centre[a] = 0, m.size[a] = beyond;
  }
}

}  // namespace

std::int64_t cells_of_layer(const Case& c, std::size_t side, double spacing) {
  const Boundary::Type type = side_types(c)[side];
  if (type == Boundary::Type::cpml) return c.grid.pml;
  if (type != Boundary::Type::adiabatic) return 0;
  return static_cast<std::int64_t>(std::ceil(side_sections(c)[side]->length / spacing - cell_rounding));
}

void complete_grid(Case& c, const IniTable& table) {
  complete_cells(c, table);
  side_types(c);
  bloch_phases(c);
  complete_refinements(c, table);
  complete_permittivities(c);
}

void flatten_to_axes(Case& c) {
  if (c.solver.method.has.dimensions == 3) return;
  flatten(c);
  if (c.solver.polarisation == Polarisation::automatic) c.solver.polarisation = polarisation_in_use(c);
}

}  // namespace dgtd::config
