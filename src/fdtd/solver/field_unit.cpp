#include "dgtd/fdtd/field_unit.hpp"

#include <algorithm>
#include <cmath>

namespace dgtd::fdtd {

namespace {

// Bounds of magnitudes in units: fields are brought to 4 ... 8, and left alone from 1 to 256. Above that are 8 bits up
// to 65504 for growth between two looks; below are 17 bits of full precision.
constexpr double best = 8, low = 1, high = 256;
// Limit of the additions of sources in a half step, so that even their sum over all steps between two looks is at most
// `high`.
constexpr double of_sources = 2;
// Units are representable with every half in single precision.
constexpr int largest_exponent = 90;

// The smallest power of two that is not less.
double power_of_two(double x) {
  int exponent = 0;
  if (std::frexp(x, &exponent) == 0.5) --exponent;
  return std::ldexp(1.0, std::clamp(exponent, -largest_exponent, largest_exponent));
}

}  // namespace

double SourceSize::from(double time) const {
  if (shape.type != physics::Waveform::Type::modulated_gaussian) return largest;
  const double past = std::max(0.0, (time - delay) / shape.spread - 5);  // spreads since the pulse's peak
  return largest * std::exp(-0.5 * past * past);
}

double FieldUnit::of(double largest) { return largest > 0 ? power_of_two(largest / best) : 1; }

double FieldUnit::next(double unit, double largest, double time) const {
  double added = 0;
  for (const SourceSize& source : sources_) added += source.from(time);
  const double least = added > 0 ? power_of_two(added / of_sources) : 0;  // for the sources
  if (largest == 0) return least > 0 ? least : unit;
  if (low <= largest && largest <= high && least <= unit) return unit;
  return std::max(power_of_two(largest * unit / best), least);
}

}  // namespace dgtd::fdtd
