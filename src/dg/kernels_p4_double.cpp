#include "cpu_kernels.hpp"

template dgtd::dg::KernelTable<double> dgtd::dg::make_kernel_table<4, double>();
