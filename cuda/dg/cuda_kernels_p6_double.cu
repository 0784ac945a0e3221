#include "cuda_kernels.hpp"

template dgtd::dg::CudaKernelTable<double> dgtd::dg::make_cuda_kernel_table<6, double>();
