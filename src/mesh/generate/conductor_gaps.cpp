// The nearest points of pairs of perfect conductors.
#include <algorithm>
#include <cmath>
#include <limits>

#include "mesh/generate/conductors.hpp"

namespace dgtd::mesh {
namespace {

using Form = Body::Form;

// m, of a ball around a conductor.
struct Ball {
  Vec3 centre;
  double radius;
};

Ball ball_around(const Body& body);

Ball ball_around_combined(const Body& body) {
  using Combination = geometry::Combination;
  Ball all = ball_around(body.operands.front());
  if (body.combination == Combination::subtract) return all;
  const Vec3 first = body.operands.front().centre;
  if (body.combination == Combination::unite) all = {first, norm(all.centre - first) + all.radius};
  for (std::size_t k = 1; k < body.operands.size(); ++k) {
    const Ball ball = ball_around(body.operands[k]);
    if (body.combination == Combination::unite)
      all.radius = std::max(all.radius, norm(ball.centre - first) + ball.radius);
    else if (ball.radius < all.radius) all = ball;
  }
  return all;
}

Ball ball_around(const Body& body) {
  double radius = 0;
  switch (body.form) {
    case Form::box: return {body.centre, 0.5 * norm(body.size)};
    case Form::ellipsoid: return {body.centre, std::max({body.size.x, body.size.y, body.size.z})};
    case Form::torus: return {body.centre, body.radius + body.tube_radius};
    case Form::prism:
      for (const auto& [u, v] : body.points) radius = std::max(radius, std::hypot(u, v));
      break;
    case Form::layout:
      for (const auto& polygon : body.layout.bottom)
        for (const auto& [x, y] : polygon.outer)
          radius = std::max(radius, std::hypot(x - body.centre.x, y - body.centre.y));
      return {body.centre, std::hypot(radius, body.layout.high - body.layout.low)};
    case Form::combined: return ball_around_combined(body);
    case Form::step:
      return {body.place_of(0.5 * (body.step.low + body.step.high)), 0.5 * norm(body.step.high - body.step.low)};
    case Form::cylinder:
    case Form::cone: radius = std::max(body.radius, body.top_radius);
  }
  return {body.centre, std::hypot(radius, 0.5 * body.height)};
}

Ball ball_around(const Conductor& c) {
  if (c.surface) {
    const Vec3 &low = c.surface->tree.low(), &high = c.surface->tree.high();
    const Vec3 middle = 0.5 * (low + high);
    double farthest = 0;
    for (const Vec3& p : c.surface->tree.points()) farthest = std::max(farthest, norm(p - middle));
    return {c.body->place_of(middle), farthest};
  }
  if (c.body) return ball_around(*c.body);
  double radius = 0;
  for (const auto& [u, v] : c.plate->points) radius = std::max(radius, std::hypot(u, v));
  return {c.plate->centre, radius};
}

struct ConductorBox {
  Vec3 low, high;
};

ConductorBox box_of_conductor(const Conductor& c, const Ball& ball) {
  const Vec3 half{ball.radius, ball.radius, ball.radius};
  ConductorBox box{ball.centre - half, ball.centre + half};
  if (!c.surface) return box;
  const Vec3 &low = c.surface->tree.low(), &high = c.surface->tree.high();
  box = {c.body->place_of(low), c.body->place_of(low)};
  for (int corner = 1; corner < 8; ++corner) {
    const Vec3 x =
        c.body->place_of({corner & 1 ? high.x : low.x, corner & 2 ? high.y : low.y, corner & 4 ? high.z : low.z});
    for (int a = 0; a < 3; ++a) box.low[a] = std::min(box.low[a], x[a]), box.high[a] = std::max(box.high[a], x[a]);
  }
  return box;
}

bool are_apart(const ConductorBox& a, const ConductorBox& b, double distance) {
  for (int k = 0; k < 3; ++k)
    if (a.low[k] - b.high[k] > distance || b.low[k] - a.high[k] > distance) return true;
  return false;
}

// The nearest point of the surface, by the slope of the distance where it has no triangles; a point inside stays.
Vec3 projected(const Conductor& c, Vec3 x, double length) {
  if (c.surface) {
    const Vec3 own = c.body->own_place(x);
    return c.surface->tree.is_inside(own) ? x : c.body->place_of(c.surface->tree.nearest(own));
  }
  for (int i = 0; i < 3; ++i) {
    const double away = distance_of(c, x), h = 1e-6 * length;
    if (away <= 0) return x;
    Vec3 slope;
    for (int a = 0; a < 3; ++a) {
      Vec3 up = x, down = x;
      up[a] += h, down[a] -= h;
      slope[a] = (distance_of(c, up) - distance_of(c, down)) / (2 * h);
    }
    const double square = dot(slope, slope);
    if (square < 1e-12) return x;
    x = x - away / square * slope;
  }
  return x;
}

struct Nearest {
  static constexpr double none = std::numeric_limits<double>::infinity();
  double distance = none;  // m
  Vec3 middle;             // between the nearest points
};

// The corners of a solid's triangles that are nearest to another conductor.
void add_near_corners(const Conductor& of, const Conductor& other, std::vector<Vec3>& to) {
  constexpr std::size_t most = 32;
  if (!of.surface) return;
  std::vector<std::pair<double, Vec3>> corners;
  for (const Vec3& own : of.surface->tree.points()) {
    const Vec3 x = of.body->place_of(own);
    corners.emplace_back(distance_of(other, x), x);
  }
  const auto end = corners.begin() + static_cast<std::ptrdiff_t>(std::min(most, corners.size()));
  std::partial_sort(corners.begin(), end, corners.end(),
                    [](const auto& a, const auto& b) { return a.first < b.first; });
  for (auto at = corners.begin(); at != end; ++at) to.push_back(at->second);
}

// The middle between both conductors, and corners of a box around it.
std::vector<Vec3> starts_between(const Ball& of_a, const Ball& of_b) {
  std::vector<Vec3> starts;
  const double reach = std::min(of_a.radius, of_b.radius);
  for (int start = 0; start < 9; ++start) {
    Vec3 x = 0.5 * (of_a.centre + of_b.centre);
    if (start > 0) x = x + reach * Vec3{start & 1 ? 0.9 : -1.1, start & 2 ? 1 : -0.8, start & 4 ? 1.2 : -0.7};
    starts.push_back(x);
  }
  return starts;
}

// By projections to both in turn, which for convex ones end at the nearest points, from several starts. Where they
// touch, the points go on to move by a part of their distance, and nothing is found. Solids whose triangles are nearer
// than these are to the solids count as touching.
Nearest nearest_of(const Conductor& a, const Ball& of_a, const Conductor& b, const Ball& of_b) {
  const double length = std::max(of_a.radius, of_b.radius);
  double touching = 1e-6 * length;
  for (const Conductor* c : {&a, &b})
    if (c->surface) touching += 2 * c->surface->deviation;
  std::vector<Vec3> starts = starts_between(of_a, of_b);
  add_near_corners(a, b, starts), add_near_corners(b, a, starts);
  Nearest nearest;
  // The one in the middle among places that are as near, such as all of two parallel faces.
  const double less = a.surface || b.surface ? 1 - 1e-6 : 1;
  for (Vec3 x : starts) {
    Vec3 on_b = x;
    double moved = nearest.none;
    for (int i = 0; i < 40 && moved > 1e-9 * length; ++i) {
      x = projected(a, on_b, length);
      const Vec3 next = projected(b, x, length);
      moved = norm(next - on_b);
      on_b = next;
    }
    // On the axis of a bore, and the like, the distance has no slope.
    if (std::max(distance_of(a, x), distance_of(b, on_b)) > 1e-3 * length) continue;
    const double distance = norm(on_b - x);
    if (distance < touching) return {};
    if (moved < 1e-3 * distance && distance < less * nearest.distance) nearest = {distance, 0.5 * (on_b + x)};
  }
  return nearest;
}

}  // namespace

std::vector<ConductorGap> conductor_gaps(const BodyModel& model) {
  const std::vector<Conductor> conductors = conductors_of(model);
  const double largest = ConductorSizes::elements_across_gap * model.element;
  std::vector<ConductorGap> gaps;
  std::vector<Ball> balls;  // [conductors]
  std::vector<ConductorBox> boxes;  // [conductors] of many solids only a few are near each other
  for (const Conductor& c : conductors) {
    balls.push_back(ball_around(c));
    boxes.push_back(box_of_conductor(c, balls.back()));
  }
  for (std::size_t i = 0; i < conductors.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      const Conductor &a = conductors[i], &b = conductors[j];
      const Ball &of_a = balls[i], &of_b = balls[j];
      if (norm(of_a.centre - of_b.centre) - of_a.radius - of_b.radius > largest ||
          are_apart(boxes[i], boxes[j], largest))
        continue;
      const Nearest nearest = nearest_of(a, of_a, b, of_b);
      if (nearest.distance > largest || nearest.distance < rounding_of(model)) continue;
      const bool is_filled = std::any_of(conductors.begin(), conductors.end(), [&](const Conductor& c) {
        return c.body && distance_of(c, nearest.middle) < 0;
      });
      if (is_filled) continue;
      const double flat = 2 * std::min(of_a.radius, of_b.radius) / Thinness::elements_across;
      gaps.push_back({i, j, nearest.distance, std::max(nearest.distance / ConductorSizes::elements_across_gap, flat),
                      a.surface || b.surface});
    }
  return gaps;
}

}  // namespace dgtd::mesh
