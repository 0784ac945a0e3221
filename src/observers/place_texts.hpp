#pragma once
// Places in tables of results.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "dgtd/base/units.hpp"
#include "dgtd/base/vec3.hpp"

namespace dgtd::observers {

/// The unit of a column of places, m.
inline units::Unit unit_of_places(const std::vector<Vec3>& places) {
  double farthest = 0;
  for (const Vec3& x : places) farthest = std::max({farthest, std::abs(x.x), std::abs(x.y), std::abs(x.z)});
  return units::for_places(farthest);
}

/// "12.3, 0.0, -50.0"; + 0.0: rounded first, so that a small negative value is no "-0.0".
inline std::string place_text(const Vec3& x, const units::Unit& unit) {
  const auto rounded = [&](double metres) { return std::round(10 * metres / unit.size) / 10 + 0.0; };
  return fmt::format("{:.1f}, {:.1f}, {:.1f}", rounded(x.x), rounded(x.y), rounded(x.z));
}

}  // namespace dgtd::observers
