// The paper's diagonals give the bits of the plain update.
#include "dgtd/reproductions/kernels/diagonal_sweep.hpp"
#include "hpf/host_plane.hpp"
#include "reproductions/diagonal_problem.hpp"

namespace dgtd::reproductions {
namespace {

using hpf::compare, hpf::HostPlane, hpf::problems;

template <bool lossy, class Real>
void diagonal_steps(HostPlane<Real>& plane, int steps) {
  const auto v = plane.view();
  std::vector<Real> work(static_cast<std::size_t>(3) * steps);
  for (int x = 0; x < v.width; ++x) sweep_diagonally<Real, lossy>(v, x, steps, work.data(), 1);
}

TEST(Diagonal, SweepIsThePlainUpdate) {
  for (const int steps : {1, 18, 32}) {
    for (const auto& p : problems(Stencil::line, false, 9, 83))
      compare<false, false, float>(p, steps, std::to_string(steps),
                                   [](auto& plane, int n) { diagonal_steps<false>(plane, n); });
    for (const auto& p : problems(Stencil::line, true, 9, 84))
      compare<false, true, double>(p, steps, std::to_string(steps),
                                   [](auto& plane, int n) { diagonal_steps<true>(plane, n); });
  }
}

// And the solver with the paper's schedule, that of rows, with looks at the fields between.
TEST(Diagonal, SolversAgree) {
  const parallel::Communicator comm(MPI_COMM_SELF);
  for (const bool lossy : {false, true})
    for (auto p : problems(Stencil::line, lossy, 20, 83)) {
      std::uint64_t hashes[2];
      for (const bool diagonal : {false, true}) {
        p.setup.block_timesteps = 14;
        auto solver = diagonal ? make_diagonal<float>(p, comm) : p.make<float>(comm);
        for (int n = 0; n < 1100; ++n) {
          if (n % 50 == 0) (void)solver->energy();
          solver->advance(1);
        }
        hashes[diagonal] = solver->fields_hash();
      }
      EXPECT_EQ(hashes[0], hashes[1]);
    }
}

}  // namespace
}  // namespace dgtd::reproductions
