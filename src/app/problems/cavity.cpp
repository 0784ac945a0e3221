#include "app/problems/cavity.hpp"

#include <algorithm>

#include "dgtd/base/error.hpp"

namespace dgtd::app {

Cavity mesh_cavity(const config::Case& c, const std::vector<config::Material>& group_material,
                   const mesh::Subdomain& mesh, const parallel::Communicator& comm) {
  Vec3 low{1e300, 1e300, 1e300}, high = -low;
  for (const auto& v : mesh.vertices)
    for (int k = 0; k < 3; ++k) {
      low[k] = std::min(low[k], v[k]);
      high[k] = std::max(high[k], v[k]);
    }
  for (int k = 0; k < 3; ++k) {
    low[k] = comm.min(low[k]);
    high[k] = comm.max(high[k]);
  }
  const auto& first = group_material.front();
  for (const auto& m : group_material)
    if (!m.is_lossless() || m.permittivity != first.permittivity || m.permeability != first.permeability)
      throw Error("initial.type = cavity-mode needs one lossless material in the whole mesh");
  for (const auto& b : c.boundaries)
    if (b.type != config::Boundary::Type::pec)
      throw Error("initial.type = cavity-mode needs boundaries of type pec only");
  return {{c.initial.mode, high - low, first.permittivity, first.permeability}, low};
}

Cavity grid_cavity(const config::Case& c, const grid::CartesianGrid& grid) {
  if (!c.shapes.empty() || !c.grid.background.empty())
    throw Error("initial.type = cavity-mode needs an empty grid without shapes and background");
  const auto types = config::side_types(c);
  const int axes = c.solver.method.has.dimensions;
  for (int side = 0; side < 2 * axes; ++side)
    if (types[side] != config::Boundary::Type::pec)
      throw Error("initial.type = cavity-mode needs boundaries of type pec only");
  Vec3 size;
  for (int a = 0; a < 3; ++a) size[a] = a < axes ? grid.nodes(a).back() - grid.origin[a] : 1;
  return {{c.initial.mode, size, 1, 1}, grid.origin};
}

observers::ExactSolution exact_solution(const Cavity& cavity) {
  return {[cavity](double time) -> solver::VectorFunction {
            return [=](const Vec3& x) { return cavity.mode.electric(x - cavity.corner, time); };
          },
          [cavity](double time) -> solver::VectorFunction {
            return [=](const Vec3& x) { return cavity.mode.magnetic(x - cavity.corner, time); };
          }};
}

std::function<void()> initial_cavity_mode(solver::Solver& solver, const observers::ExactSolution& exact) {
  return [&solver, exact] { solver.set_fields(exact.electric(0), exact.magnetic(solver.clock().magnetic_time())); };
}

}  // namespace dgtd::app
