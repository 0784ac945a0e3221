#pragma once
// Every call of the CUDA runtime goes through DGTD_CUDA_CHECK: an error names call, file, line and what to do.
#include <cuda_runtime.h>

namespace dgtd::parallel {

/// Throws Error (device, or out_of_memory) unless status is success.
void cuda_check(cudaError_t status, const char* call, const char* file, int line);

}  // namespace dgtd::parallel

#define DGTD_CUDA_CHECK(call) ::dgtd::parallel::cuda_check((call), #call, __FILE__, __LINE__)
/// After a kernel's launch.
#define DGTD_CUDA_CHECK_LAUNCH() ::dgtd::parallel::cuda_check(cudaGetLastError(), "kernel launch", __FILE__, __LINE__)
