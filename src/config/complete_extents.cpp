// How far shapes reach that are made of others, or of files.
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "complete.hpp"
#include "dgtd/base/error.hpp"
#include "dgtd/config/shape_extent.hpp"
#include "dgtd/config/shape_parts.hpp"
#include "dgtd/mesh/step_file.hpp"

namespace dgtd::config {
namespace {

using Corners = std::array<Vec3, 2>;  // lower and upper, m

Corners corners_of_step(const Shape& s) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  Corners all{Vec3{infinity, infinity, infinity}, Vec3{-infinity, -infinity, -infinity}};
  const geometry::Rotation rotation = s.rotation ? geometry::Rotation(*s.rotation) : geometry::Rotation();
  try {
    for (const auto& solid : mesh::read_step(s.file, s.body))
      for (const Vec3& point : solid.points) {
        const Vec3 x = s.position + rotation(point);
        for (int a = 0; a < 3; ++a) all[0][a] = std::min(all[0][a], x[a]), all[1][a] = std::max(all[1][a], x[a]);
      }
  } catch (const Error& error) {
    throw Error(error.code(), fmt::format("{}: shape.{}: {}", s.origin, s.name, error.what()));
  }
  return all;
}

// Absent where a file is not to be read.
std::optional<Corners> corners_of(const Case& c, const Shape& s, bool read_step) {
  using geometry::Combination;
  if (s.type == Shape::Type::step) return read_step ? std::optional(corners_of_step(s)) : std::nullopt;
  const auto parts = parts_of(c, s);
  if (!parts) {
    if (!has_reach(s)) return {};
    const Reach reach = reach_of(s);
    return Corners{s.centre - reach.low, s.centre + reach.high};
  }
  std::optional<Corners> all;
  for (const Shape& part : parts->shapes) {
    const auto one = corners_of(c, part, read_step);
    if (!one) return {};
    if (!all) {
      all = one;
      if (parts->combination == Combination::subtract) break;
    }
    const bool wider = parts->combination == Combination::unite;
    for (int a = 0; a < 3; ++a) {
      (*all)[0][a] = wider ? std::min((*all)[0][a], (*one)[0][a]) : std::max((*all)[0][a], (*one)[0][a]);
      (*all)[1][a] = wider ? std::max((*all)[1][a], (*one)[1][a]) : std::min((*all)[1][a], (*one)[1][a]);
    }
  }
  for (int a = 0; a < 3; ++a)
    if (!((*all)[0][a] < (*all)[1][a]))
      throw Error(fmt::format("{}: shape.{}: nothing is in all of its shapes", s.origin, s.name));
  return all;
}

}  // namespace

void complete_extents(Case& c, bool read_step) {
  for (Shape& s : c.shapes) {
    if (s.type != Shape::Type::step && !parts_of(c, s)) continue;
    s.extent = is_operand(c, s) ? std::nullopt : corners_of(c, s, read_step);
    if (s.extent) s.centre = 0.5 * ((*s.extent)[0] + (*s.extent)[1]);
  }
}

void forget_extents(Case& c) {
  for (Shape& s : c.shapes)
    if (s.type == Shape::Type::step || parts_of(c, s)) s.extent.reset(), s.centre = Vec3();
}

}  // namespace dgtd::config
