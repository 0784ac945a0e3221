#include "app/problems/exact_sphere.hpp"

#include <cmath>
#include <optional>

#include "app/problems/sphere_in_wave.hpp"
#include "dgtd/base/units.hpp"
#include "dgtd/fdtd/sources.hpp"

namespace dgtd::app {

namespace {

using physics::BoundaryKind;

// Share of the sphere that is in the grid, 2^-mirrors; none where a side is neither open nor a mirror of the problem.
std::optional<double> share_in_grid(const config::Shape& sphere, const physics::Source& wave,
                                    const grid::Setup& setup) {
  double share = 1;
  for (int s = 0; s < 6; ++s) {
    if (setup.is_open(s)) continue;
    const BoundaryKind kind = setup.sides[static_cast<std::size_t>(s)];
    if (kind != BoundaryKind::pec && kind != BoundaryKind::pmc) return {};
    const auto nodes = setup.grid.nodes(s / 2);
    const double at = s % 2 == 0 ? nodes.front() : nodes.back();
    if (std::abs(at - sphere.centre[s / 2]) > 1e-6 * sphere.radius || !is_own_image(wave, s / 2, kind)) return {};
    share /= 2;
  }
  return share;
}

FieldAround field_around(const physics::Flux& flux, const config::Shape& sphere, const fdtd::TotalFieldBox& total,
                         const grid::Setup& setup) {
  if (flux.type != physics::Flux::Type::box) return FieldAround::other;
  bool inside = true, outside = true;
  for (int s = 0; s < 6; ++s) {
    if (!setup.is_open(s)) continue;  // a mirror, through which nothing flows
    const int a = s / 2;
    const double sign = s % 2 == 0 ? -1 : 1, face = flux.centre[a] + sign * flux.size[a] / 2;
    if (sign * (face - sphere.centre[a]) < sphere.radius) return FieldAround::other;
    const auto beyond = static_cast<std::int64_t>(sign) *
                        (setup.grid.nearest_node(a, face) - (s % 2 == 0 ? total.first[a] : total.last[a]));
    inside = inside && beyond < 0, outside = outside && beyond > 0;
  }
  return inside ? FieldAround::total : outside ? FieldAround::scattered : FieldAround::other;
}

}  // namespace

observers::ExactCrossSections exact_sphere(const config::Case& c, const grid::Setup& setup) {
  const bool is_sphere = setup.axes == 3 && c.shapes.size() == 1 && c.shapes[0].type == config::Shape::Type::sphere &&
                         c.permittivities.empty();
  const bool is_wave = c.sources.size() == 1 && c.sources[0].type == config::Source::Type::plane_wave;
  if (!is_sphere || !is_wave || !c.grid.background.empty()) return {};
  const config::Shape& sphere = c.shapes[0];
  const physics::Source& wave = c.sources[0];
  physics::Medium medium;
  for (const auto& m : c.materials)
    if (m.name == sphere.material) medium = m;
  const auto share = share_in_grid(sphere, wave, setup);
  if (!share || medium.magnetic_conductivity != 0) return {};
  const auto total = fdtd::total_field_box(setup, wave);
  const std::string text = "radius " + units::length_text(sphere.radius) + " of " + sphere.material;
  return exact_cross_sections(
      {sphere.centre, sphere.radius, medium, text, "grid", *share},
      [sphere, total, &setup](const physics::Flux& flux) { return field_around(flux, sphere, total, setup); });
}

}  // namespace dgtd::app
