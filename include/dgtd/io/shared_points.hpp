#pragma once
// Points that the cells of a file share: one per vertex and volume group.
#include <cstdint>
#include <vector>

#include "dgtd/mesh/subdomain.hpp"

namespace dgtd::io {

struct SharedPoints {
  std::vector<std::uint32_t> vertex;  // [points] local vertex
  std::vector<std::uint16_t> group;   // [points] index into volume_names
  std::vector<std::uint32_t> corner;  // [cells][4] point of each vertex
};

/// Points of some of a rank's elements.
SharedPoints share_points(const mesh::Subdomain& mesh, const std::vector<std::uint32_t>& elements);

}  // namespace dgtd::io
