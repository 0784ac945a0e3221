#pragma once
// A box between periodic sides with Bloch phases: the mesh has two copies of each element.
#include "comparison.hpp"
#include "dgtd/dg/time_step.hpp"
#include "dgtd/mesh/load.hpp"
#include "dgtd/mesh/two_copies.hpp"

namespace dgtd::dg::test {

inline const std::array<std::int64_t, 3> bloch_cells{3, 2, 4};
inline const Vec3 bloch_size{0.6, 0.4, 0.8};  // m: of cubes

/// phases: of u(x + L) over the three axes, rad.
inline Problem bloch_box(const std::array<double, 3>& phases, const parallel::Communicator& comm,
                         const physics::Medium& medium = {2.0, 1.5, 0}) {
  constexpr std::array<bool, 3> all_axes{true, true, true};
  const mesh::Subdomain box = mesh::make_box(bloch_cells, bloch_size, comm, {}, all_axes);
  Problem problem{mesh::two_copies(box), {medium}, std::vector(6, physics::BoundaryKind::bloch), {}};
  for (const auto& f : mesh::periodic_faces(box, all_axes, comm))
    problem.bloch.push_back({f.element, f.face, f.high ? phases[f.axis] : -phases[f.axis]});
  return problem;
}

/// s, the largest one.
inline double stable_step(const Problem& problem, int order, const parallel::Communicator& comm) {
  Discretisation<double> d(problem.mesh, problem.material, problem.boundary_kind, order, false, cpu_field_lanes, {}, {},
                           problem.bloch);
  return stability_limit(d, *make_cpu_executor(d, KernelFusion::fused, comm), comm).time_step;
}

}  // namespace dgtd::dg::test
