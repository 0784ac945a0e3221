// Ports whose faces are on several ranks.
#include <gtest/gtest.h>

#include "port_problem.hpp"

namespace dgtd::dg::test {
namespace {

// Fields, the work and the record of a port to the bit, because its faces are added in the order of their numbers.
TEST(PortPartition, NeverShowsInTheFields) {
  const parallel::Communicator all(MPI_COMM_WORLD), alone(MPI_COMM_SELF);
  for (const bool local_steps : {false, true}) expect_same(run_ports(all, local_steps), run_ports(alone, local_steps));
}

// Ports across guides. Work and energies are sums over ranks.
TEST(PortPartition, NeverShowsInTheFieldsOfGuides) {
  const parallel::Communicator all(MPI_COMM_WORLD), alone(MPI_COMM_SELF);
  const GuideOutcome together = run_guide_ports(all), expected = run_guide_ports(alone);
  EXPECT_EQ(together.hash, expected.hash);
  expect_near(together, expected, 1e-12);
}

}  // namespace
}  // namespace dgtd::dg::test
