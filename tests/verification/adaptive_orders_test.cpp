// One adaptation of the orders of elements to the estimated error: the true error against the work before and after
// (docs/verification.md, "Orders of elements").
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <complex>
#include <ctime>
#include <functional>

#include "dgtd/base/constants.hpp"
#include "dgtd/dg/element_geometry.hpp"
#include "dgtd/dg/kernel_table.hpp"
#include "dgtd/dg/mixed_solver.hpp"
#include "dgtd/dg/order_choice.hpp"
#include "dgtd/dg/reference_element.hpp"
#include "dgtd/mesh/load.hpp"
#include "study.hpp"

namespace dgtd::verification {
namespace {

using solver::Quantity;
using Complex = std::complex<double>;
using ComplexVector = std::array<Complex, 3>;

/// A run whose exact field is known.
struct Study {
  Problem problem;
  double frequency;  // Hz
  double periods;
  bool phasor;  // of the last period; else the fields at the end
  std::function<void(dg::MixedSolver<double>&, double dt)> start = [](auto&, double) {};
  /// V/m or A/m at x: the peak phasor, or the field of E at `time` and of H half a step before.
  std::function<ComplexVector(Quantity::Field, const Vec3&, double time)> exact;
};

struct Outcome {
  double error = 0, estimate = 0;  // relative, of E and Z0 H of all elements
  std::int64_t steps = 0;
  double bytes = 0, seconds = 0;  // of all steps; seconds: of the processor
  std::vector<solver::ElementError> elements;
};

// sqrt(|error|^2 / |field|^2) of both fields by quadrature.
double true_error(const Study& s, const dg::MixedSolver<double>& solver, double time, double dt) {
  const auto quadrature = dg::tetrahedron_quadrature(6);
  const std::size_t points = quadrature.points.size();
  const auto elements = solver.stored_order();
  std::vector<double> real(elements.size() * points * 3), imaginary(real.size());
  double error = 0, norm2 = 0;
  for (const auto field : {Quantity::Field::electric, Quantity::Field::magnetic}) {
    const auto part = s.phasor ? Quantity::Part::real : Quantity::Part::present;
    solver.sample({field, part, 0}, quadrature.points, elements, real.data());
    if (s.phasor) solver.sample({field, Quantity::Part::imaginary, 0}, quadrature.points, elements, imaginary.data());
    const bool magnetic = field == Quantity::Field::magnetic;
    for (std::size_t i = 0; i < elements.size(); ++i) {
      const dg::ElementGeometry geometry(s.problem.mesh, elements[i]);
      const double volume = std::abs(geometry.determinant) * (magnetic ? vacuum_impedance * vacuum_impedance : 1);
      for (std::size_t q = 0; q < points; ++q) {
        const auto expected = s.exact(field, geometry.point(quadrature.points[q]), time - (magnetic ? dt / 2 : 0));
        for (std::size_t k = 0; k < 3; ++k) {
          const std::size_t at = (i * points + q) * 3 + k;
          error += volume * quadrature.weights[q] * std::norm(Complex(real[at], imaginary[at]) - expected[k]);
          norm2 += volume * quadrature.weights[q] * std::norm(expected[k]);
        }
      }
    }
  }
  return std::sqrt(error / norm2);
}

void estimate(const Study& s, const dg::MixedSolver<double>& solver, Outcome& o) {
  const auto frequency = s.phasor ? std::optional<std::size_t>(0) : std::nullopt;
  const auto e = solver.error_indicators(Quantity::Field::electric, frequency),
             h = solver.error_indicators(Quantity::Field::magnetic, frequency);
  const auto errors = solver::estimate_errors(e, h);
  double norm2 = 0, error = 0;
  for (std::size_t i = 0; i < e.elements(); ++i) {
    norm2 += e.squared_norm(i) + h.squared_norm(i);
    error += errors.electric[i] + errors.magnetic[i];
  }
  o.estimate = std::sqrt(error / norm2);
  for (std::size_t i = 0; i < e.elements(); ++i)
    o.elements.push_back({static_cast<std::uint8_t>(e.order_of(i)),
                          static_cast<float>(std::sqrt((errors.electric[i] + errors.magnetic[i]) / norm2)),
                          static_cast<float>(std::sqrt(solver::squared_decay(e, h, i)))});
}

Outcome run(const Study& s, const std::vector<int>& orders) {
  const Problem& p = s.problem;
  dg::MixedDiscretisation<double> d(
      p.mesh, {p.material, p.boundary_kind, orders, !p.sources.empty(), p.layers, p.curved}, alone());
  const double limit = 0.95 * d.stability_limit(alone()).time_step;
  const auto per_period = static_cast<std::int64_t>(std::ceil(1 / (s.frequency * limit)));
  Outcome o;
  o.steps = static_cast<std::int64_t>(std::lround(s.periods * double(per_period)));
  const double dt = s.phasor ? 1 / (s.frequency * double(per_period)) : s.periods / s.frequency / double(o.steps);
  dg::MixedSolver<double> solver(std::move(d), dt, p.sources, p.mesh.volume_names, alone());
  s.start(solver, dt);
  o.bytes = double(o.steps) * solver.costs().compulsory_bytes_per_step;
  const std::clock_t before = std::clock();
  solver.advance(s.phasor ? o.steps - per_period : o.steps);
  if (s.phasor) {
    solver.start_dft({2 * pi * s.frequency});
    for (std::int64_t i = 0; i < per_period; ++i) {
      solver.advance(1);
      solver.accumulate_dft(2.0 / double(per_period));
    }
  }
  solver.wait();
  o.seconds = double(std::clock() - before) / CLOCKS_PER_SEC;
  o.error = true_error(s, solver, double(o.steps) * dt, dt);
  estimate(s, solver, o);
  return o;
}

void show(const char* name, const std::vector<int>& orders, const Outcome& o, const Outcome& first) {
  std::array<int, 5> count{};
  for (const int p : orders) ++count.at(static_cast<std::size_t>(p));
  fmt::print("{:28} {:5} {:5} {:5}  {:8.2e}  {:8.2e}  {:6}  {:6.2f}  {:6.2f}\n", name, count[1], count[2], count[3],
             o.error, o.estimate, o.steps, o.bytes / first.bytes, o.seconds / first.seconds);
  std::fflush(stdout);
}

/// One adaptation from elements of one order to half of the error, and the next uniform order.
void adapt_once(const char* title, const Study& s, int order) {
  if (dg::highest_order() < order + 1) GTEST_SKIP() << "needs P" << order + 1;
  fmt::print("{}\n{:28} {:>5} {:>5} {:>5}  {:8}  {:8}  {:6}  {:6}  {:6}\n", title, "", "P1", "P2", "P3", "error",
             "estimate", "steps", "bytes", "time");
  std::vector<int> orders(s.problem.mesh.elements(), order);
  const Outcome first = run(s, orders);
  show("uniform", orders, first, first);
  const auto adapted = dg::adapted_orders(first.elements, dg::step_limits_of_orders(s.problem.mesh, s.problem.material, alone()), 0.5 * first.estimate, order + 1);
  orders.assign(adapted.order.begin(), adapted.order.end());
  dg::grade_orders(s.problem.mesh, s.problem.sources, orders, alone());
  const Outcome second = run(s, orders);
  show("adapted", orders, second, first);
  if (full_study()) {
    const std::vector<int> next(orders.size(), order + 1);
    show("uniform, one order more", next, run(s, next), first);
  }
  // The gain of an order is estimated too: 12 cells have 0.47 and 0.53 (docs/verification.md).
  EXPECT_LT(second.error, (full_study() ? 0.55 : 0.5) * first.error) << title;
  EXPECT_LT(second.bytes, 2 * first.bytes) << title;
  EXPECT_LT(second.estimate, 2 * second.error) << title;
  EXPECT_GT(second.estimate, 0.5 * second.error) << title;
}

/// Mode E_y of a metallic box of 1 m x b x 1 m whose lower part, to z = d, has eps: E_y = f(z) sin(pi x) cos(w t) with
/// f = sin(k_1 z) / sin(k_1 d) below and sin(k_2 (1 - z)) / sin(k_2 (1 - d)) above, k_1^2 = eps w^2 / c^2 - pi^2,
/// k_2^2 = w^2 / c^2 - pi^2; f' is continuous where k_1 cot(k_1 d) + k_2 cot(k_2 (1 - d)) = 0.
struct FilledCavity {
  double eps, depth, wave_number;  // wave_number: w / c, 1/m

