#include "dgtd/mesh/conductor_sizes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "dgtd/base/constants.hpp"
#include "mesh/generate/conductors.hpp"

namespace dgtd::mesh {
namespace {

using Form = Body::Form;

constexpr double infinity = std::numeric_limits<double>::infinity();

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

// m, along an axis, of a body with its centre in the middle.
double extent_of(const Body& body, int axis, double length, const BodyModel& model) {
  const double rounding = rounding_of(model);
  const bool goes_on = !body.turn && !model.ball && body.centre[axis] - 0.5 * length < model.low[axis] + rounding &&
                       body.centre[axis] + 0.5 * length > model.high[axis] - rounding;
  return goes_on ? infinity : length;
}

}  // namespace

double width_of(const Body& body, const BodyModel& model) {
  const auto middle_of = [](double a, double b, double c) {
    return std::max(std::min(a, b), std::min(std::max(a, b), c));
  };
  switch (body.form) {
    case Form::box:
      return middle_of(extent_of(body, 0, body.size.x, model), extent_of(body, 1, body.size.y, model),
                       extent_of(body, 2, body.size.z, model));
    case Form::cylinder: return 2 * body.radius;
    case Form::cone: return 2 * std::max(body.radius, body.top_radius);
    case Form::prism: {
      double low[2] = {infinity, infinity}, high[2] = {-infinity, -infinity};
      for (const auto& point : body.points)
        for (std::size_t a = 0; a < 2; ++a) low[a] = std::min(low[a], point[a]), high[a] = std::max(high[a], point[a]);
      const int axis = body.axis.x != 0 ? 0 : body.axis.y != 0 ? 1 : 2;
      return middle_of(high[0] - low[0], high[1] - low[1], extent_of(body, axis, body.height, model));
    }
    case Form::ellipsoid:
    case Form::torus:
    case Form::step:
    case Form::layout:
    case Form::combined: break;
  }
  return infinity;
}

double element_at_edges(const BodyModel& model) {
  return std::max(model.element / model.edge_refinement, model.finest);
}

double element_at_edges(const BodyModel& model, const Conductor& conductor) {
  double own = conductor.body ? width_of(*conductor.body, model) : conductor.plate->element;
  // Elements at a strip are no longer than it is thick.
  if (conductor.body && own / model.edge_refinement > thinness_of(*conductor.body, model).thickness) own = infinity;
  return std::max(std::min(own, model.element) / model.edge_refinement, model.finest);
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
    const double element = element_at_edges(model, c);
    const ConductorEdges own = c.body ? edges_of(*c.body, element) : edges_of(*c.plate, element);
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

std::vector<ConductorEdge> expected_edges_of_solids(const BodyModel& model) {
  std::vector<ConductorEdge> edges;
  if (!has_edges_of_solids(model)) return edges;
  for (const Body& body : model.bodies)
    if (has_edges_of_solid(body))
      for (const ConductorEdge& e : expected_edges_of(body, element_at_edges(model)))
        if (!is_on_side(model, e)) edges.push_back(e);
  return edges;
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
  for (const ConductorGap& gap : gaps_) {
    const Conductor &first = conductors_[gap.first], &second = conductors_[gap.second];
    // Half of what is more than the gap's width grows by at most one for a unit of distance.
    const auto size_by = [&](double (*distance)(const Conductor&, const Vec3&)) {
      const double more = std::max(0.0, distance(first, x)) + std::max(0.0, distance(second, x)) - gap.width;
      return std::max(gap.element, model_.finest) + growth * 0.5 * std::max(0.0, more);
    };
    if (gap.is_between_solids && size_by(least_distance_of) >= size) continue;
    size = std::min(size, size_by(distance_of));
  }
  return size;
}

}  // namespace dgtd::mesh
