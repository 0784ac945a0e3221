#pragma once
// Instantiates the CPU kernels of one order and precision (kernels_pN.cpp).
#include "cpu_update.hpp"
#include "dgtd/dg/kernel_table.hpp"

namespace dgtd::dg {

template <int p, ElementKind kind, class Real>
void update_blocks(const ElementArrays<Real>& arrays, const Real* source, Real* target, std::int64_t first, std::int64_t last) {
  using V = parallel::Pack<Real>;
  for (std::int64_t block = first; block < last; ++block)
    for (int lane = 0; lane < block_lanes; lane += V::lanes)
      element_update<p, kind, V>(CpuView<p, Real>{arrays, source, target, block, lane});
}

template <int p, class Real>
KernelTable<Real> make_kernel_table() {
  return {{update_blocks<p, ElementKind::lossless, Real>, update_blocks<p, ElementKind::conductive, Real>,
           update_blocks<p, ElementKind::boundary, Real>}};
}

}  // namespace dgtd::dg
