#include "dgtd/geometry/revolution.hpp"

#include <algorithm>
#include <cmath>

namespace dgtd::geometry {
namespace {

double sine_of(double cosine) { return std::sqrt(std::max(0.0, 1 - cosine * cosine)); }

}  // namespace

double Cone::radius_at(double along) const {
  return (radius + top_radius) / 2 + (top_radius - radius) * (along / height);
}

Meridian Cone::surface(double along, double across) const {
  const double slope = (top_radius - radius) / height, stretch = std::hypot(1, slope);
  const Meridian lid{std::abs(along) - height / 2, along < 0 ? -1.0 : 1.0, 0};
  const Meridian mantle{(across - radius_at(along)) / stretch, -slope / stretch, 1 / stretch};
  return lid.distance > mantle.distance ? lid : mantle;
}

// The rims are circles across the axis.
double Cone::reach(double component) const {
  const double sine = sine_of(component), end = component * height / 2;
  return std::max(end + top_radius * sine, -end + radius * sine);
}

Meridian Torus::surface(double along, double across) const {
  const double outwards = across - radius, from_circle = std::hypot(outwards, along);
  if (from_circle == 0) return {-tube_radius, 0, 1};
  return {from_circle - tube_radius, along / from_circle, outwards / from_circle};
}

double Torus::reach(double component) const { return radius * sine_of(component) + tube_radius; }

}  // namespace dgtd::geometry
