#pragma once
// An interval of frequencies.

namespace dgtd::physics {

/// Frequencies, Hz.
struct Band {
  double lowest = 0, highest = 0;

  bool operator==(const Band&) const = default;
};

}  // namespace dgtd::physics
