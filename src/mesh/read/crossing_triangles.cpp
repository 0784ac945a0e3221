#include "mesh/read/crossing_triangles.hpp"

#include <algorithm>
#include <cmath>

namespace dgtd::mesh {
namespace {

constexpr double inner = 1e-3;  // barycentric coordinates, and shares of an edge, that are no touch

std::optional<Vec3> through(const Vec3& from, const Vec3& to, const Vec3& a, const Vec3& b, const Vec3& c) {
  const Vec3 d = to - from, p = b - a, q = c - a, h = cross(d, q);
  const double determinant = dot(p, h);
  if (std::abs(determinant) <= 1e-6 * norm(d) * norm(cross(p, q))) return {};
  const Vec3 s = from - a, r = cross(s, p);
  const double u = dot(s, h) / determinant, v = dot(d, r) / determinant, t = dot(q, r) / determinant;
  if (u < inner || v < inner || u + v > 1 - inner || t < inner || t > 1 - inner) return {};
  return from + t * d;
}

struct BoxOfTriangle {
  Vec3 low, high;
  std::size_t triangle;
};

}  // namespace

std::optional<Vec3> crossing_of(const std::vector<Vec3>& points, const std::vector<std::array<int, 3>>& triangles) {
  const auto at = [&](std::size_t t, std::size_t corner) -> const Vec3& {
    return points[static_cast<std::size_t>(triangles[t][corner % 3])];
  };
  std::vector<BoxOfTriangle> boxes;
  for (std::size_t t = 0; t < triangles.size(); ++t) {
    BoxOfTriangle box{at(t, 0), at(t, 0), t};
    for (std::size_t i = 1; i < 3; ++i)
      for (int a = 0; a < 3; ++a)
        box.low[a] = std::min(box.low[a], at(t, i)[a]), box.high[a] = std::max(box.high[a], at(t, i)[a]);
    boxes.push_back(box);
  }
  std::sort(boxes.begin(), boxes.end(), [](const BoxOfTriangle& a, const BoxOfTriangle& b) { return a.low.x < b.low.x; });
  const auto share_a_point = [&](std::size_t s, std::size_t t) {
    return std::any_of(triangles[s].begin(), triangles[s].end(), [&](int v) {
      return std::find(triangles[t].begin(), triangles[t].end(), v) != triangles[t].end();
    });
  };
  const auto pierced_by = [&](std::size_t s, std::size_t t) -> std::optional<Vec3> {
    for (std::size_t i = 0; i < 3; ++i)
      if (const auto place = through(at(t, i), at(t, i + 1), at(s, 0), at(s, 1), at(s, 2))) return place;
    return {};
  };
  for (std::size_t i = 0; i < boxes.size(); ++i)
    for (std::size_t k = i + 1; k < boxes.size() && boxes[k].low.x <= boxes[i].high.x; ++k) {
      const BoxOfTriangle &a = boxes[i], &b = boxes[k];
      if (a.low.y > b.high.y || b.low.y > a.high.y || a.low.z > b.high.z || b.low.z > a.high.z) continue;
      if (share_a_point(a.triangle, b.triangle)) continue;
      if (const auto place = pierced_by(a.triangle, b.triangle)) return place;
      if (const auto place = pierced_by(b.triangle, a.triangle)) return place;
    }
  return {};
}

}  // namespace dgtd::mesh
