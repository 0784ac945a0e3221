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

// 16 bytes of each array per thread: with less, too few bytes are on their way to use the memory's bandwidth.
template <class Body>
inline constexpr int grouped_entries = 16 / sizeof(typename Body::Number);
template <class Body>
__global__ void __launch_bounds__(256) groups_kernel(const Body body, std::int64_t n) {
  constexpr int entries = grouped_entries<Body>;
  std::int64_t i = (std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x) * entries;
  if (i + entries <= n) body.template group<entries>(i);
  else
    for (; i < n; ++i) body(i);
}

/// body(i) for i from 0 to n - 1, by groups of entries where the body has them and there are many.
template <class Body>
void launch_each(std::int64_t n, const Body& body, cudaStream_t stream) {
  if (n <= 0) return;
  if constexpr (requires { body.template group<1>(n); }) {
    constexpr std::int64_t many = 1 << 18;
    constexpr int entries = 256 * grouped_entries<Body>;
    if (n >= many && body.aligned(16)) {
      groups_kernel<<<static_cast<unsigned>((n + entries - 1) / entries), 256, 0, stream>>>(body, n);
      DGTD_CUDA_CHECK_LAUNCH();
      return;
    }
  }
  const auto blocks = static_cast<unsigned>(std::min<std::int64_t>((n + 255) / 256, 1 << 20));
  each_kernel<<<blocks, 256, 0, stream>>>(body, n);
  DGTD_CUDA_CHECK_LAUNCH();
}

}  // namespace dgtd::parallel
