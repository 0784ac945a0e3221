#pragma once
// The kernels of a solver, chosen once by order and precision.
#include "dgtd/dg/batch.hpp"

namespace dgtd::dg {

/// Half step of the blocks [first, last) of one kind: target from source, in place.
template <class Real>
using UpdateBlocks = void (*)(const ElementArrays<Real>&, const Real* source, Real* target, std::int64_t first, std::int64_t last);

template <class Real>
struct KernelTable {
  UpdateBlocks<Real> update[3];     // by ElementKind
};

/// order 1 to 6.
template <class Real>
const KernelTable<Real>& kernel_table(int order);

/// One file a (p, Real) defines this, so that they compile apart.
template <int p, class Real>
KernelTable<Real> make_kernel_table();

/// Runs a batch on the CPU: threads take blocks.
template <class Real>
void update_batch(const KernelTable<Real>& kernels, const ElementArrays<Real>& arrays, const Real* source, Real* target, const Batch& batch);

}  // namespace dgtd::dg
