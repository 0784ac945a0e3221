#pragma once
#include "dgtd/base/host_device.hpp"

namespace dgtd::dg {

/// A number of a loop, or its place in the executor's memory, from which loops that are replayed read a new value.
struct LoopNumber {
  DGTD_HOST_DEVICE LoopNumber(double number) : value(number) {}
  DGTD_HOST_DEVICE LoopNumber(const double* place) : at(place) {}
  DGTD_HOST_DEVICE operator double() const { return at != nullptr ? *at : value; }
  const double* at = nullptr;
  double value = 0;
};

}  // namespace dgtd::dg
