#pragma once
// Elements of several orders on a device.
#include "dgtd/dg/cuda_executor.hpp"
#include "dgtd/parallel/cuda_device.hpp"
#include "mixed_problem.hpp"

namespace dgtd::dg::test {

template <class Real>
MixedDiscretisation<Real> discretise_cuda_mixed(const Problem& problem, const std::vector<int>& orders,
                                                const parallel::Communicator& comm, const TimeLevels& levels,
                                                parallel::Transport transport = parallel::Transport::mpi_host) {
  const auto make = [&](const OrderParts& parts, const std::vector<const Discretisation<Real>*>& d) {
    return make_cuda_part_executors<Real>(parts, d, KernelFusion::fused, transport, comm);
  };
  return discretise_mixed<Real>(problem, orders, comm, levels, cuda_field_lanes, make);
}

template <class Real>
MixedSolver<Real> cuda_mixed_solver(const Problem& problem, const std::vector<int>& orders, double dt,
                                    const parallel::Communicator& comm, const TimeLevels& levels,
                                    parallel::Transport transport = parallel::Transport::mpi_host) {
  return {discretise_cuda_mixed<Real>(problem, orders, comm, levels, transport), dt, problem.sources,
          problem.mesh.volume_names, comm};
}

}  // namespace dgtd::dg::test
