// Orders of convergence in space and in time on the standing wave (1, 1, 0) of the metallic unit cube.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "dgtd/base/constants.hpp"
#include "dgtd/dg/inner_product.hpp"
#include "dgtd/dg/kernel_table.hpp"
#include "dgtd/dg/reference_element.hpp"
#include "dgtd/physics/cavity_mode.hpp"
#include "study.hpp"

namespace dgtd::verification {
namespace {

const physics::CavityMode cavity;

// Five eighths of a period, where E and H are equally large.
double end_time() { return 0.625 * 2 * pi / cavity.angular_frequency(); }

std::unique_ptr<dg::DgSolver<double>> run_cavity(const Problem& problem, int order, std::int64_t steps) {
  const double dt = end_time() / static_cast<double>(steps);
  auto solver = make_solver<double>(problem, order, dt);
  solver->set_fields([](const Vec3& x) { return cavity.electric(x, 0); },
                     [&](const Vec3& x) { return cavity.magnetic(x, -0.5 * dt); });
  for (std::int64_t i = 0; i < steps; ++i) solver->advance(1);
  return solver;
}

// Relative L2 errors of E and H at the end.
std::array<double, 2> relative_errors(const dg::DgSolver<double>& solver) {
  const double t = end_time();
  const auto e = solver.squared_errors([&](const Vec3& x) { return cavity.electric(x, t); },
                                       [&](const Vec3& x) { return cavity.magnetic(x, t - 0.5 * solver.time_step()); });
  return {std::sqrt(e[0] / e[1]), std::sqrt(e[2] / e[3])};
}

// The leap-frog's relative phase error after the angle omega t: omega t (omega dt)^2 / 24.
double time_error(double dt) {
  const double omega = cavity.angular_frequency();
  return omega * end_time() * std::pow(omega * dt, 2) / 24;
}

struct Order {
  int order;
  std::vector<std::int64_t> full, brief;  // cells an edge
  double coarsest_error;                  // expected of the coarsest mesh; steers the time step
};

class CavityConvergence : public testing::TestWithParam<Order> {};

// dt ~ h^((p + 1) / 2), so that its error stays below a twentieth of the error in space.
TEST_P(CavityConvergence, InSpaceIsOfTheDegreesOrderAtLeast) {
  const auto& [order, full, brief, coarsest_error] = GetParam();
  if (order > dg::highest_order()) GTEST_SKIP() << "built for orders up to " << dg::highest_order();
  const auto& cells = full_study() ? full : brief;
  std::array<double, 2> errors{}, slope{};
  fmt::print(" p  cells  elements  steps  time error   error E   error H  order E  order H\n");
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const Problem problem = metallic_cube(cells[i]);
    const double wanted = 0.05 * coarsest_error * std::pow(double(cells[0]) / cells[i], order + 1);
    const double dt = std::min(0.9 * largest_time_step<double>(problem, order), std::sqrt(wanted / time_error(1)));
    const auto steps = static_cast<std::int64_t>(std::ceil(end_time() / dt));
    const auto solver = run_cavity(problem, order, steps);
    const auto now = relative_errors(*solver);
    fmt::print("{:2} {:6} {:9} {:6}  {:10.1e}  {:.2e}  {:.2e}", order, cells[i], problem.mesh.global_elements, steps,
               time_error(solver->time_step()), now[0], now[1]);
    if (i > 0) {
      for (int f = 0; f < 2; ++f)
        slope[f] = std::log(errors[f] / now[f]) / std::log(double(cells[i]) / double(cells[i - 1]));
      fmt::print("  {:7.2f}  {:7.2f}", slope[0], slope[1]);
    }
    fmt::print("\n");
    std::fflush(stdout);
    errors = now;
  }
  EXPECT_GE(slope[0], order - 0.2);
  EXPECT_GE(slope[1], order - 0.2);
}

INSTANTIATE_TEST_SUITE_P(Degree, CavityConvergence,
                         testing::Values(Order{1, {4, 8, 16, 32}, {4, 8, 16}, 2e-1},
                                         Order{2, {2, 4, 8, 16}, {2, 4, 8}, 1e-1},
                                         Order{3, {2, 4, 8, 12}, {2, 4, 6}, 1e-2},
                                         Order{4, {2, 4, 6, 8}, {2, 4, 6}, 1e-3}),
                         [](const auto& info) { return fmt::format("P{}", info.param.order); });

// L2 norm of a field array, V/m m^(3/2).
double l2_norm(const dg::DgSolver<double>& solver, const dg::Field<double>& field) {
  const auto products = solver.executor().element_products(field, field);
  return std::sqrt(std::accumulate(products.begin(), products.end(), 0.0));
}

// H half a step before E as the scheme itself has it where H is zero at the start: minus half of what a
// step makes of zero. The exact H would differ by dt / 2 times the error of the discrete curl, which is
// of first order in time.
std::unique_ptr<dg::DgSolver<double>> run_from_discrete_start(const Problem& problem, int order, std::int64_t steps) {
  const double dt = end_time() / static_cast<double>(steps);
  const auto zero = [](const Vec3&) { return Vec3{}; };
  auto start = make_solver<double>(problem, order, dt), solver = make_solver<double>(problem, order, dt);
  for (auto* s : {start.get(), solver.get()}) s->set_fields([](const Vec3& x) { return cavity.electric(x, 0); }, zero);
  start->advance(1);
  const double* const first_step = start->magnetic().host();
  double* const magnetic = solver->magnetic().host_for_writing();
  for (std::size_t k = 0; k < solver->magnetic().size(); ++k) magnetic[k] = -0.5 * first_step[k];
  for (std::int64_t i = 0; i < steps; ++i) solver->advance(1);
  return solver;
}

// One mesh, dt halved: the differences of successive solutions hold nothing of the error in space.
TEST(CavityTime, IsOfSecondOrder) {
  constexpr int order = 4;
  if (order > dg::highest_order()) GTEST_SKIP() << "built for orders up to " << dg::highest_order();
  const Problem problem = metallic_cube(3);
  auto steps = static_cast<std::int64_t>(std::ceil(end_time() / (0.9 * largest_time_step<double>(problem, order))));
  const int halvings = full_study() ? 5 : 3;
  auto last = run_from_discrete_start(problem, order, steps);
  double last_difference = 0, slope = 0;
  fmt::print(" steps  difference of E to twice the steps  order  expected time error\n");
  for (int i = 0; i < halvings; ++i, steps *= 2) {
    auto next = run_from_discrete_start(problem, order, 2 * steps);
    double* const difference = last->electric().host_for_writing();
    const double* const finer = next->electric().host();
    for (std::size_t k = 0; k < last->electric().size(); ++k) difference[k] -= finer[k];
    const double now = l2_norm(*last, last->electric()) / l2_norm(*next, next->electric());
    fmt::print("{:6}  {:.4e}", steps, now);
    if (i > 0) {
      slope = std::log2(last_difference / now);
      fmt::print("  {:.3f}", slope);
    }
    fmt::print("  {:.1e}\n", time_error(end_time() / double(steps)));
    last_difference = now;
    last = std::move(next);
  }
  EXPECT_NEAR(slope, 2, 0.02);
}

}  // namespace
}  // namespace dgtd::verification
