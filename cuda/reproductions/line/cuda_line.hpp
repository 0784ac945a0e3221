#pragma once
// Lines on a device: a thread block a tile, all of a sweep's tiles resident at once, each waiting for its neighbours'
// counters.
#include <algorithm>

#include "../../parallel/cuda_memory.hpp"
#include "../../parallel/cuda_streams.hpp"
#include "line/tiles_on.hpp"

namespace dgtd::reproductions {

template <class Thread>
struct CudaBlock {
  Thread state;
  template <class F>
  __device__ __forceinline__ void each(const F& f) {
    f(state, int(threadIdx.x));
    __syncthreads();
  }
  template <class F>
  __device__ __forceinline__ bool any(const F& f) {
    return __syncthreads_or(f(state, int(threadIdx.x))) != 0;
  }
  __device__ __forceinline__ void wait_for(const int* progress, int chunks) {
    if (threadIdx.x == 0) {
      while (*const_cast<const volatile int*>(progress) < chunks) __nanosleep(20);
      __threadfence();
    }
    __syncthreads();
  }
  // After each(), whose stores by all threads of the block the fence makes visible.
  __device__ __forceinline__ void publish(int* progress, int chunks) {
    if (threadIdx.x == 0) {
      __threadfence();
      *const_cast<volatile int*>(progress) = chunks;
    }
  }
};

template <class Real, int cells>
__global__ void __launch_bounds__(line_threads, 1) line_kernel(const LineTilesView<Real> view) {
  extern __shared__ double shared[];
  using Blocking = LineTileTemporalBlocking<Real, cells, line_threads>;
  Blocking blocking(view, int(blockIdx.x), reinterpret_cast<Real*>(shared));
  CudaBlock<typename Blocking::Thread> block;
  blocking.begin(block);
  for (std::int64_t c = 0; c * view.chunk < view.steps; ++c) blocking.chunk(block, c);
  blocking.finish(block);
}

class CudaTiles {
 public:
  CudaTiles() : memory_(stream_.get()) {
    DGTD_CUDA_CHECK(cudaGetDevice(&device_));
    DGTD_CUDA_CHECK(cudaDeviceGetAttribute(&multiprocessors_, cudaDevAttrMultiProcessorCount, device_));
  }
  parallel::Memory& memory() { return memory_; }
  int most_tiles() const { return multiprocessors_; }
  void zero(void* at, std::size_t bytes) { DGTD_CUDA_CHECK(cudaMemsetAsync(at, 0, bytes, stream_.get())); }

  // A cooperative launch is refused where not all blocks are resident at once: then none would wait for ever.
  template <class Real, int cells>
  void launch(LineTilesView<Real> view, std::size_t reals, bool) {
    const auto kernel = &line_kernel<Real, cells>;
    const std::size_t bytes = reals * sizeof(Real);
    int most = 0;
    DGTD_CUDA_CHECK(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device_));
    if (bytes > static_cast<std::size_t>(most)) refuse_shared_memory(view.chunk, bytes, static_cast<std::size_t>(most));
    DGTD_CUDA_CHECK(cudaFuncSetAttribute(reinterpret_cast<const void*>(kernel),
                                         cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes)));
    void* arguments[] = {&view};
    DGTD_CUDA_CHECK(cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(kernel),
                                                dim3(static_cast<unsigned>(view.tile_count)), dim3(line_threads),
                                                arguments, bytes, stream_.get()));
    DGTD_CUDA_CHECK(cudaStreamSynchronize(stream_.get()));
  }

 private:
  parallel::CudaStream stream_{0};
  parallel::CudaMemory memory_;
  int device_ = 0, multiprocessors_ = 0;
};

}  // namespace dgtd::reproductions
