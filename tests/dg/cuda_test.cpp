// The CUDA executor against the nodal reference and against the CPU executor: label gpu, skipped where
// no device answers.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "bent_mesh.hpp"
#include "bloch_problem.hpp"
#include "dgtd/dg/cuda_executor.hpp"
#include "dgtd/dg/kernel_table.hpp"
#include "dgtd/dg/level_time_step.hpp"
#include "dgtd/dg/time_step.hpp"
#include "dgtd/parallel/cuda_device.hpp"
#include "graded_problem.hpp"
#include "problems.hpp"
#include "total_field_problem.hpp"

namespace dgtd::dg::test {
namespace {

template <class Real>
constexpr double tolerance = std::is_same_v<Real, double> ? 1e-12 : 1e-5;

template <class Real>
DgSolver<Real> make_cuda_solver(const Problem& problem, int order, double dt, const parallel::Communicator& comm,
                                KernelFusion schedule, const TimeLevels& levels = {}) {
  auto d = std::make_unique<Discretisation<Real>>(problem.mesh, problem.material, problem.boundary_kind, order,
                                                  problem.has_wave(), cuda_field_lanes, levels, problem.layers,
                                                  problem.bloch, problem.curved, problem.upwind);
  auto executor = make_cuda_executor(*d, schedule, parallel::Transport::mpi_host, comm);
  return DgSolver<Real>(std::move(d), std::move(executor), dt, problem.sources, problem.mesh.volume_names, comm);
}

/// Relative difference of a field between two solvers, whose layouts differ.
template <class Real, class FieldOf>
double relative_difference(const DgSolver<Real>& a, const DgSolver<Real>& b, const FieldOf& field_of) {
  double difference = 0, size = 0;
  for (std::size_t e = 0; e < b.discretisation().mesh.elements(); ++e) {
    const auto of_a = coefficients_of(a.discretisation(), field_of(a), e);
    const auto of_b = coefficients_of(b.discretisation(), field_of(b), e);
    for (std::size_t i = 0; i < of_b.size(); ++i) {
      const double x = of_a[i], y = of_b[i];
      difference += (x - y) * (x - y);
      size += y * y;
    }
  }
  return std::sqrt(difference / size);
}

class CudaDevice : public testing::Test {
 protected:
  void SetUp() override {
    if (!parallel::take_cuda_device(self).found)
      GTEST_SKIP() << "no CUDA device: " << parallel::take_cuda_device(self).why_not;
  }
  const parallel::Communicator self{MPI_COMM_SELF};

