#pragma once
// Bodies of loops over arrays, for Backend::for_each: body(i) for i from 0 to n - 1.
#include <cstdint>

#include "dgtd/base/host_device.hpp"

namespace dgtd::parallel {

/// to[i] = from[i]
template <class Real>
struct CopyReals {
  const Real* from;
  Real* to;
  DGTD_HOST_DEVICE void operator()(std::int64_t i) const { to[i] = from[i]; }
};

/// values[i] *= factor
template <class Real>
struct ScaleReals {
  Real* values;
  Real factor;
  DGTD_HOST_DEVICE void operator()(std::int64_t i) const { values[i] *= factor; }
};

/// to[i] += factor from[i]
template <class Real>
struct AddReals {
  const Real* from;
  Real factor;
  Real* to;
  DGTD_HOST_DEVICE void operator()(std::int64_t i) const { to[i] += factor * from[i]; }
};

/// real + i imag += (c + i s) field, each product rounded before it is added
template <class Real>
struct AddPhasor {
  const Real* field;
  Real c, s;
  Real *real, *imag;
  DGTD_HOST_DEVICE void operator()(std::int64_t i) const {
    const Real value = field[i];
    real[i] += c * value;
    imag[i] += s * value;
  }
};

}  // namespace dgtd::parallel
