// The paper's two kernels and the fused one: the same arithmetic. The hash that compares them.
#include <gtest/gtest.h>

#include "fdtd/host_hash.hpp"
#include "fdtd/problems.hpp"

namespace dgtd::fdtd {
namespace {

TEST(GridSchedule, SplitAndFusedAreTheSame) {
  const parallel::Communicator comm;
  std::uint64_t hashes[2];
  for (const KernelFusion fusion : {KernelFusion::fused, KernelFusion::split}) {
    GridProblem problem = scattering_problem();
    problem.fusion = fusion;
    auto solver = problem.make<double>(comm);
    for (int s = 0; s < 60; ++s) solver->advance(1);
    hashes[fusion == KernelFusion::split] = solver->fields_hash();
  }
  EXPECT_EQ(hashes[0], hashes[1]);
}

// In blocks whose cells are no multiple of what one sum takes, in three dimensions and two.
TEST(GridSchedule, HashIsThatOfAPlainLoop) {
  const parallel::Communicator comm;
  for (const GridProblem& problem : {scattering_problem(), flat_walls_problem()}) {
    auto solver = problem.make<float>(comm);
    const std::uint64_t before = host_hash(*solver);
    EXPECT_EQ(solver->fields_hash(), before);
    solver->advance(20);
    EXPECT_EQ(solver->fields_hash(), host_hash(*solver));
    EXPECT_NE(solver->fields_hash(), before);
  }
}

}  // namespace
}  // namespace dgtd::fdtd
