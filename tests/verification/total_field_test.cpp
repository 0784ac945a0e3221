// Leakage of a plane wave from its total field to the outside, where there is none in a continuum.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "dg/random_levels.hpp"
#include "dgtd/base/constants.hpp"
#include "dgtd/dg/element_geometry.hpp"
#include "dgtd/mesh/load.hpp"
#include "study.hpp"
#include "support/built_orders.hpp"

namespace dgtd::verification {
namespace {

// Lengths in wavelengths, each 1 m.
constexpr double frequency = speed_of_light;
constexpr double ramp = 6;  // periods: a short one excites slow waves of the mesh, which stay
double decibel(double amplitude) { return 20 * std::log10(amplitude); }

/// Root of the mean of |E|^2 in the elements whose centres are in a place, V/m.
template <class Inside>
double amplitude_in(const dg::DgSolver<double>& solver, const Inside& inside) {
  const auto& mesh = solver.discretisation().mesh;
  const auto square = solver.mean_square_electric(0);
  double sum = 0, volume = 0;
  for (std::size_t e = 0; e < square.size(); ++e) {
    const dg::ElementGeometry element(mesh, e);
    if (!inside(element.centre())) continue;
    sum += square[e] * element.volume(), volume += element.volume();
  }
  return std::sqrt(sum / volume);
}

physics::Source wave(const Vec3& direction, const Vec3& polarisation, const Vec3& low, const Vec3& high) {
  physics::Source source;
  source.type = physics::Source::Type::plane_wave;
  source.direction = direction;
  source.polarisation = polarisation;
  source.position = low - 0.1 * direction;
  source.box_min = low, source.box_max = high;
  source.waveform = {physics::Waveform::Type::ramped_sine, frequency, ramp, 0};
  return source;
}

struct Leakage {
  double forward, backward;  // dB of the wave's amplitude
  double inside;             // of the total field, V/m
  double of_delay = 0;       // dB: what the exact wave number would leave of the leap-frog scheme's delay in time
};

/// A bar one cube thick in which the wave is normal to the sides' conditions, as in one dimension; the total field is
/// `length` long and begins at 1.
Leakage leakage_of_bar(int order, int cubes_per_wavelength, double length, int finest_level = 0) {
  constexpr auto pec = physics::BoundaryKind::pec, pmc = physics::BoundaryKind::pmc,
                 absorbing = physics::BoundaryKind::silver_muller;
  const double edge = 1.0 / cubes_per_wavelength, end = 1 + length;
  Problem problem{
      mesh::make_box({std::llround((end + 1) * cubes_per_wavelength), 1, 1}, {end + 1, edge, edge}, alone()),
      {{}},
      {absorbing, absorbing, pmc, pmc, pec, pec},
      {}};
  problem.sources = {wave({1, 0, 0}, {0, 0, 1}, {1, -1, -1}, {end, 1, 1})};
  dg::TimeLevels levels;
  if (finest_level > 0) {  // the wave leaves the total field through the finest level
    levels.finest = finest_level;
    for (std::size_t e = 0; e < problem.mesh.elements(); ++e) {
      const double off = std::abs(dg::ElementGeometry(problem.mesh, e).centre().x - end);
      levels.of_element.push_back(
          static_cast<std::uint8_t>(std::clamp(finest_level - int(off / 0.1), 0, finest_level)));
    }
    dg::test::complete(levels, problem.mesh);
  }
  const double limit = finest_level > 0 ? 0.99 * largest_time_step(problem, order, levels)
                                        : 0.9 * largest_time_step<double>(problem, order);
  const int steps = static_cast<int>(std::ceil(1 / (frequency * limit)));
  const auto solver = make_solver<double>(problem, order, 1 / (frequency * steps), levels);
  run_to_steady_state(*solver, frequency, steps, int(std::ceil(length) + ramp) + 6);
  const double margin = 1.5 * edge;
  const Leakage leakage{
      decibel(amplitude_in(*solver, [&](const Vec3& x) { return x.x > end + margin && x.x < end + 1 - margin; })),
      decibel(amplitude_in(*solver, [&](const Vec3& x) { return x.x > margin && x.x < 1 - margin; })),
      amplitude_in(*solver, [&](const Vec3& x) { return x.x > 1 && x.x < end; }),
      decibel(2 * pi * length * std::pow(2 * pi / steps, 2) / 24)};
  fmt::print(
      "bar, P{} {:2} cubes per wavelength, {} levels, {:3} steps per period, {} wavelengths: forward {:.1f} dB, "
      "backward {:.1f} dB, delay of the leap-frog scheme {:.1f} dB, inside {:.5f}\n",
      order, cubes_per_wavelength, finest_level + 1, steps, length, leakage.forward, leakage.backward, leakage.of_delay,
      leakage.inside);
  std::fflush(stdout);
  return leakage;
}

// The error of the mesh is left: of order h^p, and independent of the length of the total field.
TEST(TotalField, LeaksLittleInABar) {
  for (const int order : dg::built_orders({1, 2})) {
    const std::vector<int> cubes = order == 1 ? std::vector{20, 40} : std::vector{4, 8, 16};
    const std::vector<double> bounds = order == 1 ? std::vector{-46.0, -54.0} : std::vector{-35.0, -47.0, -59.0};
    for (std::size_t i = 0; i < cubes.size() && (full_study() || i < 2); ++i)
      EXPECT_LT(leakage_of_bar(order, cubes[i], 3).forward, bounds[i]) << order << " " << cubes[i];
  }
}

TEST(TotalField, LeaksNoMoreThroughAFinerLevel) {
  for (const int order : dg::built_orders({2})) EXPECT_LT(leakage_of_bar(order, 16, 3, 2).forward, -59);
}

// In twelve wavelengths the leap-frog scheme delays the wave by far more than what leaks.
TEST(TotalField, HasTheWaveNumberOfTheLeapFrogScheme) {
  for (const int order : dg::built_orders({2})) {
    const Leakage leakage = leakage_of_bar(order, 16, 12);
    EXPECT_GT(leakage.of_delay, -47.5);
    EXPECT_LT(leakage.forward, leakage.of_delay - 10);
  }
}

/// A cube of 1.5 wavelengths with the total field in a box with absorbing sides, half a wavelength around it.
Leakage leakage_of_cube(int order, int cubes_per_wavelength, double degrees, bool in_plane) {
  const double edge = 1.0 / cubes_per_wavelength, low = 0.5, high = 2, size = 2.5, angle = degrees * pi / 180;
  const std::int64_t cubes = std::llround(size * cubes_per_wavelength);
  Problem problem{mesh::make_box({cubes, cubes, cubes}, {size, size, size}, alone()),
                  {{}},
                  std::vector<physics::BoundaryKind>(6, physics::BoundaryKind::silver_muller),
                  {}};
  const Vec3 direction{std::cos(angle), std::sin(angle), 0};
  const Vec3 polarisation = in_plane ? Vec3{-direction.y, direction.x, 0} : Vec3{0, 0, 1};
  problem.sources = {wave(direction, polarisation, {low, low, low}, {high, high, high})};
  const int steps = static_cast<int>(std::ceil(1 / (frequency * 0.9 * largest_time_step<double>(problem, order))));
  const auto solver = make_solver<double>(problem, order, 1 / (frequency * steps));
  run_to_steady_state(*solver, frequency, steps, int(ramp) + 6);
  const auto beside = [&](const Vec3& x) { return x.y > low && x.y < high && x.z > low && x.z < high; };
  const Leakage leakage{decibel(amplitude_in(*solver, [&](const Vec3& x) { return x.x > high + edge && beside(x); })),
                        decibel(amplitude_in(*solver, [&](const Vec3& x) { return x.x < low - edge && beside(x); })),
                        amplitude_in(*solver, [&](const Vec3& x) { return x.x > low && x.x < high && beside(x); })};
  const double all =
      decibel(amplitude_in(*solver, [&](const Vec3& x) { return !(x.x > low && x.x < high && beside(x)); }));
  fmt::print(
      "cube, P{} {:2} cubes per wavelength, {} elements, {:3} steps per period, {:2.0f} degrees, E {}: forward "
      "{:.1f} dB, backward {:.1f} dB, everywhere outside {:.1f} dB, inside {:.5f}\n",
      order, cubes_per_wavelength, problem.mesh.global_elements, steps, degrees, in_plane ? "in the plane" : "across",
      leakage.forward, leakage.backward, all, leakage.inside);
  std::fflush(stdout);
  return leakage;
}

// The same at an angle, where the faces are not on one phase; dB bounds of cubes per wavelength.
TEST(TotalField, LeaksLittleFromACube) {
  struct Bounds {
    int cubes;
    double normal, oblique;  // forward
  };
  for (const int order : dg::built_orders({2, 1})) {
    const std::vector<Bounds> all = order == 1 ? std::vector<Bounds>{{8, -26, -28}, {12, -33, -35}}
                                               : std::vector<Bounds>{{4, -37, -32}, {6, -42, -34}};
    if (order == 1 && !full_study()) continue;
    for (const Bounds& b : all) {
      if (b.cubes != all.front().cubes && !full_study()) continue;
      EXPECT_LT(leakage_of_cube(order, b.cubes, 0, false).forward, b.normal);
      for (const bool in_plane : {false, true})
        EXPECT_LT(leakage_of_cube(order, b.cubes, 40, in_plane).forward, b.oblique);
    }
  }
}

}  // namespace
}  // namespace dgtd::verification
