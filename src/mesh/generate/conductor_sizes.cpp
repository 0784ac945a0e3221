#include "dgtd/mesh/conductor_sizes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "dgtd/base/constants.hpp"

namespace dgtd::mesh {
namespace {

using Form = Body::Form;
using geometry::Ring;

constexpr double infinity = std::numeric_limits<double>::infinity();

double rounding_of(const BodyModel& model) { return 1e-9 * norm(model.high - model.low); }  // m

double distance_of(const Conductor& c, const Vec3& x) { return c.body ? distance(*c.body, x) : distance(*c.plate, x); }

std::vector<Conductor> conductors_of(const BodyModel& model) {
  std::vector<Conductor> list;
  for (const Body& body : model.bodies)
    if (body.hole) list.push_back({&body, nullptr});
  for (const Plate& plate : model.plates) list.push_back({nullptr, &plate});
  return list;
}

// Collects the edges of one body.
class EdgesOfBody {
 public:
  EdgesOfBody(ConductorEdges& to, double element) : to_(to), element_(element) {}

  void add(const Body& body) {
    const Vec3 along = 0.5 * body.height * body.axis;
    switch (body.form) {
      case Form::box: return add_box(body);
      case Form::cylinder:
        return add_rim(body.centre - along, body.axis, body.radius),
               add_rim(body.centre + along, body.axis, body.radius);
      case Form::cone:
        return add_rim(body.centre - along, body.axis, body.radius),
               add_rim(body.centre + along, body.axis, body.top_radius);
      case Form::prism: return add_prism(body);
      case Form::layout: return add_layout(body.layout);
      case Form::ellipsoid:
      case Form::torus:
      case Form::combined:
      case Form::step: return;  // has_edges_of_solid
    }
  }

  void add(const Plate& plate) {
    for (std::size_t i = 0; i < plate.points.size(); ++i)
      add(plate.place_of(plate.points[i]), plate.place_of(plate.points[(i + 1) % plate.points.size()]));
  }

 private:
  void add(const Vec3& from, const Vec3& to) { to_.straight.push_back({from, to, element_}); }
  void add_rim(const Vec3& centre, const Vec3& axis, double radius) {
    if (radius > 0) to_.round.push_back({centre, axis, radius, element_});
  }

  void add_box(const Body& body) {
    const geometry::Rotation turn = body.turn ? geometry::Rotation(*body.turn) : geometry::Rotation();
    for (int axis = 0; axis < 3; ++axis)
      for (int side = 0; side < 4; ++side) {
        Vec3 from;
        from[axis] = -0.5 * body.size[axis];
        from[(axis + 1) % 3] = (side % 2 - 0.5) * body.size[(axis + 1) % 3];
        from[(axis + 2) % 3] = (side / 2 - 0.5) * body.size[(axis + 2) % 3];
        Vec3 to = from;
        to[axis] = -from[axis];
        add(body.centre + turn(from), body.centre + turn(to));
      }
  }

  void add_prism(const Body& body) {
    const geometry::Rotation turn = body.turn ? geometry::Rotation(*body.turn) : geometry::Rotation();
    const int axis = body.axis.x != 0 ? 0 : body.axis.y != 0 ? 1 : 2;
    const auto place = [&](const geometry::Point& p, double height) {
      Vec3 x;
      x[axis] = height, x[(axis + 1) % 3] = p[0], x[(axis + 2) % 3] = p[1];
      return body.centre + turn(x);
    };
    const double half = 0.5 * body.height;
    add_walls(
        body.points, body.points, [&](const auto& p) { return place(p, -half); },
        [&](const auto& p) { return place(p, half); }, signed_area(body.points) > 0);
  }

  void add_layout(const geometry::Extrusion& body) {
    const auto add_ring = [&](const Ring& bottom, const Ring& top) {
      add_walls(
          bottom, top,
          [&](const auto& p) {
            return Vec3{p[0], p[1], body.low};
          },
          [&](const auto& p) {
            return Vec3{p[0], p[1], body.high};
          },
          true);
    };
    for (std::size_t p = 0; p < body.bottom.size(); ++p) {
      add_ring(body.bottom[p].outer, body.top[p].outer);
      for (std::size_t h = 0; h < body.bottom[p].holes.size(); ++h)
        add_ring(body.bottom[p].holes[h], body.top[p].holes[h]);
    }
  }

