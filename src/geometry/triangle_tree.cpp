#include "dgtd/geometry/triangle_tree.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace dgtd::geometry {
namespace {

// m2, from the box to x.
double square_to_box(const Vec3& low, const Vec3& high, const Vec3& x) {
  double sum = 0;
  for (int a = 0; a < 3; ++a) {
    const double outside = std::max({low[a] - x[a], 0.0, x[a] - high[a]});
    sum += outside * outside;
  }
  return sum;
}

// The ray x + t direction, t >= 0, by its distances along each axis.
bool meets_box(const Vec3& low, const Vec3& high, const Vec3& x, const Vec3& direction) {
  double from = 0, to = std::numeric_limits<double>::infinity();
  for (int a = 0; a < 3; ++a) {
    const double one = (low[a] - x[a]) / direction[a], other = (high[a] - x[a]) / direction[a];
    from = std::max(from, std::min(one, other)), to = std::min(to, std::max(one, other));
  }
  return from <= to;
}

// T. Moeller, B. Trumbore, J. Graphics Tools 2 (1997) 21.
bool meets_triangle(const std::array<const Vec3*, 3>& corner, const Vec3& x, const Vec3& direction) {
  const Vec3 one = *corner[1] - *corner[0], other = *corner[2] - *corner[0], across = cross(direction, other);
  const double determinant = dot(one, across);
  if (determinant == 0) return false;
  const Vec3 from = x - *corner[0];
  const double u = dot(from, across) / determinant;
  if (u < 0 || u > 1) return false;
  const Vec3 along = cross(from, one);
  const double v = dot(direction, along) / determinant;
  return v >= 0 && u + v <= 1 && dot(other, along) / determinant > 0;
}

}  // namespace

// C. Ericson, Real-Time Collision Detection (2005), section 5.1.5.
std::pair<Vec3, bool> nearest_point(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c) {
  const Vec3 ab = b - a, ac = c - a, ap = p - a, bp = p - b, cp = p - c;
  const double d1 = dot(ab, ap), d2 = dot(ac, ap), d3 = dot(ab, bp), d4 = dot(ac, bp), d5 = dot(ab, cp),
               d6 = dot(ac, cp);
  if (d1 <= 0 && d2 <= 0) return {a, false};
  if (d3 >= 0 && d4 <= d3) return {b, false};
  const double vc = d1 * d4 - d3 * d2;
  if (vc <= 0 && d1 >= 0 && d3 <= 0) return {a + d1 / (d1 - d3) * ab, false};
  if (d6 >= 0 && d5 <= d6) return {c, false};
  const double vb = d5 * d2 - d1 * d6;
  if (vb <= 0 && d2 >= 0 && d6 <= 0) return {a + d2 / (d2 - d6) * ac, false};
  const double va = d3 * d6 - d5 * d4;
  if (va <= 0 && d4 >= d3 && d5 >= d6) return {b + (d4 - d3) / ((d4 - d3) + (d5 - d6)) * (c - b), false};
  const double sum = va + vb + vc;
  return {a + vb / sum * ab + vc / sum * ac, true};
}

TriangleTree::TriangleTree(std::vector<Vec3> points, std::vector<std::array<int, 3>> triangles)
    : points_(std::move(points)), triangles_(std::move(triangles)), nodes_(1) {
  build(0, 0, static_cast<std::int32_t>(triangles_.size()));
}

std::array<const Vec3*, 3> TriangleTree::corners(std::int32_t triangle) const {
  const auto& t = triangles_[static_cast<std::size_t>(triangle)];
  const auto at = [&](int i) { return &points_[static_cast<std::size_t>(i)]; };
  return {at(t[0]), at(t[1]), at(t[2])};
}

// Halves the triangles by their middles along the longest edge of the box, so that the depth is the logarithm of their
// number.
void TriangleTree::build(std::size_t node, std::int32_t first, std::int32_t count) {
  constexpr std::int32_t most_in_leaf = 4;
  constexpr double infinity = std::numeric_limits<double>::infinity();
  Node made{{infinity, infinity, infinity}, {-infinity, -infinity, -infinity}, first, count};
  for (std::int32_t t = first; t < first + count; ++t)
    for (const Vec3* corner : corners(t))
      for (int a = 0; a < 3; ++a)
        made.low[a] = std::min(made.low[a], (*corner)[a]), made.high[a] = std::max(made.high[a], (*corner)[a]);
  nodes_[node] = made;
  if (count <= most_in_leaf) return;
  const Vec3 size = made.high - made.low;
  const int axis = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
  const auto middle_of = [&](const std::array<int, 3>& t) {
    return points_[std::size_t(t[0])][axis] + points_[std::size_t(t[1])][axis] + points_[std::size_t(t[2])][axis];
  };
  const std::int32_t half = count / 2;
  std::nth_element(triangles_.begin() + first, triangles_.begin() + first + half, triangles_.begin() + first + count,
                   [&](const auto& s, const auto& t) { return middle_of(s) < middle_of(t); });
  const std::size_t children = nodes_.size();
  nodes_.resize(children + 2);
  nodes_[node].first = static_cast<std::int32_t>(children), nodes_[node].count = 0;
  build(children, first, half);
  build(children + 1, first + half, count - half);
}

Vec3 TriangleTree::nearest(const Vec3& x) const {
  constexpr std::size_t deepest = 64;
  std::array<std::int32_t, deepest> open;  // nodes whose boxes are still to be searched
  std::size_t count = 0;
  open[count++] = 0;
  Vec3 found = *corners(0)[0];
  double square = dot(found - x, found - x);  // m2
  const auto square_to = [&](std::int32_t node) {
    const Node& n = nodes_[static_cast<std::size_t>(node)];
    return square_to_box(n.low, n.high, x);
  };
  while (count > 0) {
    const std::int32_t at = open[--count];
    if (square_to(at) >= square) continue;
    const Node& node = nodes_[static_cast<std::size_t>(at)];
    for (std::int32_t t = node.first; t < node.first + node.count; ++t) {
      const auto corner = corners(t);
      const Vec3 point = nearest_point(x, *corner[0], *corner[1], *corner[2]).first;
      if (const double s = dot(point - x, point - x); s < square) square = s, found = point;
    }
    if (node.count > 0) continue;
    const bool is_first_nearer = square_to(node.first) <= square_to(node.first + 1);
    open[count++] = node.first + is_first_nearer;
    open[count++] = node.first + !is_first_nearer;
  }
  return found;
}

// Along a direction of no symmetry, so that edges and corners of bodies with faces along the axes are not hit.
bool TriangleTree::is_inside(const Vec3& x) const {
  constexpr Vec3 direction{0.5432109871, 0.6981317008, 0.4663076581};
  if (square_to_box(low(), high(), x) > 0) return false;
  std::vector<std::int32_t> open{0};
  bool inside = false;
  while (!open.empty()) {
    const Node& node = nodes_[static_cast<std::size_t>(open.back())];
    open.pop_back();
    if (!meets_box(node.low, node.high, x, direction)) continue;
    for (std::int32_t t = node.first; t < node.first + node.count; ++t)
      if (meets_triangle(corners(t), x, direction)) inside = !inside;
    if (node.count == 0) open.push_back(node.first), open.push_back(node.first + 1);
  }
  return inside;
}

}  // namespace dgtd::geometry
