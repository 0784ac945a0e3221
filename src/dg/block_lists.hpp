#pragma once
// Lists of blocks that a half step takes in the order of the space-filling curve, so that neighbours of other levels or
// batches are still in the cache.
#include <algorithm>

#include "dgtd/dg/discretisation.hpp"
#include "dgtd/parallel/array.hpp"

namespace dgtd::dg {

struct BlockLists {
  parallel::Array<LevelBlock> interior, halo;                // of straight elements
  parallel::Array<LevelBlock> curved_interior, curved_halo;  // of curved ones
  bool has_curved() const { return curved_interior.size() + curved_halo.size() > 0; }
  double bytes() const { return interior.bytes() + halo.bytes() + curved_interior.bytes() + curved_halo.bytes(); }
};

/// Blocks before `end` of the batches for which has(batch), along the curve of the elements.
template <class Real, class Has>
std::vector<LevelBlock> listed_blocks(const Discretisation<Real>& d, const std::vector<Batch>& batches,
                                      std::int64_t end, const Has& has) {
  std::vector<LevelBlock> list;
  for (const Batch& batch : batches)
    for (std::int64_t b = batch.first_block; has(batch) && b < std::min(end, batch.first_block + batch.blocks); ++b)
      list.push_back({static_cast<std::uint32_t>(b),
                      batch.traits.boundary ? static_cast<std::int32_t>(b - batch.first_boundary_block) : -1});
  std::sort(list.begin(), list.end(), [&](const LevelBlock& a, const LevelBlock& b) {
    return d.element_of_slot[std::size_t{a.block} * block_lanes] <
           d.element_of_slot[std::size_t{b.block} * block_lanes];
  });
  return list;
}

/// Those of the interior and those next to other ranks.
template <class Real, class Has>
BlockLists lists_below(const Discretisation<Real>& d, std::int64_t end, const Has& has, parallel::Memory& memory) {
  const auto straight = [&](const Batch& batch) { return has(batch) && !batch.traits.curved; };
  const auto curved = [&](const Batch& batch) { return has(batch) && batch.traits.curved; };
  const auto& [interior, halo] = d.batches;
  return {{listed_blocks(d, interior, end, straight), memory},
          {listed_blocks(d, halo, end, straight), memory},
          {listed_blocks(d, interior, end, curved), memory},
          {listed_blocks(d, halo, end, curved), memory}};
}

}  // namespace dgtd::dg
