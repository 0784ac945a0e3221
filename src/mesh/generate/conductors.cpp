#include "mesh/generate/conductors.hpp"

#include <algorithm>

namespace dgtd::mesh {

std::vector<Conductor> conductors_of(const BodyModel& model) {
  std::vector<Conductor> list;
  for (const Body& body : model.bodies) {
    if (!body.hole) continue;
    if (body.form != Body::Form::step) list.push_back({&body, nullptr, nullptr});
    else
      for (const auto& surface : body.step.surfaces) list.push_back({&body, nullptr, surface.get()});
  }
  for (const Plate& plate : model.plates) list.push_back({nullptr, &plate, nullptr});
  return list;
}

double distance_of(const Conductor& c, const Vec3& x) {
  if (c.surface) return c.surface->distance(c.body->own_place(x));
  return c.body ? surface_distance(*c.body, x) : distance(*c.plate, x);
}

double least_distance_of(const Conductor& c, const Vec3& x) {
  if (!c.surface) return distance_of(c, x);
  const Vec3 own = c.body->own_place(x), &low = c.surface->tree.low(), &high = c.surface->tree.high();
  Vec3 outside;
  for (int a = 0; a < 3; ++a) outside[a] = std::max({low[a] - own[a], 0.0, own[a] - high[a]});
  return norm(outside);
}

double rounding_of(const BodyModel& model) { return 1e-9 * norm(model.high - model.low); }

}  // namespace dgtd::mesh
