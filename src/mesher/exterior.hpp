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
};

}  // namespace dgtd::mesher
