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
  const auto found = std::find_if(c.boundaries.begin(), c.boundaries.end(), [&](const Boundary& b) { return b.name == name; });
  return found == c.boundaries.end() ? nullptr : &*found;
}

}  // namespace

std::array<Boundary::Type, 6> side_types(const Case& c) {
  for (const Boundary& b : c.boundaries)
    if (b.name != "*" && std::find(std::begin(sides), std::end(sides), b.name) == std::end(sides))
      throw Error(fmt::format("{}: [boundary.{}]: fdtd3d has no side '{}'; it has {}", b.origin, b.name, b.name,
                              fmt::join(sides, ", ")));

  std::array<const Boundary*, 6> section{};                 // null: none
  std::array<Boundary::Type, 6> types{};
  for (std::size_t i = 0; i < 6; ++i) {
    section[i] = find(c, sides[i]) ? find(c, sides[i]) : find(c, "*");
    types[i] = section[i] ? section[i]->type : Boundary::Type::cpml;
    assert(types[i] != Boundary::Type::silver_muller);      // read_case has refused it
  }
  for (std::size_t i = 0; i < 6; ++i) {
    const std::size_t opposite = i ^ 1;
    if (types[i] == Boundary::Type::periodic && types[opposite] != Boundary::Type::periodic)
      throw Error(fmt::format("{}: [boundary.{}]: {} is periodic and {} is {}; both sides of an axis must be periodic, or none",
                              section[i]->origin, section[i]->name, sides[i], sides[opposite],
                              text_of(boundary_names, types[opposite])));
  }
  return types;
}

}  // namespace dgtd::config
