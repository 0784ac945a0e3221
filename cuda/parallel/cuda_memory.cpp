#include "cuda_memory.hpp"

namespace dgtd::parallel {

void* CudaMemory::allocate(std::size_t bytes) {
  void* at = nullptr;
  DGTD_CUDA_CHECK(cudaMalloc(&at, bytes));
  DGTD_CUDA_CHECK(cudaMemsetAsync(at, 0, bytes, stream_));
  DGTD_CUDA_CHECK(cudaStreamSynchronize(stream_));
  return at;
}

void CudaMemory::release(void* at) noexcept { (void)cudaFree(at); }

void CudaMemory::download(void* host, const void* device, std::size_t bytes) {
  DGTD_CUDA_CHECK(cudaMemcpyAsync(host, device, bytes, cudaMemcpyDeviceToHost, stream_));
  DGTD_CUDA_CHECK(cudaStreamSynchronize(stream_));
}

void CudaMemory::upload(void* device, const void* host, std::size_t bytes) {
  DGTD_CUDA_CHECK(cudaMemcpyAsync(device, host, bytes, cudaMemcpyHostToDevice, stream_));
  DGTD_CUDA_CHECK(cudaStreamSynchronize(stream_));
}

}  // namespace dgtd::parallel
