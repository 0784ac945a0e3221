// Bodies inside closed surfaces of triangles.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "dgtd/base/error.hpp"
#include "dgtd/geometry/triangle_tree.hpp"
#include "dgtd/grid/solid.hpp"
#include "bounds.hpp"
#include "identity.hpp"
#include "triangle_index.hpp"

namespace dgtd::grid {
namespace {

using Triangle = std::array<int, 3>;
constexpr double infinity = std::numeric_limits<double>::infinity();

/// The triangle a b c has a point in the open box +- half about the origin: separating axes, T. Akenine-Moeller,
/// J. Graphics Tools 6 (2001) 29.
bool overlaps(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& half) {
  const auto separates = [&](const Vec3& axis) {
    const double pa = dot(axis, a), pb = dot(axis, b), pc = dot(axis, c);
    const double reach = half.x * std::abs(axis.x) + half.y * std::abs(axis.y) + half.z * std::abs(axis.z);
    return std::min({pa, pb, pc}) >= reach || std::max({pa, pb, pc}) <= -reach;
  };
  const Vec3 edges[3] = {b - a, c - b, a - c};
  for (int i = 0; i < 3; ++i) {
    Vec3 unit;
    unit[i] = 1;
    if (separates(unit)) return false;
    for (const Vec3& edge : edges)
      if (const Vec3 axis = cross(unit, edge); dot(axis, axis) > 0 && separates(axis)) return false;
  }
  return !separates(cross(edges[0], edges[1]));
}

class Triangulated final : public Solid {
 public:
  Triangulated(std::vector<Vec3> points, std::vector<Triangle> triangles)
      : points_(std::move(points)), triangles_(std::move(triangles)) {
    for (const Triangle& t : triangles_) {
      const Vec3 &a = points_[t[0]], &b = points_[t[1]], &c = points_[t[2]];
      Bounds& box = boxes_.emplace_back();
      for (int i = 0; i < 3; ++i) {
        box.low[i] = std::min({a[i], b[i], c[i]});
        box.high[i] = std::max({a[i], b[i], c[i]});
        bounds_.low[i] = std::min(bounds_.low[i], box.low[i]);
        bounds_.high[i] = std::max(bounds_.high[i], box.high[i]);
      }
    }
    const Vec3 size = bounds_.high - bounds_.low;
    if (!(std::min({size.x, size.y, size.z}) > 0)) throw Error("the surface is flat: it has no volume");
    for (int axis = 0; axis < 3; ++axis) columns_[axis] = Columns(boxes_, bounds_, axis);
    raster_ = Raster(boxes_, bounds_, [&](const Vec3& x) { return on_line(x); });
    orient(norm(size));
  }

  Bounds bounds() const override { return bounds_; }

  bool inside(const Vec3& x) const override {
    if (!holds_point(bounds_, x)) return false;
    const Raster::State state = raster_.of({x, x});
    return state == Raster::cut ? on_line(x) : state == Raster::within;
  }

  Cover cover_of_box(const Vec3& centre, const Vec3& half) const override {
    const Bounds box{centre - half, centre + half};
    const Cover in_bounds = cover_by(bounds_, box);
    if (in_bounds == Cover::none) return Cover::none;
    const Raster::State state = raster_.of(box);
    if (state == Raster::outside) return Cover::none;
    if (state == Raster::within && in_bounds == Cover::all) return Cover::all;
    const bool cut = columns_[2].any_near(box, [&](int t) {
      for (int i = 0; i < 3; ++i)
        if (boxes_[t].low[i] > box.high[i] || boxes_[t].high[i] < box.low[i]) return false;
      return overlaps(corner(t, 0) - centre, corner(t, 1) - centre, corner(t, 2) - centre, half);
    });
    return cut ? Cover::part : inside(centre) ? Cover::all : Cover::none;
  }

  void add_crossings(const Vec3& x, int axis, double, std::vector<Interval>& to) const override {
    thread_local std::vector<double> cuts;
    double u = x[(axis + 1) % 3], v = x[(axis + 2) % 3];
    for (int attempt = 0; attempt < 4; ++attempt) {
      find_cuts(u, v, axis, cuts);
      if (cuts.size() % 2 == 0) break;
      // Rounding let the line slip through between triangles: beside it.
      u += 1e-9 * (bounds_.high - bounds_.low)[(axis + 1) % 3];
      v += 0.7e-9 * (bounds_.high - bounds_.low)[(axis + 2) % 3];
    }
    for (std::size_t i = 0; i + 1 < cuts.size(); i += 2)
      if (cuts[i] < cuts[i + 1]) to.push_back({cuts[i] - x[axis], cuts[i + 1] - x[axis]});
  }

  Surface surface_near(const Vec3& x) const override {
    // A mixture asks twice for the same point: the last answer is kept.
    struct Last {
      std::uint64_t body = 0;
      Vec3 x;
      Surface surface;
    };
    thread_local Last last;
    if (last.body != identity_ || !(last.x == x)) last = {identity_, x, find_surface(x)};
    return last.surface;
  }

