// stability_limit against the largest eigenvalue of the dense operator, report 7592 eq. (9), and
// against what the leap-frog scheme does on either side of it.
#include <gtest/gtest.h>
#include <omp.h>

#include <Eigen/Eigenvalues>
#include <map>

#include "comparison.hpp"
#include "dgtd/dg/time_step.hpp"
#include "support/built_orders.hpp"

namespace dgtd::dg::test {
namespace {

constexpr auto pec = physics::BoundaryKind::pec, pmc = physics::BoundaryKind::pmc,
               absorbing = physics::BoundaryKind::silver_muller;

Problem problem_with(bool with_absorbing, const std::array<int, 3>& cells) {
  const auto open = with_absorbing ? absorbing : pec;
  return {tiny_mesh(cells, 3, 5),
          {{2.5, 1.0, 0.0}, {1.3, 1.7, 0.0}, {1.0, 1.0, 0.0}},
          {open, pec, pmc, open, open, pmc},
          {}};
}

template <class Real>
StabilityLimit computed_limit(const Problem& p, int order) {
  const parallel::Communicator self(MPI_COMM_SELF);
  Discretisation<Real> d(p.mesh, p.material, p.boundary_kind, order, false, cpu_field_lanes, {}, {}, {}, p.curved,
                         p.upwind);
  return stability_limit(d, *make_cpu_executor(d, KernelFusion::fused, self), self);
}

/// E M_eps E + H M_mu H, up to a constant.
double squared_norm(const DgSolver<double>& solver) {
  const auto& d = solver.discretisation();
  const auto e = solver.executor().element_products(solver.electric(), solver.electric());
  const auto h = solver.executor().element_products(solver.magnetic(), solver.magnetic());
  double sum = 0;
  for (std::size_t slot = 0; slot < e.size(); ++slot) {
    const std::int64_t element = d.element_of_slot[slot];
    if (element >= 0)
      sum += d.material_of(element).permittivity * e[slot] + d.material_of(element).permeability * h[slot];
  }
  return sum;
}

double growth(const Problem& problem, int order, double dt, int steps) {
  const parallel::Communicator self(MPI_COMM_SELF);
  auto solver = make_solver<double>(problem, order, dt, self);
  fill_at_random(solver);
  const double start = squared_norm(solver);
  double largest = start;
  for (int i = 0; i < steps; ++i) {
    solver.advance(1);
    if (i % 20 == 19 || i == steps - 1) largest = std::max(largest, squared_norm(solver));
  }
  return largest / start;
}

/// B of time_step.hpp, (E, H) -> (L_E(E, H), L_H(-E, H)), in coefficients.
Eigen::MatrixXd operator_matrix(const Discretisation<double>& d, Executor<double>& executor) {
  const auto reals = static_cast<Eigen::Index>(d.owned_reals());
  Field<double> e(d.field_reals(), executor.memory()), h(d.field_reals(), executor.memory()),
      next(d.field_reals(), executor.memory());
  const auto set = [&](Field<double>& field, const Eigen::VectorXd& v) {
    std::fill_n(field.host_for_writing(), field.size(), 0.0);
    std::copy(v.begin(), v.end(), field.host_for_writing());
  };
  Eigen::MatrixXd b(2 * reals, 2 * reals);
  for (Eigen::Index i = 0; i < 2 * reals; ++i) {
    const Eigen::VectorXd unit = Eigen::VectorXd::Unit(2 * reals, i);
    set(e, unit.head(reals)), set(h, unit.tail(reals));
    executor.apply(HalfStep::electric, h, e, next, {.conduction = false});
    b.col(i).head(reals) = Eigen::Map<const Eigen::VectorXd>(next.host(), reals);
    set(e, -unit.head(reals)), set(h, unit.tail(reals));
    executor.apply(HalfStep::magnetic, e, h, next, {.conduction = false});
    b.col(i).tail(reals) = Eigen::Map<const Eigen::VectorXd>(next.host(), reals);
  }
  return b;
}

class Stability : public testing::TestWithParam<std::tuple<int, bool>> {
 protected:
  int order() const { return std::get<0>(GetParam()); }
  Problem problem() const {
    return problem_with(std::get<1>(GetParam()), order() < 3 ? std::array{2, 1, 1} : std::array{1, 1, 1});
  }
  /// 2 / alpha from the dense eigenvalue problem, solved once for each parameter.
  double exact_limit() const {
    static std::map<std::tuple<int, bool>, double> known;
    double& limit = known[GetParam()];
    const Problem p = problem();
    if (limit == 0) limit = 2 / NodalReference(p.mesh, p.material, p.boundary_kind, order(), {}).largest_eigenvalue();
    return limit;
  }
};

// The power iteration nears the eigenvalue from below, so the limit from above.
TEST_P(Stability, LimitIsTwoOverTheLargestEigenvalue) {
  const double exact = exact_limit();
  const auto limit = computed_limit<double>(problem(), order());
  EXPECT_GE(limit.time_step, exact * (1 - 1e-12));
  EXPECT_LE(limit.time_step, exact * 1.01);
  EXPECT_NEAR(computed_limit<float>(problem(), order()).time_step, limit.time_step, 1e-3 * limit.time_step);
}

// The conserved quantity x^t (M - dt/2 B) x, B with the norm 2 c / dt, lies between (1 - c) and (1 + c)
// times x^t M x: at c = 0.99 the norm grows by (1 + c) / (1 - c) at most, whatever the start.
TEST_P(Stability, BoundedBelowTheLimit) {
  EXPECT_LT(growth(problem(), order(), 0.99 * exact_limit(), 2000), 1.99 / 0.01);
}

// Beyond it the highest mode grows by (1.02 + sqrt(1.02^2 - 1))^2 a step without absorbing faces.
TEST_P(Stability, BlowsUpBeyondTheLimit) { EXPECT_GT(growth(problem(), order(), 1.02 * exact_limit(), 400), 1e12); }

INSTANTIATE_TEST_SUITE_P(OrderAndAbsorbing, Stability,
                         testing::Combine(testing::ValuesIn(built_orders({1, 2, 3})), testing::Bool()));

// The penalty couples elements in the damping as well; the limit and the bound are those of the dense operator.
TEST(PenaltyOfJumps, HasTheLimitOfTheDenseOperator) {
  for (const int order : built_orders({1, 2})) {
    Problem p = problem_with(true, {2, 1, 1});
    const double centred = computed_limit<double>(p, order).time_step;
    p.upwind = 0.8;
    const double exact =
        2 / NodalReference(p.mesh, p.material, p.boundary_kind, order, {}, p.upwind).largest_eigenvalue();
    const double limit = computed_limit<double>(p, order).time_step;
    EXPECT_GE(limit, exact * (1 - 1e-12));
    EXPECT_LE(limit, exact * 1.02);  // within the margin of cfl_fraction; eigenvalues are denser than without a penalty
    EXPECT_LT(limit, 0.9 * centred);
    EXPECT_LT(growth(p, order, 0.99 * exact, 2000), 1.99 / 0.01);
    EXPECT_GT(growth(p, order, 1.1 * exact, 400), 1e12);
  }
}

// Random fields are mostly jumps: the penalty takes them within some crossings of an element, where the centered flux
// keeps all energy. What is left has no jumps (static fields of charges among it).
TEST(PenaltyOfJumps, TakesTheEnergyOfJumps) {
  const parallel::Communicator self(MPI_COMM_SELF);
  for (const int order : built_orders({1, 2, 3})) {
    std::vector<double> left;
    for (const double upwind : {0.0, 0.1, 0.5}) {
      Problem p = problem_with(false, {2, 2, 2});
      p.upwind = upwind;
      const double dt = 0.9 * computed_limit<double>(p, order).time_step;
      auto solver = make_solver<double>(p, order, dt, self);
      fill_at_random(solver);
      double before = solver.energy();
      const double start = before;
      for (int i = 0; i < 40; ++i) {
        solver.advance(static_cast<std::int64_t>(tiny_mesh_spacing / (speed_of_light * dt)));
        const double now = solver.energy();
        if (upwind > 0) EXPECT_LT(now, before);
        before = now;
      }
      left.push_back(before / start);
    }
    EXPECT_NEAR(left[0], 1, 1e-12);
    for (const double with_penalty : {left[1], left[2]}) EXPECT_LT(with_penalty, 0.5);
  }
}

TEST(StabilityLimit, HasTheSameBitsForAnyNumberOfThreads) {
  const Problem problem = problem_with(true, {3, 3, 3});
  const int before = omp_get_max_threads();
  omp_set_num_threads(1);
  const auto one = computed_limit<double>(problem, 2);
  const auto one_float = computed_limit<float>(problem, 2);
  omp_set_num_threads(2);
  const auto two = computed_limit<double>(problem, 2);
  const auto two_float = computed_limit<float>(problem, 2);
  omp_set_num_threads(before);
  EXPECT_EQ(one.time_step, two.time_step);
  EXPECT_EQ(one.iterations, two.iterations);
  EXPECT_EQ(one_float.time_step, two_float.time_step);
}

// The largest ratio of norms in the last iterations is not below the spectral radius, also where the operator is not
// symmetric: here E gains on absorbing faces and metal mirrors H as well, with factors of their own.
TEST(StabilityLimit, IsNotAboveTheSpectralRadiusOfAnOperatorThatIsNotSymmetric) {
  const Problem problem = problem_with(true, {1, 1, 1});
  const parallel::Communicator self(MPI_COMM_SELF);
  Discretisation<double> d(problem.mesh, problem.material, problem.boundary_kind, 1, false, cpu_field_lanes);
  for (double& a : d.electric.admittance) a *= -0.7;
  for (double& m : d.electric.mirror) m *= m < 0 ? 0.4 : 1;
  const auto executor = make_cpu_executor(d, KernelFusion::fused, self);
  const Eigen::MatrixXd b = operator_matrix(d, *executor);
  const double radius = Eigen::EigenSolver<Eigen::MatrixXd>(b, false).eigenvalues().cwiseAbs().maxCoeff();
  const double limit = stability_limit(d, *executor, self).time_step;
  EXPECT_LE(limit, 1.001 * 2 / (radius * speed_of_light));
  EXPECT_GE(limit, 0.7 * 2 / (radius * speed_of_light));
}

// A scaled mesh has a scaled limit, and a denser medium a longer one: dt = 2 / alpha ~ h sqrt(eps mu).
TEST(StabilityLimit, ScalesWithLengthAndRefractiveIndex) {
  Problem problem = problem_with(true, {1, 1, 1});
  const double limit = computed_limit<double>(problem, 1).time_step;
  for (auto& v : problem.mesh.vertices) v *= 8.0;
  EXPECT_NEAR(computed_limit<double>(problem, 1).time_step, 8 * limit, 8 * limit * 1e-12);
  for (auto& m : problem.material) m.permittivity *= 4, m.permeability *= 4;
  EXPECT_NEAR(computed_limit<double>(problem, 1).time_step, 32 * limit, 32 * limit * 1e-12);
}

}  // namespace
}  // namespace dgtd::dg::test
