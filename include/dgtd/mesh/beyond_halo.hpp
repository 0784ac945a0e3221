#pragma once
#include <vector>

#include "dgtd/mesh/subdomain.hpp"
#include "dgtd/parallel/communicator.hpp"
#include "dgtd/parallel/exchange_lists.hpp"

namespace dgtd::mesh {

/// Values of the elements beyond the halo faces, [halo faces], from those of each rank's elements. Collective.
template <class T>
std::vector<T> beyond_halo(const Subdomain& mesh, const std::vector<T>& of_element,
                           const parallel::Communicator& comm) {
  std::vector<std::vector<T>> lists(static_cast<std::size_t>(comm.size()));
  for (const HaloNeighbour& n : mesh.halo_neighbours)
    for (std::uint32_t i = n.first; i < n.first + n.count; ++i)
      lists[static_cast<std::size_t>(n.rank)].push_back(of_element[mesh.halo_faces[i].element]);
  return parallel::exchange_lists(lists, comm);  // neighbours ascend in rank, and both list the faces in one order
}

}  // namespace dgtd::mesh
