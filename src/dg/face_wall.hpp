#pragma once
#include "dgtd/dg/discretisation.hpp"

namespace dgtd::dg {

/// Whether a boundary face mirrors the field that drives a half step: H where E is updated, as type pmc does, or E where
/// H is updated, as pec does.
template <class Real>
bool is_wall(const Discretisation<Real>& d, HalfStep updated, std::uint32_t element, int face) {
  const std::uint32_t slot = d.slot_of_element[element];
  const std::int64_t block = slot / block_lanes;
  const auto& mirror = (updated == HalfStep::electric ? d.electric : d.magnetic).mirror;
  for (const auto* list : {&d.batches.interior, &d.batches.halo})
    for (const Batch& batch : *list)
      if (batch.traits.boundary && block >= batch.first_block && block < batch.first_block + batch.blocks) {
        const auto at = static_cast<std::size_t>((block - batch.first_boundary_block) * 4 + face);
        return mirror[at * block_lanes + slot % block_lanes] < 0;
      }
  return false;
}

}  // namespace dgtd::dg
