// The exact solution of cavity-mode cases.
#include <algorithm>

#include "dgtd/app/results.hpp"
#include "dgtd/base/error.hpp"
#include "dgtd/physics/cavity_mode.hpp"

namespace dgtd::app {

namespace {

struct Cavity {
  physics::CavityMode mode;
  Vec3 corner;
};

Cavity cavity(const config::Case& c, const Problem& problem, const mesh::Subdomain& mesh,
              const parallel::Communicator& comm) {
  Cavity cavity;
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
  for (const auto& m : problem.group_material)
    if (m.sigma > 0 || m.eps_r != problem.group_material.front().eps_r || m.mu_r != problem.group_material.front().mu_r)
      throw Error("initial.type = cavity-mode needs one lossless material in the whole mesh");
  for (const auto& b : c.boundaries)
    if (b.type != config::Boundary::Type::pec)
      throw Error("initial.type = cavity-mode needs boundaries of type pec only");
  cavity.corner = low;
  cavity.mode = {c.initial.mode, high - low, problem.group_material.front().eps_r, problem.group_material.front().mu_r};
  return cavity;
}

}  // namespace

solver::VectorFunction cavity_electric(const config::Case& c, const Problem& problem, const mesh::Subdomain& mesh,
                                       double time, const parallel::Communicator& comm) {
  return [at = cavity(c, problem, mesh, comm), time](const Vec3& x) { return at.mode.electric(x - at.corner, time); };
}

solver::VectorFunction cavity_magnetic(const config::Case& c, const Problem& problem, const mesh::Subdomain& mesh,
                                       double time, const parallel::Communicator& comm) {
  return [at = cavity(c, problem, mesh, comm), time](const Vec3& x) { return at.mode.magnetic(x - at.corner, time); };
}

}  // namespace dgtd::app
