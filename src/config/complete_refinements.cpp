#include "complete_refinements.hpp"

#include <fmt/format.h>

#include "checks.hpp"
#include "dgtd/base/error.hpp"
#include "fdtd_rules.hpp"
#include "graded_axis.hpp"

namespace dgtd::config {
namespace {

constexpr std::string_view axes = "xyz";

void check(const Refinement& r, const Case& c, const IniTable& table) {
  const std::string section = "refine." + r.name;
  required(table, section, r.origin, "size", "3 numbers > 0, m");
  const Entry& spacing = required(table, section, r.origin, "spacing", "1 or 3 numbers > 0, m");
  for (int a = 0; a < dimensions(c.solver.method); ++a) {
    if (const Entry* list = table.find("grid", fmt::format("spacings_{}", axes[a])))
      reject(*list, fmt::format("goes with no [{}] (at {}), which makes the spacings of all axes", section, r.origin));
    const double lower = c.grid.origin[a], upper = lower + static_cast<double>(c.grid.cells[a]) * c.grid.spacing[a];
    if (!(r.centre[a] - r.size[a] / 2 < upper && r.centre[a] + r.size[a] / 2 > lower))
      throw Error(fmt::format("{}: {}: lies outside the grid, whose {} goes from {:g} to {:g} m", r.origin, section,
                              axes[a], lower, upper));
    if (r.spacing[a] > c.grid.spacing[a])
      reject(spacing, fmt::format("must be at most grid.spacing, which is {} along {}", c.grid.spacing[a], axes[a]));
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

}  // namespace

void complete_refinements(Case& c, const IniTable& table) {
  belongs(table, "grid", "ratio", !c.refinements.empty(), "grids with [refine.NAME]");
  if (c.refinements.empty()) return;
  for (const Refinement& r : c.refinements) check(r, c, table);
  const int dimensions_of_case = dimensions(c.solver.method);
  for (int a = 0; a < dimensions_of_case; ++a) {
    try {
      c.grid.spacings[a] = refined_spacings(c, a);
    } catch (const Error& error) {
      throw Error(fmt::format("{}: [refine.{}]: along {}: {}", c.refinements[0].origin, c.refinements[0].name, axes[a],
                              error.what()));
    }
  }
  for (int a = 0; a < dimensions_of_case; ++a) {
    c.grid.cells[a] = static_cast<std::int64_t>(c.grid.spacings[a].size());
    c.grid.spacing[a] = runs_of(c.grid.spacings[a]).size() == 1 ? c.grid.spacings[a].front() : 0;
  }
  c.refinements.clear();  // the resolved case has the spacings alone
  c.grid.ratio = Grid().ratio;
}

}  // namespace dgtd::config
