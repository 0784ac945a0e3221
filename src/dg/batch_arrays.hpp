#pragma once
// Layout of the arrays of a discretisation that belong to batches.
#include <cassert>
#include <cstddef>
#include <cstdint>

#include "dgtd/dg/discretisation.hpp"

namespace dgtd::dg {

/// Place in an array [block][entries][lane 32].
inline std::size_t lane_index(std::uint32_t slot, int entries, int entry) {
  return (std::size_t{slot / block_lanes} * entries + entry) * block_lanes + slot % block_lanes;
}

/// The slot's place in the arrays of boundary elements; of an element of such a batch.
inline std::uint32_t boundary_slot(const Batches& batches, std::uint32_t slot) {
  const std::int64_t block = slot / block_lanes;
  for (const auto* list : {&batches.interior, &batches.halo})
    for (const Batch& b : *list)
      if (b.traits.boundary && block >= b.first_block && block < b.first_block + b.blocks)
        return slot - static_cast<std::uint32_t>(b.first_boundary_block * block_lanes);
  assert(false);
  return 0;
}

/// Sections that arrays have of each element in a convolutional layer.
inline int sections_of(MediumKind medium) { return is_cpml_corner(medium) ? most_sections : 1; }

}  // namespace dgtd::dg