  /// All media but the first one, which is the exterior, get poles: one of each kind in the last one, at least one in
  /// the others.
  static void add_poles(Problem& problem) {
    using Type = physics::Pole::Type;
    for (std::size_t g = 1; g < problem.material.size(); ++g)
      problem.material[g].poles = {{Type::debye, 3, 0, 0, 4e-11}};
    problem.material.back().poles.push_back({Type::lorentz, 5e9, 8e9, 1e9, 0});
    problem.material.back().poles.push_back({Type::drude, 3e9, 0, 2e9, 0});
    problem.material.back().poles.push_back({Type::critical_point, 0.5, 6e9, 4e9, 0, -0.1});
  }
  /// All boundaries, conduction, poles, layers of all media, a dipole, two waves, one of them not at the origin of
  /// time.
  static Problem everything(bool convolutional = false) {
    Problem problem = mixed({4, 3, 3});
    add_poles(problem);
    make_exterior_uniform(problem);
    problem.sources = {dipole_source(), wave_source({0.6, 0.8, 0}, {0, 0, 1}), wave_source({0, -0.8, 0.6}, {1, 0, 0})};
    problem.sources[0].radius.reset();
    const auto in_layer = [&](std::size_t e) { return problem.mesh.element_id[e] % 2 == 0; };
    if (convolutional) add_cpml(problem, in_layer);
    else add_layers(problem, in_layer);
    return problem;
  }
};

class CudaFields : public CudaDevice {
 protected:
  // Fields, energy, work and phasors at the end.
  template <class Real>
  void expect_agreement(int order, KernelFusion schedule, const Problem& problem = everything(), int steps = 500) const {
    const auto discretise = [&](int field_lanes) {
      return Discretisation<Real>(problem.mesh, problem.material, problem.boundary_kind, order, problem.has_wave(),
                                  field_lanes, {}, {}, {}, problem.curved, problem.upwind);
    };
    auto on_host = discretise(cpu_field_lanes), on_device = discretise(cuda_field_lanes);
    const double limit =
        stability_limit(on_host, *make_cpu_executor(on_host, KernelFusion::fused, self), self).time_step;
    const auto device = make_cuda_executor(on_device, KernelFusion::fused, parallel::Transport::mpi_host, self);
    EXPECT_NEAR(stability_limit(on_device, *device, self).time_step, limit, 10 * tolerance<Real> * limit);

    auto cpu = make_solver<Real>(problem, order, 0.9 * limit, self);
    auto cuda = make_cuda_solver<Real>(problem, order, 0.9 * limit, self, schedule);
    for (auto* solver : {&cpu, &cuda}) {
      fill_at_random(*solver);
      solver->add_sums(every_third(*solver), {1e9, 3e9});
      const int start = steps * 4 / 5;
      for (int i = 0; i < steps; ++i) {
        if (i == start) solver->start_dft({2e9, 9e9});
        if (i % 50 == 0) (void)solver->energy();
        solver->advance(1);
        if (i >= start) solver->accumulate_dft(1e-3);
        if (i % 20 == 0) solver->accumulate_sums(0, 1e-3);
      }
    }
    expect_equal(cuda, cpu);
    expect_equal_sums(cuda, cpu);
  }

  // With energies in between, and Fourier sums of the second half.
  template <class Real>
  static void take_200_steps(DgSolver<Real>& solver) {
    for (int i = 0; i < 200; ++i) {
      if (i == 100) solver.start_dft({2e9, 9e9});
      if (i % 50 == 0) (void)solver.energy();
      solver.advance(1);
      if (i >= 100) solver.accumulate_dft(1e-3);
    }
  }

  // The same with local time steps, and the bounds of the step. cells: of graded_bar.
  template <class Real>
  void expect_agreement_of_local_steps(int order, const std::array<std::int64_t, 3>& cells, double bends = 0) const {
    Problem problem = graded_bar(self, true, cells);
    add_poles(problem);
    if (bends > 0) bend(problem, bends);
    const TimeLevels levels = graded_levels(problem, self);
    Discretisation<Real> on_host(problem.mesh, problem.material, problem.boundary_kind, order, true, cpu_field_lanes,
                                 levels, {}, {}, problem.curved),
        on_device(problem.mesh, problem.material, problem.boundary_kind, order, true, cuda_field_lanes, levels, {}, {},
                  problem.curved);
    const auto host = make_cpu_executor(on_host, KernelFusion::fused, self);
    const auto device = make_cuda_executor(on_device, KernelFusion::fused, parallel::Transport::mpi_host, self);
    LevelTimeStep<Real> of_host(on_host, *host, self), of_device(on_device, *device, self);
    const double dt = 0.5 * of_host.global_limit();
    const auto bounds = of_host.bounds(dt), on_gpu = of_device.bounds(dt);
    EXPECT_LT(bounds.largest(), 1);
    for (std::size_t l = 0; l < bounds.z.size(); ++l) EXPECT_NEAR(on_gpu.z[l], bounds.z[l], 1e-2 * bounds.z[l]);

    auto cpu = make_solver<Real>(problem, order, dt, self, KernelFusion::fused, levels);
    auto cuda = make_cuda_solver<Real>(problem, order, dt, self, KernelFusion::fused, levels);
    for (auto* solver : {&cpu, &cuda}) {
      solver->randomise_fields();
      take_200_steps(*solver);
    }
    expect_equal(cuda, cpu);
  }

