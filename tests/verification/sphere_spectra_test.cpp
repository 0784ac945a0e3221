// Far field and flux of a dielectric sphere in a pulse that enters through the absorbing boundary, against the exact
// series. Fields are total ones: the wave itself has no sources in the box and radiates nothing from it.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>

#include "dgtd/base/constants.hpp"
#include "dgtd/observers/mesh_run_spectra.hpp"
#include "dgtd/solver/surface_integrals.hpp"
#include "study.hpp"
#include "support/exact_layered_sphere.hpp"

namespace dgtd::verification {
namespace {

constexpr double radius = 0.16;  // m, of the sphere of eps_r 4

/// Relative errors of a frequency.
struct Errors {
  double cross_section, pattern;  // of the series' one; of its largest value
  double absorbed;                // flux into the box, of the scattered power
};

// size: of the elements, m, half of it in the sphere; outside: radius of the mesh, m.
std::vector<Errors> measure(double size, double outside, const std::vector<double>& frequencies) {
  Problem problem = spheres({{radius, outside}, {0.5 * size, size}, {"ball", "air"}}, {{4, 1, 0}, {}});
  restore_sphere_volumes(problem.mesh, {radius, outside});
  physics::Source wave;
  wave.type = physics::Source::Type::plane_wave;
  wave.position = {0, 0, -outside};
  wave.direction = {0, 0, 1};
  wave.polarisation = {1, 0, 0};
  wave.waveform = {physics::Waveform::Type::modulated_gaussian, 0.6e9, 2, 0.6e9};
  problem.sources = {wave};
  constexpr int order = 2, thetas = 19, phis = 12;
  const double dt = 0.9 * largest_time_step<float>(problem, order);
  const auto solver = make_solver<float>(problem, order, dt);
  observers::MeshRunSpectra spectra({*solver, *solver, problem.mesh, order, 1.3e9, alone()},
                                    [](double, const std::string&) {});
  const double edge = 2 * 1.25 * radius;
  const auto box = spectra.add_region(
      physics::Flux{"b", physics::Flux::Type::box, {}, {edge, edge, edge}, frequencies, Origin{"a.cfg:1"}});
  const auto interval = spectra.sampling_interval(box);
  const auto steps = static_cast<std::int64_t>(30e-9 / dt / double(interval)) * interval;
  while (solver->steps_done() < steps) {
    solver->advance(interval);
    spectra.accumulate(box, double(interval) * dt);
  }
  const auto directions = solver::directions_of(thetas, phis);
  const auto angles = solver::solid_angles(thetas, phis);
  const auto far = solver::far_fields(spectra, box, directions, 1, 1, alone());
  const auto flux = solver::flux(spectra, box, alone());
  std::vector<Errors> errors;
  for (std::size_t f = 0; f < frequencies.size(); ++f) {
    std::complex<double> transform = 0;
    for (double t = 0; t < 10e-9; t += 1e-12)
      transform += 1e-12 * physics::waveform(wave.waveform, t) * std::polar(1.0, 2 * pi * frequencies[f] * t);
    const double incident = std::norm(transform);
    const exact::LayeredSphere sphere({{radius, 4, 0}}, frequencies[f]);
    const double k = 2 * pi * frequencies[f] / speed_of_light;
    double section = 0, worst = 0, largest = 0;
    for (std::size_t d = 0; d < directions.size(); ++d) {
      const double found = (std::norm(far[f].theta[d]) + std::norm(far[f].phi[d])) / incident;
      section += found * angles[d];
      const double exact = sphere.scattered_intensity(directions[d].theta, directions[d].phi);
      worst = std::max(worst, std::abs(found - exact));
      largest = std::max(largest, exact);
    }
    const double exact_section = sphere.scattering_cross_section();
    errors.push_back(
        {section / exact_section - 1, worst / largest, -flux[f] / (2 / vacuum_impedance * incident) / exact_section});
    fmt::print(
        "{:.1f} GHz, k a {:.2f}, mesh of {:.1f} m, {} elements: cross section {:+.2f} %, pattern {:.2f} %, absorbed "
        "{:+.2f} %\n",
        frequencies[f] / 1e9, k * radius, outside, problem.mesh.global_elements, 100 * errors[f].cross_section,
        100 * errors[f].pattern, 100 * errors[f].absorbed);
  }
  std::fflush(stdout);
  return errors;
}

// Scattered waves that the absorbing boundary reflects, which is exact for normal incidence far away, are in the
// cross section: 5 % with the boundary 0.6 wavelengths from the sphere at 0.4 GHz, and less farther away.
TEST(SphereSpectra, CrossSectionAndPatternAreThoseOfTheSeries) {
  const std::vector<double> frequencies{0.4e9, 0.6e9, 0.8e9};
  const auto expect_below = [&](double bound, const std::vector<Errors>& errors) {
    for (const Errors& e : errors) {
      EXPECT_LT(std::abs(e.cross_section), bound);
      EXPECT_LT(e.pattern, bound);
      EXPECT_LT(std::abs(e.absorbed), bound);
    }
  };
  if (!full_study()) return expect_below(0.08, measure(0.09, 0.6, frequencies));
  expect_below(0.08, measure(0.06, 0.6, frequencies));
  for (const double size : {0.09, 0.06}) expect_below(0.05, measure(size, 1.0, frequencies));
}

}  // namespace
}  // namespace dgtd::verification
