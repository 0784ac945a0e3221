#pragma once
// The cells of one axis of a grid that is finer inside some intervals.
#include <vector>

namespace dgtd::config {

struct FineInterval {
  double lower, upper;  // m, from the axis' lower end; what is outside [0, length] does not count
  double spacing;       // m, the largest inside
};

struct GradedAxis {
  double length;                         // m
  double spacing;                        // m, the coarse one
  double ratio;                          // of neighbouring spacings at most, > 1
  bool periodic = false;                 // the last cell and the first are neighbours
  int lower_layer = 0, upper_layer = 0;  // cells of absorbing layers at the ends, of uniform spacing
};

/// Spacings (m, [cells]) whose sum is the length. Ends of intervals inside the axis are nodes; where intervals overlap
/// the finest counts. Layers have the coarse spacing where no interval reaches them and there is room to grow to it.
/// Throws Error where that takes more than most_cells or no such spacings are found.
std::vector<double> graded_spacings(const GradedAxis& axis, const std::vector<FineInterval>& intervals);

}  // namespace dgtd::config
