// Prisms: a polygon along a coordinate axis.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "dgtd/base/error.hpp"
#include "dgtd/grid/solid.hpp"
#include "rectangle_cut.hpp"

namespace dgtd::grid {
namespace {

using Point = std::array<double, 2>;

/// Twice the signed area of the triangle.
double area(const Point& a, const Point& b, const Point& c) {
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

/// c lies on the line through a and b: also between them?
bool between(const Point& a, const Point& b, const Point& c) {
  for (int i : {0, 1})
    if (c[i] < std::min(a[i], b[i]) || c[i] > std::max(a[i], b[i])) return false;
  return true;
}

/// The closed segments a b and c d have a point in common.
bool meet(const Point& a, const Point& b, const Point& c, const Point& d) {
  const double ca = area(a, b, c), da = area(a, b, d), ac = area(c, d, a), bc = area(c, d, b);
  if (((ca > 0 && da < 0) || (ca < 0 && da > 0)) && ((ac > 0 && bc < 0) || (ac < 0 && bc > 0))) return true;
  return (ca == 0 && between(a, b, c)) || (da == 0 && between(a, b, d)) || (ac == 0 && between(c, d, a)) ||
         (bc == 0 && between(c, d, b));
}

class Prism final : public Solid {
 public:
  Prism(std::vector<Point> corners, int axis, const Vec3& centre, double height)
      : corners_(std::move(corners)),
        axis_(axis),
        next_((axis + 1) % 3),
        last_((axis + 2) % 3),
        centre_(centre),
        half_height_(height / 2) {
    for (std::size_t i = 0; i < corners_.size(); ++i) {
      const Point &a = corners_[i], &b = corner(i + 1);
      twice_area_ += a[0] * b[1] - a[1] * b[0];
      for (int c : {0, 1}) low_[c] = std::min(low_[c], a[c]), high_[c] = std::max(high_[c], a[c]);
    }
  }

  Bounds bounds() const override {
    Bounds b{centre_, centre_};
    b.low[axis_] -= half_height_, b.high[axis_] += half_height_;
    b.low[next_] += low_[0], b.high[next_] += high_[0];
    b.low[last_] += low_[1], b.high[last_] += high_[1];
    return b;
  }

  bool inside(const Vec3& x) const override { return std::abs(along(x)) <= half_height_ && holds(in_plane(x)); }

  Cover cover_of_box(const Vec3& centre, const Vec3& half) const override {
    const double beyond = std::abs(along(centre));
    if (beyond - half[axis_] >= half_height_) return Cover::none;
    const Point p = in_plane(centre), reach{half[next_], half[last_]};
    for (std::size_t i = 0; i < corners_.size(); ++i)
      if (enters_rectangle(corners_[i], corner(i + 1), p, reach)) return Cover::part;
    if (!holds(p)) return Cover::none;
    return beyond + half[axis_] <= half_height_ ? Cover::all : Cover::part;
  }

  void add_crossings(const Vec3& x, int axis, double, std::vector<Interval>& to) const override {
    const Point p = in_plane(x);
    if (axis == axis_) {
      if (holds(p)) to.push_back({-along(x) - half_height_, -along(x) + half_height_});
      return;
    }
    if (std::abs(along(x)) > half_height_) return;
    const int moving = axis == next_ ? 0 : 1, fixed = 1 - moving;
    thread_local std::vector<double> cuts;
    cuts.clear();
    for (std::size_t i = 0; i < corners_.size(); ++i) {
      const Point &a = corners_[i], &b = corner(i + 1);
      if ((a[fixed] > p[fixed]) == (b[fixed] > p[fixed])) continue;
      cuts.push_back(std::lerp(a[moving], b[moving], (p[fixed] - a[fixed]) / (b[fixed] - a[fixed])) - p[moving]);
    }
    std::sort(cuts.begin(), cuts.end());
    for (std::size_t i = 0; i + 1 < cuts.size(); i += 2)
      if (cuts[i] < cuts[i + 1]) to.push_back({cuts[i], cuts[i + 1]});
  }

  // The larger of the distances to the lids and to the polygon.
  Surface surface_near(const Vec3& x) const override {
    Surface lid{std::abs(along(x)) - half_height_, {}};
    lid.normal[axis_] = along(x) < 0 ? -1 : 1;
    const auto [distance, normal] = side_near(in_plane(x));
    if (lid.distance > distance) return lid;
    Surface side{distance, {}};
    side.normal[next_] = normal[0], side.normal[last_] = normal[1];
    return side;
  }

 private:
  const Point& corner(std::size_t i) const { return corners_[i % corners_.size()]; }
  double along(const Vec3& x) const { return x[axis_] - centre_[axis_]; }
  Point in_plane(const Vec3& x) const { return {x[next_] - centre_[next_], x[last_] - centre_[last_]}; }

  /// The polygon holds its edges.
  bool holds(const Point& p) const {
    bool odd = false;
    for (std::size_t i = 0; i < corners_.size(); ++i) {
      const Point &a = corners_[i], &b = corner(i + 1);
      if (area(a, b, p) == 0 && between(a, b, p)) return true;
      if ((a[1] > p[1]) != (b[1] > p[1]) && p[0] < std::lerp(a[0], b[0], (p[1] - a[1]) / (b[1] - a[1]))) odd = !odd;
    }
    return odd;
  }

  std::pair<double, Point> side_near(const Point& p) const {
    double nearest = std::numeric_limits<double>::infinity();
    Point away{}, across{};  // from the nearest point to p; that edge's outward normal
    for (std::size_t i = 0; i < corners_.size(); ++i) {
      const Point &a = corners_[i], &b = corner(i + 1);
      const Point edge{b[0] - a[0], b[1] - a[1]};
      const double squared = edge[0] * edge[0] + edge[1] * edge[1];
      const double share = std::clamp(((p[0] - a[0]) * edge[0] + (p[1] - a[1]) * edge[1]) / squared, 0.0, 1.0);
      const Point d{p[0] - a[0] - share * edge[0], p[1] - a[1] - share * edge[1]};
      const double distance = std::hypot(d[0], d[1]);
      if (distance >= nearest) continue;
      nearest = distance;
      away = share > 0 && share < 1 ? Point{} : d;  // at a corner the direction from it
      const double length = std::copysign(std::sqrt(squared), twice_area_);
      across = {edge[1] / length, -edge[0] / length};
    }
    const double sign = holds(p) ? -1 : 1, length = std::hypot(away[0], away[1]);
    if (length > 1e-9 * std::sqrt(std::abs(twice_area_))) across = {sign * away[0] / length, sign * away[1] / length};
    return {sign * nearest, across};
  }

  std::vector<Point> corners_;  // m, from the centre
  int axis_, next_, last_;
  Vec3 centre_;
  double half_height_;
  double twice_area_ = 0;  // m^2, positive where the corners go counter-clockwise
  Point low_{std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()},
      high_{-low_[0], -low_[1]};
};

}  // namespace

std::shared_ptr<const Solid> make_prism(std::vector<Point> corners, int axis, const Vec3& centre, double height) {
  const std::size_t n = corners.size();
  if (n < 3) throw Error(fmt::format("a polygon of {} points: at least 3 are needed", n));
  const auto corner = [&](std::size_t i) -> const Point& { return corners[i % n]; };
  for (std::size_t i = 0; i < n; ++i)
    if (corners[i] == corner(i + 1))
      throw Error(fmt::format("points {} and {} of the polygon are the same", i + 1, (i + 1) % n + 1));
  for (std::size_t i = 0; i < n; ++i) {
    // Neighbours share a corner: they may not fold back onto each other.
    const Point &a = corners[i], &b = corner(i + 1), &c = corner(i + 2);
    if (area(a, b, c) == 0 && (between(a, b, c) || between(b, c, a)))
      throw Error(fmt::format("the polygon folds back at point {}", (i + 1) % n + 1));
    for (std::size_t j = i + 2; j < n; ++j)
      if ((j + 1) % n != i && meet(a, b, corners[j], corner(j + 1)))
        throw Error(fmt::format("the polygon crosses or touches itself: edges {} - {} and {} - {}", i + 1, i + 2, j + 1,
                                (j + 1) % n + 1));
  }
  return std::make_shared<Prism>(std::move(corners), axis, centre, height);
}

}  // namespace dgtd::grid
