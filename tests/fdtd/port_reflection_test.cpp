// Reflection of circuits at the end of a line of one cell across, from 10 MHz to ten cells per wavelength.
#include <gtest/gtest.h>

#include "fdtd/problems.hpp"
#include "support/port_reflection.hpp"

namespace dgtd::fdtd {
namespace {

using physics::Port;
using Complex = std::complex<double>;
constexpr double cell = 1e-3;  // m
constexpr int along = 4;       // cells of the line

Port port_of_cell(const char* name, double z) {
  Port port;
  port.name = name;
  port.origin = "line.cfg:9";
  port.centre = {0.5 * cell, 0.5 * cell, z};
  port.size = {cell, cell, 0};
  port.direction = {0, 1, 0};
  return port;
}

// Dispersion of the line and its impedance at the ends, Z cos(omega dt / 2) / cos(k d / 2), are of second order: with
// four cells they make 1 % where 26 cells are a wavelength. Without the line, by the grid's own wave number and
// impedance, the port has 1 % at twelve: the impedance that its half cell gives the line's end, and omega replaced by
// tan(omega dt / 2) 2 / dt in its reactances. At low frequencies what a circuit of 1 uH has left after 50 ns is 2e-4.
TEST(PortReflection, IsThatOfTheCircuit) {
  const parallel::Communicator comm;
  using Kind = physics::BoundaryKind;
  for (const auto& [name, load, seconds] : physics::circuits_at_the_end(port_of_cell("load", along * cell)))
    for (const auto& pulse : physics::pulses_up_to(speed_of_light / (10 * cell))) {
      GridProblem p;
      p.setup.grid = uniform_grid(1, 1, along, cell);
      p.setup.sides = {Kind::pmc, Kind::pmc, Kind::pec, Kind::pec, Kind::pmc, Kind::pmc};
      Port feed = pulse.of(port_of_cell("feed", 0));
      feed.impedance = vacuum_impedance, feed.excite = 2;
      p.ports = {feed, load};
      auto solver = p.make<double>(comm);
      const double dt = solver->time_step(), length = along * cell;
      solver->advance(static_cast<std::int64_t>((seconds + pulse.seconds()) / dt));
      const solver::PortRecord& record = solver->port_record(0);
      for (const double frequency : physics::frequencies_by_ratio(pulse.first, pulse.last, 12)) {
        const double omega = 2 * pi * frequency, cells = speed_of_light / (frequency * cell);
        const double half = std::asin(cell / (speed_of_light * dt) * std::sin(omega * dt / 2));  // k d / 2
        const double line = vacuum_impedance * std::cos(omega * dt / 2) / std::cos(half);
        const Complex circuit = physics::reflection_of(physics::impedance_of(load, frequency), vacuum_impedance);
        const auto error = [&](double impedance, double wavenumber) {
          return std::abs(physics::reflection_at_end(record, dt, frequency, impedance, wavenumber, length) - circuit);
        };
        if (cells > 26) {
          EXPECT_LT(error(vacuum_impedance, omega / speed_of_light), 0.01) << name << " " << frequency;
        }
        if (cells > 12) { EXPECT_LT(error(line, 2 * half / cell), 0.01) << name << " " << frequency; }
        if (cells > 300) {
          EXPECT_LT(error(vacuum_impedance, omega / speed_of_light), 2e-4) << name << " " << frequency;
        }
      }
    }
}

}  // namespace
}  // namespace dgtd::fdtd
