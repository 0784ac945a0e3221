#pragma once
// The absorbing surface around all: a sphere or a box.
#include <algorithm>
#include <cmath>
#include <vector>

#include "dgtd/base/vec3.hpp"
#include "dgtd/mesher/from_labels.hpp"

namespace dgtd::mesher {

struct Exterior {
  FromLabels::Exterior form = FromLabels::Exterior::sphere;
  Vec3 centre;        // m
  double radius = 0;  // m, sphere
  Vec3 half;          // m, box: half its edges; sphere: the radius three times

  /// Distance (m) to the surface, positive inside; for a box the smallest distance to a face.
  double depth(const Vec3& x) const {
    const Vec3 d = x - centre;
    if (form == FromLabels::Exterior::sphere) return radius - norm(d);
    return std::min({half.x - std::abs(d.x), half.y - std::abs(d.y), half.z - std::abs(d.z)});
  }

  /// x moved onto the surface where that is nearer than `tolerance` (m).
  Vec3 snapped(const Vec3& x, double tolerance) const {
    Vec3 d = x - centre;
    if (form == FromLabels::Exterior::sphere) return std::abs(depth(x)) < tolerance ? centre + radius / norm(d) * d : x;
    for (int a = 0; a < 3; ++a)
      if (std::abs(std::abs(d[a]) - half[a]) < tolerance) d[a] = d[a] < 0 ? -half[a] : half[a];
    return centre + d;
  }
};

}  // namespace dgtd::mesher
