#include "dgtd/observers/region_observer.hpp"

#include <algorithm>

namespace dgtd::observers {

std::size_t RegionObserver::add(const solver::Region& region) {
  const std::size_t number = spectra_.add_region(region);
  if (const std::int64_t interval = spectra_.sampling_interval(number); interval > 0)
    sampled_.push_back({number, interval});
  return number;
}

std::int64_t RegionObserver::next(std::int64_t step) const {
  std::int64_t next = solver::never;
  for (const Sampled& s : sampled_) next = std::min(next, solver::next_multiple(step, s.interval, 1));
  return next;
}

void RegionObserver::observe(const solver::Clock& clock) {
  for (const Sampled& s : sampled_)
    if (clock.steps % s.interval == 0) spectra_.accumulate(s.region, double(s.interval) * clock.time_step);
}

}  // namespace dgtd::observers
