#pragma once
// Perfect conductors without thickness, between elements.
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dgtd/base/vec3.hpp"
#include "dgtd/geometry/turn.hpp"

namespace dgtd::mesh {

/// Ends the names of surface groups whose faces may be between two elements, each of which then has that boundary behind
/// it. [boundary.NAME] of a case is without it.
inline constexpr std::string_view plate_suffix = " (plate)";

/// A polygon without thickness: a perfect conductor between elements, or where it is on the wall of a hole a part of that.
struct Plate {
  std::string name;   // for messages
  std::string group;  // surface group, with plate_suffix
  Vec3 centre;
  int axis = 2;                               // its normal before the turn: 0, 1, 2 along x, y, z
  std::vector<std::array<double, 2>> points;  // corners from the centre along the two axes that follow its normal
  std::optional<geometry::Turn> turn;         // about the centre
  double element = 0;                         // largest element at it

  /// From the centre, in the plate's own axes.
  Vec3 own_place(const Vec3& x) const {
    const Vec3 d = x - centre;
    return turn ? geometry::Rotation(*turn).back(d) : d;
  }
  /// m, of a point of its plane.
  Vec3 place_of(const std::array<double, 2>& point) const {
    Vec3 x;
    x[(axis + 1) % 3] = point[0], x[(axis + 2) % 3] = point[1];
    return centre + (turn ? geometry::Rotation(*turn)(x) : x);
  }
};

/// m, of a strip its width: twice the area over the length of the rim.
double width(const Plate& plate);

}  // namespace dgtd::mesh
