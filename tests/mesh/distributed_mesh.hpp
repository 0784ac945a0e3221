#pragma once
// A mesh on all ranks, shared among them.
#include "dgtd/mesh/load.hpp"
#include "dgtd/parallel/communicator.hpp"

namespace dgtd::mesh::testing {

inline const parallel::Communicator& world() {
  static const parallel::Communicator comm;
  return comm;
}

inline Subdomain distributed(const GlobalMesh& whole) {
  const auto part = partition(whole, world().size());
  return distribute(world().is_root() ? GlobalMesh(whole) : GlobalMesh{}, part, world());
}

}  // namespace dgtd::mesh::testing
