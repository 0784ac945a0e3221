#pragma once
// A parallel-plate line between ports, whose characteristic impedance is known exactly.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <memory>
#include <vector>

#include "comparison.hpp"
#include "dgtd/dg/element_geometry.hpp"
#include "dgtd/dg/penalised_faces.hpp"
#include "dgtd/dg/time_levels.hpp"
#include "dgtd/mesh/load.hpp"
#include "dgtd/physics/port.hpp"

namespace dgtd::dg::test {

inline constexpr double plate_distance = 2e-3;  // m

/// A rectangle across the line at z, between the plates.
inline physics::Port port_across(const char* name, double z) {
  physics::Port port;
  port.name = name;
  port.origin = "line.cfg:9";
  port.centre = {0.5 * plate_distance, 0.5 * plate_distance, z};
  port.size = {plate_distance, plate_distance, 0};
  port.direction = {0, 1, 0};
  port.waveform.frequency = 3e9, port.waveform.bandwidth = 4e9;
  return port;
}

struct PortProblem {
  Problem fields;
  std::vector<physics::Port> ports;
};

/// Along z, of `along` layers of cubes, `across` of them between plates of metal across y, which are as wide as they
/// are apart, between magnetic walls: its impedance is that of vacuum. Its ends are magnetic walls, too. Vertices of
/// the layers between are displaced, those in the plane of layer `plane` within it.
inline PortProblem line_between_plates(int across, int along, const parallel::Communicator& comm, int plane = -1) {
  const double cell = plate_distance / across;
  PortProblem p{{mesh::make_box({across, across, along}, {plate_distance, plate_distance, along * cell}, comm),
                 {{1, 1, 0}},
                 {physics::BoundaryKind::pmc, physics::BoundaryKind::pmc, physics::BoundaryKind::pec,
                  physics::BoundaryKind::pec, physics::BoundaryKind::pmc, physics::BoundaryKind::pmc},
                 {}},
                {}};
  for (std::size_t v = 0; v < p.fields.mesh.vertices.size(); ++v) {
    Vec3& x = p.fields.mesh.vertices[v];
    const int layer = static_cast<int>(std::lround(x.z / cell));
    if (layer == 0 || layer == along) continue;
    std::mt19937 random(static_cast<unsigned>(p.fields.mesh.vertex_id[v] + 3));
    std::uniform_real_distribution<double> part(-0.15, 0.15);
    const double of_z = part(random);
    if (layer != plane) x.z += of_z * cell;
  }
  return p;
}

/// Executor of a discretisation with so many field lanes.
struct PortExecutor {
  int lanes;
  std::function<std::unique_ptr<Executor<double>>(const Discretisation<double>&, const parallel::Communicator&)> make;
};
inline PortExecutor on_cpu() {
  return {cpu_field_lanes, [](const Discretisation<double>& d, const parallel::Communicator& comm) {
            return make_cpu_executor(d, KernelFusion::fused, comm);
          }};
}

inline DgSolver<double> make_port_solver(const PortProblem& p, int order, double dt, const parallel::Communicator& comm,
                                         const TimeLevels& levels = {}, const PortExecutor& executor = on_cpu()) {
  auto d = std::make_unique<Discretisation<double>>(p.fields.mesh, p.fields.material, p.fields.boundary_kind, order,
                                                    false, executor.lanes, levels, p.fields.layers, p.fields.bloch,
                                                    p.fields.curved, p.fields.upwind);
  exempt_from_penalty(*d, p.fields.sources, p.ports, comm);
  auto made = executor.make(*d, comm);
  return DgSolver<double>(std::move(d), std::move(made), dt, p.fields.sources, p.fields.mesh.volume_names, comm, {},
                          p.ports);
}

struct PortOutcome {
  std::uint64_t hash = 0;
  double work = 0;
  std::vector<double> voltage, current, power;  // of the port in the middle
};

/// A line with a port at its end and one in the middle, whose faces are on several ranks, after 21 steps. Small
/// elements are at the port between elements.
inline PortOutcome run_ports(const parallel::Communicator& comm, bool local_steps,
                             const PortExecutor& executor = on_cpu()) {
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
  auto solver = make_port_solver(p, 2, 3e-13, comm, levels, executor);
  solver.randomise_fields();
  for (int i = 0; i < 3; ++i) solver.advance(7);
  const solver::PortRecord& record = solver.port_record(1);
  return {comm.sum(solver.fields_hash()), comm.sum(solver.work().done), record.voltage, record.current, record.power};
}

/// Bit for bit.
inline void expect_same(const PortOutcome& found, const PortOutcome& expected) {
  EXPECT_EQ(found.hash, expected.hash);
  EXPECT_EQ(found.work, expected.work);
  ASSERT_EQ(found.voltage.size(), 21u);
  EXPECT_EQ(found.voltage, expected.voltage);
  EXPECT_EQ(found.current, expected.current);
  EXPECT_EQ(found.power, expected.power);
}

struct GuideOutcome {
  std::uint64_t hash = 0;
  std::vector<double> work, energy;  // J, every 50 steps
};

/// A hollow guide whose dominant mode one port sends, from a formula, and another one receives, a computed mode, after
/// 200 steps; its ends absorb. Faces of both are on several ranks.
inline GuideOutcome run_guide_ports(const parallel::Communicator& comm, const PortExecutor& executor = on_cpu()) {
  constexpr double wide = 20e-3, high = 10e-3, cell = 5e-3;
  constexpr int along = 10;
  PortProblem p{{mesh::make_box({4, 2, along}, {wide, high, along * cell}, comm), {{1, 1, 0}}, {}, {}}, {}};
  for (const std::string& side : p.fields.mesh.surface_names)
    p.fields.boundary_kind.push_back(side[0] == 'z' ? physics::BoundaryKind::silver_muller
                                                    : physics::BoundaryKind::pec);
  const auto port_at = [&](const char* name, physics::Port::Type type, double z, double direction) {
    physics::Port port;
    port.name = name, port.origin = "guide.cfg:9", port.type = type;
    port.mode = {physics::GuideMode::Kind::te, 1, 0};
    port.centre = {0.5 * wide, 0.5 * high, z}, port.size = {wide, high, 0}, port.direction = {0, 0, direction};
    port.frequencies = {9e9, 1e10, 1.1e10};
    port.waveform.frequency = 1e10, port.waveform.bandwidth = 2e10;
    return port;
  };
  p.ports = {port_at("in", physics::Port::Type::waveguide, 3 * cell, 1),
             port_at("out", physics::Port::Type::mode, 7 * cell, -1)};
  p.ports[0].excite = 1, p.ports[1].excite = 2;
  auto solver = make_port_solver(p, 2, 1.5e-12, comm, {}, executor);
  GuideOutcome outcome;
  for (int i = 0; i < 4; ++i) {
    solver.advance(50);
    outcome.energy.push_back(comm.sum(solver.energy()));
    outcome.work.push_back(comm.sum(solver.work().done));
  }
  outcome.hash = comm.sum(solver.fields_hash());
  EXPECT_GT(outcome.energy.back(), 0);
  EXPECT_GT(outcome.work.back(), outcome.energy.back());  // the rest is absorbed
  return outcome;
}

/// Work and energies up to `within` of themselves.
inline void expect_near(const GuideOutcome& found, const GuideOutcome& expected, double within) {
  for (std::size_t n = 0; n < expected.energy.size(); ++n) {
    EXPECT_NEAR(found.energy[n], expected.energy[n], within * expected.energy[n]) << n;
    EXPECT_NEAR(found.work[n], expected.work[n], within * std::abs(expected.work[n])) << n;
  }
}

}  // namespace dgtd::dg::test
