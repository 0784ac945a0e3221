// Elements of several orders on a device against those on the CPU: label gpu, skipped where no device answers.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "cuda_mixed.hpp"
#include "dgtd/dg/time_step.hpp"
#include "partition_problem.hpp"

namespace dgtd::dg::test {
namespace {

template <class Real>
constexpr double tolerance = std::is_same_v<Real, double> ? 1e-12 : 1e-5;

class CudaMixedOrders : public testing::TestWithParam<std::tuple<Steps, Media>> {
 protected:
  void SetUp() override {
    if (!parallel::take_cuda_device(self_).found)
      GTEST_SKIP() << "no CUDA device: " << parallel::take_cuda_device(self_).why_not;
  }

  template <class Real>
  static std::vector<double> samples(const MixedSolver<Real>& solver, solver::Quantity quantity, std::size_t elements) {
    std::vector<std::uint32_t> all(elements);
    std::iota(all.begin(), all.end(), 0u);
    std::vector<double> values(3 * elements);
    solver.sample(quantity, {{0.1, 0.2, 0.3, 0.4}}, all, values.data());
    return values;
  }
  static double difference(const std::vector<double>& a, const std::vector<double>& b) {
    double sum = 0, size = 0;
    for (std::size_t i = 0; i < b.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]), size += b[i] * b[i];
    EXPECT_GT(size, 0);
    return std::sqrt(sum / size);
  }

  // With energies in between, and Fourier sums of the second half; not all numbers of steps are powers of two.
  template <class Real>
  static void take_steps(MixedSolver<Real>& solver) {
    solver.randomise_fields();
    for (const int steps : {16, 16, 16, 7, 29, 1}) {
      solver.advance(steps);
      (void)solver.energy();
    }
    solver.start_dft({2e9, 9e9});
    for (int i = 0; i < 40; ++i) {
      solver.advance(2);
      solver.accumulate_dft(1e-3);
    }
  }

  // In curved elements fine levels have one order.
  static std::vector<int> orders_of(const PartitionProblem& of, Media media) {
    if (media == Media::curved && of.levels.finest > 0) return mixed_orders_below(2, of.problem.mesh, of.levels);
    return mixed_orders(of.problem.mesh);
  }

  template <class Real>
  void expect_agreement() const {
    using Quantity = solver::Quantity;
    const auto [steps, media] = GetParam();
    PartitionProblem of = partition_problem(self_, true, steps, media);
    auto& [problem, levels] = of;
    problem.sources.erase(problem.sources.begin());  // the dipole, which reaches across orders
    const std::vector<int> orders = orders_of(of, media);
    auto on_host = discretise_mixed<Real>(problem, orders, self_, levels);
    auto on_device = discretise_cuda_mixed<Real>(problem, orders, self_, levels);
    const double limit = on_host.stability_limit(self_).time_step;
    EXPECT_NEAR(on_device.stability_limit(self_).time_step, limit, 10 * tolerance<Real> * limit);
    if (levels.finest > 0) {
      const auto expected = on_host.level_time_step(self_).bounds(0.5 * limit),
                 found = on_device.level_time_step(self_).bounds(0.5 * limit);
      for (std::size_t l = 0; l < expected.z.size(); ++l) EXPECT_NEAR(found.z[l], expected.z[l], 1e-2 * expected.z[l]);
    }
    const std::vector<std::string>& names = problem.mesh.volume_names;
    MixedSolver<Real> cpu(std::move(on_host), 0.5 * limit, problem.sources, names, self_),
        cuda(std::move(on_device), 0.5 * limit, problem.sources, names, self_);
    for (auto* solver : {&cpu, &cuda}) take_steps(*solver);
    const std::size_t elements = problem.mesh.elements();
    for (const auto field : {Quantity::Field::electric, Quantity::Field::magnetic}) {
      const auto expect_close = [&](const Quantity& quantity) {
        EXPECT_LT(difference(samples(cuda, quantity, elements), samples(cpu, quantity, elements)), tolerance<Real>);
      };
      expect_close({field});
      expect_close({field, Quantity::Part::imaginary, 1});
      const auto found = cuda.error_indicators(field, 1), expected = cpu.error_indicators(field, 1);
      EXPECT_LT(difference(found.jump, expected.jump), 10 * tolerance<Real>);
    }
    EXPECT_NEAR(cuda.energy(), cpu.energy(), tolerance<Real> * std::abs(cpu.energy()));
    EXPECT_NEAR(cuda.work().done, cpu.work().done, 10 * tolerance<Real> * cpu.work().gross);
  }
  const parallel::Communicator self_{MPI_COMM_SELF};
};

TEST_P(CudaMixedOrders, AgreeWithTheCpuInDoublePrecision) { expect_agreement<double>(); }
TEST_P(CudaMixedOrders, AgreeWithTheCpuInSinglePrecision) { expect_agreement<float>(); }

// A state that was saved between replayed steps.
TEST_P(CudaMixedOrders, ContinueFromTheirState) {
  const auto [steps, media] = GetParam();
  PartitionProblem of = partition_problem(self_, false, steps, media);
  auto& [problem, levels] = of;
  problem.sources.clear();
  const std::vector<int> orders = orders_of(of, media);
  const auto make = [&] { return cuda_mixed_solver<double>(problem, orders, 0.5 * brisk_time_step(3), self_, levels); };
  auto one = make(), other = make();
  one.randomise_fields();
  one.advance(37);
  copy_state(one, other);
  one.advance(45), other.advance(45);
  EXPECT_EQ(other.fields_hash(), one.fields_hash());
}

// Copies on the host, between replayed steps, are those of the fields; fields that were changed there are those of
// later steps. Of all parts, not only of the one that replays.
TEST_P(CudaMixedOrders, AreSeenAndChangedOnTheHostBetweenReplays) {
  const auto [steps, media] = GetParam();
  PartitionProblem of = partition_problem(self_, false, steps, media);
  auto& [problem, levels] = of;
  problem.sources.clear();
  const std::vector<int> orders = orders_of(of, media);
  const double dt = 0.5 * brisk_time_step(3);
  auto cuda = cuda_mixed_solver<double>(problem, orders, dt, self_, levels);
  auto cpu = mixed_solver<double>(problem, orders, dt, self_, levels);
  const auto field = [](const Vec3& x) { return Vec3{x.y, x.z - x.x, 2 * x.x}; };
  for (auto* solver : {&cpu, &cuda}) {
    solver->randomise_fields();
    solver->advance(48);
  }
  for (int i = 0; i < 4; ++i) {
    for (auto* solver : {&cpu, &cuda}) {
      if (i == 2) solver->set_fields(field, field);
      double severity = 0;
      (void)solver->find_instability(severity);  // has copies of the fields on the host
      solver->advance(16);
    }
    for (const auto of_field : {solver::Quantity::Field::electric, solver::Quantity::Field::magnetic})
      EXPECT_LT(difference(samples(cuda, {of_field}, problem.mesh.elements()),
                           samples(cpu, {of_field}, problem.mesh.elements())),
                tolerance<double>)
          << "after " << 48 + 16 * (i + 1) << " steps";
  }
}

INSTANTIATE_TEST_SUITE_P(All, CudaMixedOrders,
                         testing::Combine(testing::Values(Steps::global, Steps::local),
                                          testing::Values(Media::simple, Media::dispersive, Media::dispersive_layers,
                                                          Media::cpml, Media::curved)));

}  // namespace
}  // namespace dgtd::dg::test
