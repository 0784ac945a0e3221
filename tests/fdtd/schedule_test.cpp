// The paper's two kernels and the fused one: the same arithmetic.
#include <gtest/gtest.h>

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

}  // namespace
}  // namespace dgtd::fdtd
