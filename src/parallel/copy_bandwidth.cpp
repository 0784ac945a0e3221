#include "dgtd/parallel/copy_bandwidth.hpp"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <new>

#include "bounded_copy.hpp"
#include "dgtd/base/timer.hpp"

namespace dgtd::parallel {

double copy_bandwidth_within(int ranks_on_host, double seconds) {
  // Floats: 128 MiB per array and host, more than caches hold, however many ranks share it.
  constexpr std::ptrdiff_t of_host = std::ptrdiff_t{1} << 25, smallest = std::ptrdiff_t{1} << 18;
  constexpr int parts = 8, repeats = 5;
  const Timer timer;
  std::ptrdiff_t n = std::max(of_host / std::max(ranks_on_host, 1), smallest);
  const std::unique_ptr<float[]> from(new (std::nothrow) float[n]), to(new (std::nothrow) float[n]);
  if (from == nullptr || to == nullptr) return 0;
  float* const a = from.get();
  float* const b = to.get();
  const auto fill = [&](std::ptrdiff_t first, std::ptrdiff_t last) {
#pragma omp parallel for schedule(static)
    for (std::ptrdiff_t i = first; i < last; ++i) {
      a[i] = 1;
      b[i] = 2;
    }
  };
  // The time of the first part shows for how many there is time. As many as possible: caches hold the first.
  const std::ptrdiff_t part = n / parts;
  fill(0, part);
  const double parts_in_time = 0.5 * seconds / std::max(timer.seconds(), 1e-9);
  n = parts_in_time >= parts ? n : part * std::max(1, static_cast<int>(parts_in_time));
  fill(part, n);
  double best = 1e30;
  for (int repeat = 0; repeat < repeats && (repeat == 0 || timer.seconds() < seconds); ++repeat) {
    const Timer copy;
#pragma omp parallel for simd schedule(static)
    for (std::ptrdiff_t i = 0; i < n; ++i) b[i] = a[i];
    best = std::min(best, copy.seconds());
  }
  volatile float keep = b[n / 2];
  (void)keep;
  return 2.0 * static_cast<double>(n) * sizeof(float) / best;
}

double copy_bandwidth(int ranks_on_host) {
  constexpr double seconds = 1;
  return copy_bandwidth_within(ranks_on_host, seconds);
}

}  // namespace dgtd::parallel
