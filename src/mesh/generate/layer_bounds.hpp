#pragma once
// Surfaces that may have layers: the sides of a box along the axes, and spheres; with their tolerances.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "dgtd/base/vec3.hpp"

namespace dgtd::mesh {

/// A share of the radius: how far a sphere's vertices may be off.
inline constexpr double sphere_tolerance = 1e-6;

struct BoxSide {
  int axis;
  bool high;
  double sign() const { return high ? 1 : -1; }  // of the outer normal
  const char* name() const {
    constexpr const char* names[] = {"xmin", "xmax", "ymin", "ymax", "zmin", "zmax"};
    return names[2 * axis + high];
  }
};
inline constexpr std::array<BoxSide, 6> box_sides{
    {{0, false}, {0, true}, {1, false}, {1, true}, {2, false}, {2, true}}};

struct BoxBounds {
  static constexpr double infinity = std::numeric_limits<double>::infinity();
  Vec3 low{infinity, infinity, infinity}, high{-infinity, -infinity, -infinity};  // m

  void include(const Vec3& point) {
    for (int axis = 0; axis < 3; ++axis) {
      low[axis] = std::min(low[axis], point[axis]);
      high[axis] = std::max(high[axis], point[axis]);
    }
  }
  double coordinate(BoxSide side) const { return side.high ? high[side.axis] : low[side.axis]; }
  /// Within a millionth of the diagonal: files with six digits are common.
  bool on(BoxSide side, const Vec3& point) const {
    return std::abs(point[side.axis] - coordinate(side)) <= 1e-6 * norm(high - low);
  }
};

}  // namespace dgtd::mesh