  // Rims, and upright edges at corners that are convex and sharp. The metal is to the left of a ring, or else to the
  // right.
  template <class Low, class High>
  void add_walls(const Ring& bottom, const Ring& top, const Low& low, const High& high, bool is_left) {
    const std::size_t n = bottom.size();
    for (std::size_t i = 0; i < n; ++i) {
      const auto &before = bottom[(i + n - 1) % n], &here = bottom[i], &after = bottom[(i + 1) % n];
      add(low(here), low(after)), add(high(top[i]), high(top[(i + 1) % n]));
      const double u[2] = {here[0] - before[0], here[1] - before[1]}, v[2] = {after[0] - here[0], after[1] - here[1]};
      const double turned = std::atan2(u[0] * v[1] - u[1] * v[0], u[0] * v[0] + u[1] * v[1]);
      if ((is_left ? turned : -turned) > ConductorSizes::least_turn) add(low(here), high(top[i]));
    }
  }

  static double signed_area(const Ring& ring) {
    double twice = 0;
    for (std::size_t i = 0; i < ring.size(); ++i) {
      const auto &a = ring[i], &b = ring[(i + 1) % ring.size()];
      twice += a[0] * b[1] - a[1] * b[0];
    }
    return 0.5 * twice;
  }

  ConductorEdges& to_;
  double element_;
};

double distance_from(const ConductorEdge& edge, const Vec3& x) {
  const Vec3 along = edge.to - edge.from;
  const double length2 = dot(along, along);
  const double share = length2 > 0 ? std::clamp(dot(x - edge.from, along) / length2, 0.0, 1.0) : 0;
  return norm(x - edge.from - share * along);
}

double distance_from(const ConductorRim& rim, const Vec3& x) {
  const Vec3 d = x - rim.centre;
  const double along = dot(d, rim.axis);
  return std::hypot(norm(d - along * rim.axis) - rim.radius, along);
}

// Both ends on the same side of the domain, or beyond it.
bool is_on_side(const BodyModel& model, const ConductorEdge& edge) {
  const double rounding = rounding_of(model);
  if (model.ball) {
    const Vec3 middle = 0.5 * (model.low + model.high);
    const double radius = 0.5 * (model.high.x - model.low.x) - rounding;
    return norm(edge.from - middle) > radius && norm(edge.to - middle) > radius;
  }
  for (int a = 0; a < 3; ++a) {
    const double low = model.low[a] + rounding, high = model.high[a] - rounding;
    if ((edge.from[a] < low && edge.to[a] < low) || (edge.from[a] > high && edge.to[a] > high)) return true;
  }
  return false;
}

bool is_on_side(const BodyModel& model, const ConductorRim& rim) {
  const double rounding = rounding_of(model);
  if (model.ball)
    return norm(rim.centre - 0.5 * (model.low + model.high)) > 0.5 * (model.high.x - model.low.x) - rounding;
  for (int a = 0; a < 3; ++a)
    if (rim.centre[a] < model.low[a] + rounding || rim.centre[a] > model.high[a] - rounding) return true;
  return false;
}

// m, of a ball around a conductor.
struct Ball {
  Vec3 centre;
  double radius;
};

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
    case Form::combined:
      for (const Body& operand : body.operands) {
        const Ball ball = ball_around(operand);
        radius = std::max(radius, norm(ball.centre - body.operands.front().centre) + ball.radius);
      }
      return {body.operands.front().centre, radius};
    case Form::cylinder:
    case Form::cone:
    case Form::step: radius = std::max(body.radius, body.top_radius);
  }
  return {body.centre, std::hypot(radius, 0.5 * body.height)};
}

Ball ball_around(const Conductor& c) {
  if (c.body) return ball_around(*c.body);
  double radius = 0;
  for (const auto& [u, v] : c.plate->points) radius = std::max(radius, std::hypot(u, v));
  return {c.plate->centre, radius};
}

// The nearest point of the surface, by the slope of the distance.
Vec3 projected(const Conductor& c, Vec3 x, double length) {
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
  double distance = infinity;  // m
  Vec3 middle;                 // between the nearest points
};

// By projections to both in turn, which for convex ones end at the nearest points, from the middle between them and
// from corners around. Where they touch, the points go on to move by a part of their distance, and nothing is found.
Nearest nearest_of(const Conductor& a, const Conductor& b) {
  const Ball of_a = ball_around(a), of_b = ball_around(b);
  const double length = std::max(of_a.radius, of_b.radius);
  Nearest nearest;
  for (int start = 0; start < 9; ++start) {
    Vec3 x = 0.5 * (of_a.centre + of_b.centre);
    const double reach = std::min(of_a.radius, of_b.radius);
    if (start > 0) x = x + reach * Vec3{start & 1 ? 0.9 : -1.1, start & 2 ? 1 : -0.8, start & 4 ? 1.2 : -0.7};
    Vec3 on_b = x;
    double moved = infinity;
    for (int i = 0; i < 40 && moved > 1e-9 * length; ++i) {
      x = projected(a, on_b, length);
      const Vec3 next = projected(b, x, length);
      moved = norm(next - on_b);
      on_b = next;
    }
    const double distance = norm(on_b - x);
    if (distance < 1e-6 * length) return {};
    if (moved < 1e-3 * distance && distance < nearest.distance) nearest = {distance, 0.5 * (on_b + x)};
  }
  return nearest;
}

}  // namespace

