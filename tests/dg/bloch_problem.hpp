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
                         const physics::Medium& medium = {2.0, 1.5, 0},
                         const std::array<std::int64_t, 3>& cells = bloch_cells, const Vec3& size = bloch_size) {
  constexpr std::array<bool, 3> all_axes{true, true, true};
  const mesh::Subdomain box = mesh::make_box(cells, size, comm, {}, all_axes);
  Problem problem{mesh::two_copies(box), {medium}, std::vector(6, physics::BoundaryKind::bloch), {}};
  for (const auto& f : mesh::periodic_faces(box, all_axes, comm))
    problem.bloch.push_back({f.element, f.face, f.high ? phases[f.axis] : -phases[f.axis]});
  return problem;
}

/// A box of 7 x 7 x 7 cubes with three levels of local time steps, of which the finest is in its middle.
inline Problem graded_bloch_box(const parallel::Communicator& comm) {
  return bloch_box({0.7, -1.9, 2.6}, comm, {2.0, 1.5, 0}, {7, 7, 7}, {1.4, 1.4, 1.4});
}
inline TimeLevels levels_in_the_middle(const Problem& problem, const parallel::Communicator& comm) {
  std::vector<std::uint8_t> at_sides(problem.mesh.elements(), 0);
  for (const BlochFace& face : problem.bloch)
    for (const std::size_t copy : {std::size_t{0}, problem.mesh.first_copies()}) at_sides[face.element + copy] = 1;
  std::vector<double> limits;
  for (std::size_t e = 0; e < problem.mesh.elements(); ++e) {
    const Vec3 off = ElementGeometry(problem.mesh, e).centre() - Vec3{0.7, 0.7, 0.7};
    limits.push_back(std::max({std::abs(off.x), std::abs(off.y), std::abs(off.z)}) < 0.1 ? 0.25 : 1);
  }
  return assign_time_levels(problem.mesh, limits, at_sides, 8, comm);
}

/// s, the largest one.
inline double stable_step(const Problem& problem, int order, const parallel::Communicator& comm) {
  Discretisation<double> d(problem.mesh, problem.material, problem.boundary_kind, order, false, cpu_field_lanes, {}, {},
                           problem.bloch);
  return stability_limit(d, *make_cpu_executor(d, KernelFusion::fused, comm), comm).time_step;
}

}  // namespace dgtd::dg::test
