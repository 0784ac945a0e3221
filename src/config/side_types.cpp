#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <string_view>

#include "dgtd/base/error.hpp"
#include "names.hpp"

namespace dgtd::config {
namespace {

constexpr std::string_view sides[] = {"xmin", "xmax", "ymin", "ymax", "zmin", "zmax"};

const Boundary* find(const Case& c, std::string_view name) {
  const auto found =
      std::find_if(c.boundaries.begin(), c.boundaries.end(), [&](const Boundary& b) { return b.name == name; });
  return found == c.boundaries.end() ? nullptr : &*found;
}

}  // namespace

std::array<const Boundary*, 6> side_sections(const Case& c) {
  std::array<const Boundary*, 6> section{};
  for (std::size_t i = 0; i < 6; ++i) section[i] = find(c, sides[i]) ? find(c, sides[i]) : find(c, "*");
  return section;
}

std::array<Boundary::Type, 6> side_types(const Case& c) {
  const std::size_t count = 2 * static_cast<std::size_t>(c.solver.method.has.dimensions);
  for (const Boundary& b : c.boundaries)
    if (b.name != "*" && std::find(sides, sides + count, b.name) == sides + count)
      throw Error(fmt::format("{}: [boundary.{}]: {} has no side '{}'; it has {}", b.origin, b.name,
                              c.solver.method.name, b.name, fmt::join(sides, sides + count, ", ")));

  const auto section = side_sections(c);
  std::array<Boundary::Type, 6> types{};
  for (std::size_t i = count; i < 6; ++i) types[i] = Boundary::Type::periodic;
  for (std::size_t i = 0; i < count; ++i) {
    types[i] = section[i]                             ? section[i]->type
               : c.solver.method.has.absorbing_layers ? Boundary::Type::cpml
                                                      : Boundary::Type::mur;
    assert(types[i] != Boundary::Type::silver_muller);  // read_case has refused it
  }
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t opposite = i ^ 1;
    for (const auto paired : {Boundary::Type::periodic, Boundary::Type::bloch}) {
      if (types[i] != paired || types[opposite] == paired) continue;
      const auto name = text_of(boundary_names, paired);
      throw Error(fmt::format("{}: [boundary.{}]: {} is {} and {} is {}; both sides of an axis must be {}, or none",
                              section[i]->origin, section[i]->name, sides[i], name, sides[opposite],
                              text_of(boundary_names, types[opposite]), name));
    }
  }
  return types;
}

std::array<double, 3> bloch_phases(const Case& c) {
  const auto types = side_types(c);
  const auto section = side_sections(c);
  std::array<double, 3> phases{};
  for (std::size_t a = 0; a < 3; ++a) {
    if (types[2 * a] != Boundary::Type::bloch) continue;
    const Boundary &lower = *section[2 * a], &upper = *section[2 * a + 1];
    if (lower.phase != upper.phase || lower.k != upper.k)
      throw Error(fmt::format("{}: [boundary.{}]: phase and k must be those of [boundary.{}] at {}", upper.origin,
                              upper.name, lower.name, lower.origin));
    double length = 0;  // m
    for (const double d : c.grid.spacings[a]) length += d;
    phases[a] = lower.phase ? *lower.phase : *lower.k * length;
  }
  return phases;
}

}  // namespace dgtd::config
