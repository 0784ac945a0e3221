#pragma once
// Instantiates the CPU kernels of one order and precision (kernels_pN.cpp).
#include "cpu_update.hpp"
#include "dgtd/dg/kernel_table.hpp"

namespace dgtd::dg {

/// Calls body(view) for each register's worth of lanes of the blocks [first, last).
template <int p, class Real, class Body>
DGTD_HOST_DEVICE void for_packs(const ElementArrays<Real>& arrays, const Real* source, Real* target, std::int64_t first, std::int64_t last, Body&& body) {
  for (std::int64_t block = first; block < last; ++block)
    for (int lane = 0; lane < block_lanes; lane += parallel::Pack<Real>::lanes) body(CpuView<p, Real>{{arrays, block, lane}, source, target});
}

template <int p, ElementKind kind, class Real>
void fused_blocks(const ElementArrays<Real>& arrays, const Real* source, Real* target, std::int64_t first, std::int64_t last) {
  for_packs<p>(arrays, source, target, first, last, [](const auto& view) { element_update<p, kind, parallel::Pack<Real>>(view); });
}
template <int p, class Real>
void volume_blocks(const ElementArrays<Real>& arrays, const Real* source, Real* target, std::int64_t first, std::int64_t last) {
  for_packs<p>(arrays, source, target, first, last, [](const auto& view) { element_volume<p, parallel::Pack<Real>>(view); });
}
template <int p, ElementKind kind, class Real>
void surface_blocks(const ElementArrays<Real>& arrays, const Real* source, Real* target, std::int64_t first, std::int64_t last) {
  for_packs<p>(arrays, source, target, first, last, [](const auto& view) { element_surface<p, kind, parallel::Pack<Real>>(view); });
}
template <int p, ElementKind kind, class Real>
void field_blocks(const ElementArrays<Real>& arrays, const Real* source, Real* target, std::int64_t first, std::int64_t last) {
  for_packs<p>(arrays, source, target, first, last, [](const auto& view) { element_field<p, kind, parallel::Pack<Real>>(view); });
}

template <int p, class Real>
KernelTable<Real> make_kernel_table() {
  using enum ElementKind;
  return {{fused_blocks<p, lossless, Real>, fused_blocks<p, conductive, Real>, fused_blocks<p, boundary, Real>},
          volume_blocks<p, Real>,
          {surface_blocks<p, lossless, Real>, surface_blocks<p, lossless, Real>, surface_blocks<p, boundary, Real>},
          {field_blocks<p, lossless, Real>, field_blocks<p, conductive, Real>, field_blocks<p, conductive, Real>}};
}

}  // namespace dgtd::dg
