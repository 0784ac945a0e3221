#pragma once
// Points that the cells of a file share: one per vertex and volume group, so that values are continuous inside a group
// and jump between groups.
#include <cstdint>
#include <vector>

#include "dgtd/mesh/subdomain.hpp"
#include "dgtd/parallel/communicator.hpp"

namespace dgtd::io {

struct SharedPoints {
  std::vector<std::uint32_t> vertex;  // [points] local vertex
  std::vector<std::uint16_t> group;   // [points] index into volume_names
  std::vector<std::uint32_t> corner;  // [cells][4] point of each vertex
  /// Corners (cell * 4 + vertex) of each point: those of point i are use[first_use[i]] to use[first_use[i + 1] - 1],
  /// ascending in the global number of their element.
  std::vector<std::uint64_t> first_use;  // [points + 1]
  std::vector<std::uint32_t> use;        // [cells * 4]
};

/// Points of some of a rank's elements.
SharedPoints share_points(const mesh::Subdomain& mesh, const std::vector<std::uint32_t>& elements);

/// [points] means of the values at the corners of all elements around a point, weighted by their volumes and added in
/// the order of global element numbers, on all ranks: the result depends neither on ranks nor on threads. elements: as
/// given to share_points. at_corners: [cells][4]. Collective.
std::vector<double> mean_at_points(const SharedPoints& points, const mesh::Subdomain& mesh,
                                   const std::vector<std::uint32_t>& elements, const std::vector<double>& at_corners,
                                   const parallel::Communicator& communicator);

}  // namespace dgtd::io
