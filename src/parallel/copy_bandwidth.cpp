#include "dgtd/parallel/copy_bandwidth.hpp"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <new>

#include "dgtd/base/timer.hpp"

namespace dgtd::parallel {

double copy_bandwidth(int ranks_on_host) {
  // Floats: 128 MiB per array and host, more than caches hold, however many ranks share it.
  constexpr std::ptrdiff_t of_host = std::ptrdiff_t{1} << 25, smallest = std::ptrdiff_t{1} << 18;
  const std::ptrdiff_t n = std::max(of_host / std::max(ranks_on_host, 1), smallest);
  const std::unique_ptr<float[]> from(new (std::nothrow) float[n]), to(new (std::nothrow) float[n]);
  if (from == nullptr || to == nullptr) return 0;
  float* const a = from.get();
  float* const b = to.get();
#pragma omp parallel for schedule(static)
  for (std::ptrdiff_t i = 0; i < n; ++i) {
    a[i] = 1;
    b[i] = 2;
  }
  double best = 1e30;
  for (int repeat = 0; repeat < 5; ++repeat) {
    const Timer timer;
#pragma omp parallel for simd schedule(static)
    for (std::ptrdiff_t i = 0; i < n; ++i) b[i] = a[i];
    best = std::min(best, timer.seconds());
  }
  volatile float keep = b[n / 2];
  (void)keep;
  return 2.0 * static_cast<double>(n) * sizeof(float) / best;
}

}  // namespace dgtd::parallel
