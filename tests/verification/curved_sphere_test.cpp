// The lowest TM mode of a ball with metallic walls: straight elements, those of the exact volume, and second-order ones
// with the mean of their metric and with that of each point.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <complex>
#include <filesystem>

#include "dgtd/base/constants.hpp"
#include "dgtd/mesh/load.hpp"
#include "dgtd/mesher/from_bodies.hpp"
#include "study.hpp"
#include "support/built_orders.hpp"

namespace dgtd::verification {
namespace {

constexpr double exact_wave_number = 2.7437072699922695;  // of a ball of radius 1 m, 1/m: (x j1(x))' = 0

enum class Sphere { straight, exact_volume, mean, full };
constexpr const char* sphere_names[] = {"straight", "exact volume", "mean", "full"};

Problem metallic_ball(double size, Sphere kind) {
  const auto file = std::filesystem::temp_directory_path() / fmt::format("dgtd_curved_{}.msh", getpid());
  const mesh::Spheres ball{{1.0}, {size}, {"air"}, {}, kind == Sphere::exact_volume};
  mesh::generate_spheres(ball, file);
  if (kind >= Sphere::mean) mesher::make_spheres_curved(ball, file);
  mesh::MeshSource settings;
  settings.file = file;
  settings.cache = mesh::MeshSource::Cache::off;
  Problem problem{mesh::load(settings, alone()), {physics::Medium()}, {physics::BoundaryKind::pec}, {}};
  std::filesystem::remove(file);
  if (kind == Sphere::full) problem.curved = mesh::CurvedElements::full;
  return problem;
}

// E of the mode along z:  E_r = 2 cos(t) j1(x) / x,  E_t = -sin(t) (x j1)' / x,  x = k r.
Vec3 mode(const Vec3& p) {
  const double r = norm(p), x = exact_wave_number * r;
  if (x < 1e-3) return {0, 0, 2.0 / 3};
  const double j1_over_x = (std::sin(x) / x - std::cos(x)) / (x * x),
               slope_over_x = (std::cos(x) / x - std::sin(x) / (x * x) + std::sin(x)) / x;
  const Vec3 u = p / r;
  const double cosine = u.z;
  const Vec3 t_sine = cosine * u - Vec3{0, 0, 1};  // sin(t) times the unit vector along t
  return 2 * cosine * j1_over_x * u - slope_over_x * t_sine;
}

struct ModeFigures {
  double frequency_error, field_error, volume;
};

// min over c of |E - c mode| / |E|: of the shape of the field alone.
double shape_error(const dg::DgSolver<double>& solver) {
  const auto zero = [](const Vec3&) { return Vec3{}; };
  const double square = solver.squared_errors(zero, zero)[0];
  const auto of_mode = solver.squared_errors(mode, zero);  // |E - mode|^2, |mode|^2
  const double product = 0.5 * (square + of_mode[1] - of_mode[0]);
  return std::sqrt(std::max(0.0, 1 - product * product / (square * of_mode[1])));
}

// The frequency from the phase of E at points near the middle in two windows (Blackman and Harris, four terms) of ten
// periods, corrected by the leap-frog's relation k = 2 / (c dt) sin(w dt / 2).
ModeFigures measure_mode(const Problem& problem, int order) {
  constexpr int periods = 10, steps_at_least = 60;
  const double period = 2 * pi / (exact_wave_number * speed_of_light);
  const int steps = std::max(steps_at_least, int(std::ceil(period / (0.95 * largest_time_step<double>(problem, order)))));
  const double dt = period / steps;
  auto solver = make_solver<double>(problem, order, dt);
  solver->set_fields(mode, [](const Vec3&) { return Vec3{}; });
  solver->add_probe("p", {0.013, 0.021, 0.017}, "test");
  // H is half a step behind E, so H = 0 at the start of a standing wave is off by half a step: a phase alone.
  const int samples = 2 * periods * steps;
  std::vector<double> signal;
  for (int n = 0; n <= samples; ++n) {
    signal.push_back(solver->probe("p").electric.z);
    if (n < samples) solver->advance(1);
  }
  const auto phase = [&](int first) {
    std::complex<double> sum = 0;
    for (int n = 0; n <= periods * steps; ++n) {
      const double a = 2 * pi * n / (periods * steps);
      const double window = 0.35875 - 0.48829 * std::cos(a) + 0.14128 * std::cos(2 * a) - 0.01168 * std::cos(3 * a);
      sum += window * signal[static_cast<std::size_t>(first + n)] * std::polar(1.0, -2 * pi * (first + n) / steps);
    }
    return std::arg(sum);
  };
  const double turn = std::remainder(phase(periods * steps) - phase(0), 2 * pi);
  const double angular = 2 * pi / period + turn / (periods * period);
  const double wave_number = 2 / (speed_of_light * dt) * std::sin(angular * dt / 2);
  double volume = 0;
  for (const double v : group_volumes(problem.mesh)) volume += v;
  return {wave_number / exact_wave_number - 1, shape_error(*solver), volume / (4 * pi / 3) - 1};
}

ModeFigures print_figures(int order, double size, Sphere kind) {
  const Problem problem = metallic_ball(size, kind);
  const ModeFigures f = measure_mode(problem, order);
  fmt::print("| P{} | {} | {} | {} | {:+.1e} | {:.1e} | {:+.1e} |\n", order, size, problem.mesh.elements(),
             sphere_names[static_cast<int>(kind)], f.frequency_error, f.field_error, f.volume);
  return f;
}

// Meshes of octants by another program: straight 7.8e-3, mean 3.4e-5 at P2 and 0.28, 7.0e-5 at P3. A second mesh of one
// process differs from run to run (Gmsh); seen with mean: 4e-5 to 3.7e-4 at P2, 5e-5 to 1.0e-4 at P3.
TEST(CurvedSphere, HasItsFrequency) {
  for (const int order : dg::built_orders({1, 2, 3}))
    for (const double size : full_study() ? std::vector{0.6, 0.4, 0.28, 0.2} : std::vector{0.28}) {
      const double straight = std::abs(print_figures(order, size, Sphere::straight).frequency_error);
      const double volume = std::abs(print_figures(order, size, Sphere::exact_volume).frequency_error);
      const ModeFigures with_mean = print_figures(order, size, Sphere::mean);
      const double mean = std::abs(with_mean.frequency_error);
      const ModeFigures full = print_figures(order, size, Sphere::full);
      if (order < 2 || size != 0.28) continue;
      EXPECT_LT(std::abs(full.frequency_error), 1e-4);  // of octants 2.2e-5, here 1e-6 to 5.7e-5
      if (order == 3) {
        EXPECT_LT(full.field_error, 0.5 * with_mean.field_error);  // seen: 2.9e-3 and 1.2e-2
        // Edges of second order leave an error of about fourth order in the size, straight ones of second. Single
        // meshes differ by a factor of two: seen from 0.56 to 0.28 are 3.3, 4.4 and 4.6, from 0.6 to 0.2 4.0.
        const double coarser = std::abs(print_figures(order, 2 * size, Sphere::full).frequency_error);
        EXPECT_GT(std::log2(coarser / std::abs(full.frequency_error)), 2.5);
      }
      EXPECT_LT(volume, straight / 8);
      EXPECT_GT(straight, 4e-3);
      EXPECT_LT(mean, straight / 12);
    }
}

// The energy belongs to the metric of each element, whatever it is.
TEST(CurvedSphere, ConservesItsEnergy) {
  for (const Sphere kind : {Sphere::mean, Sphere::full}) {
    const Problem problem = metallic_ball(0.5, kind);
    ASSERT_GT(problem.mesh.curved.size(), problem.mesh.elements() / 4);
    auto solver = make_solver<double>(problem, 2, 0.95 * largest_time_step<double>(problem, 2));
    set_rough_fields(*solver);
    const double first = solver->energy();
    ASSERT_GT(first, 0);
    double largest = 0;
    for (int i = 0; i < 50; ++i) {
      solver->advance(full_study() ? 2000 : 100);
      largest = std::max(largest, std::abs(solver->energy() / first - 1));
    }
    fmt::print("{}: largest relative drift of the energy {:.1e}\n", sphere_names[static_cast<int>(kind)], largest);
    EXPECT_LT(largest, 1e-12);
  }
}

// The projection of a linear field is the field, and points are found in the elements that have them.
TEST(CurvedSphere, FindsFieldsAtPoints) {
  const Problem problem = metallic_ball(0.5, Sphere::mean);
  auto solver = make_solver<double>(problem, 3, 0.5 * largest_time_step<double>(problem, 3));
  const auto field = [](const Vec3& x) { return Vec3{1 + x.y, 2 - x.z, x.x}; };
  solver->set_fields(field, field);
  const auto errors = solver->squared_errors(field, field);
  EXPECT_LT(std::sqrt(errors[0] / errors[1]), 2e-3);  // u . a_k has degree 3, rounded gradients do not
  int number = 0;
  for (const Vec3& direction : {Vec3{1, 0, 0}, Vec3{0.6, 0.8, 0}, Vec3{-0.36, 0.48, 0.8}, Vec3{0.28, 0, -0.96}}) {
    const Vec3 x = 0.999 * direction;  // outside of the polyhedron of the vertices but for their surroundings
    const std::string name = fmt::format("p{}", number++);
    solver->add_probe(name, x, "test");
    const Vec3 found = solver->probe(name).electric;
    EXPECT_LT(norm(found - field(x)), 1e-2) << number;
  }
  double volume = 0;
  for (std::size_t e = 0; e < problem.mesh.elements(); ++e) volume += problem.mesh.volume(e);
  EXPECT_NEAR(volume / (4 * pi / 3), 1, 2e-3);  // quadratic edges of a tenth of a circle; straight ones lack 5 %
}

}  // namespace
}  // namespace dgtd::verification
