// Lumped ports at the ends of a parallel-plate line, whose characteristic impedance is known exactly.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>

#include "dgtd/base/constants.hpp"
#include "fdtd/problems.hpp"
#include "support/error_message.hpp"
#include "support/port_reference.hpp"

namespace dgtd::fdtd {
namespace {

using Complex = std::complex<double>;
using physics::impedance_of;
using physics::Port;
using physics::spectrum;
constexpr double cell = 1e-3;  // m
constexpr int length = 30;     // cells of the line

Port port_at(const char* name, double z) {
  Port port;
  port.name = name;
  port.origin = "line.cfg:9";
  port.centre = {cell, cell, z};
  port.size = {2 * cell, 2 * cell, 0};
  port.direction = {0, 1, 0};
  port.waveform.frequency = 3e9, port.waveform.bandwidth = 4e9;
  return port;
}

// Along z, between plates of metal across y, as wide as they are apart, between magnetic walls: its impedance is that
// of vacuum. Sheets of ports are its two ends, which are magnetic walls.
GridProblem line_with(Port load) {
  GridProblem p;
  p.setup.grid = uniform_grid(2, 2, length, cell);
  using Kind = physics::BoundaryKind;
  p.setup.sides = {Kind::pmc, Kind::pmc, Kind::pec, Kind::pec, Kind::pmc, Kind::pmc};
  Port feed = port_at("feed", 0);
  feed.impedance = 200;
  feed.excite = 2;
  p.ports = {feed, std::move(load)};
  return p;
}

// Z_in = Z (Z_L + i Z tan k l) / (Z + i Z_L tan k l), from the circuit itself to the impedance that the feed sees. The
// grid's wave is slower than light by (k cell)^2 / 24 = 4e-4 at most, and the capacitor's and the inductor's
// frequencies are off by (omega dt)^2 / 12: the phases of the tangent are off by less than 2e-3.
void expect_impedances(const Port& load) {
  const parallel::Communicator comm;
  const GridProblem p = line_with(load);
  auto solver = p.make<double>(comm);
  solver->advance(12000);
  const double dt = solver->time_step(), z = vacuum_impedance;
  const solver::PortRecord feed = solver->port_record(0), end = solver->port_record(1);
  ASSERT_EQ(feed.voltage.size(), 12000u);
  for (const double frequency : {0.4e9, 1.1e9, 2e9, 3.3e9, 5e9}) {
    const auto of = [&](const std::vector<double>& record) { return spectrum(record, frequency, dt); };
    const Complex expected = impedance_of(load, frequency), at_end = -of(end.voltage) / of(end.current);
    EXPECT_LT(std::abs(at_end - expected), 4e-3 * std::abs(expected)) << frequency << " " << at_end << expected;
    const Complex turn{0, std::tan(2 * pi * frequency / speed_of_light * length * cell)};
    const Complex in = z * (expected + z * turn) / (z + expected * turn), seen = of(feed.voltage) / of(feed.current);
    const auto reflection = [&](Complex impedance) { return (impedance - z) / (impedance + z); };
    EXPECT_LT(std::abs(reflection(seen) - reflection(in)), 0.01) << frequency << " " << seen << in;
    // The load absorbs the power that the feed supplies.
    const double supplied = std::real(of(feed.voltage) * std::conj(of(feed.current))),
                 taken = -std::real(of(end.voltage) * std::conj(of(end.current)));
    EXPECT_NEAR(supplied, taken, 1e-6 * std::abs(supplied) + 1e-6 * std::norm(of(feed.voltage)) / z) << frequency;
  }
}

TEST(Port, EndsALineAsAResistor) {
  for (const double resistance : {50.0, vacuum_impedance, 3000.0}) {
    Port load = port_at("load", length * cell);
    load.resistance = resistance;
    expect_impedances(load);
  }
}

TEST(Port, EndsALineAsASeriesCircuit) {
  Port load = port_at("load", length * cell);
  load.resistance = 80, load.inductance = 8e-9, load.capacitance = 0.4e-12;
  expect_impedances(load);
}

TEST(Port, EndsALineAsAParallelCircuit) {
  Port load = port_at("load", length * cell);
  load.circuit = Port::Circuit::parallel;
  load.resistance = 400, load.inductance = 10e-9, load.capacitance = 0.3e-12;
  expect_impedances(load);
}

// A matched end lets nothing come back: the wave at the feed is that of the voltage divider of source and line, at once
// and exactly, but for the grid's dispersion at the highest frequencies of the pulse.
TEST(Port, AMatchedEndReflectsNothing) {
  const parallel::Communicator comm;
  Port load = port_at("load", length * cell);
  load.impedance = vacuum_impedance;
  const GridProblem p = line_with(load);
  auto solver = p.make<double>(comm);
  solver->advance(3000);
  const solver::PortRecord feed = solver->port_record(0);
  const double share = vacuum_impedance / (vacuum_impedance + 200);
  const auto shape = physics::shape_of(p.ports[0].waveform);
  for (std::size_t n = 0; n < feed.voltage.size(); ++n)
    EXPECT_NEAR(feed.voltage[n], share * 2 * physics::value(shape, (double(n) + 0.5) * solver->time_step()), 0.01) << n;
}

// The discrete energies balance: what a circuit supplies to the fields is what they gain, to rounding errors, whatever
// R, L and C are; a circuit without a source never supplies more than it has taken.
TEST(Port, BalancesEnergyForAnyCircuit) {
  const parallel::Communicator comm;
  for (const auto circuit : {Port::Circuit::series, Port::Circuit::parallel})
    for (const double r : {1e-6, 50.0, 1e9})
      for (const double l : {0.0, 1e-18, 1.0})
        for (const double capacitance : {0.0, 1e-21, 1.0}) {
          Port load = port_at("load", length * cell);
          load.circuit = circuit;
          load.resistance = r;
          if (l > 0) load.inductance = l;
          if (capacitance > 0) load.capacitance = capacitance;
          GridProblem p = line_with(load);
          p.setup.grid.spacing[2].resize(6);
          p.ports[1].centre.z = 6 * cell;
          p.ports[0].excite = 0;
          auto solver = p.make<double>(comm);
          solver->set_fields(
              [](const Vec3& x) {
                return Vec3{0, std::cos(500 * x.z), 0};
              },
              [](const Vec3&) {
                return Vec3{0, 0, 0};
              });
          const double before = solver->energy();
          for (int n = 0; n < 20; ++n) {
            solver->advance(500);
            EXPECT_NEAR(solver->energy() - solver->work().done, before, 1e-9 * before)
                << r << " " << l << " " << capacitance;
            EXPECT_LE(solver->energy(), before * (1 + 1e-9));
          }
        }
}

// A measurement of some minutes: energy never grows beyond that of the start.
TEST(Port, DISABLED_BalancesEnergyOverAMillionSteps) {
  const parallel::Communicator comm;
  double balance = 0, growth = 0;
  for (const auto circuit : {Port::Circuit::series, Port::Circuit::parallel})
    for (const double r : {1e-6, 1e9})
      for (const double l : {1e-18, 1.0})
        for (const double capacitance : {1e-21, 1.0}) {
          Port load = port_at("load", 6 * cell);
          load.circuit = circuit, load.resistance = r, load.inductance = l, load.capacitance = capacitance;
          GridProblem p = line_with(load);
          p.setup.grid.spacing[2].resize(6);
          for (Port& port : p.ports) port.circuit = circuit, port.resistance = r;
          p.ports[0].excite = 0, p.ports[0].inductance = l, p.ports[0].capacitance = capacitance;
          auto solver = p.make<double>(comm);
          solver->set_fields([](const Vec3& x) { return Vec3{0, std::cos(500 * x.z), 0}; },
                             [](const Vec3&) { return Vec3{0, 0, 0}; });
          const double before = solver->energy();
          for (int n = 0; n < 20; ++n) {
            solver->advance(50000);
            const double energy = solver->energy();
            balance = std::max(balance, std::abs(energy - solver->work().done - before) / before);
            growth = std::max(growth, energy / before - 1);
          }
          EXPECT_LT(balance, 1e-9) << r << " " << l << " " << capacitance;
          EXPECT_LT(growth, 1e-9) << r << " " << l << " " << capacitance;
        }
  std::printf("largest imbalance %.2g, growth %.2g of the energy at the start\n", balance, growth);
}

TEST(Port, IsBetweenConductors) {
  const parallel::Communicator comm;
  const auto of = [&](const auto& change) {
    GridProblem p = line_with(port_at("load", length * cell));
    change(p);
    return message([&] { (void)p.make<float>(comm); });
  };
  EXPECT_EQ(of([](GridProblem& p) { p.ports[1].centre.z = 0.04; }),
            "line.cfg:9: port.load: end of centre and size = 0 0 0.04 lies outside the grid, whose z goes from 0 to "
            "0.03000000000000002 m");
  EXPECT_EQ(
      of([](GridProblem& p) { p.ports[1].size.y = 0.1 * cell; }),
      "line.cfg:9: port.load: size = 0.0001 along y: no edge of a cell is that short; it must be at least a cell");
  EXPECT_EQ(of([](GridProblem& p) {
              p.ports[1].direction = {1, 0, 0};
              p.ports[1].size.y = 0, p.ports[1].centre.y = 0;
            }),
            "line.cfg:9: port.load: its edge at 0.0005 0 0.03 m is in a perfect conductor or on a periodic side; its "
            "size must go from one conductor to the other and no further");
  EXPECT_EQ(
      of([](GridProblem& p) {
        p.setup.materials.push_back(physics::Medium{1, 1, 0, 0, physics::gold_poles()});
        p.bodies = {{.type = grid::Shape::Type::box, .centre = {0, 0, 0.03}, .size = {1, 1, 0.004}, .material = 1}};
      }),
      "line.cfg:9: port.load: its edge at 0 0.0005 0.03 m is in a dispersive medium; its size must go from one "
      "conductor to the other and no further");
}

// Two ports at right angles to each other share the edges of their common border; a cell apart they do not.
TEST(Port, SharesNoEdgeWithAnother) {
  const parallel::Communicator comm;
  GridProblem p = line_with(port_at("load", length * cell));
  Port side = port_at("side", 0.5 * length * cell);
  side.centre.x = 0;
  side.size = {0, 2 * cell, length * cell};
  p.ports.push_back(side);
  EXPECT_EQ(
      message([&] { (void)p.make<float>(comm); }),
      "line.cfg:9: port.side: its edge at 0 0.0005 0 m is one of port.feed, too; ports must share no edge of a cell");
  p.ports.back().size.z = (length - 2) * cell;
  EXPECT_EQ(message([&] { (void)p.make<float>(comm); }), "no error");
}

// Capacitance of the cells: of the half cell at the magnetic wall, eps0 times width times depth over distance.
TEST(Port, KnowsTheCapacitanceOfItsCells) {
  const parallel::Communicator comm;
  auto solver = line_with(port_at("load", length * cell)).make<double>(comm);
  EXPECT_NEAR(solver->cell_capacitance(1), vacuum_permittivity * 0.5 * cell, 1e-6 * vacuum_permittivity * cell);
}

// Several steps per pass over memory do the same.
TEST(Port, IsTheSameInPassesOfSeveralSteps) {
  const parallel::Communicator comm;
  Port load = port_at("load", 0.025);
  load.resistance = 80, load.inductance = 8e-9, load.capacitance = 0.4e-12;
  GridProblem p = line_with(load);
  p.caches = CacheSizes{5e5, 0};
  auto steps = p.make<float>(comm), passes = p.make<float>(comm);
  ASSERT_TRUE(passes->description_of_steps().starts_with("up to ")) << passes->description_of_steps();
  for (int n = 0; n < 600; ++n) steps->advance(1);
  for (const int n : {7, 290, 3, 300}) passes->advance(n);
  EXPECT_EQ(passes->fields_hash(), steps->fields_hash());
  EXPECT_EQ(passes->port_record(1).voltage, steps->port_record(1).voltage);
  EXPECT_EQ(passes->port_record(1).current, steps->port_record(1).current);
  EXPECT_EQ(passes->port_record(0).power, steps->port_record(0).power);
  EXPECT_EQ(passes->work().done, steps->work().done);
}

}  // namespace
}  // namespace dgtd::fdtd
