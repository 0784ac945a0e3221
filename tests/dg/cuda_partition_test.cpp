// On devices, too, nothing depends on how many ranks share the work, nor on how halos are exchanged.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "box_problem.hpp"
#include "dgtd/dg/cuda_executor.hpp"
#include "dgtd/dg/level_time_step.hpp"
#include "dgtd/dg/time_step.hpp"
#include "graded_problem.hpp"
#include "parallel/transports.hpp"
#include "support/built_orders.hpp"

namespace dgtd::dg::test {
namespace {

class CudaPartition : public testing::TestWithParam<int> {
 protected:
  void SetUp() override {
    const auto device = parallel::take_cuda_device(world_);
    if (!device.found) GTEST_SKIP() << "no CUDA device: " << device.why_not;
  }
  template <class Real>
  std::uint64_t hash(const parallel::Communicator& comm, parallel::Transport transport, bool local_steps) const {
    const Problem problem = local_steps ? graded_bar(comm, true) : box(comm, true);
    const TimeLevels levels = local_steps ? graded_levels(problem, comm) : TimeLevels{};
    auto d = std::make_unique<Discretisation<Real>>(problem.mesh, problem.material, problem.boundary_kind, GetParam(),
                                                    true, cuda_field_lanes, levels);
    auto executor = make_cuda_executor(*d, KernelFusion::fused, transport, comm);
    DgSolver<Real> solver(std::move(d), std::move(executor), brisk_time_step(GetParam()), problem.sources,
                          problem.mesh.volume_names, comm);
    if (local_steps) solver.randomise_fields();
    else fill_at_random(solver);
    for (int i = 0; i < 20; ++i) {
      if (i == 10) (void)solver.energy();
      solver.advance(1);
    }
    return comm.sum(solver.fields_hash());
  }
  const parallel::Communicator world_{MPI_COMM_WORLD}, self_{MPI_COMM_SELF};
};

TEST_P(CudaPartition, NeverShowsInTheFields) {
  for (const bool local_steps : {false, true}) {
    const auto alone = hash<float>(self_, parallel::Transport::mpi_host, local_steps);
    const auto alone_double = hash<double>(self_, parallel::Transport::mpi_host, local_steps);
    parallel::for_each_transport(world_, [&](parallel::Transport transport) {
      EXPECT_EQ(hash<float>(world_, transport, local_steps), alone);
      EXPECT_EQ(hash<double>(world_, transport, local_steps), alone_double);
    });
  }
}

TEST_P(CudaPartition, NeverShowsInTheTimeStep) {
  const auto limit = [&](const parallel::Communicator& comm) {
    const Problem problem = box(comm, false);
    Discretisation<float> d(problem.mesh, problem.material, problem.boundary_kind, GetParam(), false, cuda_field_lanes);
    return stability_limit(d, *make_cuda_executor(d, KernelFusion::fused, parallel::Transport::mpi_host, comm), comm)
        .time_step;
  };
  EXPECT_EQ(limit(world_), limit(self_));
}

INSTANTIATE_TEST_SUITE_P(Degree, CudaPartition, testing::ValuesIn(built_orders({1, 3})),
                         [](const auto& info) { return fmt::format("P{}", info.param); });

}  // namespace
}  // namespace dgtd::dg::test
