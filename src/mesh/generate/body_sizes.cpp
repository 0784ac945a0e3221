// Distances from bodies, and the element sizes that follow.
#include <algorithm>
#include <cmath>
#include <limits>

#include "dgtd/base/constants.hpp"
#include "dgtd/base/hash.hpp"
#include "dgtd/geometry/revolution.hpp"
#include "dgtd/mesh/body_sizes.hpp"

namespace dgtd::mesh {
namespace {

// From an interval of this half width to both sides of 0.
double beyond_interval(double at, double half) { return std::abs(at) - half; }

// Distances from parts of a body along perpendicular directions: outside by the outer ones, inside the nearest face.
double joined(std::initializer_list<double> parts) {
  double outside = 0, inside = -std::numeric_limits<double>::infinity();
  for (const double d : parts) {
    outside += std::max(d, 0.0) * std::max(d, 0.0);
    inside = std::max(inside, d);
  }
  return inside > 0 ? std::sqrt(outside) : inside;
}

struct PolygonDistance {
  double nearest = std::numeric_limits<double>::infinity();  // m
  bool inside = false;                                       // an odd number of rings
};

void add_ring(PolygonDistance& to, const std::vector<std::array<double, 2>>& points, double u, double v) {
  for (std::size_t i = 0; i < points.size(); ++i) {
    const auto &a = points[i], &b = points[(i + 1) % points.size()];
    const double du = b[0] - a[0], dv = b[1] - a[1], length2 = du * du + dv * dv;
    const double t =
        length2 > 0 ? std::clamp(((u - a[0]) * du + (v - a[1]) * dv) / length2, 0.0, 1.0) : 0;
    to.nearest = std::min(to.nearest, std::hypot(u - a[0] - t * du, v - a[1] - t * dv));
    if ((a[1] > v) != (b[1] > v) && u < a[0] + (v - a[1]) / dv * du) to.inside = !to.inside;
  }
}

double distance_from_polygon(const std::vector<std::array<double, 2>>& points, double u, double v) {
  PolygonDistance d;
  add_ring(d, points, u, v);
  return d.inside ? -d.nearest : d.nearest;
}

// From a leaning wall: from its edge at that height.
double distance_from_layout(const geometry::Extrusion& body, const Vec3& x) {
  const double share = std::clamp((x.z - body.low) / (body.high - body.low), 0.0, 1.0);
  const bool upright = body.bottom == body.top;
  PolygonDistance d;
  const auto add_walls = [&](const geometry::Ring& bottom, const geometry::Ring& top) {
    if (upright) add_ring(d, bottom, x.x, x.y);
    else add_ring(d, geometry::at_height(bottom, top, share), x.x, x.y);
  };
  for (std::size_t p = 0; p < body.bottom.size(); ++p) {
    add_walls(body.bottom[p].outer, body.top[p].outer);
    for (std::size_t h = 0; h < body.bottom[p].holes.size(); ++h) add_walls(body.bottom[p].holes[h], body.top[p].holes[h]);
  }
  return joined({d.inside ? -d.nearest : d.nearest, beyond_interval(x.z - (body.low + body.high) / 2, (body.high - body.low) / 2)});
}

// Along the axis, and across it.
struct CylindricalPlace {
  double along, across;
};
CylindricalPlace place_in(const Body& body, const Vec3& x) {
  const Vec3 d = x - body.centre;
  const double along = dot(d, body.axis);
  return {along, norm(d - along * body.axis)};
}

geometry::Cone cone_of(const Body& body) { return {body.radius, body.top_radius, body.height}; }
geometry::Torus torus_of(const Body& body) { return {body.radius, body.tube_radius}; }

double smallest_of(const Vec3& v) { return std::min({v.x, v.y, v.z}); }

double thickness_of(const Body& body) {
  switch (body.form) {
    case Body::Form::box: return smallest_of(body.size);
    case Body::Form::ellipsoid: return 2 * smallest_of(body.size);
    case Body::Form::cylinder: return std::min(2 * body.radius, body.height);
    case Body::Form::cone: return std::min(2 * std::max(body.radius, body.top_radius), body.height);
    case Body::Form::torus: return 2 * body.tube_radius;
    case Body::Form::step: return body.step.thickness;
    case Body::Form::layout: return body.layout.high - body.layout.low;
    case Body::Form::combined: return std::numeric_limits<double>::infinity();  // its operands have one each
    case Body::Form::prism: break;
  }
  return body.height;
}

double area_of(const std::vector<std::array<double, 2>>& ring) {
  double twice = 0;
  for (std::size_t i = 0; i < ring.size(); ++i) {
    const auto &a = ring[i], &b = ring[(i + 1) % ring.size()];
    twice += a[0] * b[1] - a[1] * b[0];
  }
  return 0.5 * std::abs(twice);
}

double area_of(const std::vector<geometry::Polygon>& polygons) {
  double area = 0;
  for (const geometry::Polygon& polygon : polygons) {
    area += area_of(polygon.outer);
    for (const auto& hole : polygon.holes) area -= area_of(hole);
  }
  return area;
}

// m3, of a body that has a thickness of its own.
double volume_of(const Body& body) {
  const double r = body.radius, t = body.top_radius;
  switch (body.form) {
    case Body::Form::box: return body.size.x * body.size.y * body.size.z;
    case Body::Form::ellipsoid: return 4 * pi / 3 * body.size.x * body.size.y * body.size.z;
    case Body::Form::cylinder: return pi * r * r * body.height;
    case Body::Form::cone: return pi / 3 * (r * r + r * t + t * t) * body.height;
    case Body::Form::torus: return 2 * pi * pi * r * body.tube_radius * body.tube_radius;
    case Body::Form::step: return body.step.volume;
    case Body::Form::layout:
      return 0.5 * (area_of(body.layout.bottom) + area_of(body.layout.top)) * (body.layout.high - body.layout.low);
    case Body::Form::combined: return 0;
    case Body::Form::prism: break;
  }
  return area_of(body.points) * body.height;
}

// The nearest of a union, the farthest of an intersection; what is subtracted counts the other way round.
template <class Distance>
double distance_from_combined(const Body& body, const Vec3& x, const Distance& distance_from) {
  using Combination = geometry::Combination;
  double away = distance_from(body.operands.front(), x);
  for (std::size_t k = 1; k < body.operands.size(); ++k) {
    const double other = distance_from(body.operands[k], x);
    if (body.combination == Combination::unite) away = std::min(away, other);
    else away = std::max(away, body.combination == Combination::subtract ? -other : other);
  }
  return away;
}

bool is_curved(Body::Form form) {
  using Form = Body::Form;
  return form == Form::ellipsoid || form == Form::cylinder || form == Form::cone || form == Form::torus;
}

struct Curved {
  double radius, distance;  // m, of the surface's smallest curvature near a point, and from it
};
Curved curved_near(const Body& body, const Vec3& x) {
  if (body.form == Body::Form::torus) return {body.tube_radius, std::abs(distance(body, x))};
  if (body.form == Body::Form::cone) {
    const auto [along, across] = place_in(body, x);
    const double nearest = std::clamp(along, -body.height / 2, body.height / 2), radius = cone_of(body).radius_at(nearest);
    return {std::max(radius, std::max(body.radius, body.top_radius) / 8), std::hypot(across - radius, along - nearest)};
  }
  if (body.form == Body::Form::cylinder) {
    const auto [along, across] = place_in(body, x);
    return {body.radius, std::hypot(across - body.radius, std::max(0.0, beyond_interval(along, body.height / 2)))};
  }
  // The curvature of an ellipsoid at x is at most 1 / (a_min^2 |(x_i / a_i^2)|).
  const Vec3 d = body.own_place(x), &a = body.size;
  const double level = std::sqrt(d.x * d.x / (a.x * a.x) + d.y * d.y / (a.y * a.y) + d.z * d.z / (a.z * a.z));
  if (level == 0) return {smallest_of(a), smallest_of(a)};
  const Vec3 foot = d / level;
  const Vec3 gradient{foot.x / (a.x * a.x), foot.y / (a.y * a.y), foot.z / (a.z * a.z)};
  return {smallest_of(a) * smallest_of(a) * norm(gradient), std::abs(distance(body, x))};
}

Hash& add(Hash& hash, const std::string& text) {
  hash.add(text.size());
  for (const char c : text) hash.add(c);
  return hash;
}

void add_layout(Hash& hash, const geometry::Extrusion& body) {
  const auto add_ring_of = [&](const geometry::Ring& ring) {
    hash.add(ring.size());
    for (const auto& [x, y] : ring) hash.add(x).add(y);
  };
  hash.add(body.low).add(body.high).add(body.bottom.size());
  for (const auto* const list : {&body.bottom, &body.top})
    for (const geometry::Polygon& polygon : *list) {
      add_ring_of(polygon.outer);
      hash.add(polygon.holes.size());
      for (const auto& hole : polygon.holes) add_ring_of(hole);
    }
}

void add_body(Hash& hash, const Body& b) {
  add(hash, b.group);
  hash.add(b.hole).add(b.form).add(b.centre).add(b.size).add(b.axis).add(b.radius).add(b.height).add(b.element);
  hash.add(b.points.size());
  for (const auto& [u, v] : b.points) hash.add(u).add(v);
  if (b.form == Body::Form::layout) add_layout(hash, b.layout);
  if (b.form == Body::Form::cone) hash.add(b.top_radius);
  if (b.form == Body::Form::torus) hash.add(b.tube_radius);
  if (b.form == Body::Form::step) {
    hash.add(b.step.content).add(b.step.numbers.size());
    for (const int number : b.step.numbers) hash.add(number);
  }
  if (b.turn) hash.add(b.turn->axis).add(b.turn->angle);
  if (b.form != Body::Form::combined) return;
  hash.add(b.combination).add(b.operands.size());
  for (const Body& operand : b.operands) add_body(hash, operand);
}

}  // namespace

double distance(const Body& body, const Vec3& x) {
  const Vec3 d = body.own_place(x);
  switch (body.form) {
    case Body::Form::box:
      return joined({beyond_interval(d.x, body.size.x / 2), beyond_interval(d.y, body.size.y / 2),
                     beyond_interval(d.z, body.size.z / 2)});
    case Body::Form::ellipsoid: {
      const Vec3 scaled{d.x / body.size.x, d.y / body.size.y, d.z / body.size.z};
      const double level = norm(scaled);
      if (level == 0) return -smallest_of(body.size);
      const Vec3 gradient{scaled.x / body.size.x, scaled.y / body.size.y, scaled.z / body.size.z};
      return level * (level - 1) / norm(gradient);
    }
    case Body::Form::cylinder: {
      const auto [along, across] = place_in(body, x);
      return joined({across - body.radius, beyond_interval(along, body.height / 2)});
    }
    case Body::Form::cone: {
      const auto [along, across] = place_in(body, x);
      return cone_of(body).surface(along, across).distance;
    }
    case Body::Form::torus: {
      const auto [along, across] = place_in(body, x);
      return torus_of(body).surface(along, across).distance;
    }
    case Body::Form::step: {
      const Vec3 from_middle = d - 0.5 * (body.step.low + body.step.high), half = 0.5 * (body.step.high - body.step.low);
      return joined({beyond_interval(from_middle.x, half.x), beyond_interval(from_middle.y, half.y),
                     beyond_interval(from_middle.z, half.z)});
    }
    case Body::Form::layout: return distance_from_layout(body.layout, x);
    case Body::Form::combined:
      return distance_from_combined(body, x, [](const Body& operand, const Vec3& at) { return distance(operand, at); });
    case Body::Form::prism: break;
  }
  const int axis = body.axis.x != 0 ? 0 : body.axis.y != 0 ? 1 : 2;
  return joined({distance_from_polygon(body.points, d[(axis + 1) % 3], d[(axis + 2) % 3]),
                 beyond_interval(d[axis], body.height / 2)});
}

double surface_distance(const Body& body, const Vec3& x) {
  if (body.form == Body::Form::combined) return distance_from_combined(body, x, surface_distance);
  if (body.form != Body::Form::step || body.step.surfaces.empty()) return distance(body, x);
  const Vec3 own = body.own_place(x);
  double nearest = std::numeric_limits<double>::infinity();
  for (const auto& surface : body.step.surfaces) nearest = std::min(nearest, surface->distance(own));
  return nearest;
}

double distance(const Plate& plate, const Vec3& x) {
  const Vec3 d = plate.own_place(x);
  const double u = d[(plate.axis + 1) % 3], v = d[(plate.axis + 2) % 3];
  return joined({std::max(0.0, distance_from_polygon(plate.points, u, v)), std::abs(d[plate.axis])});
}

double width(const Plate& plate) {
  double area = 0, rim = 0;
  for (std::size_t i = 0; i < plate.points.size(); ++i) {
    const auto &a = plate.points[i], &b = plate.points[(i + 1) % plate.points.size()];
    area += 0.5 * (a[0] * b[1] - a[1] * b[0]);
    rim += std::hypot(b[0] - a[0], b[1] - a[1]);
  }
  return 2 * std::abs(area) / rim;
}

Thinness thinness_of(const Body& body, const BodyModel& model) {
  if (body.form == Body::Form::combined) {
    Thinness thinnest;
    for (const Body& operand : body.operands)
      if (const Thinness t = thinness_of(operand, model); t.aspect() > thinnest.aspect()) thinnest = t;
    return thinnest;
  }
  Vec3 domain = model.high - model.low;
  if (domain.x < domain.y) std::swap(domain.x, domain.y);
  if (domain.y < domain.z) std::swap(domain.y, domain.z);
  if (domain.x < domain.y) std::swap(domain.x, domain.y);
  const double thickness = thickness_of(body), area = std::min(volume_of(body) / thickness, domain.x * domain.y);
  return {thickness, std::max(thickness, std::sqrt(area) / Thinness::elements_across)};
}

double BodySizes::per_circle(const BodyModel& model, Body::Form form) {
  const bool straight = !model.curved || !has_curved_elements(form);
  return model.curved && straight ? std::max(model.per_circle, per_straight_circle) : model.per_circle;
}

double BodySizes::asked_by(const Body& body, const Vec3& x) const {
  const double growth = model_.ratio - 1, outside = std::max(0.0, distance(body, x));
  double size = std::numeric_limits<double>::infinity();
  if (body.form != Body::Form::combined)
    size = std::max(thinness_of(body, model_).element, model_.finest) + growth * outside;
  if (body.element > 0) size = std::min(size, body.element + growth * outside);
  if (body.form == Body::Form::step) {
    const Vec3 d = body.own_place(x);
    for (const SurfaceSize& s : body.step.sizes)
      size = std::min(size, std::max(s.element, model_.finest) + growth * norm(d - s.place));
  }
  // Sizes of operands that are no part of the body grow with the distance from it.
  for (const Body& operand : body.operands) size = std::min(size, std::max(asked_by(operand, x), growth * outside));
  if (is_curved(body.form)) {
    const auto [radius, away] = curved_near(body, x);
    size = std::min(size, std::max(2 * pi * radius / per_circle(model_, body.form), model_.finest) + growth * away);
  }
  return size;
}

double BodySizes::at(const Vec3& x) const {
  const double growth = model_.ratio - 1;
  double size = model_.element;
  for (const Body& body : model_.bodies) size = std::min(size, asked_by(body, x));
  for (const Plate& plate : model_.plates) size = std::min(size, plate.element + growth * distance(plate, x));
  size = std::min(size, conductors_.at(x));
  for (const auto& f : model_.finer) {
    const Vec3 d = x - f.centre;
    const double outside = std::max(0.0, joined({beyond_interval(d.x, f.size.x / 2), beyond_interval(d.y, f.size.y / 2),
                                                 beyond_interval(d.z, f.size.z / 2)}));
    size = std::min(size, f.element + growth * outside);
  }
  return size;
}

double BodySizes::tetrahedra() const {
  constexpr int samples = 48;  // an axis
  const Vec3 step = (model_.high - model_.low) / samples, middle = 0.5 * (model_.low + model_.high);
  const double radius = 0.5 * (model_.high.x - model_.low.x);
  double sum = 0;
  for (int i = 0; i < samples; ++i)
    for (int j = 0; j < samples; ++j)
      for (int k = 0; k < samples; ++k) {
        const Vec3 x = model_.low + Vec3{(i + 0.5) * step.x, (j + 0.5) * step.y, (k + 0.5) * step.z};
        if (model_.ball && norm(x - middle) > radius) continue;
        if (std::any_of(model_.bodies.begin(), model_.bodies.end(), [&](const Body& body) {
              const bool may_have = body.form != Body::Form::step || distance(body, x) < 0;  // in its box
              return body.hole && may_have && surface_distance(body, x) < 0;
            }))
          continue;
        sum += std::pow(at(x), -3);
      }
  return sum * step.x * step.y * step.z * std::sqrt(72.0);
}

std::uint64_t hash_of(const BodyModel& model) {
  constexpr int version = 1;  // of what this program makes of a model
  Hash hash;
  hash.add(version).add(model.low).add(model.high).add(model.ball).add(model.element);
  add(hash, model.around);
  hash.add(model.bodies.size());
  for (const Body& b : model.bodies) {
    add_body(hash, b);
    if (const Thinness t = thinness_of(b, model); t.aspect() > 1) hash.add(t.element);
  }
  hash.add(model.finer.size());
  for (const auto& f : model.finer) hash.add(f.centre).add(f.size).add(f.element);
  if (model.edge_refinement > 1) hash.add(model.edge_refinement);
  if (has_edges_of_solids(model)) add(hash, "edges of solids, by triangles");
  for (const Body& b : model.bodies)
    if (b.hole && model.edge_refinement > 1 &&
        element_at_edges(model, {&b, nullptr, nullptr}) < element_at_edges(model))
      add(hash, "edges of a rod");
  for (const ConductorGap& gap : conductor_gaps(model))
    if (gap.is_between_solids) add(hash, "gap at a solid");
    else hash.add(gap.width).add(gap.element);
  hash.add(model.finest).add(model.ratio).add(model.exact_volumes != ExactVolumes::off);
  if (model.exact_volumes == ExactVolumes::all) add(hash, "all volumes");
  if (model.curved) add(hash, "curved");
  if (model.per_circle != BodySizes::per_straight_circle) add(hash, "per circle").add(model.per_circle);
  for (const bool axis : model.periodic) hash.add(axis);
  for (const auto& s : model.sheets) hash.add(s.centre).add(s.size);
  for (const Plate& p : model.plates) {
    add(hash, p.group);
    hash.add(p.centre).add(p.axis).add(p.element).add(p.points.size());
    for (const auto& [u, v] : p.points) hash.add(u).add(v);
    if (p.turn) hash.add(p.turn->axis).add(p.turn->angle);
  }
  return hash.value();
}

}  // namespace dgtd::mesh
