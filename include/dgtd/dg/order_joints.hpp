#pragma once
// Exchange of traces between the parts of a mesh by order, before each half step: into the ghost slots of the higher
// order goes the elevated trace E t of the lower one, into those of the lower order the projection R t of the higher
// one (face_transfer.hpp). Between ranks messages have the nodes of the lower order.
#include <cstdint>
#include <memory>
#include <vector>

#include "dgtd/dg/discretisation.hpp"
#include "dgtd/dg/face_trace.hpp"
#include "dgtd/dg/order_parts.hpp"
#include "dgtd/parallel/halo_exchange.hpp"

namespace dgtd::dg {

template <class Real>
class OrderJoints {
 public:
  /// d: [parts] discretisations of the parts' meshes, with fields in host memory. All outlive the object; so do their
  /// addresses. Collective.
  OrderJoints(const OrderParts& parts, std::vector<const Discretisation<Real>*> d, const parallel::Communicator& comm);

  /// fields: [parts] E or Z0 H of each, whose ghost slots at joints are written. Collective.
  void exchange(const std::vector<Field<Real>*>& fields);

  double wait_seconds() const;  // for messages so far
  double memory_bytes() const;

 private:
  struct Side {
    std::uint64_t element = 0, ghost = 0;  // first coefficients in the field of its part
    std::uint8_t face = 0;                 // of the element
  };
  struct LocalJoint {
    Side low, high;
  };
  /// Faces between two orders, of two parts of this rank and of each of them with other ranks.
  struct Pair {
    std::size_t low = 0, high = 0;            // parts
    std::vector<Real> elevation, projection;  // [Nf(high)][Nf(low)], [Nf(low)][Nf(high)]
    std::vector<LocalJoint> local;
    std::vector<Side> remote;                                // in the order of the messages
    std::vector<std::uint8_t> is_low;                        // [remote] whether this rank's element has the lower order
    std::unique_ptr<parallel::HaloExchange<Real>> messages;  // null without remote ones
  };

  Side side_of(const JointSide& side) const;
  Pair make_pair(const OrderParts& parts, std::size_t low, std::size_t high, const parallel::Communicator& comm) const;
  void read_trace_of(std::size_t part, const Side& side, const Real* field, Real* trace) const;
  void write_ghost(std::size_t part, const Side& side, const Real* trace, Real* field) const;
  void exchange_local(const Pair& pair, const std::vector<Field<Real>*>& fields) const;
  void send(Pair& pair, const std::vector<Field<Real>*>& fields) const;
  void receive(Pair& pair, const std::vector<Field<Real>*>& fields) const;

  std::vector<const mesh::Subdomain*> mesh_;    // [parts]
  std::vector<const Discretisation<Real>*> d_;  // [parts]
  std::vector<FaceTraceEntries> entries_;       // [parts]
  std::vector<Pair> pairs_;
};

}  // namespace dgtd::dg
