#pragma once
// Ticks and units of axes in the pictures and charts of the report.
#include <string>
#include <vector>

#include "dgtd/io/charts.hpp"

namespace dgtd::io {

struct Tick {
  double value;
  std::string text;
};

/// A step of 1, 2 or 5 times a power of ten with at most so many steps in a length > 0.
double round_step(double length, int most);

/// Ticks of an axis, in either direction, at multiples of such a step.
std::vector<Tick> axis_ticks(double from, double to, int most = 5);

/// Ticks of a logarithmic axis between two powers of ten: these, thinned to at most `most`, and between two neighbours
/// also their multiples by 2 and 5.
std::vector<Tick> decade_ticks(double from, double to, int most = 7);

/// "10" with an exponent in superscript.
std::string power_of_ten(int exponent);

struct AxisUnit {
  std::string name;  // plain text; with a power of ten where the unit has no fitting prefix
  double size = 1;   // in the SI unit
};

/// The unit in which the largest value of an axis has few digits.
AxisUnit axis_unit(const std::string& si_unit, double largest);

/// Ends of an axis, low < high.
struct AxisRange {
  double low = 0, high = 1;
};

/// Ends of a linear axis at ticks around values, at 0 where that is near; of equal values, around these.
AxisRange linear_range(double lowest, double highest);
/// Powers of ten around positive values, at most ten decades below the largest.
AxisRange decade_range(double lowest, double highest);

/// Wavelengths (m) to be marked on an axis of frequencies (Hz) of so many units, at least 42 units apart: the roundest
/// first.
std::vector<double> wavelength_ticks(double lowest, double highest, double width);

}  // namespace dgtd::io
