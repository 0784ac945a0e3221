#pragma once
// Bodies of the absorbing condition on walls: E <- kept inner E + factor (new inner E - kept E).
#include <cstdint>

#include "dgtd/base/host_device.hpp"

namespace dgtd::fdtd {

template <class Real>
struct KeepBoundary {
  const Real* field;
  const std::uint64_t *wall, *inner;
  Real* kept;  // [n][2] on the wall, inside
  DGTD_HOST_DEVICE void operator()(std::int64_t i) const {
    kept[2 * i] = field[wall[i]];
    kept[2 * i + 1] = field[inner[i]];
  }
};
template <class Real>
struct UpdateBoundary {
  Real* field;
  const std::uint64_t *wall, *inner;
  const Real *factor, *kept;
  DGTD_HOST_DEVICE void operator()(std::int64_t i) const {
    field[wall[i]] = kept[2 * i + 1] + factor[i] * (field[inner[i]] - kept[2 * i]);
  }
};

}  // namespace dgtd::fdtd
