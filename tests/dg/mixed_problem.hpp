#pragma once
// Problems whose elements have several orders.
#include <algorithm>
#include <random>
#include <vector>

#include "comparison.hpp"
#include "dgtd/dg/kernel_table.hpp"
#include "dgtd/dg/mixed_solver.hpp"

namespace dgtd::dg::test {

/// [elements] orders 1 to the highest one of this program, at most 4, by a mixture of the global element number.
inline std::vector<int> mixed_orders(const mesh::Subdomain& mesh) {
  const auto orders = static_cast<unsigned>(std::min(4, highest_order()));
  std::vector<int> order;
  for (const std::int64_t id : mesh.element_id)
    order.push_back(1 + static_cast<int>(std::mt19937(static_cast<unsigned>(id))() % orders));
  return order;
}

template <class Real>
MixedDiscretisation<Real> discretise_mixed(const Problem& problem, const std::vector<int>& orders,
                                           const parallel::Communicator& comm) {
  return {problem.mesh,
          {problem.material, problem.boundary_kind, orders, problem.has_wave(), problem.layers, problem.curved},
          comm};
}

template <class Real>
MixedSolver<Real> mixed_solver(const Problem& problem, const std::vector<int>& orders, double dt,
                               const parallel::Communicator& comm) {
  return {discretise_mixed<Real>(problem, orders, comm), dt, problem.sources, problem.mesh.volume_names, comm};
}

}  // namespace dgtd::dg::test
