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

bool is_paired(Boundary::Type type) { return type == Boundary::Type::periodic || type == Boundary::Type::bloch; }

void check_pairs(const std::array<Boundary::Type, 6>& types, const std::array<const Boundary*, 6>& section) {
  for (std::size_t i = 0; i < 6; ++i) {
    const std::size_t opposite = i ^ 1;
    if (!is_paired(types[i]) || types[opposite] == types[i] || section[i] == nullptr) continue;
    const auto name = text_of(boundary_names, types[i]);
    throw Error(fmt::format("{}: [boundary.{}]: {} is {} and {} is {}; both sides of an axis must be {}, or none",
                            section[i]->origin, section[i]->name, sides[i], name, sides[opposite],
                            text_of(boundary_names, types[opposite]), name));
  }
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
  check_pairs(types, section);
  return types;
}

std::array<bool, 3> periodic_axes(const Case& c) {
  const bool has_sides = c.mesh.generator == Mesh::Generator::box || c.mesh.generator == Mesh::Generator::shapes;
  auto section = side_sections(c);
  for (const Boundary& b : c.boundaries)
    if (is_paired(b.type) && std::find(std::begin(sides), std::end(sides), b.name) == std::end(sides) &&
        !(b.name == "*" && has_sides))
      throw Error(fmt::format("{}: [boundary.{}]: sides of type {} are the surface groups xmin and xmax, ymin and ymax, "
                              "or zmin and zmax of the mesh",
                              b.origin, b.name, text_of(boundary_names, b.type)));
  std::array<Boundary::Type, 6> types;
  for (std::size_t i = 0; i < 6; ++i) {
    if (section[i] != nullptr && section[i]->name == "*" && !has_sides) section[i] = nullptr;
    types[i] = section[i] != nullptr ? section[i]->type : Boundary::Type::pec;
  }
  check_pairs(types, section);
  return {is_paired(types[0]), is_paired(types[2]), is_paired(types[4])};
}

std::array<double, 3> bloch_phases(const Case& c) {
  side_types(c);
  std::array<double, 3> lengths{};
  for (std::size_t a = 0; a < 3; ++a)
    for (const double d : c.grid.spacings[a]) lengths[a] += d;
  auto phases = bloch_phases(c, lengths);
  for (auto a = static_cast<std::size_t>(c.solver.method.has.dimensions); a < 3; ++a) phases[a] = 0;
  return phases;
}

std::array<double, 3> bloch_phases(const Case& c, const std::array<double, 3>& lengths) {
  const auto section = side_sections(c);
  std::array<double, 3> phases{};
  for (std::size_t a = 0; a < 3; ++a) {
    if (section[2 * a] == nullptr || section[2 * a]->type != Boundary::Type::bloch) continue;
    const Boundary &lower = *section[2 * a], &upper = *section[2 * a + 1];
    if (lower.phase != upper.phase || lower.k != upper.k)
      throw Error(fmt::format("{}: [boundary.{}]: phase and k must be those of [boundary.{}] at {}", upper.origin,
                              upper.name, lower.name, lower.origin));
    phases[a] = lower.phase ? *lower.phase : *lower.k * lengths[a];
  }
  return phases;
}

bool has_bloch_phase(const Case& c) {
  return std::any_of(c.boundaries.begin(), c.boundaries.end(), [](const Boundary& b) {
    return b.type == Boundary::Type::bloch && (b.phase.value_or(0) != 0 || b.k.value_or(0) != 0);
  });
}

}  // namespace dgtd::config