 private:
  // Triangles are looked for in growing boxes around the point.
  Surface find_surface(const Vec3& x) const {
    const Vec3 size = bounds_.high - bounds_.low;
    double nearest = infinity;
    Vec3 foot, normal;
    bool smooth = true;  // the nearest point lies inside a triangle
    for (double reach = norm(size) / std::sqrt(double(triangles_.size()));; reach *= 2) {
      const Vec3 around{reach, reach, reach};
      (void)columns_[2].any_near({x - around, x + around}, [&](int t) {
        const double limit = std::min(nearest, reach);
        for (int i = 0; i < 3; ++i)
          if (boxes_[t].low[i] > x[i] + limit || boxes_[t].high[i] < x[i] - limit) return false;
        const auto [point, within] = geometry::nearest_point(x, corner(t, 0), corner(t, 1), corner(t, 2));
        if (const double distance = norm(x - point); distance < nearest) {
          nearest = distance;
          foot = point;
          normal = normals_[t];
          smooth = within;
        }
        return false;
      });
      if (nearest <= reach) break;
    }
    const double sign = inside(x) ? -1 : 1;
    if (!smooth && nearest > 1e-9 * norm(size))
      normal = sign * (x - foot) / nearest;  // at an edge or a corner the direction from it
    return {sign * nearest, normal};
  }

  bool on_line(const Vec3& x) const {
    thread_local std::vector<Interval> pieces;
    pieces.clear();
    add_crossings(x, 2, 0, pieces);
    return std::any_of(pieces.begin(), pieces.end(), [](const Interval& t) { return t.low <= 0 && 0 <= t.high; });
  }

  const Vec3& corner(int t, int i) const { return points_[triangles_[t][i]]; }

  /// Where (u, v) lies as seen from an edge: twice the area with it, exactly the same but for the sign from both of its
  /// triangles. On the edge itself (u, v) counts as moved a little along u, and less along v.
  std::pair<double, int> side(int a, int b, double u, double v, int next, int last) const {
    const int sign = a < b ? 1 : -1;
    if (a > b) std::swap(a, b);
    const Vec3 &p = points_[a], &q = points_[b];
    const double du = q[next] - p[next], dv = q[last] - p[last];
    const double twice = du * (v - p[last]) - dv * (u - p[next]);
    const double tie = twice != 0 ? twice : dv != 0 ? -dv : du;
    return {sign * twice, tie > 0 ? sign : tie < 0 ? -sign : 0};
  }

  /// Coordinates along the axis where the line at (u, v) meets the surface, rising.
  void find_cuts(double u, double v, int axis, std::vector<double>& cuts) const {
    const int next = (axis + 1) % 3, last = (axis + 2) % 3;
    cuts.clear();
    if (u < bounds_.low[next] || u > bounds_.high[next] || v < bounds_.low[last] || v > bounds_.high[last]) return;
    Bounds line;
    line.low[next] = line.high[next] = u;
    line.low[last] = line.high[last] = v;
    (void)columns_[axis].any_near(line, [&](int t) {
      const Bounds& box = boxes_[t];
      if (u < box.low[next] || u > box.high[next] || v < box.low[last] || v > box.high[last]) return false;
      const Triangle& c = triangles_[t];
      const auto [w2, s2] = side(c[0], c[1], u, v, next, last);
      const auto [w0, s0] = side(c[1], c[2], u, v, next, last);
      if (s0 == 0 || s0 != s2) return false;
      const auto [w1, s1] = side(c[2], c[0], u, v, next, last);
      if (s1 != s0) return false;
      const double sum = w0 + w1 + w2;
      cuts.push_back(sum == 0 ? corner(t, 0)[axis]
                              : (w0 * corner(t, 0)[axis] + w1 * corner(t, 1)[axis] + w2 * corner(t, 2)[axis]) / sum);
      return false;
    });
    std::sort(cuts.begin(), cuts.end());
  }

  /// Unit normals, out of the body: which side that is a point close to the triangle's middle says.
  void orient(double diameter) {
    for (std::size_t t = 0; t < triangles_.size(); ++t) {
      const Vec3 &a = corner(t, 0), &b = corner(t, 1), &c = corner(t, 2);
      const Vec3 n = cross(b - a, c - a);
      const double length = norm(n);
      normals_.push_back(length > 0 ? n / length : Vec3{});
      if (inside((a + b + c) / 3 + std::max(1e-3 * std::sqrt(length), 1e-9 * diameter) * normals_.back()))
        normals_.back() = -normals_.back();
    }
  }

  std::uint64_t identity_ = new_identity();
  std::vector<Vec3> points_;  // m
  std::vector<Triangle> triangles_;
  std::vector<Bounds> boxes_;  // [triangles]
  std::vector<Vec3> normals_;  // [triangles] outwards
  Bounds bounds_{{infinity, infinity, infinity}, {-infinity, -infinity, -infinity}};
  Columns columns_[3];
  Raster raster_;
};

void check_closed(const std::vector<Triangle>& triangles) {
  std::vector<std::pair<int, int>> edges;
  for (const Triangle& t : triangles)
    for (int i = 0; i < 3; ++i) edges.push_back(std::minmax(t[i], t[(i + 1) % 3]));
  std::sort(edges.begin(), edges.end());
  std::size_t open = 0, all = 0;
  for (auto at = edges.begin(); at != edges.end(); ++all) {
    const auto next = std::find_if(at, edges.end(), [&](const auto& e) { return e != *at; });
    open += (next - at) % 2;
    at = next;
  }
  if (open > 0)
    throw Error(
        fmt::format("the surface is not closed: {} of its {} edges belong to an odd number of triangles", open, all));
}

}  // namespace

std::shared_ptr<const Solid> make_triangulated(std::vector<Vec3> points, std::vector<Triangle> triangles) {
  std::erase_if(triangles, [](const Triangle& t) { return t[0] == t[1] || t[1] == t[2] || t[2] == t[0]; });
  if (triangles.empty()) throw Error("the surface has no triangles");
  check_closed(triangles);
  return std::make_shared<Triangulated>(std::move(points), std::move(triangles));
}

}  // namespace dgtd::grid
