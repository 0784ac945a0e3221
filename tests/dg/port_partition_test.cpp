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

}  // namespace
}  // namespace dgtd::dg::test