  // A wave in a total field and a dipole, with a conductor, a dispersive medium and absorbing sides, without levels and
  // with them.
  template <class Real>
  void expect_agreement_of_total_fields(int order) const {
    Problem problem = with_sheets(total_field_box({pmc, absorbing, pec, pmc, pec, pec}, self));
    problem.sources[0].radius.reset();
    std::vector<double> limits;
    for (std::size_t e = 0; e < problem.mesh.elements(); ++e) {
      const double x = ElementGeometry(problem.mesh, e).centre().x;
      limits.push_back(x < 0.12 ? 0.25 : x < 0.25 ? 0.5 : 1);
    }
    for (const bool local : {false, true}) {
      const TimeLevels levels =
          local ? assign_time_levels(problem.mesh, limits, absorbing_elements(problem.mesh, problem.boundary_kind), 8,
                                     self)
                : TimeLevels{};
      auto cpu = make_solver<Real>(problem, order, brisk_time_step(order), self, KernelFusion::fused, levels);
      auto cuda = make_cuda_solver<Real>(problem, order, brisk_time_step(order), self, KernelFusion::fused, levels);
      for (auto* solver : {&cpu, &cuda}) take_200_steps(*solver);
      expect_equal(cuda, cpu);
    }
  }

  // Fields between sides with Bloch phases, beside a dipole.
  template <class Real>
  void expect_agreement_of_bloch_sides(int order) const {
    Problem problem = bloch_box({0.7, -1.9, 2.6}, self);
    problem.sources = {dipole_source()};
    const double dt = 0.9 * stable_step(problem, order, self);
    auto cpu = make_solver<Real>(problem, order, dt, self);
    auto cuda = make_cuda_solver<Real>(problem, order, dt, self, KernelFusion::fused);
    for (auto* solver : {&cpu, &cuda}) {
      fill_at_random(*solver);
      solver->add_sums(every_third(*solver), {1e9, 3e9});
      take_200_steps(*solver);
      solver->accumulate_sums(0, 1e-3);
    }
    expect_equal(cuda, cpu);
    expect_equal_sums(cuda, cpu);
  }

  template <class Real>
  static std::vector<std::uint32_t> every_third(const DgSolver<Real>& solver) {
    std::vector<std::uint32_t> some;
    const auto all = solver.stored_order();
    for (std::size_t i = 0; i < all.size(); i += 3) some.push_back(all[i]);
    return some;
  }
  // The sums of every_third() at a point of each element.
  template <class Real>
  void expect_equal_sums(const DgSolver<Real>& cuda, const DgSolver<Real>& cpu) const {
    using Quantity = solver::Quantity;
    ASSERT_EQ(every_third(cuda), every_third(cpu));
    const std::vector<std::array<double, 4>> point{{0.1, 0.2, 0.3, 0.4}};
    const std::size_t count = 3 * every_third(cpu).size();
    for (const auto field : {Quantity::Field::electric, Quantity::Field::magnetic})
      for (const auto part : {Quantity::Part::real, Quantity::Part::imaginary})
        for (const std::size_t frequency : {std::size_t{0}, std::size_t{1}}) {
          std::vector<double> here(count), there(count);
          cpu.sample_sums(0, {field, part, frequency}, point, here.data());
          cuda.sample_sums(0, {field, part, frequency}, point, there.data());
          double difference = 0, size = 0;
          for (std::size_t i = 0; i < count; ++i)
            difference += (there[i] - here[i]) * (there[i] - here[i]), size += here[i] * here[i];
          EXPECT_GT(size, 0);
          EXPECT_LT(std::sqrt(difference / size), tolerance<Real>);
        }
  }

