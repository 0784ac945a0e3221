// On devices, too, the number of ranks never shows, nor how halos are exchanged.
#include <gtest/gtest.h>

#include "dgtd/base/error.hpp"
#include "dgtd/parallel/cuda_device.hpp"
#include "fdtd/problems.hpp"

namespace dgtd::fdtd {
namespace {

template <class Real>
std::uint64_t hash(const GridProblem& problem, const parallel::Communicator& comm, parallel::Transport transport) {
  auto solver = problem.make<Real>(comm, true, transport);
  for (int s = 0; s < 60; ++s) {
    if (s == 30) (void)solver->energy();
    solver->advance(1);
  }
  return comm.sum(solver->fields_hash());
}

TEST(CudaGridPartition, NeverShowsInTheFields) {
  const parallel::Communicator world(MPI_COMM_WORLD), self(MPI_COMM_SELF);
  const auto device = parallel::take_cuda_device(world);
  if (!device.found) GTEST_SKIP() << "no CUDA device: " << device.why_not;
  for (const GridProblem& problem :
       {scattering_problem(), walls_problem(), beams_problem(), mur_problem(), bloch_problem()}) {
    const auto alone = hash<float>(problem, self, parallel::Transport::mpi_host);
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
      EXPECT_EQ(hash<float>(problem, world, transport), alone);
    }
  }
}

}  // namespace
}  // namespace dgtd::fdtd
