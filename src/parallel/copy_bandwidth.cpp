#include "dgtd/parallel/copy_bandwidth.hpp"

#include <algorithm>
#include <cstddef>
#include <memory>

#include "dgtd/base/timer.hpp"

namespace dgtd::parallel {

double copy_bandwidth() {
  constexpr std::ptrdiff_t n = std::ptrdiff_t{1} << 25;  // floats: 128 MiB per array, more than caches hold
  const std::unique_ptr<float[]> from(new float[n]), to(new float[n]);
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
  return 2.0 * n * sizeof(float) / best;
}

}  // namespace dgtd::parallel
