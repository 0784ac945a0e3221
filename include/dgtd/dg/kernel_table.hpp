#pragma once
// The kernels of the CPU, chosen once by order and precision.
#include "dgtd/dg/kernels/level_view.hpp"
#include "dgtd/dg/stage_kernels.hpp"

namespace dgtd::dg {

/// A stage of the half step of the blocks [first, last) of a batch: target from source, in place.
template <class Real>
using UpdateBlocks = void (*)(const ElementArrays<Real>&, const Real* source, Real* target, std::int64_t first,
                              std::int64_t last);

/// A half step inside a level of local time steps, of the blocks list[first] to list[last - 1].
template <class Real>
using UpdateLevel = void (*)(const ElementArrays<Real>&, const LevelBlock* list, const Real* source,
                             const LevelFields<Real>&, std::int64_t first, std::int64_t last);

template <class Real>
struct KernelTable {
  StageKernels<UpdateBlocks<Real>> stages;
  std::array<UpdateLevel<Real>, 2> level;  // of straight and of curved elements, null where no kernels are of the order
};

/// The highest order that this program has kernels for: DGTD_MAX_ORDER at build time, at most 6.
int highest_order();
/// Throws Error (bad input) for an order above `highest`.
void check_order(int order, int highest = highest_order());

/// Throws Error (bad input) for an order without kernels of curved elements.
void check_curved_order(int order);

/// order: 1 to highest_order(); throws Error (bad input) above.
template <class Real>
const KernelTable<Real>& kernel_table(int order);

/// Defined in one file per (p, Real), written by CMake, so that they compile in parallel.
template <int p, class Real>
KernelTable<Real> make_kernel_table();

}  // namespace dgtd::dg
