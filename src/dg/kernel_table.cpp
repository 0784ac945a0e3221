#include "dgtd/dg/kernel_table.hpp"

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

template const KernelTable<float>& kernel_table<float>(int);
template const KernelTable<double>& kernel_table<double>(int);

}  // namespace dgtd::dg
