// The paper's diagonals on a device against the CPU's rows: the same bits.
#include <gtest/gtest.h>

#include "dgtd/parallel/cuda_device.hpp"
#include "dgtd/parallel/threads.hpp"
#include "hpf/host_plane.hpp"
#include "reproductions/diagonal_problem.hpp"

namespace dgtd::reproductions {
namespace {

template <class Solver>
std::uint64_t hash_after(Solver& solver, int steps) {
  for (int n = 0; n < steps; ++n) {
    if (n == 150) (void)solver.energy();
    solver.advance(1);
  }
  return solver.fields_hash();
}

template <class Real>
void compare(PlaneProblem p, const parallel::Communicator& comm, int steps) {
  auto rows = p.make<Real>(comm);
  p.setup.block_timesteps = steps;
  auto diagonals = make_diagonal<Real>(p, comm, true);
  EXPECT_EQ(hash_after(*diagonals, 200), hash_after(*rows, 200)) << steps << " steps at once";
}

TEST(CudaDiagonal, HasTheBitsOfTheCpu) {
  const parallel::Communicator comm{MPI_COMM_SELF};
  const auto device = parallel::take_cuda_device(comm);
  if (!device.found) GTEST_SKIP() << "no CUDA device: " << device.why_not;
  parallel::flush_subnormals();
  for (const int ny : {83, 400, 1023, 2500})
    for (const bool lossy : {false, true})
      for (const auto& p : hpf::problems(Stencil::line, lossy, 61, ny))
        for (const int steps : {0, 6, 32}) {
          compare<float>(p, comm, steps);
          compare<double>(p, comm, steps);
        }
}

}  // namespace
}  // namespace dgtd::reproductions
