#pragma once
// A parallel-plate line between ports, whose characteristic impedance is known exactly.
#include <cmath>

#include "comparison.hpp"
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

inline DgSolver<double> make_port_solver(const PortProblem& p, int order, double dt, const parallel::Communicator& comm,
                                         const TimeLevels& levels = {}) {
  auto d = std::make_unique<Discretisation<double>>(p.fields.mesh, p.fields.material, p.fields.boundary_kind, order,
                                                    false, cpu_field_lanes, levels, p.fields.layers, p.fields.bloch,
                                                    p.fields.curved);
  auto executor = make_cpu_executor(*d, KernelFusion::fused, comm);
  return DgSolver<double>(std::move(d), std::move(executor), dt, p.fields.sources, p.fields.mesh.volume_names, comm, {},
                          p.ports);
}

}  // namespace dgtd::dg::test
