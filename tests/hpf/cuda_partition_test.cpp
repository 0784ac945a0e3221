// On devices, too, the number of ranks never shows, nor how halos are exchanged.
#include <gtest/gtest.h>

#include "hpf/problems.hpp"
#include "parallel/transports.hpp"

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
    for (const auto side : {physics::BoundaryKind::mur, physics::BoundaryKind::periodic}) {
      auto problem = mixed_problem(stencil, true, 150, 300);
      problem.set_sides(side, side);
      const auto alone = hash(problem, self, parallel::Transport::mpi_host);
      parallel::for_each_transport(
          world, [&](parallel::Transport transport) { EXPECT_EQ(hash(problem, world, transport), alone); });
    }
}

}  // namespace
}  // namespace dgtd::hpf
