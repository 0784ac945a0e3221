// On devices, too, nothing depends on how many ranks share the work, nor on how halos are exchanged.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "dgtd/dg/cuda_executor.hpp"
#include "dgtd/dg/time_step.hpp"
#include "parallel/transports.hpp"
#include "partition_problem.hpp"
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
  std::uint64_t hash(const parallel::Communicator& comm, parallel::Transport transport, Steps steps,
                     Media media = Media::simple) const {
    const auto [problem, levels] = partition_problem(comm, true, steps, media);
    auto d = std::make_unique<Discretisation<Real>>(problem.mesh, problem.material, problem.boundary_kind, GetParam(),
                                                    true, cuda_field_lanes, levels, problem.layers, problem.bloch,
                                                    problem.curved);
    auto executor = make_cuda_executor(*d, KernelFusion::fused, transport, comm);
    DgSolver<Real> solver(std::move(d), std::move(executor), brisk_time_step(GetParam()), problem.sources,
                          problem.mesh.volume_names, comm);
    if (steps == Steps::local) solver.randomise_fields();
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
  for (const Steps steps : {Steps::global, Steps::local}) {
    const auto alone = hash<float>(self_, parallel::Transport::mpi_host, steps);
    const auto alone_double = hash<double>(self_, parallel::Transport::mpi_host, steps);
    parallel::for_each_transport(world_, [&](parallel::Transport transport) {
      EXPECT_EQ(hash<float>(world_, transport, steps), alone);
      EXPECT_EQ(hash<double>(world_, transport, steps), alone_double);
    });
  }
}

// State of poles, of both kinds of layers and of curved elements.
TEST_P(CudaPartition, NeverShowsWithStateInElements) {
  for (const Steps steps : {Steps::global, Steps::local})
    for (const Media media : {Media::dispersive, Media::dispersive_layers, Media::cpml, Media::curved}) {
      constexpr auto transport = parallel::Transport::mpi_host;
      EXPECT_EQ(hash<float>(world_, transport, steps, media), hash<float>(self_, transport, steps, media));
      EXPECT_EQ(hash<double>(world_, transport, steps, media), hash<double>(self_, transport, steps, media));
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
