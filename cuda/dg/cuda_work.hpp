#pragma once
// The work of a dipole, Executor::add_work.
#include <algorithm>
#include <cub/block/block_reduce.cuh>

#include "../parallel/cuda_check.hpp"
#include "dgtd/dg/loops.hpp"
#include "dgtd/parallel/array.hpp"

namespace dgtd::dg {

inline constexpr int work_threads = 256, most_work_blocks = 64;

// Each thread block adds up a share of the terms, the last one the shares, in one order. partial: [most_work_blocks];
// complete: shares that are there, 0 between kernels.
template <class Real>
__global__ void __launch_bounds__(work_threads)
    work_kernel(const WeightedCoefficient<Real> term, std::int64_t n, LoopNumber factor, double* last, double* work,
                double* partial, unsigned* complete) {
  using Reduce = cub::BlockReduce<double, work_threads>;
  __shared__ typename Reduce::TempStorage shared;
  __shared__ bool is_last;
  double part = 0;
  const std::int64_t step = std::int64_t(gridDim.x) * work_threads;
  for (std::int64_t i = std::int64_t(blockIdx.x) * work_threads + threadIdx.x; i < n; i += step) part += term(i);
  part = Reduce(shared).Sum(part);
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = part;
    __threadfence();
    is_last = atomicAdd(complete, 1) + 1 == gridDim.x;
  }
  __syncthreads();
  if (!is_last) return;
  __threadfence();
  const double total = Reduce(shared).Sum(threadIdx.x < gridDim.x ? __ldcg(partial + threadIdx.x) : 0.0);
  if (threadIdx.x != 0) return;
  *work += factor * *last;
  *work += factor * total;
  *last = total;
  *complete = 0;
}

class CudaWork {
 public:
  explicit CudaWork(parallel::Memory& memory) : partial_(most_work_blocks, memory), complete_(1, memory) {}

  template <class Real>
  void add(std::int64_t n, const WeightedCoefficient<Real>& term, const LoopNumber& factor, double* last, double* work,
           cudaStream_t stream) {
    constexpr std::int64_t share = 4 * work_threads;
    const auto blocks = static_cast<unsigned>(std::clamp<std::int64_t>((n + share - 1) / share, 1, most_work_blocks));
    work_kernel<<<blocks, work_threads, 0, stream>>>(term, n, factor, last, work, partial_.write(), complete_.write());
    DGTD_CUDA_CHECK_LAUNCH();
  }

 private:
  parallel::Array<double> partial_;
  parallel::Array<unsigned> complete_;
};

}  // namespace dgtd::dg
