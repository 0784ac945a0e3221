#pragma once
// Charts of the report: curves over an axis, and cuts through a radiation pattern. All values are in SI units; the page
// chooses units that fit, ticks and colours.
#include <cstddef>
#include <string>
#include <vector>

namespace dgtd::io {

struct Curve {
  std::string name;          // in the legend; empty: none
  std::vector<double> x, y;  // [points]; a point that is no number is a gap
};

struct ChartAxis {
  std::string name;
  std::string unit;  // SI, plain text such as "J/Hz"; empty: none
  bool is_logarithmic = false;
  bool has_wavelengths = false;  // of frequencies: a second scale with the wavelengths in vacuum
};

struct Chart {
  std::string title;
  ChartAxis x, y;
  std::vector<Curve> curves;  // the first six have colours of their own
};

/// Power relative to `largest` on a logarithmic scale, over all angles of planes through an axis.
struct PolarChart {
  std::string title;
  std::vector<Curve> cuts;  // x: angle from the upward axis, clockwise, rad; y: power per solid angle
  double largest = 1;       // the outer circle, in the unit of y
  double depth_dB = 30;     // the centre is so far below
};

/// Reflection factors over frequency, relative to a real impedance, on the circles of equal resistance and reactance.
struct SmithChart {
  std::string title;
  std::vector<Curve> curves;  // x, y: real and imaginary part, in the order of frequencies
};

/// At most so many points (at least 4) that have the same outline: first, last, smallest and largest of each group of
/// neighbours. Curves with fewer points are unchanged.
Curve thinned(const Curve& curve, std::size_t most);

/// The axis of frequencies, Hz; with wavelengths where all of them are below 10 um.
ChartAxis frequency_axis(const std::vector<double>& frequencies);

}  // namespace dgtd::io
