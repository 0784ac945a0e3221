// Estimates of the error in space against the true errors: where the exact field is known they are within a factor of
// two of each other (docs/verification.md, "Estimates of errors").
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <optional>

#include "dgtd/base/constants.hpp"
#include "dgtd/dg/element_geometry.hpp"
#include "dgtd/dg/reference_element.hpp"
#include "dgtd/mesh/load.hpp"
#include "dgtd/physics/cavity_mode.hpp"
#include "dgtd/solver/error_indicators.hpp"
#include "study.hpp"
#include "support/built_orders.hpp"
#include "support/exact_layered_sphere.hpp"

namespace dgtd::verification {
namespace {

using solver::Quantity;
using Complex = std::complex<double>;
using ComplexVector = std::array<Complex, 3>;

constexpr Complex imaginary_unit(0, 1);

/// Relative errors of E and H in a volume group.
struct Errors {
  std::array<double, 2> exact, estimated;
};

/// exact(field, x): V/m or A/m, of the peak phasor or of the present field.
template <class Solver, class Exact>
Errors errors_of(const Problem& problem, const Solver& solver, const std::string& group, bool phasor,
                 const Exact& exact) {
  const int order = solver.discretisation().order;
  const auto quadrature = dg::tetrahedron_quadrature(order + 2);
  const std::size_t points = quadrature.points.size();
  std::vector<std::uint32_t> elements = solver.stored_order();
  std::erase_if(elements,
                [&](std::uint32_t e) { return problem.mesh.volume_names[problem.mesh.element_group[e]] != group; });
  const auto frequency = phasor ? std::optional<std::size_t>(0) : std::nullopt;
  std::array<solver::FieldIndicators, 2> indicators;
  Errors errors{};
  std::vector<double> real(elements.size() * points * 3), imaginary(real.size());
  for (const auto field : {Quantity::Field::electric, Quantity::Field::magnetic}) {
    const auto part = phasor ? Quantity::Part::real : Quantity::Part::present;
    solver.sample({field, part, 0}, quadrature.points, elements, real.data());
    if (phasor) solver.sample({field, Quantity::Part::imaginary, 0}, quadrature.points, elements, imaginary.data());
    double error = 0, norm2 = 0;
    for (std::size_t i = 0; i < elements.size(); ++i) {
      const dg::ElementGeometry geometry(problem.mesh, elements[i]);
      for (std::size_t q = 0; q < points; ++q) {
        const ComplexVector expected = exact(field, geometry.point(quadrature.points[q]));
        const double weight = quadrature.weights[q] * std::abs(geometry.at(quadrature.points[q]).determinant);
        for (std::size_t k = 0; k < 3; ++k) {
          const std::size_t at = (i * points + q) * 3 + k;
          error += weight * std::norm(Complex(real[at], imaginary[at]) - expected[k]);
          norm2 += weight * std::norm(expected[k]);
        }
      }
    }
    const std::size_t f = field == Quantity::Field::electric ? 0 : 1;
    errors.exact[f] = std::sqrt(error / norm2);
    indicators[f] = solver.error_indicators(field, frequency);
  }
  const auto estimates = solver::estimate_errors(indicators[0], indicators[1]);
  for (std::size_t f = 0; f < 2; ++f) {
    double error = 0, norm2 = 0;
    for (const std::uint32_t e : elements) {
      error += (f == 0 ? estimates.electric : estimates.magnetic)[e];
      norm2 += indicators[f].squared_norm(e);
    }
    errors.estimated[f] = std::sqrt(error / norm2);
  }
  return errors;
}

void show_header(const char* what) {
  fmt::print("{}\nmesh, region        p   elements   E: true    estimate  ratio    H: true    estimate  ratio\n", what);
}

void show(const std::string& mesh, int order, std::size_t elements, const Errors& e) {
  fmt::print("{:18}  {}  {:9}  {:8.2e}   {:8.2e}  {:5.2f}   {:8.2e}   {:8.2e}  {:5.2f}\n", mesh, order, elements,
             e.exact[0], e.estimated[0], e.estimated[0] / e.exact[0], e.exact[1], e.estimated[1],
             e.estimated[1] / e.exact[1]);
  std::fflush(stdout);
}

void expect_within_two(const Errors& e, const std::string& where) {
  for (std::size_t f = 0; f < 2; ++f) {
    EXPECT_LT(e.estimated[f], 2 * e.exact[f]) << where << (f == 0 ? ", E" : ", H");
    EXPECT_GT(e.estimated[f], 0.5 * e.exact[f]) << where << (f == 0 ? ", E" : ", H");
  }
}

physics::Source wave_along_z(double frequency, double z) {
  physics::Source wave;
  wave.type = physics::Source::Type::plane_wave;
  wave.position = {0, 0, z};
  wave.direction = {0, 0, 1};
  wave.polarisation = {1, 0, 0};
  wave.waveform = {physics::Waveform::Type::ramped_sine, frequency, 2, 0};
  return wave;
}

/// With the sums of the last period; sin(omega t) = Re(i exp(-i omega t)).
std::unique_ptr<dg::DgSolver<float>> steady(const Problem& problem, int order, double frequency, int periods) {
  const int steps = static_cast<int>(std::ceil(1 / (frequency * 0.9 * largest_time_step<float>(problem, order))));
  auto solver = make_solver<float>(problem, order, 1 / (frequency * steps));
  run_to_steady_state(*solver, frequency, steps, periods);
  return solver;
}

// Five eighths of a period: so far the phase error has not outgrown the error in space. The step is so short that what
// it adds is small.
TEST(ErrorEstimate, OfACavityModeIsItsError) {
  show_header("standing wave (1, 1, 0) of a metallic unit cube");
  const physics::CavityMode mode;
  const double time = 0.625 * 2 * pi / mode.angular_frequency();
  for (const int cells : full_study() ? std::vector{3, 4, 6, 8} : std::vector{3, 4})
    for (const int order : dg::built_orders({1, 2, 3})) {
      const Problem problem = metallic_cube(cells);
      const int steps =
          static_cast<int>(std::ceil(time / (0.3 * largest_time_step<double>(problem, order) / (order * order))));
      const auto solver = make_solver<double>(problem, order, time / steps);
      const double lag = 0.5 * time / steps;
      solver->set_fields([&](const Vec3& x) { return mode.electric(x, 0); },
                         [&](const Vec3& x) { return mode.magnetic(x, -lag); });
      solver->advance(steps);
      const auto errors =
          errors_of(problem, *solver, problem.mesh.volume_names[0], false, [&](Quantity::Field f, const Vec3& x) {
            const Vec3 v = f == Quantity::Field::electric ? mode.electric(x, time) : mode.magnetic(x, time - lag);
            return ComplexVector{v.x, v.y, v.z};
          });
      const std::string name = fmt::format("{} cells", cells);
      show(name, order, problem.mesh.elements(), errors);
      expect_within_two(errors, fmt::format("{}, P{}", name, order));
    }
}

/// A slab from z = 0 to d, n complex, under the wave i exp(i k z) from below (Fresnel, with all reflections).
struct Slab {
  double wave_number, thickness;
  Complex n;

