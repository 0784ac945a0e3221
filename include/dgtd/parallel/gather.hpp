#pragma once
// Bodies of loops over lists of places in a field, for Backend::for_each.
#include <cstdint>

#include "dgtd/base/host_device.hpp"
#include "dgtd/parallel/send_view.hpp"

namespace dgtd::parallel {

/// packed[i] = field[index[i]]
template <class Real>
struct Gather {
  const Real* field;
  const std::uint64_t* index;
  SendView<Real> packed;
  DGTD_HOST_DEVICE void operator()(std::int64_t i) const { *packed.at(i) = field[index[i]]; }
};

/// field[index[i]] = packed[i]
template <class Real>
struct Scatter {
  Real* field;
  const std::uint64_t* index;
  const Real* packed;
  DGTD_HOST_DEVICE void operator()(std::int64_t i) const { field[index[i]] = packed[i]; }
};

}  // namespace dgtd::parallel
