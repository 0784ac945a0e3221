#pragma once
// Number of steps per sweep and of rows taken together, from the sizes of caches and planes.
#include <string>

#include "dgtd/fdtd/layout.hpp"
#include "fdtd/steps/sweeps/skewed_sweep.hpp"

namespace dgtd::fdtd {

/// Domain of a sweep.
struct SweepDomain {
  int planes, rows;
  double plane_bytes;  // of all that a step reads and writes of a plane
  int threads;
};

/// The most steps of a sweep, at least 1. why: what hinders more than 1.
int most_steps_of_sweep(const SweepDomain& domain, const CacheSizes& caches, std::string& why);
/// A sweep of so many steps.
SkewedSweep sweep_of(const SweepDomain& domain, const CacheSizes& caches, int steps);

}  // namespace dgtd::fdtd
