#include "cuda_kernels.hpp"

template dgtd::dg::CudaKernelTable<float> dgtd::dg::make_cuda_kernel_table<1, float>();
