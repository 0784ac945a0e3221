// Reflection of absorbing layers against the one that is computed for strata, and their behaviour over long times.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "dgtd/dg/element_geometry.hpp"
#include "dgtd/mesh/load.hpp"
#include "damped_layers.hpp"
#include "support/built_orders.hpp"

namespace dgtd::verification {
namespace {

// Lengths in wavelengths, each 1 m.
constexpr double c0 = speed_of_light;
constexpr auto pec = physics::BoundaryKind::pec, pmc = physics::BoundaryKind::pmc,
               absorbing = physics::BoundaryKind::silver_muller;

/// A pulse in the mode H10 of a guide of width a along x, which is two plane waves at the angle asin(pi / (a k)) to the
/// guide's axis z; at 0 degrees a plane wave between magnetic walls. A sum of waves of one sign, each an exact
/// solution.
struct GuidedPulse {
  double cut_off;  // pi / a, rad/m
  double start;    // m, of its middle
  std::vector<double> k, amplitude;

  GuidedPulse(double degrees, double at) : cut_off(wave_number * std::sin(degrees * pi / 180)), start(at) {
    const double carrier = wave_number * std::cos(degrees * pi / 180);
    const double length = 9.5 / carrier;  // m, standard deviation: slow waves, which do not come back in time, are few
    for (int i = -40; i <= 40; ++i) {
      k.push_back(carrier + i * 0.1 / length);
      amplitude.push_back(std::exp(-0.005 * i * i));
    }
  }
  double frequency(std::size_t i) const { return c0 * std::sqrt(k[i] * k[i] + cut_off * cut_off); }  // rad/s
  double across(double x) const { return cut_off > 0 ? std::sin(cut_off * x) : 1; }
  Vec3 electric(const Vec3& x, double t) const {
    double sum = 0;
    for (std::size_t i = 0; i < k.size(); ++i) sum += amplitude[i] * std::cos(k[i] * (x.z - start) - frequency(i) * t);
    return {0, across(x.x) * sum, 0};
  }
  Vec3 magnetic(const Vec3& x, double t) const {
    double along_x = 0, along_z = 0;
    for (std::size_t i = 0; i < k.size(); ++i) {
      const double w = frequency(i), phase = k[i] * (x.z - start) - w * t;
      along_x -= amplitude[i] * k[i] / w * std::cos(phase);
      along_z += amplitude[i] * cut_off / w * std::sin(phase);
    }
    return (1 / vacuum_permeability) * Vec3{across(x.x) * along_x, 0, std::cos(cut_off * x.x) * along_z};
  }
  double group_speed() const { return c0 * k[40] / std::hypot(k[40], cut_off); }
  /// Share of the energy that layers of these strata, or of these rates alone, send back.
  template <class Strata>
  double reflected(const Strata& rates, double stratum) const {
    double sum = 0, all = 0;
    for (std::size_t i = 0; i < k.size(); ++i) {
      const double r = physics::reflection(rates, stratum, c0, frequency(i), std::atan2(cut_off, k[i]));
      sum += std::pow(amplitude[i] * r, 2), all += std::pow(amplitude[i], 2);
    }
    return sum / all;
  }
};

double decibel(double energy) { return 10 * std::log10(energy); }

struct Reflection {
  double measured, expected;  // dB
};

/// Reflection of layers at both ends of the guide, so many strata and cubes per wavelength; with a loss of
/// convolutional ones.
Reflection reflection_at(double degrees, int order, int per_wavelength, int strata, std::optional<double> loss = {}) {
  const GuidedPulse pulse(degrees, 8);
  const double thickness = double(strata) / per_wavelength, length = 22;
  const double width = degrees > 0 ? pi / pulse.cut_off : 1.0 / per_wavelength;
  const std::vector<mesh::AddedLayers> layers{{"zmin", strata, thickness}, {"zmax", strata, thickness}};
  const auto cells = [&](double size) { return std::max<std::int64_t>(1, std::llround(size * per_wavelength)); };
  const auto side = degrees > 0 ? pec : pmc;
  Problem problem{
      mesh::make_box({cells(width), 1, cells(length)}, {width, 1.0 / per_wavelength, length}, alone(), layers),
      {{}, {}},
      {side, side, pec, pec, absorbing, absorbing},
      {}};
  const physics::LayerProfile profile =
      loss ? physics::convolutional_profile(thickness)
           : physics::best_profile(strata, thickness, c0, std::vector<double>{c0 * wave_number});
  const auto rates = damp(problem, layers, profile, loss);
  const double dt = 0.8 * largest_time_step<double>(problem, order);
  const auto solver = make_solver<double>(problem, order, dt);
  solver->set_fields([&](const Vec3& x) { return pulse.electric(x, 0); },
                     [&](const Vec3& x) { return pulse.magnetic(x, -0.5 * dt); });
  const double before = solver->energy();
  // To the layer, and back until all of it is out of the layer.
  const double way = length - pulse.start + 9;
  solver->advance(static_cast<std::int64_t>(way / pulse.group_speed() / dt));
  const double of_strata =
      loss ? pulse.reflected(physics::convolutional_strata(rates, wave_number * c0 / 4, *loss), thickness / strata)
           : pulse.reflected(rates, thickness / strata);
  const Reflection r{decibel(solver->energy() / before), decibel(of_strata)};
  fmt::print(
      "{}, P{} {} cubes per wavelength, {} strata, {:2.0f} degrees: reflected {:.1f} dB, of the strata alone "
      "{:.1f}\n",
      loss ? fmt::format("cpml, loss {}", *loss) : "passive", order, per_wavelength, strata, degrees, r.measured,
      r.expected);
  std::fflush(stdout);
  return r;
}

// The contribution of the elements is small where they resolve the layer.
TEST(AbsorbingLayers, ReflectAsStrataDo) {
  if (!dg::built_orders({2}).empty())
    for (const double degrees : full_study() ? std::vector{0.0, 30.0, 45.0, 60.0} : std::vector{45.0}) {
      const Reflection r = reflection_at(degrees, 2, 12, 10);
      if (degrees > 0) EXPECT_NEAR(r.measured, r.expected, 1.5);
      else EXPECT_LT(r.measured, -40);
    }
  for (const int order : dg::built_orders({2})) {
    const Reflection r = reflection_at(45, order, 12, 10, 0.2);
    EXPECT_NEAR(r.measured, r.expected, 1.5);
  }
  if (!full_study()) return;
  for (const int order : dg::built_orders({2, 3}))
    for (const double loss : {0.1, 0.2})
      for (const double degrees : {0.0, 30.0, 45.0, 60.0}) {
        reflection_at(degrees, order, 12, 16, loss);
        for (const int strata : {5, 8}) EXPECT_LT(reflection_at(degrees, order, 6, strata, loss).measured, -15);
      }
  for (const int order : dg::built_orders({2, 3}))
    for (const int strata : {5, 8, 12})
      for (const double degrees : {0.0, 30.0, 45.0, 60.0}) {
        const Reflection r = reflection_at(degrees, order, 6, strata);
        EXPECT_GT(r.measured, r.expected - 1);
        EXPECT_LT(r.measured, -15);
      }
}

// P2: beside what strata reflect there is what elements scatter, of third order in their size at 45 degrees. At normal
// incidence, where strata reflect nothing, cubes of 1/12 wavelength have a spurious wave of the pulse's frequency, which
// stays.
TEST(AbsorbingLayers, LeaveWhatElementsOfOrderTwoScatter) {
  if (!full_study() || dg::built_orders({2}).empty()) GTEST_SKIP() << "set DGTD_FULL=1";
  EXPECT_LT(reflection_at(0, 2, 8, 11).measured, -50);
  EXPECT_GT(reflection_at(0, 2, 12, 16).measured, -45);
  EXPECT_LT(reflection_at(0, 2, 16, 21).measured, -65);
  double last = reflection_at(45, 2, 6, 8, 0.2).measured;
  for (const int cubes : {10, 14}) {
    const double measured = reflection_at(45, 2, cubes, cubes * 4 / 3, 0.2).measured;
    EXPECT_LT(measured, last - 5);
    last = measured;
  }
}

/// Layers on six sides with edges and corners, a slab of this permittivity and a conductor that run into them, a Drude
/// metal beside.
Problem box_with_bodies(double slab, const physics::LayerProfile& profile, std::optional<double> loss = {}) {
  constexpr int cubes = 6, strata = 3;
  std::vector<mesh::AddedLayers> layers;
  for (const char* side : {"xmin", "xmax", "ymin", "ymax", "zmin", "zmax"})
    layers.push_back({side, strata, double(strata) / cubes});
  Problem problem{mesh::make_box({cubes, cubes, cubes}, {1, 1, 1}, alone(), layers),
                  {{}, {}, {slab, 1, 0}, {1, 1, 0.3}, {}},
                  std::vector<physics::BoundaryKind>(6, absorbing),
                  {}};
  problem.material[4].poles = {{physics::Pole::Type::drude, 30 * c0, 0, 0.5 * c0, 0}};
  problem.mesh.volume_names = {"box", "box (layer)", "slab", "conductor", "metal"};
  damp(problem, layers, profile, loss);
  for (std::size_t e = 0; e < problem.mesh.elements(); ++e) {
    const Vec3 x = dg::ElementGeometry(problem.mesh, e).centre();
    if (x.z > 0.4 && x.z < 0.6) problem.mesh.element_group[e] = 2;
    else if (x.x < 0.3 && x.y < 0.3) problem.mesh.element_group[e] = 3;
    else if (x.z > 0.6 && x.z < 0.8 && x.x > 0.3 && x.x < 0.7 && x.y > 0.3 && x.y < 0.7)
      problem.mesh.element_group[e] = 4;
  }
  return problem;
}

// Random fields: the energy falls in every sample.
TEST(AbsorbingLayers, NeverGrow) {
  const Problem problem = box_with_bodies(4, {2, 1e-4});
  const std::int64_t steps = full_study() ? 100'000 : 2'000, interval = steps / 200;
  for (const int order : dg::built_orders({1, 2})) {
    if (order == 2 && !full_study()) continue;
    const auto solver = make_solver<double>(problem, order, 0.95 * largest_time_step<double>(problem, order));
    solver->randomise_fields();
    const double first = solver->energy();
    double last = first;
    for (std::int64_t step = 0; step < steps; step += interval) {
      solver->advance(interval);
      const double energy = solver->energy();
      ASSERT_LE(energy, last * (1 + 1e-13)) << "P" << order << " after " << step + interval << " steps";
      last = energy;
    }
    fmt::print("P{}, {} elements: {} steps, energy {:.3g} of the first one\n", order, problem.mesh.global_elements,
               steps, last / first);
    EXPECT_LT(last, 0.1 * first);
  }
}

/// A metallic duct along z with layers at its ends, half of it and one layer filled by a dielectric: waves that the
/// dielectric guides stay in it for long, and their tails reach into the layer.
Problem duct_with_dielectric(const physics::LayerProfile& profile, double loss) {
  constexpr int cubes = 6, strata = 5;
  constexpr double thickness = double(strata) / cubes;
  const std::vector<mesh::AddedLayers> layers{{"zmin", strata, thickness}, {"zmax", strata, thickness}};
  Problem problem{mesh::make_box({cubes, 1, cubes}, {1, 1.0 / cubes, 1}, alone(), layers),
                  {{}, {}, {12, 1, 0}},
                  {pec, pec, pec, pec, absorbing, absorbing},
                  {}};
  problem.mesh.volume_names = {"box", "box (layer)", "dielectric"};
  damp(problem, layers, profile, loss);
  for (std::size_t e = 0; e < problem.mesh.elements(); ++e)
    if (dg::ElementGeometry(problem.mesh, e).centre().z > 0.6) problem.mesh.element_group[e] = 2;
  return problem;
}

/// Energies of random fields over the first one, after each twentieth of the steps.
std::vector<double> energies(const Problem& problem, const std::string& name, int order, std::int64_t steps) {
  const auto solver = make_solver<double>(problem, order, 0.95 * largest_time_step<double>(problem, order));
  solver->randomise_fields();
  const double first = solver->energy();
  std::vector<double> all;
  for (int i = 0; i < 20; ++i) solver->advance(steps / 20), all.push_back(solver->energy() / first);
  fmt::print("{}, P{}, {} elements: energy after {} steps {:.4g}, after {} {:.4g} of the first one\n", name, order,
             problem.mesh.global_elements, steps / 2, all[9], steps, all[19]);
  std::fflush(stdout);
  return all;
}

// There is no proof, so the longer the better: nothing in the second half is larger than in the quarter before it. What
// conduction and static fields leave is constant to rounding. Without the loss waves grow.
TEST(AbsorbingLayers, DoNotGrowIfConvolutionalWithALoss) {
  const auto expect_no_growth = [](const std::vector<double>& e) {
    EXPECT_LT(e[0], 1);
    EXPECT_LE(*std::max_element(e.begin() + 10, e.end()),
              *std::max_element(e.begin() + 5, e.begin() + 10) * (1 + 1e-9));
  };
  constexpr physics::LayerProfile steep{3, 1e-8};
  for (const double loss : {0.1, 0.2})
    expect_no_growth(energies(duct_with_dielectric(steep, loss), fmt::format("duct, cpml, loss {}", loss), 1, 6'000));
  const auto growing = energies(duct_with_dielectric(steep, 0), "duct, cpml without loss", 1, 6'000);
  EXPECT_GT(growing[19], 1.5 * growing[9]);
  const std::int64_t steps = full_study() ? 100'000 : 1'000;
  for (const int order : dg::built_orders({1, 2})) {
    if (order == 2 && !full_study()) continue;
    for (const double slab : full_study() ? std::vector{4.0, 12.0} : std::vector{12.0})
      expect_no_growth(energies(box_with_bodies(slab, {2, 1e-3}, 0.2),
                                fmt::format("box, slab of eps_r {}, cpml, loss 0.2", slab), order, steps));
  }
}

}  // namespace
}  // namespace dgtd::verification
