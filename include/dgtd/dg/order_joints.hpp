#pragma once
// Exchange of traces between the parts of a mesh by order, before each half step, also of those inside levels of local
// time steps: into the ghost slots of the higher order goes the elevated trace E t of the lower one, into those of the
// lower order the projection R t of the higher one (face_transfer.hpp). Between ranks messages have the nodes of the
// lower order.
#include <cstdint>
#include <memory>
#include <vector>

#include "dgtd/dg/executor.hpp"
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

  /// The same of the source of a half step inside a level, at the joints of which an element of the level is on one of
  /// the sides. steps: [parts] that half step of each. Collective.
  void exchange_level(const std::vector<LevelStep<Real>>& steps);

  double wait_seconds() const;  // for messages so far
  double memory_bytes() const;

 private:
  struct Side {
    std::uint32_t slot = 0;         // of the element
    std::uint8_t face = 0;          // of the element
    std::uint64_t ghost = 0;        // its first coefficient in a field
    std::uint64_t level_ghost = 0;  // in a field of LevelBlocks
    std::uint64_t ghost_in(bool level) const { return level ? level_ghost : ghost; }
  };
  struct LocalJoint {
    Side low, high;
  };
  /// Joints that are exchanged at once.
  struct Joints {
    std::vector<LocalJoint> local;
    std::vector<Side> remote;                                // in the order of the messages
    std::vector<std::uint8_t> is_low;                        // [remote] whether this rank's element has the lower order
    std::unique_ptr<parallel::HaloExchange<Real>> messages;  // null without remote ones
  };
  /// Faces between two orders, of two parts of this rank and of each of them with other ranks.
  struct Pair {
    std::size_t low = 0, high = 0;            // parts
    std::vector<Real> elevation, projection;  // [Nf(high)][Nf(low)], [Nf(low)][Nf(high)]
    std::vector<Joints> of_level;             // [L + 1] those of level 0 are all
  };
  /// Arrays of a part to read and write.
  struct PartField {
    SplitField<Real> source;
    Real* ghosts;        // of the array whose ghost slots are written
    bool level = false;  // a field of LevelBlocks
  };

  Side side_of(const JointSide& side, int level) const;
  bool has_level(const JointSide& side, int level) const;
  Joints make_joints(const OrderParts& parts, std::size_t low, std::size_t high, int level,
                     const parallel::Communicator& comm) const;
  void exchange(const std::vector<PartField>& fields, int level);
  void read_trace_of(std::size_t part, const Side& side, const PartField& field, Real* trace) const;
  void write_ghost(std::size_t part, const Side& side, const Real* trace, const PartField& field) const;
  void exchange_local(const Pair& pair, const Joints& joints, const std::vector<PartField>& fields) const;
  void send(const Pair& pair, const Joints& joints, const std::vector<PartField>& fields) const;
  void receive(const Pair& pair, const Joints& joints, const std::vector<PartField>& fields) const;

  std::vector<const mesh::Subdomain*> mesh_;    // [parts]
  std::vector<const Discretisation<Real>*> d_;  // [parts]
  std::vector<FaceTraceEntries> entries_;       // [parts]
  std::vector<Pair> pairs_;
};

}  // namespace dgtd::dg
