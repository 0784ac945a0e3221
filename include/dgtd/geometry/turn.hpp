#pragma once
// Turning of bodies about a fixed point.
#include <array>

#include "dgtd/base/vec3.hpp"

namespace dgtd::geometry {

/// By the right-hand rule: about z from x to y.
struct Turn {
  Vec3 axis{0, 0, 1};  // unit length
  double angle = 0;    // rad

  bool operator==(const Turn&) const = default;
};

/// The matrix R of a turn. Elements that are 0, 1 or -1 but for rounding are so exactly: a quarter turn about x, y or z
/// permutes coordinates without rounding.
class Rotation {
 public:
  Rotation() = default;  // R = 1
  explicit Rotation(const Turn& turn);
  /// One that turns z to a direction of unit length.
  static Rotation of_z_to(const Vec3& direction);

  /// R v
  Vec3 operator()(const Vec3& v) const { return {dot(rows_[0], v), dot(rows_[1], v), dot(rows_[2], v)}; }
  /// R^T v, which undoes it.
  Vec3 back(const Vec3& v) const { return v.x * rows_[0] + v.y * rows_[1] + v.z * rows_[2]; }
  /// Row a: the direction R^T e_a that is turned to the coordinate axis a.
  const Vec3& row(int axis) const { return rows_[static_cast<std::size_t>(axis)]; }
  /// Half the edges of the smallest box along the axes around a turned box with these half edges.
  Vec3 box_around(const Vec3& half) const;

  bool is_nothing() const { return *this == Rotation(); }
  /// Whether it turns each coordinate axis to one.
  bool permutes_axes() const;

  bool operator==(const Rotation&) const = default;

 private:
  std::array<Vec3, 3> rows_{Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}};
};

}  // namespace dgtd::geometry
