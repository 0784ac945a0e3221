// Reflection of circuits at the end of a line of one cube of tetrahedra across, from 10 MHz on.
#include <gtest/gtest.h>

#include "dgtd/dg/time_step.hpp"
#include "port_problem.hpp"
#include "support/port_reflection.hpp"

namespace dgtd::dg::test {
namespace {

using physics::Port;
using Complex = std::complex<double>;

// From twelve (P1) and five (P2) elements per wavelength on the reflection is within 1 %, with the dispersion of a line
// of four cubes. Below 1 GHz, with a pulse that the mesh resolves, what a circuit of 1 uH has left after 50 ns is 2e-4.
TEST(PortReflection, IsThatOfTheCircuit) {
  const parallel::Communicator comm(MPI_COMM_SELF);
  constexpr int along = 4;
  constexpr double length = along * plate_distance;                           // m
  for (const auto& [order, least] : {std::pair{1, 12.0}, std::pair{2, 5.0}})  // elements per wavelength
    for (const auto& [name, load, seconds] : physics::circuits_at_the_end(port_across("load", length)))
      for (const auto& pulse : physics::pulses_up_to(speed_of_light / (least * plate_distance))) {
        PortProblem p = line_between_plates(1, along, comm);
        Port feed = pulse.of(port_across("feed", 0));
        feed.impedance = vacuum_impedance, feed.excite = 2;
        p.ports = {feed, load};
        Discretisation<double> d(p.fields.mesh, p.fields.material, p.fields.boundary_kind, order, false,
                                 cpu_field_lanes);
        const auto executor = make_cpu_executor(d, KernelFusion::fused, comm);
        const double dt = 0.9 * stability_limit(d, *executor, comm).time_step;
        auto solver = make_port_solver(p, order, dt, comm);
        solver.advance(static_cast<std::int64_t>((seconds + pulse.seconds()) / dt));
        const solver::PortRecord& record = solver.port_record(0);
        double worst = 0;
        for (const double frequency : physics::frequencies_by_ratio(pulse.first, pulse.last, 12)) {
          const Complex circuit = physics::reflection_of(physics::impedance_of(load, frequency), vacuum_impedance);
          const Complex seen = physics::reflection_at_end(record, dt, frequency, vacuum_impedance,
                                                          2 * pi * frequency / speed_of_light, length);
          worst = std::max(worst, std::abs(seen - circuit));
        }
        EXPECT_LT(worst, pulse.last > 1e9 ? 0.01 : 2e-4) << "P" << order << " " << name;
      }
}

}  // namespace
}  // namespace dgtd::dg::test
