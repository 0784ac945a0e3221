#pragma once
// Lists of blocks that a half step takes in the order of the space-filling curve, so that neighbours of other levels or
// batches are still in the cache.
#include <algorithm>

#include "dgtd/dg/discretisation.hpp"
#include "dgtd/parallel/array.hpp"
#include "element_work.hpp"

namespace dgtd::dg {

/// Blocks in the order of the curve. Those of `halo` wait for an exchange of the executor; where it has none, all are
/// in `interior`.
struct BlockLists {
  parallel::Array<LevelBlock> interior, halo;                // of straight elements
  parallel::Array<LevelBlock> curved_interior, curved_halo;  // of curved ones
  bool has_curved() const { return curved_interior.size() + curved_halo.size() > 0; }
  double bytes() const { return interior.bytes() + halo.bytes() + curved_interior.bytes() + curved_halo.bytes(); }
};

/// Blocks before `end` of the batches for which has(batch), along the curve of the elements.
template <class Real, class Has>
std::vector<LevelBlock> listed_blocks(const Discretisation<Real>& d, std::int64_t end, const Has& has) {
  std::vector<LevelBlock> list;
  for (const auto* batches : {&d.batches.interior, &d.batches.halo})
    for (const Batch& batch : *batches)
      for (std::int64_t b = batch.first_block; has(batch) && b < std::min(end, batch.first_block + batch.blocks); ++b)
        list.push_back({static_cast<std::uint32_t>(b),
                        batch.traits.boundary ? static_cast<std::int32_t>(b - batch.first_boundary_block) : -1});
  std::sort(list.begin(), list.end(), [&](const LevelBlock& a, const LevelBlock& b) {
    return d.element_of_slot[std::size_t{a.block} * block_lanes] <
           d.element_of_slot[std::size_t{b.block} * block_lanes];
  });
  return list;
}

/// Whether elements at halo faces wait for an exchange of this executor. Ghost slots at joints between orders are
/// written before its half step.
template <class Real>
bool waits_for_traces(const Discretisation<Real>& d) {
  return exchanged_faces(d.mesh) > 0 || !d.bloch_faces.empty();
}

/// All blocks before `end` of the batches for which has(batch). waits: whether those beside halos are apart.
template <class Real, class Has>
BlockLists lists_below(const Discretisation<Real>& d, std::int64_t end, const Has& has, bool waits,
                       parallel::Memory& memory) {
  const auto list = [&](bool is_late, bool is_curved) {
    const auto is_listed = [&](const Batch& batch) {
      return has(batch) && batch.traits.curved == is_curved && (batch.traits.halo && waits) == is_late;
    };
    return parallel::Array<LevelBlock>(listed_blocks(d, end, is_listed), memory);
  };
  return {list(false, false), list(true, false), list(false, true), list(true, true)};
}

}  // namespace dgtd::dg
