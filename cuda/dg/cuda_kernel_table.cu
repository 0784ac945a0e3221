#include "cuda_kernel_table.hpp"

#include <cassert>

namespace dgtd::dg {

template <class Real>
const CudaKernelTable<Real>& cuda_kernel_table(int order) {
  static const CudaKernelTable<Real> tables[] = {make_cuda_kernel_table<1, Real>(), make_cuda_kernel_table<2, Real>(),
                                                 make_cuda_kernel_table<3, Real>(), make_cuda_kernel_table<4, Real>(),
                                                 make_cuda_kernel_table<5, Real>(), make_cuda_kernel_table<6, Real>()};
  assert(order >= 1 && order <= 6);
  return tables[order - 1];
}

template const CudaKernelTable<float>& cuda_kernel_table<float>(int);
template const CudaKernelTable<double>& cuda_kernel_table<double>(int);

}  // namespace dgtd::dg
