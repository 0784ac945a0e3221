// The CUDA engine against the CPU's: every schedule gives the same bits. In single precision subnormal numbers are zero
// on the device (src/hpf/CMakeLists.txt) and, as in the programs, on the CPU.
#include <gtest/gtest.h>

#include "dgtd/parallel/cuda_device.hpp"
#include "dgtd/parallel/threads.hpp"
#include "hpf/problems.hpp"

namespace dgtd::hpf {
namespace {

class CudaPlane : public testing::Test {
 protected:
  void SetUp() override {
    const auto device = parallel::take_cuda_device(comm_);
    if (!device.found) GTEST_SKIP() << "no CUDA device: " << device.why_not;
    parallel::flush_subnormals();
  }
  template <class Real>
  std::uint64_t hash(const PlaneProblem& problem, bool cuda, double* energy) {
    auto solver = problem.make<Real>(comm_, cuda);
    for (int n = 0; n < 200; ++n) {
      if (n == 150) (void)solver->energy();
      solver->advance(1);
    }
    *energy = solver->energy();
    return solver->fields_hash();
  }
  template <class Real>
  void compare(PlaneProblem problem, solver::KernelFusion kernels, int steps, const std::string& what) {
    double cpu_energy = 0, gpu_energy = 0;
    problem.setup.kernels = solver::KernelFusion::fused;
    problem.setup.block_timesteps = 0;
    const auto cpu = hash<Real>(problem, false, &cpu_energy);
    problem.setup.kernels = kernels;
    problem.setup.block_timesteps = steps;
    EXPECT_EQ(hash<Real>(problem, true, &gpu_energy), cpu) << what << " kernels " << int(kernels) << " steps " << steps;
    EXPECT_GT(cpu_energy, 0);
    EXPECT_NEAR(gpu_energy / cpu_energy, 1, 1e-10);
  }
  const parallel::Communicator comm_{MPI_COMM_SELF};
};

std::vector<PlaneProblem> problems(Stencil stencil, bool lossy, int nx, int ny) {
  using physics::BoundaryKind;
  std::vector<PlaneProblem> made;
  for (const auto& [x, y] : {std::pair{physics::BoundaryKind::mur, physics::BoundaryKind::mur},
                             std::pair{physics::BoundaryKind::pec, physics::BoundaryKind::pmc},
                             std::pair{physics::BoundaryKind::periodic, physics::BoundaryKind::periodic}}) {
    made.push_back(mixed_problem(stencil, lossy, nx, ny));
    made.back().set_sides(x, y);
  }
  made.push_back(mixed_problem(stencil, lossy, nx, ny));
  return made;
}

TEST_F(CudaPlane, LinesHaveTheBitsOfTheCpu) {
  // Lines that a warp holds with 8, 16 and 32 nodes a lane, and longer ones.
  for (const int ny : {83, 400, 1023, 2500})
    for (const bool lossy : {false, true})
      for (const auto& p : problems(Stencil::line, lossy, 61, ny)) {
        for (const int steps : {0, 7}) {
          compare<float>(p, solver::KernelFusion::fused, steps, std::to_string(ny));
          compare<double>(p, solver::KernelFusion::fused, steps, std::to_string(ny));
        }
        compare<float>(p, solver::KernelFusion::split, 0, std::to_string(ny));
      }
}

TEST_F(CudaPlane, TilesHaveTheBitsOfTheCpu) {
  for (const auto& [nx, ny] : {std::pair{61, 83}, std::pair{300, 200}, std::pair{127, 515}})
    for (const bool lossy : {false, true})
      for (const auto& p : problems(Stencil::laplacian, lossy, nx, ny))
        for (const auto& [kernels, steps] :
             {std::pair{solver::KernelFusion::fused, 0}, std::pair{solver::KernelFusion::fused, 3},
              std::pair{solver::KernelFusion::fused, 16}, std::pair{solver::KernelFusion::split, 0}}) {
          compare<float>(p, kernels, steps, std::to_string(nx));
          compare<double>(p, kernels, steps, std::to_string(nx));
        }
}

// A weak source in the middle of a large plane with defects: ahead of the wave fields fall through all subnormal
// numbers.
TEST_F(CudaPlane, TilesHaveTheBitsOfTheCpuWhereNumbersAreSubnormal) {
  auto p = mixed_problem(Stencil::laplacian, false, 700, 700);
  for (auto& source : p.sources) source.moment *= 1e-20, source.amplitude *= 1e-20;
  for (const auto& [kernels, steps] :
       {std::pair{solver::KernelFusion::fused, 0}, std::pair{solver::KernelFusion::split, 0}})
    compare<float>(p, kernels, steps, "weak");
}

TEST_F(CudaPlane, SamplesAreThoseOfTheCpu) {
  for (const Stencil stencil : {Stencil::line, Stencil::laplacian}) {
    const auto p = mixed_problem(stencil, true);
    auto cpu = p.make<float>(comm_), gpu = p.make<float>(comm_, true);
    for (auto* solver : {cpu.get(), gpu.get()}) {
      solver->start_dft({2 * pi * 1e9});
      for (int n = 0; n < 200; ++n) {
        solver->advance(1);
        if (n % 4 == 3) solver->accumulate_dft(1e-11);
      }
    }
    for (const auto field : {solver::Quantity::Field::electric, solver::Quantity::Field::magnetic})
      for (const auto part : {solver::Quantity::Part::present, solver::Quantity::Part::imaginary})
        EXPECT_EQ(cpu->sample_cells({field, part, 0}), gpu->sample_cells({field, part, 0}));
  }
}

}  // namespace
}  // namespace dgtd::hpf
