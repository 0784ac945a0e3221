#pragma once
// Problems whose elements have several orders.
#include <algorithm>
#include <random>
#include <set>
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

/// The same, but order 1 within reach of `level` and finer ones: these have no joints.
inline std::vector<int> mixed_orders_below(int level, const mesh::Subdomain& mesh, const TimeLevels& levels) {
  std::vector<int> order = mixed_orders(mesh);
  for (std::size_t e = 0; e < order.size(); ++e)
    if (levels.reach[e] >= level) order[e] = 1;
  return order;
}

template <class Real>
MixedDiscretisation<Real> discretise_mixed(const Problem& problem, const std::vector<int>& orders,
                                           const parallel::Communicator& comm, const TimeLevels& levels = {},
                                           int lanes = cpu_field_lanes, const MakePartExecutors<Real>& make = {}) {
  return {problem.mesh,
          {problem.material, problem.boundary_kind, orders, problem.has_wave(), problem.layers, problem.curved,
           KernelFusion::fused, levels, lanes},
          comm,
          make};
}

template <class Real>
MixedSolver<Real> mixed_solver(const Problem& problem, const std::vector<int>& orders, double dt,
                               const parallel::Communicator& comm, const TimeLevels& levels = {}) {
  return {discretise_mixed<Real>(problem, orders, comm, levels), dt, problem.sources, problem.mesh.volume_names, comm};
}

/// As a checkpoint does.
inline void copy_state(MixedSolver<double>& one, MixedSolver<double>& other) {
  other.load(one.save());
  const auto from = one.persistent_arrays(), to = other.persistent_arrays();
  ASSERT_EQ(from.size(), to.size());
  std::set<std::string> names;
  for (std::size_t i = 0; i < from.size(); ++i) {
    EXPECT_TRUE(names.insert(from[i].name).second) << from[i].name;
    const auto* const values = static_cast<const double*>(from[i].read());
    auto* const copy = static_cast<double*>(to[i].write());
    for (const solver::ItemRun& run : from[i].items->runs)
      for (std::int64_t n = 0; n < run.count; ++n)
        for (const std::uint64_t offset : from[i].offsets) {
          const std::uint64_t at = run.place + static_cast<std::uint64_t>(n) + offset;
          copy[at] = values[at];
        }
  }
}

}  // namespace dgtd::dg::test
