// The CUDA engine against the CPU's: the same bodies, other launches.
#include <gtest/gtest.h>

#include <cmath>

#include "dgtd/parallel/cuda_device.hpp"
#include "fdtd/problems.hpp"

namespace dgtd::fdtd {
namespace {

class CudaGrid : public testing::Test {
 protected:
  void SetUp() override {
    const auto device = parallel::take_cuda_device(comm_);
    if (!device.found) GTEST_SKIP() << "no CUDA device: " << device.why_not;
  }
  template <class Real>
  void compare(const GridProblem& problem, double tolerance) {
    auto cpu = problem.make<Real>(comm_), gpu = problem.make<Real>(comm_, true);
    for (int s = 0; s < 500; ++s) {
      cpu->advance(s == 400);
      gpu->advance(s == 400);
    }
    for (const auto field : {&Engine<Real>::electric, &Engine<Real>::magnetic}) {
      const Real* const a = (cpu->engine().*field)().host();
      const Real* const b = (gpu->engine().*field)().host();
      double difference = 0, size = 0;
      for (std::size_t i = 0; i < (cpu->engine().*field)().size(); ++i) {
        difference += (double(a[i]) - double(b[i])) * (double(a[i]) - double(b[i]));
        size += double(a[i]) * double(a[i]);
      }
      EXPECT_GT(size, 0);
      EXPECT_LT(std::sqrt(difference / size), tolerance);
    }
    EXPECT_NEAR(gpu->energy() / cpu->energy(), 1, tolerance);
    if (!problem.fluxes.empty()) {
      EXPECT_NEAR(gpu->flux(0)[0] / cpu->flux(0)[0], 1, 10 * tolerance);
    }
  }
  const parallel::Communicator comm_{MPI_COMM_SELF};
};

TEST_F(CudaGrid, AgreesWithTheCpu) {
  for (const Schedule schedule : {Schedule::fused, Schedule::split})
    for (GridProblem problem : {scattering_problem(), walls_problem(), beams_problem(), mur_problem(), bloch_problem()}) {
      problem.schedule = schedule;
      compare<float>(problem, 1e-5);
      compare<double>(problem, 1e-12);
    }
}

TEST_F(CudaGrid, TwoRunsAreBitIdentical) {
  std::uint64_t hashes[2];
  for (auto& hash : hashes) {
    auto solver = scattering_problem().make<float>(comm_, true);
    for (int s = 0; s < 200; ++s) solver->advance(false);
    hash = solver->fields_hash();
  }
  EXPECT_EQ(hashes[0], hashes[1]);
}

}  // namespace
}  // namespace dgtd::fdtd
