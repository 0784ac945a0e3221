// The Debye pole of E's half step against the same scheme over Executor::apply, coefficient by coefficient.
#include <gtest/gtest.h>

#include "problems.hpp"

namespace dgtd::dg::test {
namespace {

Problem with_pole() {
  Problem problem = mixed({3, 3, 3});
  auto& m = problem.material[2];
  m.conductivity = 0.05;
  m.poles = {{.type = physics::Pole::Type::debye, .strength = 3, .relaxation_time = 4e-11}};
  return problem;
}

// E, H and P in the layout of the fields.
struct Reference {
  const Discretisation<double>& d;
  Executor<double>& executor;
  Field<double> electric, magnetic, rate;
  std::vector<double> polarisation;

  explicit Reference(const DgSolver<double>& solver)
      : d(solver.discretisation()),
        executor(solver.executor()),
        electric(field()),
        magnetic(field()),
        rate(field()),
        polarisation(d.owned_reals()) {
    std::copy_n(solver.electric().host(), d.owned_reals(), electric.host_for_writing());
    std::copy_n(solver.magnetic().host(), d.owned_reals(), magnetic.host_for_writing());
  }
  Field<double> field() const { return {d.field_reals(), executor.memory()}; }

  //   q = k (a E - b P),   dE = (curl - dt q - 2 s E) / (1 + s + dt g),   P += dt (q + g dE),
  //   k = 1 / (1 + b dt / 2),   g = k a / 2
  void step(double dt) {
    const OperatorTerms terms{.length = speed_of_light * dt, .conduction = false};
    executor.apply(HalfStep::magnetic, electric, magnetic, rate, terms);
    double* const h = magnetic.host_for_writing();
    for (std::size_t i = 0; i < d.owned_reals(); ++i) h[i] += rate.host()[i];
    executor.apply(HalfStep::electric, magnetic, electric, rate, terms);
    double* const e = electric.host_for_writing();
    for (std::size_t slot = 0; slot < d.element_of_slot.size(); ++slot) {
      const physics::Medium& m = d.material[d.group_of_slot[slot]];
      const double s = m.conductivity * dt / (2 * m.permittivity * vacuum_permittivity);
      const double b = m.poles.empty() ? 0 : 1 / m.poles[0].relaxation_time;
      const double a = m.poles.empty() ? 0 : m.poles[0].strength * b / m.permittivity;
      const double k = 1 / (1 + b * dt / 2), g = k * a / 2;
      for (int i = 0; i < 3 * d.layout.nodes; ++i) {
        const std::size_t at = d.layout.first(static_cast<std::uint32_t>(slot)) + i * d.layout.stride();
        const double q = k * (a * e[at] - b * polarisation[at]);
        const double change = (rate.host()[at] - dt * q - 2 * s * e[at]) / (1 + s + dt * g);
        polarisation[at] += dt * (q + g * change);
        e[at] += change;
      }
    }
  }
};

double relative_difference(const Field<double>& a, const Field<double>& b, std::size_t reals) {
  double difference = 0, largest = 0;
  for (std::size_t i = 0; i < reals; ++i) {
    difference = std::max(difference, std::abs(a.host()[i] - b.host()[i]));
    largest = std::max(largest, std::abs(b.host()[i]));
  }
  return difference / largest;
}

TEST(DebyePole, IsTheTrapezoidalRuleBesideE) {
  const parallel::Communicator self(MPI_COMM_SELF);
  const Problem problem = with_pole();
  for (const int order : {1, 2})
    for (const auto schedule : {KernelFusion::fused, KernelFusion::split}) {
      const double dt = brisk_time_step(order);
      auto solver = make_solver<double>(problem, order, dt, self, schedule);
      ASSERT_EQ(solver.discretisation().states.size(), 1u);
      fill_at_random(solver);
      Reference reference(solver);
      for (int step = 0; step < 20; ++step) reference.step(dt);
      solver.advance(20);
      const std::size_t reals = solver.discretisation().owned_reals();
      EXPECT_LT(relative_difference(solver.electric(), reference.electric, reals), 1e-12) << "P" << order;
      EXPECT_LT(relative_difference(solver.magnetic(), reference.magnetic, reals), 1e-12) << "P" << order;
      const auto& state = solver.discretisation().states[0];
      double largest = 0;
      for (std::size_t slot = 0; slot < solver.discretisation().element_of_slot.size(); ++slot) {
        const std::int64_t block = state.first[slot / block_lanes];
        for (int i = 0; block >= 0 && i < state.entries; ++i) {
          const double p =
              solver.executor().states()[0].host()[(block * state.entries + i) * block_lanes + slot % block_lanes];
          const double wanted =
              reference.polarisation[solver.discretisation().layout.first(static_cast<std::uint32_t>(slot)) +
                                     i * solver.discretisation().layout.stride()];
          largest = std::max(largest, std::abs(wanted));
          ASSERT_NEAR(p, wanted, 1e-12 * (1 + std::abs(wanted)));
        }
      }
      EXPECT_GT(largest, 0.01);
    }
}

}  // namespace
}  // namespace dgtd::dg::test
