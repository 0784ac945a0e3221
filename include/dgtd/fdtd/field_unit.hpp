#pragma once
// The unit of fields that are stored with few digits and little range (half precision: 11 bits, 2^-14 to 65504).
//
// Maxwell's equations are linear, so that fields may be stored as multiples of any unit. It is a power of two: a change
// of it changes no digit of what is neither too small nor too large. It is determined at fixed steps from the largest
// component of all fields and from what the sources add, so it depends on neither ranks, threads nor back end.
#include <optional>
#include <vector>

#include "dgtd/physics/waveform.hpp"

namespace dgtd::fdtd {

/// Largest addition of a source to a component in a half step, V/m, over all ranks: `largest` times its waveform, whose
/// time is late by up to `delay`, s.
struct SourceSize {
  physics::WaveformShape shape;
  double largest = 0, delay = 0;
  /// From this time on, V/m.
  double from(double time) const;
};

/// Steps between two looks at the fields. What the sources add in so many steps, all of it at one place, stays within
/// the range.
inline constexpr int steps_of_unit = 128;

/// Units of fields, V/m.
class FieldUnit {
 public:
  explicit FieldUnit(std::vector<SourceSize> sources) : sources_(std::move(sources)) {}

  /// For fields of that largest magnitude, V/m.
  static double of(double largest);
  /// The unit from the time on, s, of fields whose largest component is largest * unit; the present one where it serves
  /// (or nothing is known).
  double next(double unit, double largest, double time) const;

 private:
  std::vector<SourceSize> sources_;
};

}  // namespace dgtd::fdtd
