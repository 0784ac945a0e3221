#pragma once
// Exchange of traces between the parts of a mesh by order, before each half step, also of those inside levels of local
// time steps: into the ghost slots of the higher order goes the elevated trace E t of the lower one, into those of the
// lower order the projection R t of the higher one (face_transfer.hpp). Between ranks messages have the nodes of the
// lower order. Written once for CPU and CUDA (src/dg/order_joints_on.hpp).
#include <functional>
#include <memory>
#include <vector>

#include "dgtd/dg/executor.hpp"
#include "dgtd/dg/order_parts.hpp"

namespace dgtd::dg {

template <class Real>
class OrderJoints {
 public:
  virtual ~OrderJoints() = default;

  /// fields: [parts] E or Z0 H of each, in the memory of the executors, whose ghost slots at joints are written.
  /// Collective.
  virtual void exchange(const std::vector<Field<Real>*>& fields) = 0;
  /// The same of the source of a half step inside a level, at the joints of which an element of the level is on one of
  /// the sides. steps: [parts] that half step of each. Collective.
  virtual void exchange_level(const std::vector<LevelStep<Real>>& steps) = 0;

  /// Whether any rank has joints at which an element of the level is on one of the sides.
  virtual bool has_joints(int level) const = 0;

  /// The executors of the parts may work side by side. Later work of the first one follows what all were given so far;
  /// later work of all follows what the first one was given. An exchange begins with the one and ends with the other.
  virtual void join() = 0;
  virtual void fork() = 0;

  virtual double wait_seconds() const = 0;  // for messages so far
  virtual double memory_bytes() const = 0;
};

/// The executors of the parts of a mesh and the exchange between them.
template <class Real>
struct PartExecutors {
  std::vector<std::unique_ptr<Executor<Real>>> executors;  // [parts]
  std::unique_ptr<OrderJoints<Real>> joints;
};

/// Makes them of the parts and their discretisations, [parts], which outlive them; so do their addresses. Collective.
template <class Real>
using MakePartExecutors =
    std::function<PartExecutors<Real>(const OrderParts&, const std::vector<const Discretisation<Real>*>&)>;

/// CPU threads. comm outlives the executors. Collective.
template <class Real>
PartExecutors<Real> make_cpu_part_executors(const OrderParts& parts, const std::vector<const Discretisation<Real>*>& d,
                                            KernelFusion fusion, const parallel::Communicator& comm);

}  // namespace dgtd::dg
