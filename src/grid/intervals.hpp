#pragma once
// Pieces of lines.
#include <algorithm>
#include <cmath>
#include <limits>

#include "dgtd/grid/solid.hpp"

namespace dgtd::grid {

inline constexpr Interval whole_line{-std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};

inline Interval common_part(const Interval& a, const Interval& b) {
  return {std::max(a.low, b.low), std::min(a.high, b.high)};
}

/// offset + t slope| <= limit.|Interval of t in which |offset + t slope| <= limit.|offset + t slope| <= limit.
inline Interval where_within(double offset, double slope, double limit) {
  if (slope == 0) return std::abs(offset) <= limit ? whole_line : Interval{};
  const double a = (-limit - offset) / slope, b = (limit - offset) / slope;
  return {std::min(a, b), std::max(a, b)};
}

}  // namespace dgtd::grid
