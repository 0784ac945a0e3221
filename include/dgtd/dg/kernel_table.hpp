#pragma once
// The CPU's kernels of a solver, chosen once by order and precision.
#include "dgtd/dg/batch.hpp"

namespace dgtd::dg {

/// A stage of the half step of the blocks [first, last) of one kind: target from source, in place.
template <class Real>
using UpdateBlocks = void (*)(const ElementArrays<Real>&, const Real* source, Real* target, std::int64_t first,
                              std::int64_t last);

template <class Real>
struct KernelTable {
  UpdateBlocks<Real> fused[3];                      // by ElementKind
  UpdateBlocks<Real> volume, surface[3], field[3];  // split: intVolume, intSurface, updateField
};

/// The highest order that this program has kernels for: DGTD_MAX_ORDER at build time, at most 6.
int highest_order();
/// Throws Error (bad input) for an order above `highest`.
void check_order(int order, int highest = highest_order());

/// order: 1 to highest_order().
template <class Real>
const KernelTable<Real>& kernel_table(int order);

/// One file a (p, Real) defines this, so that they compile apart.
template <int p, class Real>
KernelTable<Real> make_kernel_table();

}  // namespace dgtd::dg
