// The classical Runge-Kutta scheme against the exponential of the operator, exp(t L) u = sum (t L)^k u / k!.
#include <gtest/gtest.h>

#include "dgtd/dg/runge_kutta.hpp"
#include "dgtd/dg/time_step.hpp"
#include "problems.hpp"

namespace dgtd::dg::test {
namespace {

struct Fields {
  std::vector<double> electric, magnetic;
};

std::vector<double> values(const Field<double>& field, std::size_t reals) {
  return {field.host(), field.host() + reals};
}

DgSolver<double> runge_kutta_solver(const Problem& problem, int order, double dt, const parallel::Communicator& comm) {
  auto d = std::make_unique<Discretisation<double>>(problem.mesh, problem.material, problem.boundary_kind, order, false,
                                                    cpu_field_lanes);
  auto executor = make_cpu_executor(*d, KernelFusion::fused, comm);
  return {std::move(d),
          std::move(executor),
          dt,
          problem.sources,
          problem.mesh.volume_names,
          comm,
          [dt](const Dynamics<double>& of) { return std::make_unique<RungeKutta<double>>(of, dt); }};
}

// In `parts` equal parts, each by the series up to its term of order 30.
Fields exponential(DgSolver<double>& solver, double time, int parts) {
  const auto& d = solver.discretisation();
  auto& executor = solver.executor();
  const OperatorTerms terms{.length = speed_of_light * time / parts};
  const auto n = static_cast<std::int64_t>(d.owned_reals());
  const auto field = [&] { return Field<double>(d.field_reals(), executor.memory()); };
  Field<double> e = field(), h = field(), term_e = field(), term_h = field(), next_e = field(), next_h = field();
  const auto copy = [&](const Field<double>& from, Field<double>& to) {
    executor.for_each(n, parallel::CopyReals<double>{from.read(), to.write()});
  };
  const auto add = [&](const Field<double>& from, Field<double>& to) {
    executor.for_each(n, parallel::AddReals<double>{from.read(), 1, to.write()});
  };
  copy(solver.electric(), e), copy(solver.magnetic(), h);
  for (int part = 0; part < parts; ++part) {
    copy(e, term_e), copy(h, term_h);
    for (int k = 1; k <= 30; ++k) {
      executor.apply(HalfStep::electric, term_h, term_e, next_e, terms);
      executor.apply(HalfStep::magnetic, term_e, term_h, next_h, terms);
      for (auto* next : {&next_e, &next_h}) executor.for_each(n, parallel::ScaleReals<double>{next->write(), 1.0 / k});
      copy(next_e, term_e), copy(next_h, term_h);
      add(term_e, e), add(term_h, h);
    }
  }
  return {values(e, d.owned_reals()), values(h, d.owned_reals())};
}

double relative_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double difference = 0, largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    difference = std::max(difference, std::abs(a[i] - b[i]));
    largest = std::max(largest, std::abs(b[i]));
  }
  return difference / largest;
}

// With absorbing faces, metal and conduction: the error of a fixed time falls by 16 per halving of the step.
TEST(RungeKutta, IsOfOrderFourAgainstTheExponential) {
  const parallel::Communicator self(MPI_COMM_SELF);
  const Problem problem = mixed({2, 2, 2});
  const double time = 4 * brisk_time_step(2);
  std::array<double, 3> electric{}, magnetic{};
  for (int i = 0; i < 3; ++i) {
    const int steps = 16 << i;
    auto solver = runge_kutta_solver(problem, 2, time / steps, self);
    fill_at_random(solver);
    const Fields exact = exponential(solver, time, 8);
    solver.advance(steps);
    electric[i] = relative_difference(values(solver.electric(), exact.electric.size()), exact.electric);
    magnetic[i] = relative_difference(values(solver.magnetic(), exact.magnetic.size()), exact.magnetic);
    std::printf("%d steps: E %.4e, H %.4e\n", steps, electric[i], magnetic[i]);
  }
  for (int i = 0; i < 2; ++i) {
    EXPECT_NEAR(electric[i] / electric[i + 1], 16, 1.6);
    EXPECT_NEAR(magnetic[i] / magnetic[i + 1], 16, 1.6);
  }
}

// |1 - z^2 / 2 + z^4 / 24 + i (z - z^3 / 6)| < 1 for 0 < z < 2 sqrt 2: energy only falls there.
TEST(RungeKutta, LosesEnergyBelowItsLimitAndGrowsBeyond) {
  const parallel::Communicator self(MPI_COMM_SELF);
  const Problem problem = closed_vacuum({2, 2, 2});
  Discretisation<double> d(problem.mesh, problem.material, problem.boundary_kind, 2, false, cpu_field_lanes);
  const double leap_frog = stability_limit(d, *make_cpu_executor(d, KernelFusion::fused, self), self).time_step;
  for (const double share : {0.95, 1.40}) {
    auto solver = runge_kutta_solver(problem, 2, share * leap_frog, self);
    fill_at_random(solver);
    double last = solver.energy();
    for (int i = 0; i < 200; ++i) {
      solver.advance(1);
      ASSERT_LE(solver.energy(), last) << share << " of the limit of leap-frog, step " << i + 1;
      last = solver.energy();
    }
  }
  auto solver = runge_kutta_solver(problem, 2, 1.45 * leap_frog, self);
  fill_at_random(solver);
  const double first = solver.energy();
  solver.advance(400);
  EXPECT_GT(solver.energy(), 1e6 * first);
}

// E and H have one time.
TEST(RungeKutta, HasEAndHAtTheSameTime) {
  const parallel::Communicator self(MPI_COMM_SELF);
  const Problem problem = closed_vacuum({1, 1, 1});
  auto solver = runge_kutta_solver(problem, 1, 1e-12, self);
  solver.advance(3);
  EXPECT_EQ(solver.clock().magnetic_time(), solver.clock().electric_time());
}

}  // namespace
}  // namespace dgtd::dg::test
