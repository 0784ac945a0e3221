#pragma once
// Loops over arrays that several methods run on their executors: body(i) for i from 0 to n - 1.
#include <cstdint>

#include "dgtd/base/host_device.hpp"

namespace dgtd::parallel {

template <class Real>
struct CopyReals {
  const Real* from;
  Real* to;
  DGTD_HOST_DEVICE void operator()(std::int64_t i) const { to[i] = from[i]; }
};

/// real + i imag += (c + i s) field
template <class Real>
struct AddPhasor {
  const Real* field;
  Real c, s;
  Real *real, *imag;
  DGTD_HOST_DEVICE void operator()(std::int64_t i) const {
    real[i] += c * field[i];
    imag[i] += s * field[i];
  }
};

}  // namespace dgtd::parallel
