#include "cuda_kernel_table.hpp"

#include <array>
#include <cassert>
#include <utility>

namespace dgtd::dg {

namespace {

template <class Real, int... order_less_one>
auto make_cuda_kernel_tables(std::integer_sequence<int, order_less_one...>) {
  return std::array{make_cuda_kernel_table<order_less_one + 1, Real>()...};
}

}  // namespace

template <class Real>
const CudaKernelTable<Real>& cuda_kernel_table(int order) {
  static const auto tables = make_cuda_kernel_tables<Real>(std::make_integer_sequence<int, DGTD_MAX_ORDER>());
  assert(order >= 1 && order <= DGTD_MAX_ORDER);
  return tables[order - 1];
}

template const CudaKernelTable<float>& cuda_kernel_table<float>(int);
template const CudaKernelTable<double>& cuda_kernel_table<double>(int);

}  // namespace dgtd::dg
