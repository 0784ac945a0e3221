#pragma once
// The parts of a rank's mesh whose elements have one polynomial order. Each part is a Subdomain of its own, as if it
// belonged to another rank: its discretisation, executor and solver do not know of the others. Faces between parts
// (joints) are its last halo faces, of which no neighbouring rank of HaloNeighbour sends anything; OrderJoints
// writes their ghost slots.
#include <cstdint>
#include <vector>

#include "dgtd/dg/time_levels.hpp"
#include "dgtd/mesh/subdomain.hpp"
#include "dgtd/parallel/communicator.hpp"

namespace dgtd::dg {

struct OrderPart {
  int order = 0;
  mesh::Subdomain mesh;                 // global_elements: those of the whole mesh, below which its element_id are
  std::vector<std::uint32_t> elements;  // [elements of the part] local elements of the whole mesh, ascending
};

/// A side of a joint: a halo face of a part.
struct JointSide {
  std::uint32_t part = 0, halo_face = 0;
};

/// A face between two parts of this rank.
struct Joint {
  JointSide low, high;  // the order of low is not above that of high
};

/// A face between a part of this rank and an element of another order on another rank.
struct RemoteJoint {
  JointSide mine;
  int rank = 0;
  int order = 0;  // beyond the face
};

struct OrderParts {
  std::vector<OrderPart> parts;  // ascending in order, the same orders on all ranks; a rank may lack elements
  std::vector<Joint> joints;
  std::vector<RemoteJoint> remote;  // grouped by rank, ascending; both ranks list the faces in the same order
  std::vector<std::uint32_t> part_of_element;  // [elements of the whole mesh]
  std::vector<std::uint32_t> place_in_part;    // [elements of the whole mesh] local element of that part

  bool are_mixed() const { return parts.size() > 1; }
};

/// Orders of the elements of any rank, ascending. order_of_element: [elements]. Collective.
std::vector<int> orders_in_use(const std::vector<int>& order_of_element, const parallel::Communicator& comm);

/// order_of_element: [elements]. Collective.
OrderParts parts_by_order(const mesh::Subdomain& mesh, const std::vector<int>& order_of_element,
                          const parallel::Communicator& comm);

/// The levels of the elements of a part, of those of the whole mesh; `updates` and `elements` are those of the part.
/// Collective.
TimeLevels levels_of_part(const TimeLevels& levels, const mesh::Subdomain& whole, const OrderPart& part,
                          const parallel::Communicator& comm);

}  // namespace dgtd::dg
