#pragma once
// Launches that all methods share.
#include <algorithm>
#include <cstdint>

#include "cuda_check.hpp"

namespace dgtd::parallel {

template <class Body>
__global__ void __launch_bounds__(256) each_kernel(const Body body, std::int64_t n) {
  const std::int64_t step = std::int64_t(gridDim.x) * blockDim.x;
  for (std::int64_t i = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += step) body(i);
}

/// body(i) for i from 0 to n - 1.
template <class Body>
void launch_each(std::int64_t n, const Body& body, cudaStream_t stream) {
  if (n <= 0) return;
  const auto blocks = static_cast<unsigned>(std::min<std::int64_t>((n + 255) / 256, 1 << 20));
  each_kernel<<<blocks, 256, 0, stream>>>(body, n);
  DGTD_CUDA_CHECK_LAUNCH();
}

}  // namespace dgtd::parallel
