// The CUDA engine against the CPU's: the same bodies, other launches.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "dgtd/parallel/cuda_device.hpp"
#include "fdtd/host_hash.hpp"
#include "fdtd/problems.hpp"

namespace dgtd::fdtd {
namespace {

class CudaGrid : public testing::Test {
 protected:
  void SetUp() override {
    const auto device = parallel::take_cuda_device(comm_);
    if (!device.found) GTEST_SKIP() << "no CUDA device: " << device.why_not;
  }
  /// Across the middle of the grid; normal 3: a box.
  template <class Real>
  static physics::Monitor monitor_of(const FdtdSolver<Real>& solver, int normal, double frequency) {
    physics::Monitor m;
    for (int a = 0; a < 3; ++a)
      m.centre[a] = solver.grid().nodes(a)[solver.grid().cells(a) / 2], m.size[a] = 10 * m.centre[a] + 1;
    m.type = normal < 3 ? physics::Monitor::Type::plane : physics::Monitor::Type::box;
    if (normal < 3) m.size[normal] = 0;
    m.frequencies = {0.5 * frequency, frequency};
    return m;
  }
  template <class Number>
  static double difference(const std::vector<Number>& a, const std::vector<Number>& b) {
    double sum = 0, size = 0;
    EXPECT_EQ(a.size(), b.size());
    for (std::size_t i = 0; i < a.size(); ++i)
      sum += (double(a[i]) - b[i]) * (double(a[i]) - b[i]), size += double(a[i]) * a[i];
    EXPECT_GT(size, 0);
    return std::sqrt(sum / size);
  }
  template <class Real>
  void compare(const GridProblem& problem, double tolerance, const PlaneFields* passes = nullptr) {
    auto cpu = problem.make<Real>(comm_), gpu = problem.make<Real>(comm_, true);
    ASSERT_EQ(cpu->engine().unit(), gpu->engine().unit());
    if (passes != nullptr) { ASSERT_TRUE(gpu->start_plane_passes(problem.setup, *passes)); }
    const double frequency =
        (problem.sources.empty() ? problem.ports[0].waveform : problem.sources[0].waveform).frequency;
    const std::vector<physics::Monitor> monitors = {
        monitor_of(*cpu, 3, frequency), monitor_of(*cpu, problem.setup.axes - 1, frequency)};  // a box, a plane
    for (const auto& m : monitors)
      for (auto* solver : {cpu.get(), gpu.get()}) solver->add_region(m);
    for (auto* solver : {cpu.get(), gpu.get()}) {
      problem.advance(*solver, 400, monitors);
      (void)solver->energy();
      problem.advance(*solver, 1, monitors);
      problem.advance(*solver, 99, monitors);
    }
    for (const auto field : {&Engine<Real>::electric, &Engine<Real>::magnetic}) {
      const Real* const a = (cpu->engine().*field)().host();
      const Real* const b = (gpu->engine().*field)().host();
      double difference = 0, size = 0;
      const GridLayout& l = cpu->discretisation().layout;  // what lies beside a block's cells is each engine's own
      for (int c = 0; c < 3; ++c)
        for (int k = 0; k < l.cells[2]; ++k)
          for (int j = 0; j < l.cells[1]; ++j)
            for (int i = 0; i < l.cells[0]; ++i) {
              const auto n = static_cast<std::size_t>(c * l.reals + l.index(i, j, k));
              difference += (double(a[n]) - double(b[n])) * (double(a[n]) - double(b[n]));
              size += double(a[n]) * double(a[n]);
            }
      EXPECT_GT(size, 0);
      EXPECT_LT(std::sqrt(difference / size), tolerance);
    }
    EXPECT_NEAR(gpu->energy() / cpu->energy(), 1, tolerance);
    for (std::size_t port = 0; port < problem.ports.size(); ++port) {
      const solver::PortRecord &a = cpu->port_record(port), &b = gpu->port_record(port);
      ASSERT_EQ(a.voltage.size(), 500u);
      EXPECT_LT(difference(a.voltage, b.voltage), tolerance) << port;
      EXPECT_LT(difference(a.current, b.current), tolerance) << port;
      EXPECT_LT(difference(a.power, b.power), tolerance) << port;
    }
    if (!problem.fluxes.empty()) {
      EXPECT_NEAR(solver::flux(*gpu, 0, comm_)[0] / solver::flux(*cpu, 0, comm_)[0], 1, 10 * tolerance);
    }
    for (std::size_t m = 0; m < std::size(monitors); ++m)
      for (std::size_t f = 0; f < monitors[m].frequencies.size(); ++f) {
        const auto a = cell_sums(*cpu, problem.region_of(m), f), b = cell_sums(*gpu, problem.region_of(m), f);
        EXPECT_LT(difference(a.electric_real, b.electric_real), 10 * tolerance + 1e-7) << m;  // results are floats
        EXPECT_LT(difference(a.magnetic_imag, b.magnetic_imag), 10 * tolerance + 1e-7) << m;
      }
  }
  /// The components of one polarisation alone; the others are zero.
  template <class Real>
  static void randomise(FdtdSolver<Real>& solver, PlaneFields fields) {
    solver.randomise_fields();
    const auto reals = solver.discretisation().layout.reals;
    const bool ez = fields == PlaneFields::ez;
    for (int axis = 0; axis < 3; ++axis) {
      const bool electric_is_zero = ez != (axis == 2);
      auto& zero = electric_is_zero ? solver.engine().electric() : solver.engine().magnetic();
      std::fill_n(zero.host_for_writing() + axis * reals, reals, Real(0));
    }
  }
  const parallel::Communicator comm_{MPI_COMM_SELF};
};

TEST_F(CudaGrid, AgreesWithTheCpu) {
  for (const KernelFusion fusion : {KernelFusion::fused, KernelFusion::split})
    for (GridProblem problem : {scattering_problem(), adiabatic_problem(), walls_problem(), ports_problem(),
                                beams_problem(), mur_problem(), bloch_problem()}) {
      problem.fusion = fusion;
      compare<float>(problem, 1e-5);
      compare<double>(problem, 1e-12);
    }
}

// Every number is rounded to half precision alike. Where a waveform of the device differs in its last bit from the
// host's, now and then one is rounded the other way: 2^-11 of it, and sqrt(500) of that if it were every one in each
// step.
TEST_F(CudaGrid, HalfPrecisionAgreesWithTheCpu) {
  for (const GridProblem& problem :
       {scattering_problem(), adiabatic_problem(), walls_problem(), beams_problem(), mur_problem(), bloch_problem()})
    compare<Half>(poles_removed(problem), 1e-3);
}

TEST_F(CudaGrid, HalfPrecisionOfAClosedBoxIsTheCpus) {
  GridProblem problem = poles_removed(walls_problem());
  problem.sources.clear();
  problem.setup.materials.push_back(physics::Medium{4, 2, 0.001, 0, {}});
  problem.bodies = {{.type = grid::Shape::Type::sphere, .centre = {0.15, 0.1, 0.1}, .radius = 0.06, .material = 1}};
  auto cpu = problem.make<Half>(comm_), gpu = problem.make<Half>(comm_, true);
  for (auto* solver : {cpu.get(), gpu.get()}) {
    solver->randomise_fields();
    solver->advance(300);
  }
  EXPECT_EQ(cpu->fields_hash(), gpu->fields_hash());
}

TEST_F(CudaGrid, PlanePassesAgreeWithTheCpu) {
  for (const PlaneFields fields : {PlaneFields::ez, PlaneFields::hz})
    for (const bool layers : {false, true}) {
      compare<float>(plane_problem(fields, layers), 1e-5, &fields);
      compare<double>(plane_problem(fields, layers), 1e-12, &fields);
      compare<double>(plane_problem(fields, layers), 1e-12);
    }
}

// In one medium passes have code of their own, and another one for rows with sources: the bits of half steps, and
// without sources those of the CPU.
TEST_F(CudaGrid, PlanePassesInOneMediumAreHalfSteps) {
  for (const PlaneFields fields : {PlaneFields::ez, PlaneFields::hz})
    for (const bool lossy : {false, true}) {
      GridProblem problem = plane_problem(fields, false);
      problem.bodies.clear();
      problem.fluxes.clear();
      if (lossy) {
        problem.setup.materials[0] = problem.setup.materials[1];
        problem.sources.erase(problem.sources.begin());  // a plane wave needs a lossless medium
      }
      const auto bits_agree = [&](auto number, bool with_cpu) {
        using Real = decltype(number);
        auto other = problem.make<Real>(comm_, !with_cpu), passes = problem.make<Real>(comm_, true);
        ASSERT_TRUE(passes->start_plane_passes(problem.setup, fields));
        for (auto* solver : {other.get(), passes.get()})
          if (problem.sources.empty()) randomise(*solver, fields);
        for (const std::int64_t steps : {8, 1, 6, 200}) {
          problem.advance(*other, steps);
          problem.advance(*passes, steps);
          EXPECT_EQ(other->fields_hash(), passes->fields_hash()) << other->steps_done();
        }
        EXPECT_GT(passes->energy(), 0);
      };
      bits_agree(float(), false);
      bits_agree(double(), false);
      problem.sources.clear();
      bits_agree(float(), true);
      bits_agree(double(), true);
    }
}

TEST_F(CudaGrid, HashIsThatOfAPlainLoop) {
  for (const GridProblem& problem : {scattering_problem(), walls_problem()}) {
    auto solver = problem.make<float>(comm_, true);
    solver->advance(20);
    EXPECT_EQ(solver->fields_hash(), host_hash(*solver));
    auto precise = problem.make<double>(comm_, true);
    precise->advance(20);
    EXPECT_EQ(precise->fields_hash(), host_hash(*precise));
  }
}

TEST_F(CudaGrid, TwoRunsAreBitIdentical) {
  std::uint64_t hashes[2];
  for (auto& hash : hashes) {
    auto solver = scattering_problem().make<float>(comm_, true);
    for (int s = 0; s < 200; ++s) solver->advance(1);
    hash = solver->fields_hash();
  }
  EXPECT_EQ(hashes[0], hashes[1]);
}

}  // namespace
}  // namespace dgtd::fdtd
