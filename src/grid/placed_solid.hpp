#pragma once
// A body that is described about the origin in axes of its own, at another place and turned.
#include <algorithm>
#include <cmath>
#include <utility>

#include "dgtd/geometry/turn.hpp"
#include "dgtd/grid/solid.hpp"
#include "intervals.hpp"

namespace dgtd::grid {

/// The line p + t d in a body's own axes; d has unit length.
struct Line {
  Vec3 p, d;
};

/// Interval in which a t^2 + 2 b t + c <= 0, for a > 0.
inline Interval where_negative(double a, double b, double c) {
  const double discriminant = b * b - a * c;
  if (discriminant <= 0) return {};
  const double q = -(b + std::copysign(std::sqrt(discriminant), b)), first = q / a, second = q != 0 ? c / q : first;
  return {std::min(first, second), std::max(first, second)};
}

/// Body, in its own axes:
///   static constexpr bool convex;
///   double reach(const Vec3& direction) const;           how far it reaches from the origin, m
///   bool holds(const Vec3& p) const;                      with its surface
///   bool misses(const Vec3& p, const Vec3& half) const;   surely outside of the box p +- half, and so of any box in it
///   bool fills(const Vec3& p, double radius) const;       surely all of the ball; false is always right for convex ones
///   void add_pieces(const Line&, std::vector<Interval>&) const;
///   Surface surface(const Vec3& p) const;
template <class Body>
class PlacedSolid final : public Solid {
 public:
  PlacedSolid(Body body, const Vec3& centre, const geometry::Rotation& rotation)
      : body_(std::move(body)), centre_(centre), rotation_(rotation) {}

  Bounds bounds() const override {
    Bounds b;
    for (int a = 0; a < 3; ++a) {
      b.low[a] = centre_[a] - body_.reach(-rotation_.row(a));
      b.high[a] = centre_[a] + body_.reach(rotation_.row(a));
    }
    return b;
  }

  bool inside(const Vec3& x) const override { return body_.holds(own(x)); }

  Cover cover_of_box(const Vec3& centre, const Vec3& half) const override {
    const Vec3 p = own(centre);
    Vec3 around;  // half the edges of a box along the own axes
    for (int a = 0; a < 3; ++a)
      for (int b = 0; b < 3; ++b) around[b] += std::abs(rotation_.row(a)[b]) * half[a];
    if (body_.misses(p, around)) return Cover::none;
    if (!Body::convex) return body_.fills(p, norm(half)) ? Cover::all : Cover::part;
    for (int corner = 0; corner < 8; ++corner)
      if (!inside(centre + Vec3{corner & 1 ? half.x : -half.x, corner & 2 ? half.y : -half.y,
                                corner & 4 ? half.z : -half.z}))
        return Cover::part;
    return Cover::all;
  }

  void add_crossings(const Vec3& x, int axis, double, std::vector<Interval>& to) const override {
    body_.add_pieces({own(x), rotation_.row(axis)}, to);
  }

  Surface surface_near(const Vec3& x) const override {
    Surface s = body_.surface(own(x));
    s.normal = rotation_(s.normal);
    return s;
  }

 private:
  Vec3 own(const Vec3& x) const { return rotation_.back(x - centre_); }

  Body body_;
  Vec3 centre_;
  geometry::Rotation rotation_;
};

template <class Body>
std::shared_ptr<const Solid> placed(Body body, const Vec3& centre, const geometry::Rotation& rotation) {
  return std::make_shared<PlacedSolid<Body>>(std::move(body), centre, rotation);
}

}  // namespace dgtd::grid
