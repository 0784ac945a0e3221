#pragma once
// Instantiates the CPU kernels of one order and precision (kernels_pN_REAL.cpp).
#include <algorithm>

#include "cpu_update.hpp"
#include "dgtd/dg/kernel_table.hpp"

namespace dgtd::dg {

/// Calls body(view) for the slots of the blocks [first, last), as many at a time as a register holds.
template <int p, bool reads_neighbours, class Real, class Body>
DGTD_HOST_DEVICE void for_packs(const ElementArrays<Real>& arrays, const Real* source, Real* target, std::int64_t first,
                                std::int64_t last, Body&& body) {
  constexpr int lanes = parallel::Pack<Real>::lanes;
  const std::int64_t end = last * block_lanes;
  for (std::int64_t slot = first * block_lanes; slot < end; slot += lanes) {
    if constexpr (reads_neighbours) {  // of the next slots: no hardware prefetcher predicts their addresses
      const std::int64_t next = std::min(slot + lanes, end - lanes);
      prefetch_neighbours<p, Real>(source,
                                   arrays.neighbour + next / block_lanes * 4 * block_lanes + next % block_lanes);
    }
    body(CpuView<p, Real>{{arrays, slot / block_lanes, static_cast<int>(slot % block_lanes)}, source, target});
  }
}

template <int p, class Traits, class Real>
void fused_blocks(const ElementArrays<Real>& arrays, const Real* source, Real* target, std::int64_t first,
                  std::int64_t last) {
  for_packs<p, true>(arrays, source, target, first, last,
                     [](const auto& view) DGTD_INLINE { element_update<p, Traits, parallel::Pack<Real>>(view); });
}
template <int p, class Real>
void volume_blocks(const ElementArrays<Real>& arrays, const Real* source, Real* target, std::int64_t first,
                   std::int64_t last) {
  for_packs<p, false>(arrays, source, target, first, last,
                      [](const auto& view) DGTD_INLINE { element_volume<p, parallel::Pack<Real>>(view); });
}
template <int p, class Traits, class Real>
void surface_blocks(const ElementArrays<Real>& arrays, const Real* source, Real* target, std::int64_t first,
                    std::int64_t last) {
  for_packs<p, true>(arrays, source, target, first, last,
                     [](const auto& view) DGTD_INLINE { element_surface<p, Traits, parallel::Pack<Real>>(view); });
}
template <int p, class Traits, class Real>
void field_blocks(const ElementArrays<Real>& arrays, const Real* source, Real* target, std::int64_t first,
                  std::int64_t last) {
  for_packs<p, false>(arrays, source, target, first, last,
                      [](const auto& view) DGTD_INLINE { element_field<p, Traits, parallel::Pack<Real>>(view); });
}

/// The half step of blocks of a level: list[first] to list[last - 1].
template <int p, class Real>
void level_blocks(const ElementArrays<Real>& arrays, const LevelBlock* list, const Real* source,
                  const LevelFields<Real>& fields, std::int64_t first, std::int64_t last) {
  constexpr int lanes = parallel::Pack<Real>::lanes;
  for (std::int64_t i = first; i < last; ++i)
    for (int lane = 0; lane < block_lanes; lane += lanes) {
      const bool same_block = lane + lanes < block_lanes;
      const std::size_t next = list[same_block || i + 1 == last ? i : i + 1].block;
      const int next_lane = same_block ? lane + lanes : 0;
      prefetch_neighbours<p, Real>(fields.source(source), arrays.neighbour + next * 4 * block_lanes + next_lane);
      level_update<p, parallel::Pack<Real>>(CpuLevelView<p, Real>{
          {{arrays, list[i].block, lane}, source, fields.target}, fields, mirrors_of(arrays, list[i], lane)});
    }
}

template <int p, class Real>
KernelTable<Real> make_kernel_table() {
  using Lossless = KernelTraits<false, false>;
  using Conductive = KernelTraits<true, false>;
  using Boundary = KernelTraits<true, true>;  // conductive or not
  return {{{fused_blocks<p, Lossless, Real>, fused_blocks<p, Conductive, Real>},
           {fused_blocks<p, Boundary, Real>, fused_blocks<p, Boundary, Real>}},
          volume_blocks<p, Real>,
          {surface_blocks<p, Lossless, Real>, surface_blocks<p, Boundary, Real>},
          {field_blocks<p, Lossless, Real>, field_blocks<p, Conductive, Real>},
          level_blocks<p, Real>};
}

}  // namespace dgtd::dg
