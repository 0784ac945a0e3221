#pragma once
// The executors of the parts of a mesh by order. On one rank each has a back end of its own, so that a device computes
// parts side by side; on several ranks all have one, whose order of work is the same on all ranks, because launches of
// two parts that wait for messages could keep each other out of the device.
#include "executor_on.hpp"
#include "order_joints_on.hpp"

namespace dgtd::dg {

/// d: of the lanes of the back end's kernels. make_backend(): a back end on this rank's device.
template <class Real, class Elements, class MakeBackend>
PartExecutors<Real> part_executors_on(const OrderParts& parts, const std::vector<const Discretisation<Real>*>& d,
                                      KernelFusion fusion, const parallel::Communicator& comm,
                                      const MakeBackend& make_backend) {
  PartExecutors<Real> made;
  std::vector<std::shared_ptr<typename Elements::Backend>> backends;
  for (const Discretisation<Real>* const of_part : d) {
    backends.push_back(backends.empty() || comm.size() == 1 ? make_backend() : backends.front());
    made.executors.push_back(std::make_unique<ExecutorOn<Real, Elements>>(*of_part, fusion, backends.back()));
  }
  made.joints = std::make_unique<OrderJointsOn<Real, typename Elements::Backend>>(parts, d, std::move(backends), comm);
  return made;
}

}  // namespace dgtd::dg
