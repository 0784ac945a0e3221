// Edges of bodies and plates, by their forms.
#include <algorithm>
#include <cmath>

#include "dgtd/base/constants.hpp"
#include "mesh/generate/conductors.hpp"

namespace dgtd::mesh {
namespace {

using Form = Body::Form;
using geometry::Ring;

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
      case Form::step: return;  // expected_edges_of
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

std::pair<Vec3, Vec3> directions_across(const Vec3& axis) {
  const Vec3 other = std::abs(axis.x) < 0.9 ? Vec3{1, 0, 0} : Vec3{0, 1, 0}, across = cross(axis, other);
  const Vec3 one = across / norm(across);
  return {one, cross(axis, one)};
}

// Parts of an edge: where a combination cuts it off, only some of them are left.
void add_parts(const ConductorEdges& of, std::vector<ConductorEdge>& to) {
  constexpr int parts = 4, chords = 24;
  for (const ConductorEdge& e : of.straight)
    for (int i = 0; i < parts; ++i)
      to.push_back(
          {e.from + double(i) / parts * (e.to - e.from), e.from + double(i + 1) / parts * (e.to - e.from), e.element});
  for (const ConductorRim& r : of.round) {
    const auto [one, other] = directions_across(r.axis);
    const auto place = [&, &u = one, &v = other](int i) {
      const double angle = 2 * pi * i / chords;
      return r.centre + r.radius * (std::cos(angle) * u + std::sin(angle) * v);
    };
    for (int i = 0; i < chords; ++i) to.push_back({place(i), place(i + 1), r.element});
  }
}

void add_parts(const Body& body, double element, std::vector<ConductorEdge>& to) {
  if (body.form == Form::step)
    for (const auto& surface : body.step.surfaces)
      for (const SharpEdge& e : surface->sharp)
        if (e.turn > ConductorSizes::least_turn) to.push_back({body.place_of(e.from), body.place_of(e.to), element});
  for (const Body& operand : body.operands) add_parts(operand, element, to);
  add_parts(edges_of(body, element), to);
}

// By the share of a circle around the middle that is in the body: half at a face, none or all of it where the edge is
// not on the surface.
bool is_convex_edge(const Body& body, const ConductorEdge& edge) {
  constexpr int samples = 36;
  constexpr double radius = 0.02;  // of the length: above what a chord of a rim is off it
  constexpr double most = 0.5 - ConductorSizes::least_turn / (2 * pi) + 1e-9;
  const Vec3 along = edge.to - edge.from, middle = 0.5 * (edge.from + edge.to);
  const auto [one, other] = directions_across(along / norm(along));
  int inside = 0;
  for (int i = 0; i < samples; ++i) {
    const double angle = 2 * pi * (i + 0.5) / samples;
    const Vec3 x = middle + radius * norm(along) * (std::cos(angle) * one + std::sin(angle) * other);
    inside += surface_distance(body, x) < 0;
  }
  return inside > 0 && inside < most * samples;
}

}  // namespace

ConductorEdges edges_of(const Body& body, double element) {
  ConductorEdges own;
  EdgesOfBody(own, element).add(body);
  return own;
}

ConductorEdges edges_of(const Plate& plate, double element) {
  ConductorEdges own;
  EdgesOfBody(own, element).add(plate);
  return own;
}

std::vector<ConductorEdge> expected_edges_of(const Body& body, double element) {
  std::vector<ConductorEdge> edges;
  add_parts(body, element, edges);
  if (body.form == Form::combined) std::erase_if(edges, [&](const auto& e) { return !is_convex_edge(body, e); });
  return edges;
}

}  // namespace dgtd::mesh
