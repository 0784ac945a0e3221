#include "fdtd/steps/sweeps/sweep_size.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace dgtd::fdtd {

namespace {

constexpr int most_stages = 8;  // more gain little, and wedges grow with their square

// Bytes that a sweep may occupy: most of a thread's own cache, or a quarter of its part of the shared one, of which
// other threads and what streams through take the rest.
double budget(const CacheSizes& caches) { return std::max(0.75 * caches.own, 0.25 * caches.shared); }

// Rows that are taken together, so that steps + 2 planes of them, and the rows by which they move, fit the budget.
double rows_that_fit(const SweepDomain& domain, const CacheSizes& caches, int steps) {
  return budget(caches) * domain.rows / ((steps + 2) * domain.plane_bytes) - steps;
}

// Memory traffic per step, that of one step per pass being 1: rows at the ends of a group come once more.
double traffic(double rows, int steps, int all_rows) {
  if (rows >= all_rows) return 1.0 / steps;
  return rows < 1 ? 1 : (rows + steps) / (rows * steps);
}

}  // namespace

int most_steps_of_sweep(const SweepDomain& domain, const CacheSizes& caches, std::string& why) {
  const int deep = domain.planes / (2 * domain.threads);
  if (deep < 2) {
    why = fmt::format("{} planes are too few for {} threads", domain.planes, domain.threads);
    return 1;
  }
  int best = 1;
  double least = 1;
  for (int steps = 2; steps <= std::min(most_stages, deep); ++steps)
    if (const double t = traffic(rows_that_fit(domain, caches, steps), steps, domain.rows); t < least)
      best = steps, least = t;
  if (best == 1) why = "a plane is too large for the caches";
  return best;
}

SkewedSweep sweep_of(const SweepDomain& domain, const CacheSizes& caches, int steps) {
  SkewedSweep sweep{};
  sweep.planes = domain.planes;
  sweep.rows = domain.rows;
  sweep.steps = steps;
  sweep.chunks = std::clamp(domain.planes / (2 * steps), 1, domain.threads);
  // Groups of equal size.
  const double fit = std::clamp(rows_that_fit(domain, caches, steps), 1.0, double(domain.rows));
  const int groups = (domain.rows + static_cast<int>(fit) - 1) / static_cast<int>(fit);
  sweep.rows_together = (domain.rows + groups - 1) / groups;
  return sweep;
}

}  // namespace dgtd::fdtd
