#pragma once
// A problem with four levels of local time steps that any number of ranks can share.
#include "box_problem.hpp"

namespace dgtd::dg::test {

/// A bar that absorbs at one end, where a wave may enter, its upper half conductive, a dipole among the finest elements
/// at the other end.
inline Problem graded_bar(const parallel::Communicator& comm, bool with_wave,
                          const std::array<std::int64_t, 3>& cells = {10, 2, 3}) {
  constexpr auto pec = physics::BoundaryKind::pec, pmc = physics::BoundaryKind::pmc,
                 absorbing = physics::BoundaryKind::silver_muller;
  return halved_box(
      {cells, {2.5, 0.4, 0.9}, {absorbing, pec, pec, pmc, pec, pmc}, {2.2, 0.2, 0.3}, {0, 0, 0}, {1, 0, 0}}, comm,
      with_wave);
}

/// Levels as if the elements became smaller along the bar: they are about as large, so that the time step is bounded by
/// level 0.
inline TimeLevels graded_levels(const Problem& problem, const parallel::Communicator& comm) {
  std::vector<double> limits;
  for (std::size_t e = 0; e < problem.mesh.elements(); ++e)
    limits.push_back(
        std::exp2(-std::clamp(std::floor((ElementGeometry(problem.mesh, e).centre().x - 0.4) / 0.5), 0.0, 3.0)));
  return assign_time_levels(problem.mesh, limits, absorbing_elements(problem.mesh, problem.boundary_kind), 8, comm);
}

}  // namespace dgtd::dg::test
