#include "cuda_bandwidth.hpp"

#include <algorithm>

#include "cuda_memory.hpp"
#include "dgtd/parallel/array.hpp"

namespace dgtd::parallel {

namespace {
constexpr int threads = 256;

__global__ void copy_kernel(const float4* from, float4* to, std::size_t n) {
  for (std::size_t i = std::size_t(blockIdx.x) * threads + threadIdx.x; i < n; i += std::size_t(gridDim.x) * threads)
    to[i] = from[i];
}
}  // namespace

// 1 GiB, or as much as leaves most of the free memory to others.
double device_copy_bandwidth(cudaStream_t stream) {
  constexpr std::size_t most = std::size_t{1} << 30, least = std::size_t{1} << 26;
  std::size_t free = 0, total = 0;
  DGTD_CUDA_CHECK(cudaMemGetInfo(&free, &total));
  const std::size_t bytes = std::min(most, free / 8 / sizeof(float4) * sizeof(float4));
  if (bytes < least) return 0;
  CudaMemory memory(stream);
  Array<float4> from_array(bytes / sizeof(float4), memory), to_array(from_array.size(), memory);
  float4 *const from = from_array.write(), *const to = to_array.write();
  DGTD_CUDA_CHECK(cudaMemsetAsync(from, 1, bytes, stream));
  cudaEvent_t begin = nullptr, end = nullptr;
  DGTD_CUDA_CHECK(cudaEventCreate(&begin));
  DGTD_CUDA_CHECK(cudaEventCreate(&end));
  const auto blocks = static_cast<unsigned>((from_array.size() + threads - 1) / threads);
  float best = 1e30f;
  for (int repeat = 0; repeat < 20; ++repeat) {
    DGTD_CUDA_CHECK(cudaEventRecord(begin, stream));
    if (repeat % 2 == 0) DGTD_CUDA_CHECK(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, stream));
    else copy_kernel<<<blocks, threads, 0, stream>>>(from, to, from_array.size());
    DGTD_CUDA_CHECK_LAUNCH();
    DGTD_CUDA_CHECK(cudaEventRecord(end, stream));
    DGTD_CUDA_CHECK(cudaEventSynchronize(end));
    float ms = 0;
    DGTD_CUDA_CHECK(cudaEventElapsedTime(&ms, begin, end));
    best = std::min(best, ms);
  }
  (void)cudaEventDestroy(begin);
  (void)cudaEventDestroy(end);
  return 2.0 * bytes / (1e-3 * best);
}

KernelOccupancy kernel_occupancy(const void* kernel, int threads_a_block, int shared_bytes) {
  cudaFuncAttributes attributes{};
  DGTD_CUDA_CHECK(cudaFuncGetAttributes(&attributes, kernel));
  int resident = 0, device = 0, most = 1;
  DGTD_CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, kernel, threads_a_block,
                                                                std::size_t(shared_bytes)));
  DGTD_CUDA_CHECK(cudaGetDevice(&device));
  DGTD_CUDA_CHECK(cudaDeviceGetAttribute(&most, cudaDevAttrMaxThreadsPerMultiProcessor, device));
  return {attributes.numRegs, double(resident * threads_a_block) / most};
}

}  // namespace dgtd::parallel
