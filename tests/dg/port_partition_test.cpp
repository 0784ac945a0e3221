// Ports whose faces are on several ranks.
#include <gtest/gtest.h>

#include "dgtd/dg/time_levels.hpp"
#include "port_problem.hpp"

namespace dgtd::dg::test {
namespace {

struct PortOutcome {
  std::uint64_t hash = 0;
  double work = 0;
  std::vector<double> voltage, current, power;
};

// Small elements are at the port between elements.
PortOutcome run_ports(const parallel::Communicator& comm, bool local_steps) {
  PortProblem p = line_between_plates(2, 6, comm, 3);
  p.ports = {port_across("feed", 0), port_across("middle", 3e-3)};
  p.ports[0].excite = 1e3;
  p.ports[1].inductance = 1e-9, p.ports[1].capacitance = 1e-12;
  TimeLevels levels;
  if (local_steps) {
    std::vector<double> limits;
    for (std::size_t e = 0; e < p.fields.mesh.elements(); ++e) {
      const double off = std::abs(ElementGeometry(p.fields.mesh, e).centre().z - 3e-3);
      limits.push_back(off < 1e-3 ? 0.25 : off < 2e-3 ? 0.5 : 1);
    }
    levels =
        assign_time_levels(p.fields.mesh, limits, absorbing_elements(p.fields.mesh, p.fields.boundary_kind), 4, comm);
    EXPECT_EQ(levels.finest, 2);
  }
  auto solver = make_port_solver(p, 2, 3e-13, comm, levels);
  solver.randomise_fields();
  for (int i = 0; i < 3; ++i) solver.advance(7);
  const solver::PortRecord& record = solver.port_record(1);
  return {comm.sum(solver.fields_hash()), comm.sum(solver.work().done), record.voltage, record.current, record.power};
}

// Fields, the work and the record of a port to the bit, because its faces are added in the order of their numbers.
TEST(PortPartition, NeverShowsInTheFields) {
  const parallel::Communicator all(MPI_COMM_WORLD), alone(MPI_COMM_SELF);
  for (const bool local_steps : {false, true}) {
    const PortOutcome together = run_ports(all, local_steps), by_itself = run_ports(alone, local_steps);
    EXPECT_EQ(together.hash, by_itself.hash);
    EXPECT_EQ(together.work, by_itself.work);
    ASSERT_EQ(together.voltage.size(), 21u);
    EXPECT_EQ(together.voltage, by_itself.voltage);
    EXPECT_EQ(together.current, by_itself.current);
    EXPECT_EQ(together.power, by_itself.power);
  }
}

}  // namespace
}  // namespace dgtd::dg::test
