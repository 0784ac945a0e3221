#include "cpu_kernels.hpp"

template dgtd::dg::KernelTable<float> dgtd::dg::make_kernel_table<4, float>();