  ComplexVector field(Quantity::Field field, const Vec3& x) const {
    const Complex k = n * wave_number, r12 = (1.0 - n) / (1.0 + n), r23 = -r12;
    const Complex around = std::exp(2.0 * imaginary_unit * k * thickness), all = 1.0 + r12 * r23 * around;
    const Complex up = 2.0 / (1.0 + n) / all, down = up * r23 * around;
    const auto waves = [&](Complex forward, Complex backward, Complex wave_number_there, Complex index, double z) {
      const Complex f = forward * std::exp(imaginary_unit * wave_number_there * z),
                    b = backward * std::exp(-imaginary_unit * wave_number_there * z);
      if (field == Quantity::Field::electric) return ComplexVector{imaginary_unit * (f + b), 0, 0};
      return ComplexVector{0, imaginary_unit * index * (f - b) / vacuum_impedance, 0};
    };
    if (x.z < 0) return waves(1, (r12 + r23 * around) / all, wave_number, 1, x.z);
    if (x.z < thickness) return waves(up, down, k, n, x.z);
    return waves(up * (1.0 + r23) * std::exp(imaginary_unit * k * thickness), 0, wave_number, 1, x.z - thickness);
  }
};

// A column between metallic sides across E and magnetic ones across H, where the wave enters and leaves through
// Silver-Müller faces without reflection.
TEST(ErrorEstimate, OfASlabIsItsError) {
  show_header("slab of eps_r 4, 0.05 S/m, 60 mm, at 1.8 GHz");
  constexpr double frequency = 1.8e9, thickness = 0.06;
  const physics::Medium glass{4, 1, 0.05};
  const double omega = 2 * pi * frequency;
  const Slab slab{omega / speed_of_light, thickness,
                  std::sqrt(Complex(glass.permittivity, glass.conductivity / (omega * vacuum_permittivity)))};
  for (const int cells : full_study() ? std::vector{9, 12, 18} : std::vector{9, 12})  // along 180 mm
    for (const int order : dg::built_orders({1, 2, 3})) {
      const double edge = 0.18 / cells;
      using enum physics::BoundaryKind;
      Problem problem{mesh::make_box({2, 2, cells}, {2 * edge, 2 * edge, 0.18}, alone()),
                      {{}, glass},
                      {pec, pec, pmc, pmc, silver_muller, silver_muller},
                      {wave_along_z(frequency, thickness)}};
      problem.mesh.volume_names = {"air", "glass"};
      for (std::size_t e = 0; e < problem.mesh.elements(); ++e)
        problem.mesh.element_group[e] =
            std::abs(dg::ElementGeometry(problem.mesh, e).centre().z - 0.09) < 0.5 * thickness;
      const auto solver = steady(problem, order, frequency, 10);
      for (const char* region : {"glass", "air"}) {
        const auto errors = errors_of(problem, *solver, region, true, [&](Quantity::Field f, const Vec3& x) {
          return slab.field(f, x - Vec3{0, 0, thickness});
        });
        const std::string name = fmt::format("{} cells, {}", cells, region);
        show(name, order, problem.mesh.elements(), errors);
        expect_within_two(errors, fmt::format("{}, P{}", name, order));
      }
    }
}

struct Ball {
  const char* title;
  double radius, outer, size, outer_size, frequency;  // m, Hz
  physics::Medium medium;
  int periods;
};

/// Facets: of the exact volume.
enum class Surface { facets, curved };

Errors ball_errors(const Ball& b, double scale, int order, Surface surface, std::size_t& elements) {
  const mesh::Spheres geometry{{b.radius, b.outer}, {scale * b.size, scale * b.outer_size}, {"ball", "air"}};
  Problem problem =
      surface == Surface::curved ? curved_spheres(geometry, {b.medium, {}}) : spheres(geometry, {b.medium, {}});
  if (surface == Surface::facets) restore_sphere_volumes(problem.mesh, geometry.radii);
  problem.sources = {wave_along_z(b.frequency, 0)};
  elements = problem.mesh.elements();
  const auto solver = steady(problem, order, b.frequency, b.periods);
  const double omega = 2 * pi * b.frequency;
  const Complex permittivity = physics::permittivity(b.medium, omega);
  const exact::LayeredSphere sphere(
      {{b.radius, permittivity.real(), permittivity.imag() * omega * vacuum_permittivity}}, b.frequency);
  return errors_of(problem, *solver, "ball", true, [&](Quantity::Field f, const Vec3& x) {
    const auto exact = sphere.field(x);
    const auto& v = f == Quantity::Field::electric ? exact.electric : exact.magnetic;
    return ComplexVector{imaginary_unit * v[0], imaginary_unit * v[1], imaginary_unit * v[2]};
  });
}

Ball lossy_ball() {
  constexpr double frequency = 1.8e9, wavelength = speed_of_light / frequency;
  return {"sphere of 40 mm, eps_r 9, 0.5 S/m, in a wave of 1.8 GHz",
          0.04,
          0.04 + 0.6 * wavelength,
          0.02,
          0.05,
          frequency,
          {9, 1, 0.5},
          8};
}

Ball gold_ball() {
  physics::Medium gold;
  gold.poles = physics::gold_poles();
  return {"gold sphere of 40 nm in a wave of 550 nm", 40e-9, 260e-9, 16e-9, 80e-9, 5.45e14, gold, 9};
}

// From some order on the facets are the error, which the estimate does not have: it is that of the field on the mesh.
TEST(ErrorEstimate, OfASphereIsItsErrorWhereFacetsAreNot) {
  const Ball ball = lossy_ball();
  show_header(ball.title);
  for (const double scale : full_study() ? std::vector{1.0, 0.7, 0.5} : std::vector{0.7})
    for (const int order : full_study() ? dg::built_orders({1, 2, 3}) : dg::built_orders({1, 2})) {
      std::size_t elements = 0;
      const auto errors = ball_errors(ball, scale, order, Surface::facets, elements);
      const std::string name = fmt::format("size {:.0f} mm", 1e3 * scale * ball.size);
      show(name, order, elements, errors);
      if (order < 3) expect_within_two(errors, fmt::format("{}, P{}", name, order));
    }
}

TEST(ErrorEstimate, OfAGoldSphereIsItsErrorWhereFacetsAreNot) {
  const Ball ball = gold_ball();
  show_header(ball.title);
  for (const double scale : full_study() ? std::vector{1.0, 0.7, 0.5} : std::vector{1.0})
    for (const int order : full_study() ? dg::built_orders({1, 2, 3}) : dg::built_orders({1})) {
      std::size_t elements = 0;
      const auto errors = ball_errors(ball, scale, order, Surface::facets, elements);
      const std::string name = fmt::format("size {:.1f} nm", 1e9 * scale * ball.size);
      show(name, order, elements, errors);
      if (order == 1) expect_within_two(errors, fmt::format("{}, P{}", name, order));
    }
}

// highest: order up to which the field on the mesh is what the error is made of, on the coarsest mesh.
void expect_estimates_of_curved(const Ball& ball, int highest, double unit, const char* unit_name) {
  show_header((std::string(ball.title) + ", curved faces").c_str());
  for (const double scale : full_study() ? std::vector{1.0, 0.7, 0.5} : std::vector{1.0})
    for (const int order : full_study() ? dg::built_orders({1, 2, 3}) : dg::built_orders({2})) {
      std::size_t elements = 0;
      const auto errors = ball_errors(ball, scale, order, Surface::curved, elements);
      const std::string name = fmt::format("size {:.1f} {}", scale * ball.size / unit, unit_name);
      show(name, order, elements, errors);
      if (scale == 1.0 && order <= highest) expect_within_two(errors, fmt::format("{}, P{}", name, order));
    }
}

// Curved faces with the metric of each point leave the field on the mesh as the error, where that is above some per
// cent.
TEST(ErrorEstimate, OfACurvedSphereIsItsError) { expect_estimates_of_curved(lossy_ball(), 3, 1e-3, "mm"); }

TEST(ErrorEstimate, OfACurvedGoldSphereIsItsError) { expect_estimates_of_curved(gold_ball(), 2, 1e-9, "nm"); }

}  // namespace
}  // namespace dgtd::verification
