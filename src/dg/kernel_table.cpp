#include "dgtd/dg/kernel_table.hpp"

#include <algorithm>
#include <cassert>

namespace dgtd::dg {

template <class Real>
const KernelTable<Real>& kernel_table(int order) {
  static const KernelTable<Real> tables[] = {make_kernel_table<1, Real>(), make_kernel_table<2, Real>(),
                                             make_kernel_table<3, Real>(), make_kernel_table<4, Real>(),
                                             make_kernel_table<5, Real>(), make_kernel_table<6, Real>()};
  assert(order >= 1 && order <= 6);
  return tables[order - 1];
}

template <class Real>
void update_batch(const KernelTable<Real>& kernels, const ElementArrays<Real>& arrays, const Real* source, Real* target,
                  const Batch& batch) {
  const auto update = kernels.update[static_cast<int>(batch.kind)];
  constexpr std::int64_t chunk = 4;  // blocks a thread takes at once
#pragma omp parallel for schedule(static)
  for (std::int64_t at = batch.first_block; at < batch.first_block + batch.blocks; at += chunk)
    update(arrays, source, target, at, std::min(at + chunk, batch.first_block + batch.blocks));
}

template const KernelTable<float>& kernel_table<float>(int);
template const KernelTable<double>& kernel_table<double>(int);
template void update_batch<float>(const KernelTable<float>&, const ElementArrays<float>&, const float*, float*, const Batch&);
template void update_batch<double>(const KernelTable<double>&, const ElementArrays<double>&, const double*, double*, const Batch&);

}  // namespace dgtd::dg
