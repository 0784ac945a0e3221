#include "dgtd/base/units.hpp"

#include <iterator>
#include <algorithm>
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <span>

namespace dgtd::units {

namespace {

constexpr std::array times{Unit{"s", 1},      Unit{"ms", 1e-3},  Unit{"us", 1e-6}, Unit{"ns", 1e-9},
                           Unit{"ps", 1e-12}, Unit{"fs", 1e-15}, Unit{"as", 1e-18}};
constexpr std::array lengths{Unit{"m", 1}, Unit{"mm", 1e-3}, Unit{"um", 1e-6}, Unit{"nm", 1e-9}, Unit{"pm", 1e-12}};
constexpr std::array frequencies{Unit{"THz", 1e12}, Unit{"GHz", 1e9}, Unit{"MHz", 1e6}, Unit{"kHz", 1e3},
                                 Unit{"Hz", 1}};
constexpr std::array powers{Unit{"W", 1}, Unit{"mW", 1e-3}, Unit{"uW", 1e-6}, Unit{"nW", 1e-9}, Unit{"pW", 1e-12}};

// From the largest unit on. A value that four digits round to 1 of a unit has that unit.
Unit fitting(std::span<const Unit> units, double value) {
  constexpr double rounding = 5e-5;
  Unit base;
  for (const Unit& unit : units)
    if (unit.size == 1) base = unit;
  const double size = std::abs(value) * (1 + rounding);
  if (!(size > 0) || !std::isfinite(size)) return base;
  for (const Unit& unit : units)
    if (size >= unit.size) return unit;
  return units.back();
}

std::string text(double value, const Unit& unit, int digits) {
  // Rounded, so that 1000.4 has no exponent at three digits; + 0.0: no "-0".
  const double in_unit = value / unit.size + 0.0;
  const double most = std::pow(10.0, digits);
  return std::abs(in_unit) >= most && std::abs(in_unit) < 1e6 ? fmt::format("{:.0f} {}", in_unit, unit.name)
                                                              : fmt::format("{:.{}g} {}", in_unit, digits, unit.name);
}

}  // namespace

Unit time(double seconds) { return fitting(times, seconds); }
Unit length(double metres) { return fitting(lengths, metres); }
Unit frequency(double hertz) { return fitting(frequencies, hertz); }
Unit power(double watts) { return fitting(powers, watts); }
Unit for_places(double farthest) { return length(0.1 * farthest); }

std::string time_text(double seconds, int digits) { return text(seconds, time(seconds), digits); }
std::string length_text(double metres, int digits) { return text(metres, length(metres), digits); }
std::string frequency_text(double hertz, int digits) { return text(hertz, frequency(hertz), digits); }
std::string power_text(double watts, int digits) { return text(watts, power(watts), digits); }

std::string size_text(double bytes) {
  return bytes < 1e6   ? fmt::format("{:.1f} kB", bytes / 1e3)
         : bytes < 1e9 ? fmt::format("{:.1f} MB", bytes / 1e6)
                       : fmt::format("{:.2f} GB", bytes / 1e9);
}

std::string at_end(std::string_view name) {
  constexpr std::string_view known[] = {"s", "m", "m2", "m3", "J", "W", "V", "A", "Hz", "kg", "deg", "dB", "per"};
  std::string unit;
  for (std::size_t bar; (bar = name.rfind('_')) != std::string_view::npos; name = name.substr(0, bar)) {
    const std::string_view word = name.substr(bar + 1);
    if (std::find(std::begin(known), std::end(known), word) == std::end(known)) break;
    const bool divides = word == "per";
    if (!divides && !unit.empty() && !unit.starts_with('/')) unit = " " + unit;
    unit = (divides ? "/" : std::string(word)) + unit;
  }
  return unit;
}

}  // namespace dgtd::units
