#include "sweep_size.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cmath>
#include <cstdlib>

namespace dgtd::fdtd {

CacheSizes cache_sizes(int threads) {
  return {double(sysconf(_SC_LEVEL2_CACHE_SIZE)), double(sysconf(_SC_LEVEL3_CACHE_SIZE)) / threads};
}

int most_steps_of_sweep(const SweepDomain& domain, const CacheSizes&, std::string& why) {
  int most = 4;
  if (const char* t = std::getenv("SW_T")) most = atoi(t);
  const int deep = domain.planes / (2 * domain.threads);
  if (deep < 2) {
    why = fmt::format("{} planes are too few for {} threads", domain.planes, domain.threads);
    return 1;
  }
  return std::min(most, deep);
}

SkewedSweep sweep_of(const SweepDomain& domain, const CacheSizes&, int steps) {
  SkewedSweep sweep{};
  sweep.planes = domain.planes;
  sweep.rows = domain.rows;
  sweep.steps = steps;
  sweep.chunks = std::clamp(domain.planes / (2 * steps), 1, domain.threads);
  sweep.rows_together = domain.rows;
  if (const char* t = std::getenv("SW_R")) sweep.rows_together = atoi(t);
  return sweep;
}

}  // namespace dgtd::fdtd
