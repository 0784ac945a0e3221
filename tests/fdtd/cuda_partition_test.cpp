// On devices, too, the number of ranks never shows, nor how halos are exchanged.
#include <gtest/gtest.h>

#include "fdtd/problems.hpp"
#include "parallel/transports.hpp"

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
       {scattering_problem(), adiabatic_problem(), walls_problem(), beams_problem(), mur_problem(), bloch_problem()}) {
    const auto alone = hash<float>(problem, self, parallel::Transport::mpi_host);
    const GridProblem of_half = poles_removed(problem);
    const auto half_alone = hash<Half>(of_half, self, parallel::Transport::mpi_host);
    parallel::for_each_transport(world, [&](parallel::Transport transport) {
      EXPECT_EQ(hash<float>(problem, world, transport), alone);
      EXPECT_EQ(hash<Half>(of_half, world, transport), half_alone);
    });
  }
}

}  // namespace
}  // namespace dgtd::fdtd
