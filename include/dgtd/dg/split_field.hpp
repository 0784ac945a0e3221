#pragma once
#include <cstdint>

#include "dgtd/base/host_device.hpp"

namespace dgtd::dg {

/// A field to read of which some consecutive slots are in another array, at the same places.
template <class Real>
struct SplitField {
  const Real* field;
  const Real* other = nullptr;
  std::uint32_t first_slot = 0, slots = 0;  // in `other`

  /// The start of the array with the slot.
  DGTD_HOST_DEVICE const Real* of(std::uint32_t slot) const { return slot - first_slot < slots ? other : field; }
};

}  // namespace dgtd::dg
