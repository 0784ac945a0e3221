#include "app/problems/sphere_in_wave.hpp"

#include <fmt/format.h>

#include <cmath>

#include "dgtd/physics/sphere_series.hpp"

namespace dgtd::app {

bool is_own_image(const physics::Source& wave, int axis, physics::BoundaryKind mirror) {
  const bool is_electric = mirror == physics::BoundaryKind::pec;
  const Vec3 normal = is_electric ? wave.polarisation : cross(wave.direction, wave.polarisation);
  return std::abs(normal[axis]) > (1 - 1e-9) * norm(normal);
}

observers::ExactCrossSections exact_cross_sections(SphereInWave sphere, FieldAroundSphere field) {
  return [sphere = std::move(sphere), field = std::move(field)](const physics::Flux& flux) {
    observers::ExactSpectrum exact;
    const FieldAround around = field(flux);
    if (around == FieldAround::other) return exact;
    exact.origin = "the series of a sphere (G. Mie 1908) of " + sphere.text;
    if (sphere.share < 1) exact.origin += fmt::format(", of which {:g} is in the {}", sphere.share, sphere.domain);
    for (const double f : flux.frequencies) {
      const auto of = physics::sphere_cross_sections(sphere.radius, sphere.medium, f);
      exact.outward.push_back(sphere.share * (around == FieldAround::total ? -of.absorption : of.scattering));
    }
    return exact;
  };
}

}  // namespace dgtd::app
