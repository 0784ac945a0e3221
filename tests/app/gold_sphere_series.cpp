#include "app/gold_sphere_series.hpp"

#include "dgtd/base/constants.hpp"
#include "dgtd/physics/medium.hpp"
#include "support/exact_layered_sphere.hpp"

CrossSections gold_sphere_series(double radius, double wavelength) {
  using namespace dgtd;
  const double omega = 2 * pi * speed_of_light / wavelength;
  const auto eps = physics::permittivity({.poles = physics::gold_poles()}, omega);
  const exact::LayeredSphere sphere({{radius, eps.real(), omega * vacuum_permittivity * eps.imag()}},
                                    speed_of_light / wavelength);
  return {sphere.absorption_cross_section(), sphere.scattering_cross_section()};
}