  FilledCavity(double permittivity, double d, double low, double high) : eps(permittivity), depth(d) {
    const auto mismatch = [&](double k) {
      const double k1 = std::sqrt(eps * k * k - pi * pi), k2 = std::sqrt(k * k - pi * pi);
      // Times both sines: without poles.
      return k1 * std::cos(k1 * d) * std::sin(k2 * (1 - d)) + k2 * std::cos(k2 * (1 - d)) * std::sin(k1 * d);
    };
    const bool rises = mismatch(high) > 0;
    EXPECT_NE(mismatch(low) > 0, rises);
    for (int i = 0; i < 100; ++i) {
      const double middle = 0.5 * (low + high);
      ((mismatch(middle) > 0) == rises ? high : low) = middle;
    }
    wave_number = low;
  }
  double frequency() const { return wave_number * speed_of_light / (2 * pi); }

  Vec3 field(Quantity::Field field, const Vec3& x, double time) const {
    const double omega = wave_number * speed_of_light;
    const double k1 = std::sqrt(eps * wave_number * wave_number - pi * pi),
                 k2 = std::sqrt(wave_number * wave_number - pi * pi);
    const bool below = x.z < depth;
    const double f = below ? std::sin(k1 * x.z) / std::sin(k1 * depth)
                           : std::sin(k2 * (1 - x.z)) / std::sin(k2 * (1 - depth)),
                 slope = below ? k1 * std::cos(k1 * x.z) / std::sin(k1 * depth)
                               : -k2 * std::cos(k2 * (1 - x.z)) / std::sin(k2 * (1 - depth));
    if (field == Quantity::Field::electric) return {0, f * std::sin(pi * x.x) * std::cos(omega * time), 0};
    const double h = std::sin(omega * time) / (omega * vacuum_permeability);  // dH/dt = -curl E / mu
    return {h * slope * std::sin(pi * x.x), 0, -h * pi * f * std::cos(pi * x.x)};
  }
};

void adapt_cavity(double eps, double low, double high, int cells, int order) {
  using enum physics::BoundaryKind;
  const FilledCavity mode(eps, 0.5, low, high);
  const double edge = 1.0 / cells;
  Problem problem{mesh::make_box({cells, 2, cells}, {1, 2 * edge, 1}, alone()),
                  {{}, {eps, 1, 0}},
                  {pec, pec, pec, pec, pec, pec},
                  {}};
  problem.mesh.volume_names = {"air", "glass"};
  for (std::size_t e = 0; e < problem.mesh.elements(); ++e)
    problem.mesh.element_group[e] = dg::ElementGeometry(problem.mesh, e).centre().z < 0.5;
  Study s{std::move(problem), mode.frequency(), 0.625, false, {}, {}};
  s.start = [mode](dg::MixedSolver<double>& solver, double dt) {
    solver.set_fields([&](const Vec3& x) { return mode.field(Quantity::Field::electric, x, 0); },
                      [&](const Vec3& x) { return mode.field(Quantity::Field::magnetic, x, -dt / 2); });
  };
  s.exact = [mode](Quantity::Field f, const Vec3& x, double time) {
    const Vec3 v = mode.field(f, x, time);
    return ComplexVector{v.x, v.y, v.z};
  };
  adapt_once(fmt::format("cavity of 1 m, half of eps_r {}, {:.0f} MHz, {} cells", eps, 1e-6 * mode.frequency(), cells).c_str(), s,
             order);
}

TEST(AdaptedOrders, HalveTheErrorOfACavityHalfFilled) {
  for (const int cells : full_study() ? std::vector{8, 12} : std::vector{8}) {
    adapt_cavity(9, 4.4, 5.4, cells, 2);
    adapt_cavity(4, 6.62, 6.92, cells, 2);
  }
}

}  // namespace
}  // namespace dgtd::verification
