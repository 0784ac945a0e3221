// On devices, too, the number of ranks never shows, nor how halos are exchanged.
#include <gtest/gtest.h>

#include "dgtd/base/error.hpp"
#include "dgtd/parallel/cuda_device.hpp"
#include "hpf/problems.hpp"

namespace dgtd::hpf {
namespace {

std::uint64_t hash(const PlaneProblem& problem, const parallel::Communicator& comm, parallel::Transport transport) {
  auto solver = problem.make<float>(comm, true, transport);
  for (int n = 0; n < 100; ++n) {
    if (n == 30) (void)solver->energy();
    solver->advance(1);
  }
  return comm.sum(solver->fields_hash());
}

TEST(CudaPlanePartition, NeverShowsInTheFields) {
  const parallel::Communicator world(MPI_COMM_WORLD), self(MPI_COMM_SELF);
  const auto device = parallel::take_cuda_device(world);
  if (!device.found) GTEST_SKIP() << "no CUDA device: " << device.why_not;
  for (const auto stencil : {Stencil::line, Stencil::laplacian})
    for (const auto side : {grid::BoundaryKind::mur, grid::BoundaryKind::periodic}) {
      auto problem = mixed_problem(stencil, true, 150, 300);
      problem.set_sides(side, side);
      const auto alone = hash(problem, self, parallel::Transport::mpi_host);
      for (const auto transport :
           {parallel::Transport::mpi_host, parallel::Transport::mpi_cuda, parallel::Transport::nccl,
            parallel::Transport::peer, parallel::Transport::peer_copy, parallel::Transport::automatic}) {
        std::string reason;
        try {
          parallel::choose_transport(transport, world, reason);
        } catch (const Error& error) {
          if (world.is_root()) std::printf("not tested: %s\n", error.what());
          continue;
        }
        EXPECT_EQ(hash(problem, world, transport), alone);
      }
    }
}

}  // namespace
}  // namespace dgtd::hpf
