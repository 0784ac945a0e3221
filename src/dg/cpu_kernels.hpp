#pragma once
// Instantiates the CPU kernels of one order and precision, in a file of its own that CMake writes.
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

template <int p, KernelTraits traits, class Real>
void fused_blocks(const ElementArrays<Real>& arrays, const Real* source, Real* target, std::int64_t first,
                  std::int64_t last) {
  for_packs<p, true>(arrays, source, target, first, last,
                     [](const auto& view) DGTD_INLINE { element_update<p, traits, parallel::Pack<Real>>(view); });
}
template <int p, class Real>
void volume_blocks(const ElementArrays<Real>& arrays, const Real* source, Real* target, std::int64_t first,
                   std::int64_t last) {
  for_packs<p, false>(arrays, source, target, first, last,
                      [](const auto& view) DGTD_INLINE { element_volume<p, parallel::Pack<Real>>(view); });
}
template <int p, KernelTraits traits, class Real>
void surface_blocks(const ElementArrays<Real>& arrays, const Real* source, Real* target, std::int64_t first,
                    std::int64_t last) {
  for_packs<p, true>(arrays, source, target, first, last,
                     [](const auto& view) DGTD_INLINE { element_surface<p, traits, parallel::Pack<Real>>(view); });
}
template <int p, KernelTraits traits, class Real>
void field_blocks(const ElementArrays<Real>& arrays, const Real* source, Real* target, std::int64_t first,
                  std::int64_t last) {
  for_packs<p, false>(arrays, source, target, first, last,
                      [](const auto& view) DGTD_INLINE { element_field<p, traits, parallel::Pack<Real>>(view); });
}

/// The half step of the blocks list[first] to list[last - 1].
template <int p, bool curved, class Real>
void level_blocks(const ElementArrays<Real>& arrays, const LevelBlock* list, const Real* source,
                  const LevelFields<Real>& fields, std::int64_t first, std::int64_t last) {
  constexpr int lanes = parallel::Pack<Real>::lanes;
  for (std::int64_t i = first; i < last; ++i)
    for (int lane = 0; lane < block_lanes; lane += lanes) {
      const bool same_block = lane + lanes < block_lanes;
      const std::size_t next = list[same_block || i + 1 == last ? i : i + 1].block;
      const int next_lane = same_block ? lane + lanes : 0;
      prefetch_neighbours<p, Real>(fields.source(source), arrays.neighbour + next * 4 * block_lanes + next_lane);
      element_update<p, KernelTraits{MediumKind::lossless, false, curved}, parallel::Pack<Real>>(CpuLevelView<p, Real>{
          {{arrays, list[i].block, lane}, source, fields.target}, fields, mirrors_of(arrays, list[i], lane)});
    }
}

template <int p, class Real>
struct CpuStages {
  template <KernelTraits traits>
  static constexpr UpdateBlocks<Real> fused = [] {
    if constexpr (has_kernel(traits, p)) return fused_blocks<p, traits, Real>;
    else return nullptr;
  }();
  static constexpr UpdateBlocks<Real> volume = volume_blocks<p, Real>;
  template <KernelTraits traits>
  static constexpr UpdateBlocks<Real> surface = surface_blocks<p, traits, Real>;
  template <KernelTraits traits>
  static constexpr UpdateBlocks<Real> field = [] {
    if constexpr (has_kernel(traits, p)) return field_blocks<p, traits, Real>;
    else return nullptr;
  }();
};

template <int p, class Real>
KernelTable<Real> make_kernel_table() {
  KernelTable<Real> table{stage_kernels<UpdateBlocks<Real>, CpuStages<p, Real>>(), {level_blocks<p, false, Real>, nullptr}};
  if constexpr (p <= highest_curved_order) table.level[true] = level_blocks<p, true, Real>;
  return table;
}

}  // namespace dgtd::dg
