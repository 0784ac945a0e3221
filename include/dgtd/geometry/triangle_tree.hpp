#pragma once
// Nearest points of surfaces of triangles, by a tree of boxes around them.
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "dgtd/base/vec3.hpp"

namespace dgtd::geometry {

/// Returns the point of the triangle a b c that is nearest to p, and whether it is inside of the triangle.
std::pair<Vec3, bool> nearest_point(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c);

/// A closed surface of triangles.
class TriangleTree {
 public:
  /// points: m; triangles: indices of points, at least one. Their orientation does not matter.
  TriangleTree(std::vector<Vec3> points, std::vector<std::array<int, 3>> triangles);

  const std::vector<Vec3>& points() const { return points_; }
  /// Corners of the box around the surface, m.
  const Vec3& low() const { return nodes_.front().low; }
  const Vec3& high() const { return nodes_.front().high; }
  /// The point of the surface that is nearest to x, m.
  Vec3 nearest(const Vec3& x) const;
  /// Whether the surface encloses x, which is not on it: a ray from x crosses it an odd number of times.
  bool is_inside(const Vec3& x) const;

 private:
  struct Node {
    Vec3 low, high;             // m, of the box around its triangles
    std::int32_t first, count;  // of its triangles; a count of 0: of its two children, first and first + 1
  };
  void build(std::size_t node, std::int32_t first, std::int32_t count);
  std::array<const Vec3*, 3> corners(std::int32_t triangle) const;

  std::vector<Vec3> points_;                   // m
  std::vector<std::array<int, 3>> triangles_;  // in the order of the tree's leaves
  std::vector<Node> nodes_;                    // the root first
};

}  // namespace dgtd::geometry
