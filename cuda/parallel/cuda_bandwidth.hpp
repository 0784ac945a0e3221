#pragma once
// The copy bandwidth of a device and the occupancy of kernels.
#include <cuda_runtime.h>

namespace dgtd::parallel {

/// Bytes per second that a copy moves, read plus written: the faster of the runtime's copy and a plain kernel.
double device_copy_bandwidth(cudaStream_t stream);

struct KernelOccupancy {
  int registers = 0;    // per thread
  double resident = 0;  // share of the threads that a multiprocessor can hold
};
KernelOccupancy kernel_occupancy(const void* kernel, int threads, int shared_bytes = 0);

}  // namespace dgtd::parallel