  template <class Real>
  void expect_equal(DgSolver<Real>& cuda, DgSolver<Real>& cpu) const {
    const auto expect_close = [&](const auto& field_of) {
      EXPECT_LT(relative_difference(cuda, cpu, field_of), tolerance<Real>);
    };
    expect_close([](const auto& solver) -> const auto& { return solver.electric(); });
    expect_close([](const auto& solver) -> const auto& { return solver.magnetic(); });
    EXPECT_NEAR(cuda.energy(), cpu.energy(), tolerance<Real> * std::abs(cpu.energy()));
    EXPECT_NEAR(cuda.source_work(), cpu.source_work(), 10 * tolerance<Real> * std::abs(cpu.source_work()));
    for (int k = 0; k < 2; ++k) {
      expect_close([&](const auto& solver) -> const auto& { return solver.phasors()[k].electric_real; });
      expect_close([&](const auto& solver) -> const auto& { return solver.phasors()[k].magnetic_imag; });
    }
  }
};

class Cuda : public CudaFields, public testing::WithParamInterface<int> {};

TEST_P(Cuda, AgreesWithTheCpuInDoublePrecision) { expect_agreement<double>(GetParam(), KernelFusion::fused); }
TEST_P(Cuda, AgreesWithTheCpuInSinglePrecision) { expect_agreement<float>(GetParam(), KernelFusion::fused); }
// One to three sections per element, in media with poles and conduction. In random directions they are no layers, and the
// fields grow.
TEST_P(Cuda, PenaltiesOfJumpsAgreeWithTheCpu) {
  for (const bool convolutional : {false, true}) {
    Problem problem = everything(convolutional);
    problem.upwind = 0.3;
    expect_agreement<double>(GetParam(), KernelFusion::fused, problem, 200);
    expect_agreement<float>(GetParam(), KernelFusion::split, problem, 200);
  }
}
TEST_P(Cuda, ConvolutionalLayersAgreeWithTheCpu) {
  constexpr int steps = 60;
  expect_agreement<double>(GetParam(), KernelFusion::fused, everything(true), steps);
  expect_agreement<float>(GetParam(), KernelFusion::fused, everything(true), steps);
  expect_agreement<double>(GetParam(), KernelFusion::split, everything(true), steps);
}
TEST_P(Cuda, LocalStepsAgreeWithTheCpu) {
  expect_agreement_of_local_steps<double>(GetParam(), {10, 2, 3});
  expect_agreement_of_local_steps<float>(GetParam(), {10, 2, 3});
}
// All boundaries, conduction, poles and a dipole, all elements curved; fused, split and on levels.
TEST_P(Cuda, CurvedElementsAgreeWithTheCpu) {
  if (GetParam() > highest_curved_order) GTEST_SKIP() << "no kernels of curved elements";
  Problem problem = mixed({4, 3, 3});
  add_poles(problem);
  problem.sources = {dipole_source()};
  problem.sources[0].radius.reset();
  bend(problem, 0.03);
  expect_agreement<double>(GetParam(), KernelFusion::fused, problem);
  expect_agreement<float>(GetParam(), KernelFusion::fused, problem);
  expect_agreement<double>(GetParam(), KernelFusion::split, problem);
  expect_agreement_of_local_steps<double>(GetParam(), {10, 2, 3}, 0.03);
}
TEST_P(Cuda, TotalFieldsAgreeWithTheCpu) {
  expect_agreement_of_total_fields<double>(GetParam());
  expect_agreement_of_total_fields<float>(GetParam());
}
TEST_P(Cuda, BlochSidesAgreeWithTheCpu) {
  expect_agreement_of_bloch_sides<double>(GetParam());
  expect_agreement_of_bloch_sides<float>(GetParam());
}
TEST_P(Cuda, SplitKernelsAgreeWithTheCpu) {
  expect_agreement<double>(GetParam(), KernelFusion::split);
  expect_agreement<float>(GetParam(), KernelFusion::split);
}

// Levels of 35 to 135 blocks: half steps of one kernel on one and on many thread blocks in turn.
TEST_F(CudaFields, LevelsOfManyThreadBlocksAgreeWithTheCpu) {
  expect_agreement_of_local_steps<double>(1, {10, 8, 9});
  expect_agreement_of_local_steps<float>(2, {10, 8, 9});
}

TEST_P(Cuda, AgreesWithTheNodalReference) {
  const Problem problem = mixed_with_layers({2, 2, 1});
  const double dt = brisk_time_step(GetParam());
  auto solver = make_cuda_solver<double>(problem, GetParam(), dt, self, KernelFusion::fused);
  NodalReference reference(problem.mesh, problem.material, problem.boundary_kind, GetParam(), problem.sources);
  reference.layers = problem.layers;
  fill_at_random(solver);
  reference.electric = nodal_field(solver.discretisation(), solver.electric());
  reference.magnetic = nodal_field(solver.discretisation(), solver.magnetic()) / vacuum_impedance;
  for (int i = 0; i < 4; ++i) {
    if (i % 2 == 1) (void)solver.energy();
    solver.advance(1);
    reference.step(dt);
  }
  const auto relative = [](const Eigen::VectorXd& a, const Eigen::VectorXd& b) {
    return (a - b).cwiseAbs().maxCoeff() / b.cwiseAbs().maxCoeff();
  };
  EXPECT_LT(relative(nodal_field(solver.discretisation(), solver.electric()), reference.electric), 1e-12);
  EXPECT_LT(relative(nodal_field(solver.discretisation(), solver.magnetic()), vacuum_impedance * reference.magnetic),
            1e-12);
}

TEST_P(Cuda, TwoRunsAreBitIdentical) {
  std::uint64_t hash[2];
  double work[2];
  for (int run = 0; run < 2; ++run) {
    const Problem problem = everything();
    auto solver = make_cuda_solver<float>(problem, GetParam(), brisk_time_step(GetParam()), self, KernelFusion::fused);
    fill_at_random(solver);
    for (int i = 0; i < 50; ++i) {
      if (i == 10) (void)solver.energy();
      solver.advance(1);
    }
    hash[run] = solver.fields_hash();
    work[run] = solver.source_work();
  }
  EXPECT_EQ(hash[0], hash[1]);
  EXPECT_EQ(work[0], work[1]);
}

// Long arrays are computed in groups of 16 bytes, with a rest at the end, and where they are not aligned entry by
// entry.
template <class Real>
void expect_loops_as_on_the_host(Executor<Real>& executor, std::size_t first) {
  constexpr std::size_t n = (1 << 18) + 3;
  std::vector<Real> a(n + 4), b(n + 4), c(n + 4);
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = Real(i % 97), b[i] = Real(i % 13) - 5, c[i] = Real(i % 7);
  const Real f = Real(0.3), g = Real(-1.7);
  parallel::Array<Real> from(a, executor.memory()), other(b, executor.memory()), to(c, executor.memory());
  executor.for_each(n, parallel::AddTwo<Real>{from.read() + first, f, other.read() + first, g, to.write() + first});
  executor.for_each(n, parallel::AddPhasor<Real>{from.read() + first, f, g, other.write() + first, to.write() + first});
  executor.for_each(n, parallel::AddReals<Real>{other.read() + first, f, to.write() + first});
  executor.for_each(n, parallel::ScaleReals<Real>{from.write() + first, g});
  executor.wait();
  for (std::size_t i = first; i < first + n; ++i) {
    c[i] += f * a[i] + g * b[i];
    b[i] += f * a[i];
    c[i] += g * a[i];
    c[i] += f * b[i];
    a[i] *= g;
  }
  EXPECT_EQ(std::vector<Real>(from.host(), from.host() + n + 4), a);
  EXPECT_EQ(std::vector<Real>(other.host(), other.host() + n + 4), b);
  EXPECT_EQ(std::vector<Real>(to.host(), to.host() + n + 4), c);
}

TEST_F(CudaDevice, LoopsOverLongArraysHaveTheBitsOfTheHost) {
  const Problem problem = everything();
  const Discretisation<float> single(problem.mesh, problem.material, problem.boundary_kind, 1, true, cuda_field_lanes);
  const Discretisation<double> dual(problem.mesh, problem.material, problem.boundary_kind, 1, true, cuda_field_lanes);
  for (const std::size_t first : {0u, 1u}) {
    expect_loops_as_on_the_host(*make_cuda_executor(single, KernelFusion::fused, parallel::Transport::mpi_host, self),
                                first);
    expect_loops_as_on_the_host(*make_cuda_executor(dual, KernelFusion::fused, parallel::Transport::mpi_host, self),
                                first);
  }
}

INSTANTIATE_TEST_SUITE_P(Degree, Cuda, testing::Range(1, highest_order() + 1),
                         [](const auto& info) { return fmt::format("P{}", info.param); });

}  // namespace
}  // namespace dgtd::dg::test