double element_at_edges(const BodyModel& model, const Plate* plate) {
  const double without = plate ? std::min(plate->element, model.element) : model.element;
  return std::max(without / model.edge_refinement, model.finest);
}

bool has_edges_of_solid(const Body& body) {
  return body.hole && (body.form == Form::step || body.form == Form::combined);
}

bool has_edges_of_solids(const BodyModel& model) {
  return model.edge_refinement > 1 && std::any_of(model.bodies.begin(), model.bodies.end(), has_edges_of_solid);
}

ConductorEdges conductor_edges(const BodyModel& model) {
  ConductorEdges all;
  if (model.edge_refinement <= 1) return all;
  const std::vector<Conductor> conductors = conductors_of(model);
  const double rounding = rounding_of(model);
  for (const Conductor& c : conductors) {
    ConductorEdges own;
    EdgesOfBody edges(own, element_at_edges(model, c.plate));
    if (c.body) edges.add(*c.body);
    else edges.add(*c.plate);
    const auto is_covered = [&](const Vec3& one, const Vec3& other) {
      return std::any_of(conductors.begin(), conductors.end(), [&](const Conductor& o) {
        return (o.body != c.body || o.plate != c.plate) && (!o.body || o.body->form != Form::step) &&
               distance_of(o, one) < rounding && distance_of(o, other) < rounding;
      });
    };
    for (const ConductorEdge& e : own.straight)
      if (!is_on_side(model, e) && !is_covered(e.from, e.to)) all.straight.push_back(e);
    for (const ConductorRim& r : own.round)
      if (!is_on_side(model, r) && !is_covered(r.centre, r.centre)) all.round.push_back(r);
  }
  return all;
}

std::vector<ConductorGap> conductor_gaps(const BodyModel& model) {
  const std::vector<Conductor> conductors = conductors_of(model);
  const double largest = ConductorSizes::elements_across_gap * model.element;
  std::vector<ConductorGap> gaps;
  for (std::size_t i = 0; i < conductors.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      const Conductor &a = conductors[i], &b = conductors[j];
      if ((a.body && a.body->form == Form::step) || (b.body && b.body->form == Form::step)) continue;
      const Ball of_a = ball_around(a), of_b = ball_around(b);
      if (norm(of_a.centre - of_b.centre) - of_a.radius - of_b.radius > largest) continue;
      const Nearest nearest = nearest_of(a, b);
      if (nearest.distance > largest || nearest.distance < rounding_of(model)) continue;
      const bool is_filled = std::any_of(conductors.begin(), conductors.end(), [&](const Conductor& c) {
        return c.body && distance_of(c, nearest.middle) < 0;
      });
      if (is_filled) continue;
      const double flat = 2 * std::min(of_a.radius, of_b.radius) / Thinness::elements_across;
      gaps.push_back(
          {i, j, nearest.distance, std::max(nearest.distance / ConductorSizes::elements_across_gap, flat)});
    }
  return gaps;
}

ConductorSizes::ConductorSizes(const BodyModel& model, const std::vector<ConductorEdge>& of_solids)
    : model_(model), conductors_(conductors_of(model)), edges_(conductor_edges(model)), gaps_(conductor_gaps(model)) {
  const double rounding = 1e-6 * norm(model.high - model.low);  // Open CASCADE's points of solids that it has cut
  for (const ConductorEdge& e : of_solids)
    if (std::none_of(model.plates.begin(), model.plates.end(), [&](const Plate& plate) {
          return distance(plate, e.from) < rounding && distance(plate, e.to) < rounding;
        }))
      edges_.straight.push_back(e);
}

double ConductorSizes::at(const Vec3& x) const {
  const double growth = model_.ratio - 1;
  double size = infinity;
  for (const ConductorEdge& e : edges_.straight) size = std::min(size, e.element + growth * distance_from(e, x));
  for (const ConductorRim& r : edges_.round) size = std::min(size, r.element + growth * distance_from(r, x));
  const auto away = [&](std::size_t conductor) { return std::max(0.0, distance_of(conductors_[conductor], x)); };
  for (const ConductorGap& gap : gaps_) {
    // Half of what is more than the gap's width grows by at most one for a unit of distance.
    const double more = std::max(0.0, away(gap.first) + away(gap.second) - gap.width);
    size = std::min(size, std::max(gap.element, model_.finest) + growth * 0.5 * more);
  }
  return size;
}

}  // namespace dgtd::mesh
