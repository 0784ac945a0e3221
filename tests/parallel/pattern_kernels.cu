#include "pattern_kernels.hpp"

#include "parallel/cuda_launch.hpp"

namespace dgtd::parallel::test {

namespace {

DGTD_HOST_DEVICE std::uint32_t mixed(std::uint32_t x) {
  x = (x ^ (x >> 16)) * 0x7feb352du;
  x = (x ^ (x >> 15)) * 0x846ca68bu;
  return (x ^ (x >> 16)) % 1000003;  // exact in single precision
}

template <class Real>
struct Write {
  SendView<Real> to;
  std::int64_t first;
  std::uint32_t seed;
  DGTD_HOST_DEVICE void operator()(std::int64_t i) const {
    *to.at(first + i) = Real(mixed(seed + static_cast<std::uint32_t>(i)));
  }
};

template <class Real>
__global__ void check_kernel(const Real* values, std::int64_t count, std::uint32_t seed, unsigned* errors) {
  for (std::int64_t i = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < count;
       i += std::int64_t(gridDim.x) * blockDim.x)
    if (values[i] != Real(mixed(seed + static_cast<std::uint32_t>(i)))) atomicAdd(errors, 1u);
}

__global__ void delay_kernel(std::uint64_t nanoseconds) {
  std::uint64_t begin = 0, now = 0;
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(begin));
  do {
    __nanosleep(200);
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
  } while (now - begin < nanoseconds);
}

}  // namespace

template <class Real>
void queue_pattern(SendView<Real> to, std::int64_t first, std::int64_t count, std::uint32_t seed, cudaStream_t stream) {
  launch_each(count, Write<Real>{to, first, seed}, stream);
}

template <class Real>
void queue_check(const Real* values, std::int64_t count, std::uint32_t seed, unsigned* errors, cudaStream_t stream) {
  if (count == 0) return;
  check_kernel<<<static_cast<unsigned>((count + 255) / 256), 256, 0, stream>>>(values, count, seed, errors);
  DGTD_CUDA_CHECK_LAUNCH();
}

void queue_delay(int microseconds, cudaStream_t stream) {
  delay_kernel<<<1, 1, 0, stream>>>(std::uint64_t(microseconds) * 1000);
  DGTD_CUDA_CHECK_LAUNCH();
}

template void queue_pattern<float>(SendView<float>, std::int64_t, std::int64_t, std::uint32_t, cudaStream_t);
template void queue_pattern<double>(SendView<double>, std::int64_t, std::int64_t, std::uint32_t, cudaStream_t);
template void queue_check<float>(const float*, std::int64_t, std::uint32_t, unsigned*, cudaStream_t);
template void queue_check<double>(const double*, std::int64_t, std::uint32_t, unsigned*, cudaStream_t);

}  // namespace dgtd::parallel::test
