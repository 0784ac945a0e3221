#include "mesh/generate/generate_surface.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <tuple>

#include "dgtd/base/constants.hpp"

namespace dgtd::mesh {
namespace {

constexpr int passes = 10;

struct Side {  // an edge as one of its two triangles sees it
  int low, high, triangle, opposite;
};

/// Both sides of an edge stand next to each other.
std::vector<Side> sides(const std::vector<Triangle>& triangles) {
  std::vector<Side> result;
  result.reserve(3 * triangles.size());
  for (int t = 0; t < int(triangles.size()); ++t)
    for (int i = 0; i < 3; ++i) {
      const int a = triangles[t][i], b = triangles[t][(i + 1) % 3];
      result.push_back({std::min(a, b), std::max(a, b), t, triangles[t][(i + 2) % 3]});
    }
  std::sort(result.begin(), result.end(), [](const Side& s, const Side& o) {
    return std::tie(s.low, s.high, s.triangle) < std::tie(o.low, o.high, o.triangle);
  });
  return result;
}

/// True when the triangle goes from a to b.
bool follows(const Triangle& triangle, int a, int b) {
  for (int i = 0; i < 3; ++i)
    if (triangle[i] == a && triangle[(i + 1) % 3] == b) return true;
  return false;
}

class Improver {
 public:
  Improver(const Ellipsoid& ellipsoid, std::vector<Vec3>& points, std::vector<Triangle>& triangles)
      : ellipsoid_(ellipsoid), points_(points), triangles_(triangles) {}

  /// The number of flips.
  int flip_edges() {
    std::vector<int> valence(points_.size(), 0);
    for (const Triangle& triangle : triangles_)
      for (int corner : triangle) ++valence[corner];
    std::vector<bool> touched(triangles_.size(), false);
    int flips = 0;
    const std::vector<Side> edge = sides(triangles_);
    for (std::size_t i = 0; i + 1 < edge.size(); i += 2) {
      const auto [low, high, first, c] = edge[i];
      const int second = edge[i + 1].triangle, d = edge[i + 1].opposite;
      // A vertex keeps at least three triangles, else two of them would coincide.
      if (touched[first] || touched[second] || valence[low] < 4 || valence[high] < 4) continue;
      const int a = follows(triangles_[first], low, high) ? low : high, b = a == low ? high : low;
      // (a, b, c) and (b, a, d) become (c, d, b) and (d, c, a), all of one orientation.
      if (std::min(quality(c, d, b), quality(d, c, a)) <= std::min(quality(a, b, c), quality(b, a, d))) continue;
      triangles_[first] = {c, d, b};
      triangles_[second] = {d, c, a};
      touched[first] = touched[second] = true;
      --valence[a], --valence[b], ++valence[c], ++valence[d];
      ++flips;
    }
    return flips;
  }

  void move_points() {
    std::vector<std::vector<int>> around(points_.size());
    for (int t = 0; t < int(triangles_.size()); ++t)
      for (int corner : triangles_[t]) around[corner].push_back(t);
    for (int p = 0; p < int(points_.size()); ++p) {
      const Vec3 old = points_[p];
      Vec3 sum;  // each neighbour belongs to two triangles of the star
      for (int t : around[p])
        for (int corner : triangles_[t])
          if (corner != p) sum += points_[corner];
      const double before = worst(around[p]);
      points_[p] = project(sum / (2.0 * double(around[p].size())));
      if (worst(around[p]) <= before) points_[p] = old;
    }
  }

 private:
  /// Negative for a triangle that faces inwards.
  double quality(int a, int b, int c) const {
    const Vec3 normal = cross(points_[b] - points_[a], points_[c] - points_[a]);
    const double size = shape(points_[a], points_[b], points_[c]);
    return dot(normal, points_[a] - ellipsoid_.centre) > 0 ? size : -size;
  }

  double worst(const std::vector<int>& star) const {
    double result = std::numeric_limits<double>::infinity();
    for (int t : star) result = std::min(result, quality(triangles_[t][0], triangles_[t][1], triangles_[t][2]));
    return result;
  }

  Vec3 project(Vec3 point) const {
    for (int newton = 0; newton < 4; ++newton) {
      double value = -1;
      Vec3 gradient;
      const Vec3 offset = ellipsoid_.rotation.back(point - ellipsoid_.centre);
      for (int i = 0; i < 3; ++i) {
        const double axis = ellipsoid_.semi_axes[i];
        value += offset[i] * offset[i] / (axis * axis);
        gradient[i] = 2 * offset[i] / (axis * axis);
      }
      point -= (value / dot(gradient, gradient)) * ellipsoid_.rotation(gradient);
    }
    return point;
  }

  const Ellipsoid& ellipsoid_;
  std::vector<Vec3>& points_;
  std::vector<Triangle>& triangles_;
};

}  // namespace

double distance(const Ellipsoid& ellipsoid, const Vec3& point) {
  double square = 0, gradient = 0;
  const Vec3 offset = ellipsoid.rotation.back(point - ellipsoid.centre);
  for (int i = 0; i < 3; ++i) {
    const double axis = ellipsoid.semi_axes[i], scaled = offset[i] / axis;
    square += scaled * scaled;
    gradient += scaled * scaled / (axis * axis);
  }
  if (gradient == 0) return -std::min({ellipsoid.semi_axes.x, ellipsoid.semi_axes.y, ellipsoid.semi_axes.z});
  const double level = std::sqrt(square);
  return level * (level - 1) / std::sqrt(gradient);
}

double shape(const Vec3& a, const Vec3& b, const Vec3& c) {
  const double squares = dot(b - a, b - a) + dot(c - b, c - b) + dot(a - c, a - c);
  return 2 * std::sqrt(3.0) * norm(cross(b - a, c - a)) / squares;
}

void improve(const Ellipsoid& ellipsoid, std::vector<Vec3>& points, std::vector<Triangle>& triangles) {
  Improver improver(ellipsoid, points, triangles);
  // Gmsh orients a surface as its CAD face is, which may be inwards; work with outward triangles.
  const bool inward = [&] {
    const auto [a, b, c] = triangles.front();
    return dot(cross(points[b] - points[a], points[c] - points[a]), points[a] - ellipsoid.centre) < 0;
  }();
  const auto reverse = [&] {
    for (Triangle& triangle : triangles) std::swap(triangle[1], triangle[2]);
  };
  if (inward) reverse();
  for (int pass = 0; pass < passes; ++pass) {
    while (improver.flip_edges() > 0) {}
    improver.move_points();
  }
  if (inward) reverse();
}

void restore_volume(const Ellipsoid& ellipsoid, std::vector<Vec3>& points, const std::vector<Triangle>& triangles) {
  const Vec3 &centre = ellipsoid.centre, &axes = ellipsoid.semi_axes;
  double enclosed = 0;  // negative where the triangles are inward
  for (const auto& [a, b, c] : triangles)
    enclosed += dot(points[a] - centre, cross(points[b] - centre, points[c] - centre)) / 6;
  const double factor = std::cbrt(4 * pi / 3 * axes.x * axes.y * axes.z / std::abs(enclosed));
  for (Vec3& point : points) point = centre + factor * (point - centre);
}

bool is_closed(const std::vector<Triangle>& triangles) {
  std::map<std::pair<int, int>, int> sides;
  for (const Triangle& t : triangles)
    for (int i = 0; i < 3; ++i) ++sides[std::minmax(t[i], t[(i + 1) % 3])];
  return std::all_of(sides.begin(), sides.end(), [](const auto& side) { return side.second == 2; });
}

}  // namespace dgtd::mesh
